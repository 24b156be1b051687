import { describe, expect, test } from 'vitest'
import { richTextFrom } from '../../lessons/rich-text.ts'
import type { CourseContent } from '../schema.ts'
import {
  type ContentDraft,
  type ContentStep,
  contentStep,
  draftOf,
  toSave,
} from './content-draft.ts'
import {
  hasChanges,
  localDraftOf,
  onTopOf,
  readLocalDraft,
  restoredDraft,
} from './content-local-draft.ts'

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

type Lesson = CourseContent['chapters'][number]['lessons'][number]
const lesson = (number: number, title: string, over: Partial<Lesson> = {}): Lesson => ({
  id: id(number),
  title,
  content: richTextFrom(`About ${title}`),
  video: null,
  videoUrl: null,
  isPreview: false,
  durationMinutes: null,
  videoMinutes: null,
  links: [],
  ...over,
})

const course = (change: (chapters: CourseContent['chapters']) => void = () => {}) => {
  const links = [{ id: id(80), title: 'Site', url: 'https://example.com', description: '' }]
  const chapters = [
    { id: id(1), title: 'Leaves', lessons: [lesson(11, 'Green', { links }), lesson(12, 'Black')] },
    { id: id(2), title: 'Water', lessons: [lesson(21, 'Heat')] },
  ]
  change(chapters)
  const contentVersion = change.length === 0 ? 3 : 4
  const head = { id: id(0), slug: 'tea', title: 'Tea', status: 'draft' } as const
  const videos = { videoMaxMb: 50, processesVideos: false, storage: { bytes: 0, files: 0 } }
  return { ...head, ...videos, contentVersion, chapters }
}

const after = (draft: ContentDraft, ...steps: ContentStep[]) => steps.reduce(contentStep, draft)

/** Through the browser's storage and onto what the server has by then. */
function back(draft: ContentDraft, now: CourseContent) {
  const local = readLocalDraft(JSON.stringify(localDraftOf(draft, 1)))
  if (!local) throw new Error('not readable')
  return restoredDraft(local, now)
}

const outline = (draft: ContentDraft) =>
  draft.chapters.map(({ title, lessons }) => `${title}: ${lessons.map((one) => one.title).join()}`)

const typed: ContentStep = {
  type: 'lessonChanged',
  lesson: id(11),
  change: { title: 'Sencha', content: richTextFrom('Steep.') },
}

test('what was typed, added, moved and removed comes back as it was', () => {
  const draft = after(
    draftOf(course()),
    typed,
    { type: 'chapterAdded' },
    { type: 'lessonMovedTo', lesson: id(11), chapter: id(2), index: 0 },
    { type: 'chapterMovedTo', chapter: id(2), index: 0 },
    { type: 'lessonRemoved', lesson: id(21) },
  )
  const restored = back(draft, course())
  expect(outline(restored)).toEqual(['Water: Sencha', 'Leaves: Black', 'Chapter 3: '])
  expect(toSave(id(0), restored)).toEqual(toSave(id(0), draft))
  const more = after(restored, { type: 'chapterAdded' }).chapters.map(({ key }) => key)
  expect(new Set(more).size, 'keys are not given twice').toBe(more.length)
})

test('a lesson that nobody changed is kept by its id only', () => {
  const { chapters } = localDraftOf(after(draftOf(course()), typed), 1)
  expect(chapters.map(({ lessons }) => lessons.map((kept) => typeof kept))).toEqual([
    ['object', 'string'],
    ['string'],
  ])
})

test('after a save on the same page only what changed since is kept', () => {
  const sent = after(draftOf(course()), typed, { type: 'lessonAdded', chapter: id(2) })
  const added = sent.chapters[1]!.lessons[1]!.key
  const titled = after(sent, { type: 'lessonChanged', lesson: added, change: { title: 'Ice' } })
  const typing = after(titled, { type: 'lessonChanged', lesson: id(12), change: { title: 'Pu' } })
  const saved = course(([leaves, water]) => {
    leaves!.lessons[0]!.title = 'Sencha'
    water!.lessons.push(lesson(22, 'Ice'))
  })
  const draft = after(typing, { type: 'saved', sent: titled, content: saved })
  expect(localDraftOf(draft, 1)).toMatchObject({
    contentVersion: 4,
    removed: [],
    chapters: [{ lessons: [id(11), { id: id(12), title: 'Pu' }] }, { lessons: [id(21), id(22)] }],
  })
})

