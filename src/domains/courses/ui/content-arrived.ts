// Whether a save of which no answer came has arrived all the same.
import { type CourseContent, courseContentSave } from '../schema.ts'
import { type ContentDraft, draftOf, toSave } from './content-draft.ts'

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
