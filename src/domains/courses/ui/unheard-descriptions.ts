import { ORPCError } from '@orpc/client'
import { mayBeDone } from '../../../web/call-outcome.ts'
import type { RichText } from '../../lessons/rich-text.ts'

/** By course: descriptions that were sent, and no answer came. The server may have stored them. */
const unheard = new Map<string, RichText[]>()

const isOther = (error: unknown) =>
  error instanceof ORPCError && error.code === 'DESCRIPTION_CHANGED'

/**
 * Saves a description over the one that was there when it was opened. What seems to be somebody else's may be one's own, of a
 * save whose answer was lost: the server is asked with each of these, and decides whether it is.
 */
export async function savedOverOwn<Answer>(
  courseId: string,
  description: RichText,
  before: RichText,
  save: (before: RichText) => Promise<Answer>,
): Promise<Answer> {
  const own = unheard.get(courseId) ?? []
  try {
    const answer = await firstAccepted([before, ...own], save)
    unheard.delete(courseId)
    return answer
  } catch (error) {
    if (mayBeDone(error)) unheard.set(courseId, [...own, description])
    throw error
  }
}

async function firstAccepted<Answer>(
  [before, ...others]: RichText[],
  save: (before: RichText) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await save(before!)
  } catch (error) {
    if (!isOther(error) || others.length === 0) throw error
    return firstAccepted(others, save)
  }
}