test('what was added and changed elsewhere since stays', () => {
  const draft = after(draftOf(course()), typed, { type: 'chapterRemoved', chapter: id(2) })
  const now = course((chapters) => {
    chapters[0]!.title = 'Foliage'
    chapters[0]!.lessons[1]!.title = 'Assam'
    chapters[0]!.lessons.push(lesson(13, 'White'))
    chapters.push({ id: id(3), title: 'Cups', lessons: [lesson(31, 'Clay')] })
  })
  const restored = back(draft, now)
  expect(outline(restored)).toEqual(['Foliage: Sencha,Assam,White', 'Cups: Clay'])
  expect(restored.contentVersion).toBe(4)
  const again = localDraftOf(restored, 1).chapters.map(({ lessons }) => lessons)
  expect(again).toEqual([[expect.anything(), id(12), id(13)], [id(31)]])
})

describe('what the person did not touch is as it was made elsewhere:', () => {
  const tea = (chapters: Record<string, string>, over: Partial<Lesson> = {}): CourseContent => ({
    ...course(),
    contentVersion: 4,
    chapters: Object.entries(chapters).map(([title, letters]) => ({
      id: id(title.length),
      title,
      lessons: [...letters].map((letter) => lesson(letter.charCodeAt(0), letter, over)),
    })),
  })
  const begun = tea({ One: 'ABC', Second: 'D' })
  const key = (letter: string) => id(letter.charCodeAt(0))
  const retitled: ContentStep = {
    type: 'lessonChanged',
    lesson: key('B'),
    change: { title: 'Bb' },
  }
  const restoredOn = (now: CourseContent, ...steps: ContentStep[]) =>
    outline(back(after(draftOf(begun), ...steps), now))

  test.each([
    ['the order', tea({ Second: 'D', One: 'CAB' }), ['Second: D', 'One: C,A,Bb']],
    [
      'what was put before others',
      tea({ Welcome: '', One: 'XABC', Second: '' }),
      ['Welcome: ', 'One: X,A,Bb,C', 'Second: '],
    ],
    ['a lesson that left a chapter which is gone', tea({ One: 'ABCD' }), ['One: A,Bb,C,D']],
    ['a lesson in another chapter', tea({ One: 'AC', Second: 'DB' }), ['One: A,C', 'Second: D,Bb']],
  ])('%s', (_what, now, expected) => {
    expect(restoredOn(now, retitled)).toEqual(expected)
  })

  test('the other fields of a lesson', () => {
    const film = { id: id(90), filename: 'new.mp4' } as Lesson['video']
    const now = tea({ One: 'ABC', Second: 'D' }, { isPreview: false, video: film })
    const open = tea(
      { One: 'ABC', Second: 'D' },
      { isPreview: true, videoUrl: 'https://a.example' },
    )
    const restored = back(after(draftOf(open), retitled), now)
    expect(restored.chapters[0]!.lessons[1]).toMatchObject({
      title: 'Bb',
      isPreview: false,
      video: { id: id(90) },
      videoUrl: null,
    })
    const words = richTextFrom('Mine.')
    const written = after(draftOf(open), {
      type: 'lessonChanged',
      lesson: key('B'),
      change: { content: words, isPreview: false },
    })
    const other = tea({ One: 'ABC', Second: 'D' }, { isPreview: true })
    other.chapters[0]!.lessons[1]!.title = 'Theirs'
    expect(back(written, other).chapters[0]!.lessons[1]).toMatchObject({
      title: 'Theirs',
      content: words,
      isPreview: false,
    })
  })

  test('and what was moved or added takes its place among it', () => {
    const now = tea({ Second: 'DE', One: 'XCAB' })
    expect(
      restoredOn(now, { type: 'lessonMovedTo', lesson: key('A'), chapter: id(6), index: 1 }),
    ).toEqual(['Second: D,A,E', 'One: X,C,B'])
    expect(
      restoredOn(now, { type: 'lessonMovedTo', lesson: key('C'), chapter: id(3), index: 0 }),
    ).toEqual(['Second: D,E', 'One: C,X,A,B'])
    expect(restoredOn(now, { type: 'chapterMovedTo', chapter: id(6), index: 0 })).toEqual([
      'Second: D,E',
      'One: X,C,A,B',
    ])
    const draft = after(draftOf(begun), { type: 'lessonAdded', chapter: id(3) })
    const added = draft.chapters[0]!.lessons[3]!.key
    const titled = after(
      draft,
      { type: 'lessonChanged', lesson: added, change: { title: 'New' } },
      { type: 'lessonMovedTo', lesson: added, chapter: id(3), index: 1 },
    )
    expect(outline(back(titled, now))).toEqual(['Second: D,E', 'One: X,C,A,New,B'])
  })

  test('and what was removed is gone wherever it is by now', () => {
    const now = tea({ One: 'ACX', Second: 'DB' })
    expect(restoredOn(now, { type: 'lessonRemoved', lesson: key('B') })).toEqual([
      'One: A,C,X',
      'Second: D',
    ])
    expect(restoredOn(now, { type: 'chapterRemoved', chapter: id(3) })).toEqual([
      'One: X',
      'Second: D',
    ])
  })

  test('a draft of an earlier version, which does not say what it began with, is as it was', () => {
    const {
      base: _base,
      changes: _changes,
      ...local
    } = localDraftOf(after(draftOf(begun), retitled), 1)
    const restored = restoredDraft(local, tea({ Second: 'D', One: 'CABX' }))
    expect(outline(restored)).toEqual(['One: A,Bb,C,X', 'Second: D'])
  })
})

