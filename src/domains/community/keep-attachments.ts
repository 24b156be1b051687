import { and, eq, inArray, isNotNull, ne } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { deletePostFiles } from '../media/delete-files.ts'
import { holdPostFiles } from '../media/queries.ts'
import { videoLink } from '../media/video-link.ts'
import { otherHost } from './rules.ts'
import type { AttachmentInput } from './schema.ts'
import { postAttachments, posts } from './tables.ts'

interface Keeping {
  postId: string
  courseId: string
  /** Who writes the post, and uploaded its files. */
  userId: string
  attachments: AttachmentInput[]
}

const fileGone =
  'One of the attachments is no longer there, or its upload is not finished. Please remove it and add it again.'
const inAnotherPost = 'One of the attachments stands in another post already. Please add it again.'
const twice = 'The same attachment stands there twice. Please remove one of them.'

/**
 * Makes these the attachments of a post, in this order; files that it no longer shows are deleted. Answers
 * what to tell the author when they cannot be kept: then nothing is changed.
 */
export async function keepAttachments(
  transaction: Transaction,
  { postId, courseId, userId, attachments }: Keeping,
): Promise<string | null> {
  const wanted = attachments.map((one) => ('mediaId' in one ? one.mediaId : pageOf(one)))
  const known = wanted.filter((one) => one !== null)
  if (known.length < wanted.length) return otherHost
  if (new Set(known).size < known.length) return twice
  const ids = attachments.flatMap((one) => ('mediaId' in one ? [one.mediaId] : []))
  const files = await holdPostFiles(transaction, { ownerId: userId, courseId, ids })
  const kinds = new Map(
    files.map(({ id, purpose }) => [id, purpose === 'post_image' ? 'image' : 'video'] as const),
  )
  if (kinds.size < ids.length) return fileGone
  if (await standElsewhere(transaction, postId, ids)) return inAnotherPost

  const before = await transaction
    .delete(postAttachments)
    .where(eq(postAttachments.postId, postId))
    .returning({ mediaId: postAttachments.mediaId })
  if (known.length > 0) {
    await transaction.insert(postAttachments).values(
      known.map((one, index) => {
        const kind = kinds.get(one)
        const place = { postId, orderIndex: index + 1 }
        return kind
          ? { ...place, kind, mediaId: one, url: null }
          : { ...place, kind: 'link' as const, mediaId: null, url: one }
      }),
    )
  }
  const leftOut = before.flatMap(({ mediaId }) => (mediaId && !kinds.has(mediaId) ? [mediaId] : []))
  await deletePostFiles(transaction, courseId, leftOut)
  return null
}

/** The page of one of the four providers, made anew of what was recognised; null for anything else. */
function pageOf({ url }: { url: string }): string | null {
  const link = videoLink(url)
  return link?.kind === 'embed' ? link.pageUrl : null
}

async function standElsewhere(transaction: Transaction, postId: string, ids: string[]) {
  if (ids.length === 0) return false
  const found = await transaction
    .select({ mediaId: postAttachments.mediaId })
    .from(postAttachments)
    .where(and(inArray(postAttachments.mediaId, ids), ne(postAttachments.postId, postId)))
  return found.length > 0
}

/** Before a post goes: its files with their bytes. The rows that point at them go with the post. */
export async function removeAttachmentsOf(transaction: Transaction, postId: string): Promise<void> {
  const files = await transaction
    .select({ mediaId: postAttachments.mediaId, courseId: posts.courseId })
    .from(postAttachments)
    .innerJoin(posts, eq(posts.id, postAttachments.postId))
    .where(and(eq(postAttachments.postId, postId), isNotNull(postAttachments.mediaId)))
  const [first] = files
  if (!first) return
  await deletePostFiles(
    transaction,
    first.courseId,
    files.map(({ mediaId }) => mediaId!),
  )
}
