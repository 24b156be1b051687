// What the forms of a course take, and what they say where something is wrong.
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { emptyRichText, richTextFrom } from '../lessons/rich-text.ts'
import {
  courseContentSave,
  courseDeletion,
  courseForm,
  courseUpdate,
  newCourse,
  shownCards,
} from './schema.ts'

const courseId = '01999999-9999-7999-8999-999999999999'
const description = richTextFrom('Tie things.')
const least = { title: 'Knots', description, category: 'Hobbies' }

/** Each problem with the place that it is about. */
function problems(schema: z.ZodType, given: unknown): string[] {
  const { error } = schema.safeParse(given)
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
}

describe('the form of a course', () => {
  test('fills in little', () => {
    expect(courseForm.parse(least)).toEqual({
      ...least,
      shortDescription: '',
      level: 'Beginner',
      thumbnailId: null,
    })
  })

  test('keeps all that is given', () => {
    const all = {
      ...least,
      shortDescription: 'In short',
      level: 'Advanced',
      thumbnailId: courseId,
      pricingType: 'monthly',
      priceAmount: 2900,
      applicationRequired: true,
      applicationInstructions: 'Be kind',
      applicationQuestions: [{ id: courseId, question: 'Why?', required: false }],
      watermark: true,
    }
    expect(newCourse.parse(all)).toEqual(all)
    const { title: _title, ...rest } = all
    expect(courseUpdate.parse({ courseId, ...rest })).toEqual({ courseId, ...rest })
  })

  test.each([
    [{ title: ' ' }, 'title: Course title is required'],
    [{ title: 'x'.repeat(121) }, 'title: Course title can have at most 120 characters'],
    [
      { shortDescription: 'x'.repeat(301) },
      'shortDescription: Short description can have at most 300 characters',
    ],
    [{ category: 'Alchemy' }, 'category: Please choose a category'],
    [{ level: 'Master' }, 'level: Please choose a level'],
    [{ thumbnailId: 'x' }, 'thumbnailId: The thumbnail is not a valid id'],
    [{ pricingType: 'weekly' }, 'pricingType: Please choose a pricing'],
    [{ priceAmount: 'much' }, 'priceAmount: Price must be a number'],
    [{ priceAmount: 99 }, 'priceAmount: Price must be at least $1'],
    [{ priceAmount: 1_000_001 }, 'priceAmount: Price can be at most $10,000'],
    [{ applicationRequired: 1 }, 'applicationRequired: Require application must be on or off'],
    [
      { applicationInstructions: 'x'.repeat(2001) },
      'applicationInstructions: Application instructions can have at most 2,000 characters',
    ],
    [{ applicationQuestions: [] }, 'applicationQuestions: At least one question must remain.'],
    [{ watermark: 'on' }, 'watermark: The watermark must be on or off'],
    [{ description: emptyRichText }, 'description: Description is required'],
    [{ description: richTextFrom('\u200b') }, 'description: Description is required'],
    [
      {
        description: {
          type: 'doc',
          content: [{ type: 'heading', attrs: { level: 1 } }],
        },
      },
      'description: Description is required',
    ],
  ])('refuses %j, new or changed', (wrong, problem) => {
    expect(problems(newCourse, { ...least, ...wrong })).toEqual([problem])
    expect(problems(courseUpdate, { courseId, ...wrong })).toEqual([problem])
  })

  test('takes a price that is one: with a type it is not nothing, and free is', () => {
    const unpriced = ['priceAmount: Price must be at least $1']
    for (const [given, expected] of [
      [{ priceAmount: 0 }, []],
      [{ pricingType: 'free', priceAmount: 0 }, []],
      [{ pricingType: 'one_time', priceAmount: 0 }, unpriced],
      [{ pricingType: 'monthly', priceAmount: 0 }, unpriced],
      [{ pricingType: 'monthly' }, []],
      [{ pricingType: 'monthly', priceAmount: 100 }, []],
      [{ priceAmount: 1_000_000 }, []],
    ] as const) {
      expect(problems(newCourse, { ...least, ...given })).toEqual(expected)
      expect(problems(courseUpdate, { courseId, ...given })).toEqual(expected)
    }
  })

  test('changes something, and deletes by a title', () => {
    expect(problems(courseUpdate, { courseId })).toEqual([': There is nothing to change.'])
    expect(problems(courseUpdate, { courseId: 'x', title: 'A' })).toEqual([
      'courseId: The course is not a valid id',
    ])
    expect(courseUpdate.parse({ courseId, applicationInstructions: ' ' })).toEqual({
      courseId,
      applicationInstructions: '',
    })
    expect(courseDeletion.parse({ courseId, title: ' Knots ' })).toEqual({
      courseId,
      title: 'Knots',
    })
  })
})

