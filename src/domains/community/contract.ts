import { row } from '../../contract-row.ts'
import { communityLimits } from './rules.ts'
import {
  byComment,
  byCourse,
  byPost,
  channelList,
  channelsSave,
  comment,
  commentDraft,
  commentEdit,
  commentLike,
  commentPage,
  commentsQuery,
  communitySearch,
  feed,
  feedQuery,
  foundPage,
  likeState,
  mentionable,
  mentionQuery,
  pinState,
  pollState,
  post,
  postDraft,
  postEdit,
  postLike,
  postPin,
  removed,
  repliesQuery,
  replyPage,
  scheduledPosts,
  vote,
} from './schema.ts'

const proOnly = {
  status: 403,
  message: 'Channels, polls, scheduled posts and announcements are a Pro benefit.',
} as const
const notYours = { status: 403, message: 'Only the author of a post can edit it.' } as const
const tooMany = { status: 429 } as const
/** The rules of this community: its blocked words, its limit of links. */
const notAllowed = { status: 422 } as const
const membersOnly = {
  status: 403,
  message: 'Only members of this course can take part in its discussion.',
} as const

const stopped = { stoppedBy: 'community_writing' } as const

export const community = {
  /** In at most three SQL statements, whatever its length. */
  getFeed: row('member', 'GET', '/rest/v1/courses/{slug}/posts', 'The community feed of a course', {
    scope: 'community:read',
  })
    .input(feedQuery)
    .output(feed),

  getPost: row('member', 'GET', '/rest/v1/posts/{postId}', 'One post of a community', {
    scope: 'community:read',
  })
    .input(byPost)
    .output(post),

  createPost: row('member', 'POST', '/rest/v1/posts', 'Write a post', {
    ...stopped,
    scope: 'community:write',
  })
    .errors({
      MEMBERS_ONLY: membersOnly,
      PRO_ONLY: proOnly,
      INSTRUCTOR_ONLY: {
        status: 403,
        message: 'Only the instructor can make polls, scheduled posts and announcements.',
      },
      NOT_ALLOWED: notAllowed,
      TOO_MANY: tooMany,
    })
    .input(postDraft)
    .output(post),

  updatePost: row('member', 'PUT', '/rest/v1/posts/{postId}', 'Edit my post', {
    ...stopped,
    scope: 'community:write',
    description:
      'This becomes the whole post: attachments that are not sent are removed from it, and without channelId it is in no channel. With known, the updatedAt that you read, what was changed since is not overwritten: the answer is CONFLICT, unless the post says and shows the same already.',
  })
    .errors({
      MEMBERS_ONLY: membersOnly,
      NOT_YOURS: notYours,
      NOT_ALLOWED: notAllowed,
      TOO_MANY: tooMany,
    })
    .input(postEdit)
    .output(post),

  /** By its author and by moderators. Deleting twice is harmless for the one who did it. */
  deletePost: row('member', 'DELETE', '/rest/v1/posts/{postId}', 'Delete a post', {
    scope: 'community:write',
  })
    .errors({
      NOT_YOURS: {
        status: 403,
        message: 'Only the author and the instructor can delete a post.',
      },
    })
    .input(byPost)
    .output(removed),

  pinPost: row('instructor', 'PUT', '/rest/v1/posts/{postId}/pin', 'Pin or unpin a post', {
    scope: 'community:write',
  })
    .errors({
      TOO_MANY_PINNED: {
        status: 409,
        message: `You can pin up to ${communityLimits.pinned} posts. Please unpin one first.`,
      },
    })
    .input(postPin)
    .output(pinState),

  /** Doing it twice is harmless. */
  likePost: row('member', 'PUT', '/rest/v1/posts/{postId}/like', 'Like a post, or no longer', {
    scope: 'community:write',
  })
    .errors({ MEMBERS_ONLY: membersOnly, TOO_MANY: tooMany })
    .input(postLike)
    .output(likeState),

  getComments: row('member', 'GET', '/rest/v1/posts/{postId}/comments', 'The comments of a post', {
    scope: 'community:read',
  })
    .input(commentsQuery)
    .output(commentPage),

  getReplies: row(
    'member',
    'GET',
    '/rest/v1/comments/{commentId}/replies',
    'More replies to a comment',
    { scope: 'community:read' },
  )
    .input(repliesQuery)
    .output(replyPage),

  createComment: row('member', 'POST', '/rest/v1/comments', 'Comment on a post, or reply', {
    ...stopped,
    scope: 'community:write',
  })
    .errors({
      MEMBERS_ONLY: membersOnly,
      PARENT_GONE: { status: 409, message: 'The comment that you answer was deleted.' },
      NOT_ALLOWED: notAllowed,
      TOO_MANY: tooMany,
    })
    .input(commentDraft)
    .output(comment),

  updateComment: row('member', 'PUT', '/rest/v1/comments/{commentId}', 'Edit my comment', {
    ...stopped,
    scope: 'community:write',
  })
    .errors({
      MEMBERS_ONLY: membersOnly,
      NOT_YOURS: { status: 403, message: 'Only the author of a comment can edit it.' },
      NOT_ALLOWED: notAllowed,
      TOO_MANY: tooMany,
    })
    .input(commentEdit)
    .output(comment),

  deleteComment: row('member', 'DELETE', '/rest/v1/comments/{commentId}', 'Delete a comment', {
    scope: 'community:write',
  })
    .errors({
      NOT_YOURS: {
        status: 403,
        message: 'Only the author and the instructor can delete a comment.',
      },
    })
    .input(byComment)
    .output(removed),

  likeComment: row(
    'member',
    'PUT',
    '/rest/v1/comments/{commentId}/like',
    'Like a comment, or no longer',
    { scope: 'community:write' },
  )
    .errors({ MEMBERS_ONLY: membersOnly, TOO_MANY: tooMany })
    .input(commentLike)
    .output(likeState),

  /** The instructor and members, at most 8. */
  findMentionable: row(
    'member',
    'GET',
    '/rest/v1/courses/{slug}/mentionable',
    'People of a course to mention',
    { scope: 'community:read' },
  )
    .input(mentionQuery)
    .output(mentionable),

  searchCommunity: row(
    'member',
    'GET',
    '/rest/v1/courses/{slug}/posts/search',
    'Search the posts and comments of a course',
    { scope: 'community:read' },
  )
    .input(communitySearch)
    .output(foundPage),

  saveChannels: row(
    'instructor',
    'PUT',
    '/rest/v1/courses/{courseId}/channels',
    'Name, order, add and remove the channels of my course',
    {
      scope: 'community:write',
      description:
        'These become all channels of the course, in this order. One that is not sent with its id is removed; its posts stay, without a channel. With `known`, the ids that were there when you read them, one that came after that stays, at the end, or where you ask for a new one of exactly its name: so the same list can be sent again.',
    },
  )
    .errors({
      PRO_ONLY: proOnly,
      SAME_NAME: { status: 409, message: 'Two channels cannot have the same name.' },
    })
    .input(channelsSave)
    .output(channelList),

  votePoll: row('member', 'PUT', '/rest/v1/posts/{postId}/vote', 'Vote in a poll', {
    scope: 'community:write',
  })
    .errors({
      MEMBERS_ONLY: membersOnly,
      POLL_CLOSED: { status: 409, message: 'This poll is closed.' },
      TOO_MANY: tooMany,
    })
    .input(vote)
    .output(pollState),

  getScheduledPosts: row(
    'instructor',
    'GET',
    '/rest/v1/courses/{courseId}/scheduled-posts',
    'Posts of mine that wait to be published',
    { scope: 'community:read' },
  )
    .input(byCourse)
    .output(scheduledPosts),

  publishPost: row(
    'instructor',
    'POST',
    '/rest/v1/posts/{postId}/publication',
    'Publish a scheduled post of mine now',
    { ...stopped, scope: 'community:write' },
  )
    .input(byPost)
    .output(post),
}
