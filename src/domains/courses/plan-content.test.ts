// Which rows a save of the editor becomes, and what it is refused for.
import { describe, expect, test } from 'vitest'
import { emptyRichText } from '../lessons/rich-text.ts'
import { type KnownContent, newItems, planContent } from './plan-content.ts'
import { isTitleOf, slugOf, summaryOf } from './rules.ts'

const nothing: KnownContent = {
  chapterIds: new Set(),
  lessons: new Map(),
  linkIds: new Set(),
  readyVideoIds: new Set(),
  isPublished: false,
}
const lesson = (title: string, more: object = {}) => ({
  title,
  content: emptyRichText,
  videoId: null as string | null,
  links: [] as { id?: string; title: string; url: string; description: string }[],
  ...more,
})
const link = (title: string, url: string, more: object = {}) => ({
  title,
  url,
  description: '',
  ...more,
})
type Chapters = Parameters<typeof planContent>[0]

function planned(chapters: Chapters, known: Partial<KnownContent> = {}) {
  let made = 0
  return planContent(chapters, { ...nothing, ...known }, () => `new ${(made += 1)}`)
}
const problemOf = (chapters: Chapters, known: Partial<KnownContent> = {}) => {
  const plan = planned(chapters, known)
  return 'problem' in plan ? plan.problem : null
}

describe('a save', () => {
  test('keeps ids and the order, drops what is blank, and gives ids to what is new', () => {
    const known = {
      chapterIds: new Set(['c1']),
      lessons: new Map([['l1', { title: 'Old', slug: 'kept-address' }]]),
      linkIds: new Set(['k1']),
      readyVideoIds: new Set(['v1']),
    }
    const chapters = [
      { title: '', lessons: [lesson('Lost')] },
      {
        title: 'New',
        lessons: [
          lesson(''),
          lesson('First', {
            videoId: 'v1',
            isPreview: true,
            durationMinutes: 7,
            links: [
              link('', 'https://example.com/'),
              link('Nowhere', ''),
              link('Site', 'example.com', { id: 'k1', description: 'Look' }),
              link('Mail', 'me@example.com'),
            ],
          }),
          lesson('Second', { videoUrl: 'https://example.com/film.mp4' }),
        ],
      },
      { id: 'c1', title: 'Known', lessons: [lesson('old', { id: 'l1' })] },
    ]
    const row = {
      content: emptyRichText,
      videoId: null,
      videoUrl: null,
      isPreview: false,
      durationMinutes: null,
    }
    expect(planned(chapters, known)).toEqual({
      chapters: [
        { id: 'new 1', title: 'New', orderIndex: 1 },
        { id: 'c1', title: 'Known', orderIndex: 2 },
      ],
      lessons: [
        {
          ...row,
          id: 'new 2',
          chapterId: 'new 1',
          title: 'First',
          slug: 'first',
          videoId: 'v1',
          isPreview: true,
          durationMinutes: 7,
          orderIndex: 1,
        },
        {
          ...row,
          id: 'new 4',
          chapterId: 'new 1',
          title: 'Second',
          slug: 'second',
          videoUrl: 'https://example.com/film.mp4',
          orderIndex: 2,
        },
        {
          ...row,
          id: 'l1',
          chapterId: 'c1',
          title: 'old',
          slug: 'kept-address',
          orderIndex: 1,
        },
      ],
      links: [
        {
          id: 'k1',
          lessonId: 'new 2',
          title: 'Site',
          url: 'https://example.com',
          description: 'Look',
          orderIndex: 1,
        },
        {
          id: 'new 3',
          lessonId: 'new 2',
          title: 'Mail',
          url: 'mailto:me@example.com',
          description: '',
          orderIndex: 2,
        },
      ],
    })
    // Enough for all that is new, also for what is dropped.
    expect(newItems(chapters)).toBe(9)
    expect(newItems([])).toBe(0)
  })

  const withLesson = (more: object) => [{ title: 'One', lessons: [lesson('A', more)] }]
  test.each([
    [
      'a video that is not ready',
      withLesson({ videoId: 'v1' }),
      {},
      'The video of “A” is not ready. Please wait until its upload is complete, or upload it again.',
    ],
    [
      'two videos in one lesson',
      withLesson({ videoId: 'v1', videoUrl: 'https://example.com/film.mp4' }),
      { readyVideoIds: new Set(['v1']) },
      '“A” has an uploaded video and a link to one. Please keep one of them.',
    ],
    [
      'a link that leads nowhere',
      withLesson({ links: [link('There', 'javascript:alert(1)')] }),
      {},
      'A link of “A” does not work: “There” needs a web or mail address, such as https://example.com.',
    ],
    [
      'a link that is too long once it has its https://',
      withLesson({ links: [link('Far', `example.com/${'a'.repeat(1985)}`)] }),
      {},
      'A link of “A” does not work: “Far” has an address of more than 2,000 characters.',
    ],
    [
      'no chapter',
      [{ title: '', lessons: [lesson('A')] }],
      {},
      'A course needs at least one chapter. Please give a chapter a title.',
    ],
    [
      'a published course without lessons',
      [{ title: 'One', lessons: [lesson('')] }],
      { isPublished: true },
      'A published course needs at least one lesson. Add a lesson with a title, or unpublish the course first.',
    ],
    [
      'a chapter of another course',
      [{ id: 'x', title: 'One', lessons: [] }],
      { lessons: new Map([['x', { title: '', slug: '' }]]), linkIds: new Set(['x']) },
      'The chapter “One” does not belong to this course.',
    ],
    [
      'a lesson of another course',
      withLesson({ id: 'x' }),
      { chapterIds: new Set(['x']), linkIds: new Set(['x']) },
      'The lesson “A” does not belong to this course.',
    ],
    [
      'a link of another course',
      withLesson({ links: [link('There', 'example.com', { id: 'x' })] }),
      { chapterIds: new Set(['x']) },
      'The link “There” does not belong to this course.',
    ],
    [
      'a chapter that is there twice',
      ['One', 'Two'].map((title) => ({ id: 'x', title, lessons: [] })),
      { chapterIds: new Set(['x']) },
      'The chapter “Two” is there twice.',
    ],
  ])('with %s is refused in words', (_what, chapters, known, problem) => {
    expect(problemOf(chapters, known)).toBe(problem)
  })

  test('of a draft may be without lessons, and a published course has one', () => {
    expect(problemOf([{ title: 'One', lessons: [] }])).toBeNull()
    expect(problemOf(withLesson({}), { isPublished: true })).toBeNull()
    expect(problemOf(withLesson({ videoId: 'v1' }), { readyVideoIds: new Set(['v1']) })).toBeNull()
  })
})

