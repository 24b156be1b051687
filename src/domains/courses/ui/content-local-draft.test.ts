import { expect, test } from 'vitest'
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

test.each(['', 'null', '{', '[]', '{"format":2,"chapters":[]}', '{"format":1}'])(
  '%j is no draft',
  (text) => {
    expect(readLocalDraft(text)).toBeNull()
  },
)
