import { describe, expect, test } from 'vitest'
import { richTextFrom } from '../../lessons/rich-text.ts'
import type { CourseContent } from '../schema.ts'
import { hasArrived, unsavedOf } from './content-arrived.ts'
import { type ContentDraft, contentStep, draftOf, toSave } from './content-draft.ts'
import { worthOffering } from './content-use-local-draft.ts'
import { hasChanges, localDraftOf, readLocalDraft, restoredDraft } from './content-local-draft.ts'

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

describe('a draft that was kept after a save without an answer', () => {
  const begun = course(['Leaves'])
  const typed = (draft: ContentDraft, lesson: string, title: string) =>
    contentStep(draft, { type: 'lessonChanged', lesson, change: { title } })
  const longer = contentStep(draftOf(begun), { type: 'chapterAdded' })
  const kettle = longer.chapters[1]!.lessons[0]!.key
  const sent = typed(longer, kettle, 'Kettle ')
  const lesson = { ...sent.chapters[1]!.lessons[0]!, id: id(12), title: 'Kettle', links: [] }
  const arrived: CourseContent = {
    ...begun,
    contentVersion: 2,
    chapters: [...begun.chapters, { id: id(11), title: 'Chapter 2', lessons: [lesson] }],
  }
  /** Through the browser's storage. */
  const kept = (draft: ContentDraft, unheard: ContentDraft[] = []) =>
    readLocalDraft(JSON.stringify(localDraftOf(draft, 1, unheard)))!

  test('is nothing, when it is what arrived', () => {
    expect(hasChanges(kept(sent), arrived), 'it would add everything again').toBe(true)
    expect(unsavedOf(kept(sent), arrived)).toBeNull()
    expect(unsavedOf(kept(sent, [sent]), arrived)).toBeNull()
  })

  test('is what was done since, and what arrived is not new in it', () => {
    const since = contentStep(typed(sent, kettle, 'Pot'), {
      type: 'lessonAdded',
      chapter: sent.chapters[1]!.key,
    })
    const more = typed(since, since.chapters[1]!.lessons[1]!.key, 'Cup')
    const unsaved = unsavedOf(kept(more, [draftOf(begun), sent]), arrived)!
    const restored = toSave(id(0), restoredDraft(unsaved, arrived))
    expect(restored).toMatchObject({
      contentVersion: 2,
      chapters: [
        { id: id(1), title: 'Leaves', lessons: [] },
        {
          id: id(11),
          title: 'Chapter 2',
          lessons: [
            { id: id(12), title: 'Pot' },
            { id: undefined, title: 'Cup' },
          ],
        },
      ],
    })
  })

  test('removes what was removed since, although it is as it was before', async () => {
    const chapter = sent.chapters[1]!.key
    const rest = contentStep(sent, { type: 'chapterRemoved', chapter })
    const local = { ...kept(rest, [sent]), keptAt: Date.now() }
    const unsaved = (await worthOffering(local, arrived))!
    expect(toSave(id(0), restoredDraft(unsaved, arrived)).chapters).toMatchObject([{ id: id(1) }])
    expect(await worthOffering({ ...local, unheard: [] }, begun)).toBeNull()
  })

  test('is what a save leaves out, and what arrived is not new beside it', async () => {
    const longerStill = contentStep(sent, { type: 'lessonAdded', chapter: sent.chapters[1]!.key })
    const untitled = longerStill.chapters[1]!.lessons[1]!.key
    const words = richTextFrom('An hour of work.')
    const step = { type: 'lessonChanged', lesson: untitled, change: { content: words } } as const
    const local = { ...kept(contentStep(longerStill, step), [sent]), keptAt: Date.now() }
    const restored = restoredDraft((await worthOffering(local, arrived))!, arrived)
    expect(restored.chapters).toMatchObject([
      { id: id(1) },
      {
        id: id(11),
        lessons: [
          { id: id(12), title: 'Kettle' },
          { title: '', content: words },
        ],
      },
    ])
  })

  test('is as it was, when nothing arrived', () => {
    const local = kept(sent, [sent])
    expect(unsavedOf(local, begun)).toEqual(local)
    const elsewhere = {
      ...arrived,
      chapters: [...arrived.chapters, ...course(['Milk'], 50).chapters],
    }
    expect(unsavedOf(local, elsewhere)).toEqual(local)
  })
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
