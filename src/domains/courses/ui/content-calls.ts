// What the content editor says to the server, and what it checks before. Loaded after the page.
import { ORPCError, safe } from '@orpc/client'
import { client } from '../../../web/api-client.ts'
import { isServerError } from '../../../web/call-outcome.ts'
import { courseContentSave } from '../schema.ts'
import { refusalProblem } from './call-problem.ts'
import { hasArrived } from './content-arrived.ts'
import { brokenLink, placeAt } from './content-before-save.ts'
import { type ContentDraft, toSave } from './content-draft.ts'

export { droppedOnSave } from './content-before-save.ts'

/** `unheard`: it may have happened all the same. */
type Failure = { problem: string; conflict: boolean; unheard: boolean }

/** What was answered, or why not in words for the person; `conflict` when somebody saved before. */
async function answerOf<T>(call: Promise<T>, fallback: string): Promise<T | Failure> {
  const [error, answer] = await safe(call)
  if (!error) return answer
  const conflict = error instanceof ORPCError && error.code === 'CONTENT_CHANGED'
  const unheard = !isServerError(error) || error.status >= 500
  return { problem: refusalProblem(error, fallback), conflict, unheard }
}

/** The first thing that the server would refuse, in words, and where it is. */
export function checkContent(courseId: string, draft: ContentDraft) {
  const broken = brokenLink(draft)
  if (broken) {
    const lesson = broken.lesson.title.trim()
    return { message: `A link in “${lesson}” has a URL that cannot be opened.`, place: broken }
  }
  const issue = courseContentSave.safeParse(toSave(courseId, draft)).error?.issues[0]
  if (!issue) return null
  const place = placeAt(draft, issue.path)
  const title = place && (place.lesson ?? place.chapter).title.trim()
  return { message: title ? `“${title}”: ${issue.message}` : issue.message, place }
}

export const saveContent = (courseId: string, draft: ContentDraft) =>
  answerOf(
    client.courses.saveCourseContent(toSave(courseId, draft)),
    'Failed to save course. Please try again.',
  )

export const loadContent = (courseId: string) =>
  answerOf(
    client.courses.getCourseContent({ courseId }),
    'Failed to load course. Please try again.',
  )

/** Which of these the server has stored, when what it has now is one of them. */
export async function arrivedOf(courseId: string, drafts: ContentDraft[]) {
  if (drafts.length === 0) return null
  const content = await loadContent(courseId)
  if ('problem' in content) return null
  const sent = drafts.find((draft) => hasArrived(draft, content))
  return sent ? { sent, content } : null
}

export const unpublish = (courseId: string) =>
  answerOf(
    client.courses.unpublishCourse({ courseId }),
    'Failed to unpublish course. Please try again.',
  )

/** Null when it could not be asked for, or is there no more. */
export async function lookAtVideo(mediaId: string) {
  const [error, answer] = await safe(client.media.getMedia({ mediaId }))
  if (error) return null
  const { thumbnail: _, ...video } = answer
  return video
}
