import { api } from '../../server/api.ts'
import { waitLabel } from '../../server/rate-limits.ts'
import type { Services } from '../../server/services.ts'
import type { Viewer } from '../../server/viewer.ts'
import { type CourseAccess, takesPart } from '../courses/access.ts'
import { commentById, commentsOf, repliesOf } from './comment-query.ts'
import { createComment } from './create-comment.ts'
import { createPost } from './create-post.ts'
import { readFeedCursor } from './feed-cursor.ts'
import { feedOf } from './feed.ts'
import { peopleToMention } from './find-mentionable.ts'
import { likeComment } from './like-comment.ts'
import { likePost } from './like-post.ts'
import { pinPost } from './pin-post.ts'
import { postOf, scheduledPosts } from './post-query.ts'
import { publishNow } from './publish-scheduled.ts'
import { authorOf, commentFor } from './queries.ts'
import { recordRemoval } from './record-removal.ts'
import { removeComment } from './remove-comment.ts'
import { removePost } from './remove-post.ts'
import { tooManyChannels } from './rules.ts'
import { saveChannels } from './save-channels.ts'
import { searchPosts } from './search-community.ts'
import { updateComment } from './update-comment.ts'
import { updatePost } from './update-post.ts'
import { votePoll } from './vote-poll.ts'

const notWaiting = 'This post does not wait to be published any more.'
const noSuchAnswer = { message: 'This is no answer of this poll. Please choose again.' }

const noPlace = { message: 'This is not a place in the list' }
const postGone = { message: 'Post not found' }
const commentGone = { message: 'This comment does not exist any more.' }
const otherPost = { message: 'The comment that you answer belongs to another post.' }
const postingFast = (seconds: number) => ({
  message: `You are posting very fast. Please wait ${waitLabel(seconds)}.`,
})
// These last no longer than a minute.
const likingFast = { message: 'You are liking very fast. Please wait a minute.' }

const readerOf = (
  { secret }: Services,
  { instructorId, canModerate }: CourseAccess,
  { id }: Viewer,
) => ({ viewerId: id, instructorId, canModerate, secret })

const readingOf = ({ courseId, instructorId, canModerate }: CourseAccess, { id }: Viewer) => ({
  courseId,
  instructorId,
  canModerate,
  viewerId: id,
})

