import { expect, test } from 'vitest'
import { richTextFrom } from '../../lessons/rich-text.ts'
import type { CourseContent } from '../schema.ts'
import { hasArrived } from './content-arrived.ts'
import { contentStep, draftOf } from './content-draft.ts'

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

const course = (titles: string[], first = 1): CourseContent => ({
  id: id(0),
  slug: 'tea',
  title: 'Tea',
  status: 'draft',
  contentVersion: first,
  videoMaxMb: 50,
  processesVideos: false,
  storage: { bytes: 0, files: 0 },
  chapters: titles.map((title, index) => ({ id: id(first + index), title, lessons: [] })),
})

test('a draft has arrived when the server says the same under ids of its own', () => {
  const draft = contentStep(draftOf(course(['Leaves'])), { type: 'chapterAdded' })
  expect(hasArrived(draft, course(['Leaves', 'Chapter 2'], 70))).toBe(true)
  expect(hasArrived(draft, course(['Leaves'], 70))).toBe(false)
  expect(hasArrived(draft, course(['Leaves', 'Water'], 70))).toBe(false)
})

test('a database that keeps a text in another order of keys has the same text', () => {
  const lesson = {
    id: id(9),
    title: 'Green',
    content: richTextFrom('Pour the water.'),
    video: null,
    videoUrl: null,
    isPreview: false,
    durationMinutes: null,
    videoMinutes: null,
    links: [],
  }
  const saying = (content: typeof lesson.content) => ({
    ...course([]),
    chapters: [{ id: id(1), title: 'Leaves', lessons: [{ ...lesson, content }] }],
  })
  const turned = Object.fromEntries(Object.entries(lesson.content).toReversed())
  expect(hasArrived(draftOf(saying(lesson.content)), saying(turned as typeof lesson.content))).toBe(
    true,
  )
})
