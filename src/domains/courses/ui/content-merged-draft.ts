// What somebody did to chapters and lessons, done once more to what the server has by now.
import type { ChapterDraft, ContentDraft, LessonDraft } from './content-draft.ts'
import type { LocalDraft } from './content-local-draft.ts'

/** What of a lesson is changed together: a film is either a file or an address. */
const parts = {
  title: ['title'],
  content: ['content'],
  film: ['video', 'videoUrl', 'videoMinutes'],
  isPreview: ['isPreview'],
  durationMinutes: ['durationMinutes'],
  links: ['links'],
} as const satisfies Record<string, readonly (keyof LessonDraft)[]>

export type LessonPart = keyof typeof parts

function said(lesson: LessonDraft, part: LessonPart): unknown {
  if (part === 'film') return [lesson.video?.id ?? null, lesson.videoUrl]
  if (part === 'links') return lesson.links.map(({ key: _key, ...link }) => link)
  return lesson[part]
}

/** The parts of a lesson in which it differs from what the server had. */
export const changedParts = (lesson: LessonDraft, before: LessonDraft): LessonPart[] =>
  (Object.keys(parts) as LessonPart[]).filter(
    (part) => JSON.stringify(said(lesson, part)) !== JSON.stringify(said(before, part)),
  )

const withParts = (lesson: LessonDraft, own: LessonDraft, changed: LessonPart[]): LessonDraft => ({
  ...lesson,
  ...Object.fromEntries(changed.flatMap((part) => parts[part]).map((name) => [name, own[name]])),
})

/** The most items that are in both lists in one order; whoever moved one item has moved it alone. */
function unmoved(before: string[], now: string[]): Set<string> {
  const placeOf = new Map(before.map((name, place) => [name, place]))
  const common = now.filter((name) => placeOf.has(name))
  let longest: string[] = []
  /** The longest row that ends with each item. */
  const rows: string[][] = []
  for (const [index, name] of common.entries()) {
    let row: string[] = []
    for (let at = 0; at < index; at += 1) {
      const isBefore = placeOf.get(common[at]!)! < placeOf.get(name)!
      if (isBefore && rows[at]!.length > row.length) row = rows[at]!
    }
    rows.push([...row, name])
    if (rows[index]!.length > longest.length) longest = rows[index]!
  }
  return new Set(longest)
}

const nameOf = ({ id, key }: { id?: string; key: string }) => id ?? key

/** Puts the item behind what stands before it in `order`, as far as that is there; else first. */
function insert<T extends { id?: string; key: string }>(items: T[], item: T, order: string[]) {
  const before = order.slice(0, order.indexOf(nameOf(item))).toReversed()
  const places = items.map(nameOf)
  const neighbour = before.find((name) => places.includes(name))
  items.splice(neighbour === undefined ? 0 : places.indexOf(neighbour) + 1, 0, item)
}

/**
 * The newest chapters with what the person changed, moved, added and removed. What the person did not touch is as the
 * server has it: its words, its place, and that it is gone.
 */
export function mergedChapters(
  { base = [], changes = {}, ...local }: LocalDraft,
  newest: ContentDraft,
): ChapterDraft[] {
  const removed = new Set(local.removed)
  const lessonNow = (id: string | undefined) => newest.saved.lessons.get(id ?? '')
  const changed = new Map(
    local.chapters
      .flatMap(({ lessons }) => lessons)
      .flatMap((kept) => {
        const now = typeof kept === 'string' ? undefined : lessonNow(kept.id)
        if (typeof kept === 'string' || !now) return []
        return [[now.id, withParts(now, kept, changes[now.id!] ?? [])] as const]
      }),
  )

  const baseLessons = new Map(base)
  /** By the name of its chapter: the lessons to which the person gave their place. */
  const placed = new Map<string, LessonDraft[]>()
  const orders = new Map<string, string[]>()
  for (const chapter of local.chapters) {
    const names = chapter.lessons.map((kept) => (typeof kept === 'string' ? kept : nameOf(kept)))
    const inPlace = unmoved(baseLessons.get(chapter.id ?? '') ?? [], names)
    orders.set(nameOf(chapter), names)
    placed.set(
      nameOf(chapter),
      chapter.lessons.flatMap((kept, index) => {
        const now = lessonNow(names[index])
        if (now) return inPlace.has(names[index]!) ? [] : (changed.get(now.id) ?? now)
        return typeof kept === 'string' ? [] : kept
      }),
    )
  }
  const elsewhere = new Set([...placed.values()].flat().map(nameOf))

  const chapterOrder = local.chapters.map(nameOf)
  const inPlace = unmoved(
    base.map(([id]) => id),
    chapterOrder,
  )
  const own = new Map(local.chapters.map((chapter) => [nameOf(chapter), chapter]))
  const now = new Map(
    newest.chapters.flatMap((chapter) => {
      if (chapter.id === undefined) return []
      const renamed = own.get(chapter.id)
      const title = renamed?.isRenamed ? renamed.title : chapter.title
      const lessons = chapter.lessons
        .filter(({ id }) => !removed.has(id!) && !elsewhere.has(id!))
        .map((lesson) => changed.get(lesson.id) ?? lesson)
      return [[chapter.id, { ...chapter, title, lessons }] as const]
    }),
  )
  const chapters: ChapterDraft[] = [...now.values()].filter(
    ({ id }) => !own.has(id!) || inPlace.has(id!),
  )
  for (const { key, id, title, isRenamed } of local.chapters) {
    const name = nameOf({ key, id })
    const lessons = placed.get(name)!
    const chapter: ChapterDraft = now.get(name) ?? { key, id, title, lessons: [] }
    const isGone = id !== undefined && !now.has(id)
    if (isGone && !isRenamed && lessons.length === 0) continue
    if (!chapters.includes(chapter)) insert(chapters, chapter, chapterOrder)
    for (const lesson of lessons) insert(chapter.lessons, lesson, orders.get(name)!)
  }
  return chapters.filter(({ id, lessons }) => lessons.length > 0 || !removed.has(id ?? ''))
}
