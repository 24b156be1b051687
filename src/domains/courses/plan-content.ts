import { isBlank } from '../../is-blank.ts'
import type { RichText } from '../lessons/rich-text.ts'
import { lessonSlugs, linkAddress } from '../lessons/rules.ts'
import { limits } from './rules.ts'
import type { CourseContentSave } from './schema.ts'

/** What the course has before the save. */
export interface KnownContent {
  chapterIds: ReadonlySet<string>
  lessons: ReadonlyMap<string, { title: string; slug: string }>
  linkIds: ReadonlySet<string>
  /** Videos of this course that can be played. */
  readyVideoIds: ReadonlySet<string>
  isPublished: boolean
}

interface ChapterRow {
  id: string
  title: string
  orderIndex: number
}

export interface LessonRow {
  id: string
  chapterId: string
  title: string
  slug: string
  content: RichText
  videoId: string | null
  videoUrl: string | null
  isPreview: boolean
  durationMinutes: number | null
  /** 1-based within the chapter. */
  orderIndex: number
}

export interface LinkRow {
  id: string
  lessonId: string
  title: string
  url: string
  description: string
  orderIndex: number
}

/** The rows of the whole course after the save; what is not among them is gone. */
export interface ContentPlan {
  chapters: ChapterRow[]
  lessons: LessonRow[]
  links: LinkRow[]
}

type Chapters = CourseContentSave['chapters']

/**
 * Turns what the editor sent into rows: blank titles are dropped (spec 2, section 5), ids are kept, new
 * rows get theirs from `nextId`. Answers with the first problem, in words, when there is one.
 */
export function planContent(
  chapters: Chapters,
  known: KnownContent,
  nextId: () => string,
): ContentPlan | { problem: string } {
  const problem = idProblem(chapters, known)
  if (problem) return { problem }
  const plan: ContentPlan = { chapters: [], lessons: [], links: [] }
  for (const chapter of chapters) {
    if (isBlank(chapter.title)) continue
    const chapterId = chapter.id ?? nextId()
    plan.chapters.push({
      id: chapterId,
      title: chapter.title,
      orderIndex: plan.chapters.length + 1,
    })
    let orderIndex = 0
    for (const lesson of chapter.lessons) {
      if (isBlank(lesson.title)) continue
      if (lesson.videoId !== null && !known.readyVideoIds.has(lesson.videoId)) {
        return {
          problem: `The video of “${lesson.title}” is not ready. Please wait until its upload is complete, or upload it again.`,
        }
      }
      if (lesson.videoId !== null && lesson.videoUrl) {
        return {
          problem: `“${lesson.title}” has an uploaded video and a link to one. Please keep one of them.`,
        }
      }
      const lessonId = lesson.id ?? nextId()
      const links = planLinks(lesson.links, lessonId, nextId)
      if ('problem' in links) {
        return { problem: `A link of “${lesson.title}” does not work: ${links.problem}` }
      }
      plan.links.push(...links.rows)
      orderIndex += 1
      plan.lessons.push({
        id: lessonId,
        chapterId,
        title: lesson.title,
        slug: '',
        content: lesson.content,
        videoId: lesson.videoId,
        videoUrl: lesson.videoUrl ?? null,
        isPreview: lesson.isPreview ?? false,
        durationMinutes: lesson.durationMinutes ?? null,
        orderIndex,
      })
    }
  }
  if (plan.chapters.length === 0) {
    return { problem: 'A course needs at least one chapter. Please give a chapter a title.' }
  }
  if (known.isPublished && plan.lessons.length === 0) {
    return {
      problem:
        'A published course needs at least one lesson. Add a lesson with a title, or unpublish the course first.',
    }
  }
  const slugs = lessonSlugs(
    plan.lessons.map(({ id, title }) => ({ title, before: known.lessons.get(id) })),
  )
  plan.lessons.forEach((lesson, index) => (lesson.slug = slugs[index]!))
  return plan
}

type Links = Chapters[number]['lessons'][number]['links']

function planLinks(
  links: Links,
  lessonId: string,
  nextId: () => string,
): { rows: LinkRow[] } | { problem: string } {
  const rows: LinkRow[] = []
  for (const { id, title, url, description } of links) {
    if (isBlank(title) || isBlank(url)) continue
    const address = linkAddress(url)
    if (address === null) {
      return { problem: `“${title}” needs a web or mail address, such as https://example.com.` }
    }
    // Where it was sent without https:// it is longer now.
    if (address.length > limits.linkAddress) {
      return { problem: `“${title}” has an address of more than 2,000 characters.` }
    }
    rows.push({
      id: id ?? nextId(),
      lessonId,
      title,
      url: address,
      description,
      orderIndex: rows.length + 1,
    })
  }
  return { rows }
}

function idProblem(chapters: Chapters, known: KnownContent): string | null {
  const lessons = chapters.flatMap((chapter) => chapter.lessons)
  const links = lessons.flatMap((lesson) => lesson.links)
  return (
    foreignId('chapter', chapters, known.chapterIds) ??
    foreignId('lesson', lessons, known.lessons) ??
    foreignId('link', links, known.linkIds)
  )
}

function foreignId(
  what: string,
  items: { id?: string; title: string }[],
  known: { has(id: string): boolean },
): string | null {
  const seen = new Set<string>()
  for (const { id, title } of items) {
    if (id === undefined) continue
    if (!known.has(id)) return `The ${what} “${title}” does not belong to this course.`
    if (seen.has(id)) return `The ${what} “${title}” is there twice.`
    seen.add(id)
  }
  return null
}

/** How many ids a save needs at most. */
export function newItems(chapters: Chapters): number {
  const lessons = chapters.flatMap((chapter) => chapter.lessons)
  const links = lessons.flatMap((lesson) => lesson.links)
  return [...chapters, ...lessons, ...links].filter(({ id }) => id === undefined).length
}
