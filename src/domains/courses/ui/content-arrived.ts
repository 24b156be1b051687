// Whether a save of which no answer came has arrived all the same.
import { type CourseContent, courseContentSave } from '../schema.ts'
import { droppedOnSave } from './content-before-save.ts'
import { type ContentDraft, contentStep, draftOf, toSave } from './content-draft.ts'
import { type LocalDraft, localDraftOf, ownDraft } from './content-local-draft.ts'

/** Ids are the server's; the order of what an object holds says nothing. */
const withoutIds = (_: string, value: unknown) =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => name !== 'id')
          .toSorted(([one], [other]) => (one < other ? -1 : 1)),
      )
    : value

function wordsOf(courseId: string, draft: ContentDraft): string | undefined {
  const sent = courseContentSave.safeParse(toSave(courseId, draft)).data
  return sent && JSON.stringify(sent.chapters, withoutIds)
}

/** True when this is what the server made of that draft. */
export function hasArrived(draft: ContentDraft, content: CourseContent): boolean {
  const words = wordsOf(content.id, draft)
  return words !== undefined && words === wordsOf(content.id, draftOf(content))
}

/**
 * What is unsaved of a kept draft: null when all of it has arrived. Where an earlier state of it has, what was new in that has
 * the ids of the server, so that it is not taken for somebody else's.
 */
export function unsavedOf(local: LocalDraft, content: CourseContent): LocalDraft | null {
  const newest = draftOf(content)
  const draft = ownDraft(local, newest)
  // A save leaves out what has no title yet.
  if (hasArrived(draft, content) && droppedOnSave(draft).length === 0) return null
  const states = local.unheard?.map((state) => ownDraft(state, newest)) ?? []
  const sent = [draft, ...states].find((state) => hasArrived(state, content))
  if (!sent) return local
  return localDraftOf(contentStep(draft, { type: 'saved', sent, content }), local.keptAt)
}
