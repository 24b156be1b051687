import { isServerError, mayBeDone, safe } from '../../../web/call-outcome.ts'
import type { Post, PostEditInput } from '../schema.ts'

type Save = (edit: PostEditInput) => Promise<Post>
type Words = Pick<PostEditInput, 'content' | 'attachments'>

/** By post: what edits said that were sent, and no answer came. The server may have stored it. */
const unheard = new Map<string, Words[]>()

const isOutrun = (error: unknown) => isServerError(error) && error.code === 'CONFLICT'

/**
 * Saves an edit over the post that was there when it was opened. What seems to be somebody else's may be one's own, of a
 * save whose answer was lost: the server is asked with each of these, and takes what says the same as the post by now.
 */
export async function editOverOwn(edit: PostEditInput, save: Save): Promise<Post> {
  const own = unheard.get(edit.postId) ?? []
  try {
    const saved = await save(edit).catch(async (error: unknown) => {
      const stored = isOutrun(error) ? await firstStored(edit, own, save) : null
      if (!stored) throw error
      return save({ ...edit, known: stored.updatedAt })
    })
    unheard.delete(edit.postId)
    return saved
  } catch (error) {
    const { content, attachments } = edit
    if (mayBeDone(error)) unheard.set(edit.postId, [...own, { content, attachments }])
    throw error
  }
}

/** The post as it is, where it says one of these. */
async function firstStored(
  edit: PostEditInput,
  [words, ...others]: Words[],
  save: Save,
): Promise<Post | null> {
  if (!words) return null
  // The time at which it is published may have been sent with them, and have passed.
  const [error, stored] = await safe(save({ ...edit, ...words, scheduledFor: undefined }))
  if (!error) return stored
  if (!isOutrun(error)) throw error
  return firstStored(edit, others, save)
}