test('the number of cards is a whole one between a page and all that anybody scrolls', () => {
  const given = ['12', 24, '1200', '1201', '11', 12.5, 'many', undefined, null, -12]
  expect(given.map((one) => shownCards.parse(one))).toEqual([
    12, 24, 1200, 12, 12, 12, 12, 12, 12, 12,
  ])
})

describe('the content of a course', () => {
  const content = richTextFrom('Words')
  const lesson = (more: object = {}) => ({ title: 'A', content, ...more })
  const save = (chapters: unknown, more: object = {}) => ({
    courseId,
    contentVersion: 3,
    chapters,
    ...more,
  })
  const saveLesson = (more: object) => save([{ title: 'One', lessons: [lesson(more)] }])

  test('fills in little', () => {
    expect(courseContentSave.parse(save([{ lessons: [{ content }] }]))).toEqual(
      save([{ title: '', lessons: [{ title: '', content, videoId: null, links: [] }] }]),
    )
    const given = {
      id: courseId,
      title: 'A',
      content,
      videoId: courseId,
      videoUrl: null,
      isPreview: true,
      durationMinutes: 1440,
      links: [{ id: courseId, title: 'There', url: 'example.com', description: 'Why' }],
    }
    expect(courseContentSave.parse(saveLesson(given))).toEqual(
      save([{ title: 'One', lessons: [given] }]),
    )
    const links = [{ title: 'There' }]
    expect(courseContentSave.parse(saveLesson({ links })).chapters[0]!.lessons[0]!.links).toEqual([
      { title: 'There', url: '', description: '' },
    ])
  })

  test('has an address of a video, or none', () => {
    const kept = (videoUrl: unknown) =>
      courseContentSave.parse(saveLesson({ videoUrl })).chapters[0]!.lessons[0]!.videoUrl
    expect(kept(' https://example.com/film.mp4 ')).toBe('https://example.com/film.mp4')
    expect([kept(''), kept(' '), kept(null), kept(undefined)]).toEqual([
      null,
      null,
      null,
      undefined,
    ])
  })

  const inLesson = 'chapters.0.lessons.0'
  test.each([
    [{ id: 'x' }, 'id: A lesson is not a valid id'],
    [{ title: 'x'.repeat(121) }, 'title: Lesson title can have at most 120 characters'],
    [{ videoId: 'x' }, 'videoId: The video is not a valid id'],
    [
      { videoUrl: 'nowhere' },
      'videoUrl: Video address must be a web address, such as https://example.com/film.mp4',
    ],
    [{ isPreview: 'yes' }, 'isPreview: Free preview must be on or off'],
    [{ durationMinutes: 0 }, 'durationMinutes: Duration must be whole minutes, 1 to 1440'],
    [{ durationMinutes: 1441 }, 'durationMinutes: Duration must be whole minutes, 1 to 1440'],
    [{ durationMinutes: 1.5 }, 'durationMinutes: Duration must be whole minutes, 1 to 1440'],
    [{ links: [{ id: 'x' }] }, 'links.0.id: A link is not a valid id'],
    [
      { links: [{ title: 'x'.repeat(121) }] },
      'links.0.title: Link title can have at most 120 characters',
    ],
    [
      { links: [{ url: 'x'.repeat(2001) }] },
      'links.0.url: Link address can have at most 2,000 characters',
    ],
    [
      { links: [{ description: 'x'.repeat(301) }] },
      'links.0.description: Link description can have at most 300 characters',
    ],
    [
      { links: Array.from({ length: 21 }, () => ({})) },
      'links: A lesson can have at most 20 links',
    ],
  ])('refuses a lesson with %j', (more, problem) => {
    expect(problems(courseContentSave, saveLesson(more))).toEqual([`${inLesson}.${problem}`])
  })

  test('refuses other chapters, and more than fit', () => {
    const chapters = (count: number, lessons: number) =>
      Array.from({ length: count }, () => ({
        title: 'A',
        lessons: Array.from({ length: lessons }, () => lesson()),
      }))
    const first = (given: unknown) => problems(courseContentSave, save(given))
    expect(first(chapters(100, 10))).toEqual([])
    expect(first(chapters(101, 1))).toEqual(['chapters: A course can have at most 100 chapters'])
    expect(first([...chapters(10, 100), ...chapters(1, 1)])).toEqual([
      'chapters: A course can have at most 1,000 lessons',
    ])
    expect(first([{ id: 'x', title: 'A', lessons: [] }])).toEqual([
      'chapters.0.id: A chapter is not a valid id',
    ])
    expect(first([{ title: 'x'.repeat(121), lessons: [] }])).toEqual([
      'chapters.0.title: Chapter title can have at most 120 characters',
    ])
    expect(problems(courseContentSave, save([], { contentVersion: 1.5 }))).toHaveLength(1)
  })
})
