// Course files made by hand: as small as they can be, and each part of them may be another one.
import { readFile } from 'node:fs/promises'
import type { HandmadeEntry } from './zip-by-hand.ts'

export const film = await readFile('test/fixtures/lesson.mp4')

export const paragraph = (text: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})

export const lesson = {
  title: 'Lesson',
  content: paragraph('Read.'),
  durationMinutes: null,
  video: null as object | null,
  videoUrl: null as string | null,
  isPreview: false,
  links: [] as { title: string; url: string; description: string }[],
}

export const small = {
  format: 'thunder-course',
  version: 2,
  title: 'A small course',
  shortDescription: '',
  description: paragraph('About it.'),
  category: 'Tech',
  level: 'Beginner',
  pricing: { type: 'free', amount: 0, currency: 'usd' },
  application: { required: false, instructions: 'Write.', questions: [] },
  thumbnail: null as string | null,
  chapters: [{ title: 'Chapter', lessons: [lesson] }],
}

export const withVideo = (file = 'media/1-a.mp4', captions: object[] = []) => ({
  ...small,
  chapters: [
    {
      title: 'Chapter',
      lessons: [{ ...lesson, video: { file, filename: 'a.mp4', captions } }],
    },
  ],
})

export const courseJson = (course: unknown): HandmadeEntry => ({
  name: 'course.json',
  data: JSON.stringify(course),
})

export const movie: HandmadeEntry = { name: 'media/1-a.mp4', data: film }

/** What course.json in an exported ZIP says: it comes first, and nothing is compressed. */
export async function courseJsonOf(zip: Buffer) {
  const start = zip.indexOf('{"format"')
  return JSON.parse(zip.toString('utf8', start, zip.indexOf('\n', start)))
}