export const community = {
  getFeed: api.community.getFeed.handler(async ({ input, context, errors }) => {
    const { services, course, viewer } = context
    const { sort, channelId, cursor } = input
    const place = cursor === undefined ? null : readFeedCursor(cursor)
    if (cursor !== undefined && !place) throw errors.BAD_REQUEST(noPlace)
    const feed = await feedOf(services, { viewer, course, sort, channelId, place })
    if (!feed) throw errors.NOT_FOUND({ message: 'Course not found' })
    return feed
  }),

  getPost: api.community.getPost.handler(async ({ input, context, errors }) => {
    const { services, course, viewer } = context
    const post = await postOf(services.db, readerOf(services, course, viewer), {
      postId: input.postId,
      courseId: course.courseId,
    })
    if (!post) throw errors.NOT_FOUND(postGone)
    return post
  }),

  createPost: api.community.createPost.handler(async ({ input, context, errors }) => {
    const { services, course, viewer } = context
    if (!takesPart(course)) throw errors.MEMBERS_ONLY()
    const wait = await services.rateLimits.postsByAccount.count(viewer.id)
    if (wait > 0) throw errors.TOO_MANY(postingFast(wait))
    const { courseId, instructorId } = course
    return services.db.transaction(async (transaction) => {
      const draft = { ...input, courseId, userId: viewer.id, instructorId }
      const made = await createPost(transaction, draft)
      if ('refusal' in made) {
        const { code, ...said } = made.refusal
        throw errors[code](said)
      }
      const one = { postId: made.postId, courseId }
      const post = await postOf(transaction, readerOf(services, course, viewer), one)
      return post!
    })
  }),

  updatePost: api.community.updatePost.handler(async ({ input, context, errors }) => {
    const { services, course, viewer } = context
    if (!takesPart(course)) throw errors.MEMBERS_ONLY()
    const wait = await services.rateLimits.postsByAccount.count(viewer.id)
    if (wait > 0) throw errors.TOO_MANY(postingFast(wait))
    const { courseId, instructorId } = course
    return services.db.transaction(async (transaction) => {
      const edit = { ...input, userId: viewer.id, courseId, instructorId }
      const refusal = await updatePost(transaction, edit)
      if (refusal) {
        const { code, ...said } = refusal
        throw errors[code](said)
      }
      const reader = readerOf(services, course, viewer)
      const post = await postOf(transaction, reader, { postId: input.postId, courseId })
      return post!
    })
  }),

  deletePost: api.community.deletePost.handler(async ({ input, context, errors }) => {
    const { services, course, viewer } = context
    const { courseId, canModerate } = course
    const one = { postId: input.postId, courseId }
    await services.db.transaction(async (transaction) => {
      const authorId = await authorOf(transaction, { ...one, canModerate })
      if (authorId === null) throw errors.NOT_FOUND(postGone)
      if (authorId !== viewer.id && !canModerate) throw errors.NOT_YOURS()
      // Of two at the same moment one has deleted it.
      if (!(await removePost(transaction, one))) return
      await recordRemoval(transaction, { viewer, course, action: 'delete_post', authorId })
    })
    return { removed: true as const }
  }),

  pinPost: api.community.pinPost.handler(async ({ input, context, errors }) => {
    const { services, course, viewer } = context
    const { courseId } = course
    const pin = { ...input, courseId, instructorId: viewer.id }
    const pinned = await services.db.transaction((transaction) => pinPost(transaction, pin))
    if (pinned === 'gone') throw errors.NOT_FOUND(postGone)
    if (pinned === 'too many') throw errors.TOO_MANY_PINNED()
    return { isPinned: input.isPinned }
  }),

  likePost: api.community.likePost.handler(async ({ input, context, errors }) => {
    const { services, course, viewer } = context
    if (!takesPart(course)) throw errors.MEMBERS_ONLY()
    if ((await services.rateLimits.likesByAccount.count(viewer.id)) > 0) {
      throw errors.TOO_MANY(likingFast)
    }
    const like = { ...input, userId: viewer.id, courseId: course.courseId }
    const likesCount = await likePost(services.db, like)
    if (likesCount === null) throw errors.NOT_FOUND(postGone)
    return { liked: input.liked, likesCount }
  }),

  getComments: api.community.getComments.handler(async ({ input, context, errors }) => {
    const { services, course, viewer } = context
    const page = await commentsOf(services.db, readingOf(course, viewer), input)
    if (!page) throw errors.NOT_FOUND(postGone)
    return page
  }),

  getReplies: api.community.getReplies.handler(async ({ input, context, errors }) => {
    const { services, course, viewer } = context
    const page = await repliesOf(services.db, readingOf(course, viewer), input)
    if (!page) throw errors.NOT_FOUND(commentGone)
    return page
  }),

  createComment: api.community.createComment.handler(async ({ input, context, errors }) => {
    const { services, course, viewer } = context
    const wait = await services.rateLimits.commentsByAccount.count(viewer.id)
    if (wait > 0) throw errors.TOO_MANY(postingFast(wait))
    const draft = { ...input, course, userId: viewer.id }
    return services.db.transaction(async (transaction) => {
      const made = await createComment(transaction, draft)
      if (made === 'no member') throw errors.MEMBERS_ONLY()
      if (made === 'post gone') throw errors.NOT_FOUND(postGone)
      if (made === 'parent of another post') throw errors.BAD_REQUEST(otherPost)
      if (made === 'parent gone') throw errors.PARENT_GONE()
      if ('refused' in made) throw errors.NOT_ALLOWED({ message: made.refused })
      const asked = { postId: input.postId, commentId: made.id }
      const comment = await commentById(transaction, readingOf(course, viewer), asked)
      return comment!
    })
  }),

  updateComment: api.community.updateComment.handler(async ({ input, context, errors }) => {
    const { services, course, viewer } = context
    const wait = await services.rateLimits.commentsByAccount.count(viewer.id)
    if (wait > 0) throw errors.TOO_MANY(postingFast(wait))
    const change = { ...input, course, userId: viewer.id }
    return services.db.transaction(async (transaction) => {
      const saved = await updateComment(transaction, change)
      if (saved === 'no member') throw errors.MEMBERS_ONLY()
      if (saved === 'gone') throw errors.NOT_FOUND(commentGone)
      if (saved === 'not yours') throw errors.NOT_YOURS()
      if ('refused' in saved) throw errors.NOT_ALLOWED({ message: saved.refused })
      const asked = { postId: saved.postId, commentId: input.commentId }
      const comment = await commentById(transaction, readingOf(course, viewer), asked)
      return comment!
    })
  }),

  deleteComment: api.community.deleteComment.handler(async ({ input, context, errors }) => {
    const { services, course, viewer } = context
    const { canModerate, courseId } = course
    const { commentId } = input
    return services.db.transaction(async (transaction) => {
      const comment = await commentFor(transaction, { commentId, courseId })
      // What moderators have hidden is there for them only.
      if (!comment || (comment.status === 'hidden' && !canModerate)) {
        throw errors.NOT_FOUND(commentGone)
      }
      if (comment.userId !== viewer.id && !canModerate) throw errors.NOT_YOURS()
      if (await removeComment(transaction, { commentId, courseId })) {
        const authorId = comment.userId
        await recordRemoval(transaction, { viewer, course, action: 'delete_comment', authorId })
      }
      return { removed: true as const }
    })
  }),

  likeComment: api.community.likeComment.handler(async ({ input, context, errors }) => {
    const { services, course, viewer } = context
    if (!takesPart(course)) throw errors.MEMBERS_ONLY()
    if ((await services.rateLimits.likesByAccount.count(viewer.id)) > 0) {
      throw errors.TOO_MANY(likingFast)
    }
    const like = { ...input, userId: viewer.id, courseId: course.courseId }
    const likesCount = await likeComment(services.db, like)
    if (likesCount === null) throw errors.NOT_FOUND(commentGone)
    return { liked: input.liked, likesCount }
  }),

  findMentionable: api.community.findMentionable.handler(({ input, context }) => {
    const { services, course, viewer } = context
    return peopleToMention(services.pool, course, { viewerId: viewer.id, search: input.search })
  }),

  searchCommunity: api.community.searchCommunity.handler(async ({ input, context, errors }) => {
    const page = await searchPosts(context.services.pool, context.course, input)
    if (!page) throw errors.BAD_REQUEST(noPlace)
    return page
  }),

  saveChannels: api.community.saveChannels.handler(({ input, context, errors }) => {
    const { services, course } = context
    const { courseId, instructorId } = course
    return services.db.transaction(async (transaction) => {
      const { channels: list, known } = input
      const saved = await saveChannels(transaction, { courseId, instructorId, list, known })
      if (saved === 'gone') throw errors.NOT_FOUND({ message: 'Course not found' })
      if (saved === 'no pro') throw errors.PRO_ONLY()
      if (saved === 'too many') throw errors.BAD_REQUEST({ message: tooManyChannels })
      if (saved === 'same name') throw errors.SAME_NAME()
      return { channels: saved }
    })
  }),

  votePoll: api.community.votePoll.handler(async ({ input, context, errors }) => {
    const { services, course, viewer } = context
    if (!takesPart(course)) throw errors.MEMBERS_ONLY()
    if ((await services.rateLimits.likesByAccount.count(viewer.id)) > 0) {
      throw errors.TOO_MANY({ message: 'You are voting very fast. Please wait a minute.' })
    }
    const { courseId, instructorId } = course
    return services.db.transaction(async (transaction) => {
      const vote = { ...input, userId: viewer.id, courseId, instructorId }
      const voted = await votePoll(transaction, vote)
      if (voted === 'no member') throw errors.MEMBERS_ONLY()
      if (voted === 'gone')
        throw errors.NOT_FOUND({ message: 'This poll does not exist any more.' })
      if (voted === 'closed') throw errors.POLL_CLOSED()
      if (voted === 'no such answer') throw errors.BAD_REQUEST(noSuchAnswer)
      return voted
    })
  }),

  getScheduledPosts: api.community.getScheduledPosts.handler(async ({ context }) => {
    const { services, course, viewer } = context
    return { posts: await scheduledPosts(services.db, readerOf(services, course, viewer), course) }
  }),

  publishPost: api.community.publishPost.handler(async ({ input, context, errors }) => {
    const { services, course, viewer } = context
    const { courseId, instructorId } = course
    const one = { postId: input.postId, courseId }
    return services.db.transaction(async (transaction) => {
      const published = await publishNow(transaction, { ...one, instructorId })
      if (published === 'gone') throw errors.NOT_FOUND({ message: notWaiting })
      if (published !== 'published') throw errors.CONFLICT({ message: published.problem })
      const post = await postOf(transaction, readerOf(services, course, viewer), one)
      return post!
    })
  }),
}