test.each([
  ['Rope Work', 'Rope Work ⚡', true],
  ['Rope Work ⚡', 'Rope Work ⚡', true],
  ['Rope Work ⚡', 'Rope Work', false],
  ['rope work', 'Rope Work', false],
  ['', '⚡', false],
  ['⚡', '⚡', true],
  ['Cafe\u0301', 'Caf\u00e9', true],
  ['Caf\u00e9', 'Cafe\u0301 ⚡', true],
])('%j as the title %j: %j', (typed, title, isIt) => {
  expect(isTitleOf(typed, title)).toBe(isIt)
})

test('a summary is cut after the last word that leaves more than half, else in the word', () => {
  const cutAt = (space: number) => summaryOf('', `${'x'.repeat(space)} ${'y'.repeat(200)}`)
  expect(cutAt(81)).toBe(`${'x'.repeat(81)}…`)
  expect(cutAt(80)).toBe(`${'x'.repeat(80)} ${'y'.repeat(79)}…`)
  expect(cutAt(160)).toBe(`${'x'.repeat(160)}…`)
  expect(cutAt(161)).toBe(`${'x'.repeat(160)}…`)
  expect(summaryOf('', 'x'.repeat(161))).toBe(`${'x'.repeat(160)}…`)
})

test('an address that is cut has no hyphen at either end', () => {
  expect(slugOf(' -a-  -b- ')).toBe('a-b')
  expect(slugOf('a'.repeat(121))).toBe('a'.repeat(120))
})