test('what was removed elsewhere stays away, unless it was being written', () => {
  const draft = after(draftOf(course()), typed)
  const now = course((chapters) => {
    chapters.splice(0, 1)
  })
  const restored = back(draft, now)
  expect(outline(restored)).toEqual(['Leaves: Sencha', 'Water: Heat'])
  const [leaves] = restored.chapters
  expect([leaves?.id, leaves?.lessons[0]?.id]).toEqual([undefined, undefined])
  expect(leaves?.lessons[0]?.links[0]?.id).toBeUndefined()
})

test('saved over newer content, only ids that are still there are sent', () => {
  const draft = after(draftOf(course()), typed)
  const now = course((chapters) => {
    chapters[0]!.lessons[0]!.links = []
    chapters.splice(1, 1, { id: id(3), title: 'Cups', lessons: [lesson(31, 'Clay')] })
  })
  const payload = toSave(id(0), onTopOf(draft, now))
  expect(payload.contentVersion).toBe(4)
  expect(payload.chapters.map((chapter) => chapter.id)).toEqual([id(1), undefined])
  expect(payload.chapters[0]?.lessons.map((one) => one.id)).toEqual([id(11), id(12)])
  expect(payload.chapters[0]?.lessons[0]?.links).toMatchObject([{ id: undefined, title: 'Site' }])
  expect(payload.chapters[1]?.lessons.map((one) => one.id)).toEqual([undefined])
})

test('a draft that says what the server says has no changes', () => {
  const local = localDraftOf(after(draftOf(course()), typed), 1)
  expect(hasChanges(local, course())).toBe(true)
  const saved = course((chapters) => {
    Object.assign(chapters[0]!.lessons[0]!, { title: 'Sencha', content: richTextFrom('Steep.') })
  })
  expect(hasChanges(local, saved)).toBe(false)
})

test('what has no title yet is a change, as is half a link; an empty lesson is none', () => {
  const added = after(draftOf(course()), { type: 'lessonAdded', chapter: id(1) })
  const lessonKey = added.chapters[0]!.lessons[2]!.key
  const changed = (draft: ContentDraft) => hasChanges(localDraftOf(draft, 1), course())
  expect(changed(added)).toBe(false)
  const content = richTextFrom('An hour of work.')
  const words: ContentStep = { type: 'lessonChanged', lesson: lessonKey, change: { content } }
  expect(changed(after(added, words))).toBe(true)
  const linked = after(draftOf(course()), { type: 'linkAdded', lesson: id(11) })
  expect(changed(linked)).toBe(false)
  const link = linked.chapters[0]!.lessons[0]!.links[1]!.key
  const description = 'The paper.'
  const half: ContentStep = { type: 'linkChanged', lesson: id(11), link, change: { description } }
  expect(changed(after(linked, half))).toBe(true)
  const empty = { ...course(), chapters: [] }
  const begun = draftOf(empty)
  const first = begun.chapters[0]!.lessons[0]!.key
  const written = after(begun, { type: 'lessonChanged', lesson: first, change: { content } })
  expect(hasChanges(localDraftOf(written, 1), empty)).toBe(true)
  expect(hasChanges(localDraftOf(begun, 1), empty)).toBe(false)
})

test.each(['', 'null', '{', '[]', '{"format":2,"chapters":[]}', '{"format":1}'])(
  '%j is no draft',
  (text) => {
    expect(readLocalDraft(text)).toBeNull()
  },
)
