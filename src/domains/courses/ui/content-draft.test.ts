import { expect, test } from 'vitest'
import { emptyRichText, richTextFrom } from '../../lessons/rich-text.ts'
import { type CourseContent, courseContentSave } from '../schema.ts'
import {
  type ContentDraft,
  type ContentStep,
  contentStep,
  draftOf,
  hasGoneOn,
  isChanged,
  toSave,
  savingState,
  uploadAlert,
} from './content-draft.ts'
import { brokenLink, droppedOnSave, placeAt } from './content-before-save.ts'

const courseId = id(0)

function id(number: number) {
  return `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
}

function lesson(number: number, title: string, over = {}) {
  return {
    id: id(number),
    title,
    content: emptyRichText,
    video: null,
    videoUrl: null,
    isPreview: false,
    durationMinutes: null,
    videoMinutes: null,
    links: [],
    ...over,
  }
}

function course(chapters: CourseContent['chapters'] = twoChapters()): CourseContent {
  return {
    id: courseId,
    slug: 'tea',
    title: 'Tea',
    status: 'draft',
    contentVersion: 3,
    videoMaxMb: 50,
    processesVideos: false,
    storage: { bytes: 0, files: 0 },
    chapters,
  }
}

function twoChapters(): CourseContent['chapters'] {
  return [
    { id: id(1), title: 'Leaves', lessons: [lesson(11, 'Green'), lesson(12, 'Black')] },
    { id: id(2), title: 'Water', lessons: [lesson(21, 'Heat')] },
  ]
}

function after(draft: ContentDraft, ...steps: ContentStep[]) {
  return steps.reduce(contentStep, draft)
}

function outline(draft: ContentDraft) {
  return draft.chapters.map(
    ({ title, lessons }) => `${title}: ${lessons.map((one) => one.title).join(', ')}`,
  )
}

test('an empty course starts with Chapter 1 and one open lesson, and nothing to save', () => {
  const draft = draftOf(course([]))
  const chapter = draft.chapters[0]
  expect(chapter?.title).toBe('Chapter 1')
  expect(chapter?.lessons).toHaveLength(1)
  expect(draft.open).toEqual(new Set([chapter?.key, chapter?.lessons[0]?.key]))
  expect(isChanged(draft)).toBe(false)
})

test('chapters are added, renamed, moved and removed, but never the last one', () => {
  let draft = after(draftOf(course()), { type: 'chapterAdded' })
  const added = draft.chapters[2]?.key ?? ''
  expect(outline(draft)[2]).toBe('Chapter 3: ')
  expect(draft.open.has(added)).toBe(true)
  draft = after(
    draft,
    { type: 'chapterRenamed', chapter: added, title: 'Cups' },
    { type: 'chapterMoved', chapter: added, by: -1 },
    { type: 'chapterRemoved', chapter: id(1) },
  )
  expect(outline(draft)).toEqual(['Cups: ', 'Water: Heat'])
  draft = after(
    draft,
    { type: 'chapterRemoved', chapter: added },
    { type: 'chapterRemoved', chapter: id(2) },
  )
  expect(outline(draft)).toEqual(['Water: Heat'])
})

test('a lesson is removed only when its chapter has another', () => {
  const draft = after(
    draftOf(course()),
    { type: 'lessonRemoved', lesson: id(21) },
    { type: 'lessonRemoved', lesson: id(11) },
  )
  expect(outline(draft)).toEqual(['Leaves: Black', 'Water: Heat'])
})

test('a lesson moves within its chapter and to the end of another, with its id', () => {
  const draft = after(
    draftOf(course()),
    { type: 'lessonMoved', lesson: id(12), by: -1 },
    { type: 'lessonMovedTo', lesson: id(11), chapter: id(2) },
  )
  expect(outline(draft)).toEqual(['Leaves: Black', 'Water: Heat, Green'])
  expect(draft.chapters[1]?.lessons[1]?.id).toBe(id(11))
})

test('a move beyond the end, or to where it is already, changes nothing', () => {
  const draft = draftOf(course())
  expect(after(draft, { type: 'lessonMoved', lesson: id(12), by: 1 })).toBe(draft)
  expect(after(draft, { type: 'chapterMoved', chapter: id(1), by: -1 })).toBe(draft)
  expect(after(draft, { type: 'lessonMovedTo', lesson: id(11), chapter: id(1) })).toBe(draft)
  expect(isChanged(draft)).toBe(false)
})

test('a change in one lesson leaves the objects of the others alone', () => {
  const draft = draftOf(course())
  const next = after(draft, { type: 'lessonChanged', lesson: id(11), change: { title: 'Sencha' } })
  expect(next.chapters[1]).toBe(draft.chapters[1])
  expect(next.chapters[0]?.lessons[1]).toBe(draft.chapters[0]?.lessons[1])
})

test('a lesson takes 20 links, a course 100 chapters', () => {
  const links = Array.from({ length: 22 }, (): ContentStep => ({
    type: 'linkAdded',
    lesson: id(11),
  }))
  expect(after(draftOf(course()), ...links).chapters[0]?.lessons[0]?.links).toHaveLength(20)
  const chapters = Array.from({ length: 101 }, (): ContentStep => ({ type: 'chapterAdded' }))
  expect(after(draftOf(course()), ...chapters).chapters).toHaveLength(100)
})

test('saving leaves out what has no title, and links without title or address', () => {
  let draft = after(
    draftOf(course()),
    { type: 'chapterAdded' },
    { type: 'lessonAdded', chapter: id(2) },
  )
  const added = draft.chapters[1]?.lessons[1]?.key ?? ''
  draft = after(
    draft,
    { type: 'chapterRenamed', chapter: id(1), title: '  ' },
    { type: 'linkAdded', lesson: id(21) },
    { type: 'linkAdded', lesson: id(21) },
  )
  const [first, second] = draft.chapters[1]?.lessons[0]?.links ?? []
  draft = after(
    draft,
    {
      type: 'linkChanged',
      lesson: id(21),
      link: first?.key ?? '',
      change: { title: 'Kettles', url: 'example.com' },
    },
    {
      type: 'linkChanged',
      lesson: id(21),
      link: second?.key ?? '',
      change: { title: 'No address' },
    },
  )
  const payload = toSave(courseId, draft)
  expect(courseContentSave.parse(payload)).toEqual(payload)
  expect(payload.chapters.map((chapter) => chapter.title)).toEqual(['Water', 'Chapter 3'])
  expect(payload.chapters[0]?.lessons).toHaveLength(1)
  expect(payload.chapters[0]?.lessons[0]?.links).toEqual([
    { id: undefined, title: 'Kettles', url: 'example.com', description: '' },
  ])
  // The lesson was never filled, so nobody needs to hear of it.
  expect(added).not.toBe('')
  expect(droppedOnSave(draft)).toEqual([
    'The untitled chapter 1 and its 2 lessons',
    'A link without title or URL in “Heat”',
  ])
})

test('a lesson with text but no title is not dropped in silence', () => {
  let draft = after(draftOf(course()), { type: 'lessonAdded', chapter: id(1) })
  expect(droppedOnSave(draft)).toEqual([])
  const added = draft.chapters[0]?.lessons[2]?.key ?? ''
  draft = after(draft, {
    type: 'lessonChanged',
    lesson: added,
    change: { content: richTextFrom('Steep.') },
  })
  expect(droppedOnSave(draft)).toEqual(['The untitled lesson 3 of “Leaves”'])
})

test('after saving, what is new has its id and what was typed meanwhile is unsaved', () => {
  const sent = after(
    draftOf(course()),
    { type: 'lessonAdded', chapter: id(1) },
    { type: 'lessonAdded', chapter: id(1) },
  )
  const [, , blank, titled] = sent.chapters[0]?.lessons ?? []
  const titledSent = after(sent, {
    type: 'lessonChanged',
    lesson: titled?.key ?? '',
    change: { title: 'White' },
  })
  const typing = after(titledSent, { type: 'chapterRenamed', chapter: id(2), title: 'Hot water' })
  const saved = course()
  saved.contentVersion = 4
  saved.chapters[0]?.lessons.push(lesson(14, 'White'))
  const draft = after(typing, { type: 'saved', sent: titledSent, content: saved })
  const lessons = draft.chapters[0]?.lessons ?? []
  expect(lessons.map((one) => one.id)).toEqual([id(11), id(12), undefined, id(14)])
  expect(lessons.map((one) => one.key)).toEqual([id(11), id(12), blank?.key, titled?.key])
  expect(draft.contentVersion).toBe(4)
  expect(draft.chapters[1]?.title).toBe('Hot water')
  expect(isChanged(draft)).toBe(true)
  expect(isChanged(after(titledSent, { type: 'saved', sent: titledSent, content: saved }))).toBe(
    false,
  )
})

test('an answer about a draft that another one took the place of changes nothing', () => {
  const sent = after(draftOf(course()), { type: 'chapterRenamed', chapter: id(1), title: 'Sent' })
  const earlier = after(draftOf(course()), {
    type: 'chapterRenamed',
    chapter: id(1),
    title: 'Written before',
  })
  const restored = after(sent, { type: 'replaced', draft: earlier })
  const saved = course()
  saved.contentVersion = 4
  expect(after(restored, { type: 'saved', sent, content: saved })).toBe(restored)
  expect(isChanged(restored)).toBe(true)
})

test('a lesson that lost its title loses the id that the server removed', () => {
  const sent = after(draftOf(course()), {
    type: 'lessonChanged',
    lesson: id(11),
    change: { title: '' },
  })
  const saved = course()
  saved.chapters[0]?.lessons.shift()
  const draft = after(sent, { type: 'saved', sent, content: saved })
  expect(draft.chapters[0]?.lessons.map((one) => one.id)).toEqual([undefined, id(12)])
})

test('what nobody can see is no title, and no address', () => {
  let draft = after(
    draftOf(course()),
    { type: 'chapterRenamed', chapter: id(1), title: '\u200b' },
    { type: 'lessonChanged', lesson: id(21), change: { title: '\u2060 \u00ad' } },
    { type: 'lessonAdded', chapter: id(2) },
  )
  const added = draft.chapters[1]!.lessons[1]!.key
  draft = after(
    draft,
    { type: 'lessonChanged', lesson: added, change: { title: 'Seen' } },
    { type: 'linkAdded', lesson: added },
    { type: 'linkAdded', lesson: added },
  )
  const [first, second] = draft.chapters[1]!.lessons[1]!.links.map(({ key }) => key)
  const change = { title: '\u200b', url: 'https://example.com' }
  draft = after(
    draft,
    { type: 'linkChanged', lesson: added, link: first!, change },
    { type: 'linkChanged', lesson: added, link: second!, change: { title: 'Tea', url: '\u200b' } },
  )
  const { chapters } = toSave(courseId, draft)
  expect(chapters.map(({ lessons }) => lessons.map(({ title }) => title))).toEqual([['Seen']])
  expect(chapters[0]!.lessons[0]!.links).toEqual([])
  expect(droppedOnSave(draft)[0]).toBe('The untitled chapter 1 and its 2 lessons')
})

test('uploads that run or failed stop saving in the words of the spec', () => {
  const draft = draftOf(course())
  const failed = after(draft, { type: 'uploadChanged', lesson: id(11), upload: 'failed' })
  const both = after(failed, { type: 'uploadChanged', lesson: id(12), upload: 'uploading' })
  expect(uploadAlert(draft)).toBeNull()
  expect(uploadAlert(failed)).toBe('Please resolve all upload errors before saving.')
  expect(uploadAlert(both)).toBe('Please wait for all video uploads to complete before saving.')
  expect(uploadAlert(after(failed, { type: 'lessonRemoved', lesson: id(11) }))).toBeNull()
  expect(uploadAlert(after(both, { type: 'chapterRemoved', chapter: id(1) }))).toBeNull()
})

test('the line beside the button says where the work stands', () => {
  const kept = { isKept: true }
  const draft = draftOf(course())
  expect(savingState(draft, kept)).toBe('Everything is saved')
  const failed = after(draft, { type: 'uploadChanged', lesson: id(11), upload: 'failed' })
  expect(savingState(failed, kept)).toBe('A video was not uploaded')
  const both = after(failed, { type: 'uploadChanged', lesson: id(12), upload: 'failed' })
  expect(savingState(both, kept)).toBe('2 videos were not uploaded')
  const changed = after(both, { type: 'lessonChanged', lesson: id(11), change: { title: 'New' } })
  expect(savingState(changed, kept)).toBe('Unsaved changes')
  expect(savingState(changed, { isKept: false })).toMatch(/^Unsaved changes, and no room/)
  const one = after(changed, { type: 'uploadChanged', lesson: id(12), upload: 'uploading' })
  expect(savingState(one, kept)).toBe('Uploading a video…')
  const two = after(one, { type: 'uploadChanged', lesson: id(11), upload: 'uploading' })
  expect(savingState(two, kept)).toBe('Uploading 2 videos…')
})

test('another state of the same video is no change; another video is', () => {
  const video = {
    id: id(90),
    filename: 'a.mp4',
    sizeBytes: 9,
    status: 'uploading' as const,
    problem: null,
    url: null,
    processing: null,
  }
  const chapters = twoChapters()
  chapters[0]?.lessons.splice(0, 1, lesson(11, 'Green', { video }))
  const draft = draftOf(course(chapters))
  const ready = after(draft, {
    type: 'videoChanged',
    lesson: id(11),
    video: { ...video, status: 'ready' },
  })
  expect(ready.chapters[0]?.lessons[0]?.video?.status).toBe('ready')
  expect(isChanged(ready)).toBe(false)
  expect(isChanged(after(ready, { type: 'videoChanged', lesson: id(11), video: null }))).toBe(true)
})

test('a draft has gone on once something was typed or uploaded, whatever was saved meanwhile', () => {
  const sent = after(draftOf(course()), { type: 'chapterRenamed', chapter: id(1), title: 'Herbs' })
  const saved = after(sent, { type: 'saved', sent, content: course() })
  expect(hasGoneOn(saved, sent)).toBe(false)
  const typed = after(saved, { type: 'lessonChanged', lesson: id(11), change: { title: 'Mint' } })
  expect(hasGoneOn(typed, sent)).toBe(true)
  const upload = { type: 'uploadChanged', lesson: id(11), upload: 'uploading' } as const
  expect(hasGoneOn(after(saved, upload), sent)).toBe(true)
})

test('what the server says of a file shows at each lesson that has it, and leaves it unchanged', () => {
  const video = {
    id: id(90),
    filename: 'a.mp4',
    sizeBytes: 9,
    status: 'ready' as const,
    problem: null,
    url: null,
    processing: { status: 'queued' as const, percent: 0, problem: null },
  }
  const chapters = twoChapters()
  chapters[0]?.lessons.splice(0, 1, lesson(11, 'Green', { video }))
  chapters[1]?.lessons.splice(0, 1, lesson(21, 'Heat', { video }))
  const now = { ...video, processing: { ...video.processing, status: 'running' as const } }
  const draft = after(draftOf(course(chapters)), { type: 'videoLookedAt', video: now })
  const shown = draft.chapters.map((chapter) => chapter.lessons[0])
  expect(shown.map((one) => one?.video)).toEqual([now, now])
  expect(isChanged(draft)).toBe(false)
  expect(shown.map((one) => one && draft.saved.lessons.get(one.id ?? ''))).toEqual(shown)
})

test('lessons from files come at the end, collapsed, in place of one that nobody has touched', () => {
  const lessons = ['One', 'Two'].map((title) => ({ key: `file-${title}`, title }))
  const fresh = draftOf(course([]))
  const chapter = fresh.chapters[0]?.key ?? ''
  const draft = after(fresh, { type: 'lessonsAdded', chapter, lessons })
  expect(outline(draft)).toEqual(['Chapter 1: One, Two'])
  expect(lessons.some(({ key }) => draft.open.has(key))).toBe(false)

  const blank = fresh.chapters[0]?.lessons[0]?.key ?? ''
  const busy = after(fresh, { type: 'uploadChanged', lesson: blank, upload: 'uploading' })
  expect(outline(after(busy, { type: 'lessonsAdded', chapter, lessons }))).toEqual([
    'Chapter 1: , One, Two',
  ])
  const saved = after(draftOf(course()), { type: 'lessonsAdded', chapter: id(2), lessons })
  expect(outline(saved)).toEqual(['Leaves: Green, Black', 'Water: Heat, One, Two'])
  expect(saved.open.has(id(2))).toBe(true)
})

test('a problem is found again by its path, also behind what is left out', () => {
  const draft = after(draftOf(course()), { type: 'chapterRenamed', chapter: id(1), title: '' })
  expect(placeAt(draft, ['chapters', 0, 'lessons', 0, 'content'])?.lesson?.title).toBe('Heat')
  expect(placeAt(draft, ['contentVersion'])).toBeNull()
})

test('a link that leads nowhere safe is found before saving', () => {
  const link = { id: id(80), title: 'x', url: 'javascript:alert(1)', description: '' }
  const chapters = twoChapters()
  chapters[0]?.lessons.splice(0, 1, lesson(11, 'Green', { links: [link] }))
  expect(brokenLink(draftOf(course(chapters)))?.lesson.title).toBe('Green')
  expect(brokenLink(draftOf(course()))).toBeNull()
})

test('a link takes the place of an uploaded video, and the other way round', () => {
  const video = {
    id: id(90),
    filename: 'a.mp4',
    sizeBytes: 9,
    status: 'ready' as const,
    problem: null,
    url: null,
    processing: null,
  }
  const first = (draft: ContentDraft) => draft.chapters[0]!.lessons[0]!
  const sent = (draft: ContentDraft) => toSave(courseId, draft).chapters[0]!.lessons[0]!
  const uploaded = after(draftOf(course()), { type: 'videoChanged', lesson: id(11), video })
  const videoUrl = ' https://youtu.be/dQw4w9WgXcQ '
  const linked = after(uploaded, { type: 'videoLinked', lesson: id(11), videoUrl })
  expect(first(linked)).toMatchObject({ video: null, videoUrl })
  expect(sent(linked)).toMatchObject({ videoId: null, videoUrl: videoUrl.trim() })
  expect(courseContentSave.safeParse(toSave(courseId, linked)).success).toBe(true)

  const again = after(linked, { type: 'videoChanged', lesson: id(11), video })
  expect(sent(again)).toMatchObject({ videoId: id(90), videoUrl: null })
  const removed = after(linked, { type: 'videoLinked', lesson: id(11), videoUrl: null })
  expect(sent(removed)).toMatchObject({ videoId: null, videoUrl: null })
  expect(isChanged(removed)).toBe(true)
})

test('a preview is saved as one', () => {
  const change = { isPreview: true }
  const draft = after(draftOf(course()), { type: 'lessonChanged', lesson: id(11), change })
  const [green, black] = toSave(courseId, draft).chapters[0]!.lessons
  expect([green!.isPreview, black!.isPreview]).toEqual([true, false])
})
