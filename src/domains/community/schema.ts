// What crosses the wire about the community. Forms and handlers share it.
import * as z from 'zod'
import { clearableLine, line, placeInList, slug, text, timestamp, uuid } from '../../fields.ts'
import { communityLimits as limits, sorts, tooManyChannels } from './rules.ts'

const courseId = uuid('The course')
const postId = uuid('The post')
const commentId = uuid('The comment')

export const byPost = z.object({ postId })
export const byComment = z.object({ commentId })
export const byCourse = z.object({ courseId })

/** `nextCursor` of the page before; what it is made of is the server's business. */
const cursor = z
  .string('This is not a place in the list')
  .max(200, 'This is not a place in the list')
  .optional()

const author = z.object({
  id: z.uuid(),
  name: z.string(),
  username: z.string().nullable(),
  avatarUrl: z.string().nullable(),
  verified: z.boolean(),
  isInstructor: z.boolean(),
})
export type Author = z.output<typeof author>

/** Whom the text names: '@handle' stands in it. */
const mention = z.object({ handle: z.string(), name: z.string(), username: z.string().nullable() })
export type Mention = z.output<typeof mention>

export const attachment = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('image'),
    mediaId: z.uuid(),
    /** Pixels of the picture itself. */
    width: z.number().int(),
    height: z.number().int(),
    /** Of its resized versions, smallest first; the last is the largest there is. */
    versions: z.array(z.object({ url: z.string(), width: z.number().int() })),
  }),
  z.object({
    kind: z.literal('video'),
    mediaId: z.uuid(),
    filename: z.string(),
    /** Where this viewer plays it, bound to them and to time. */
    url: z.string(),
    /** The HLS playlist, once it was converted. */
    streamUrl: z.string().nullable(),
    posterUrl: z.string().nullable(),
    width: z.number().int().nullable(),
    height: z.number().int().nullable(),
    /** A version that plays in every browser is on its way. */
    isProcessing: z.boolean(),
  }),
  /** A page of one of the four providers. */
  z.object({ kind: z.literal('link'), url: z.string() }),
])
export type Attachment = z.output<typeof attachment>

const poll = z.object({
  options: z.array(
    z.object({
      id: z.uuid(),
      text: z.string(),
      /** Null as long as the viewer may not see it: before the own vote, while the poll is open. */
      votesCount: z.number().int().nullable(),
    }),
  ),
  votesCount: z.number().int(),
  /** The viewer's vote. */
  votedFor: z.uuid().nullable(),
  closesAt: timestamp.nullable(),
  isClosed: z.boolean(),
})
export type Poll = z.output<typeof poll>

const channel = z.object({ id: z.uuid(), name: z.string() })
export type Channel = z.output<typeof channel>

export const post = z.object({
  id: z.uuid(),
  courseId: z.uuid(),
  author,
  content: z.string(),
  mentions: z.array(mention),
  attachments: z.array(attachment),
  poll: poll.nullable(),
  channel: channel.nullable(),
  isPinned: z.boolean(),
  isAnnouncement: z.boolean(),
  /** `hidden` and `scheduled` ones are read by moderators only. */
  status: z.enum(['published', 'scheduled', 'hidden']),
  scheduledFor: timestamp.nullable(),
  likesCount: z.number().int(),
  commentsCount: z.number().int(),
  /** The viewer likes it. */
  liked: z.boolean(),
  /** The viewer wrote it. */
  isOwn: z.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type Post = z.output<typeof post>

/** What the viewer may do in the community, whatever a post says of itself. */
const communityRights = z.object({
  /** Members and the instructor; administrators only read. */
  canPost: z.boolean(),
  /** The instructor: pins, channels, settings. */
  canManage: z.boolean(),
  /** The instructor and administrators: deletes what others wrote, decides about reports. */
  canModerate: z.boolean(),
  /** Channels, polls, scheduled posts and announcements can be made: a Pro benefit of the instructor. */
  hasAdvanced: z.boolean(),
  /** Open cases that await the viewer; null for who does not moderate. */
  openCases: z.number().int().nullable(),
})
export type CommunityRights = z.output<typeof communityRights>

export const feedQuery = z.object({
  /** The slug or the id of the course. */
  slug,
  sort: z.enum(sorts, `Please sort by ${sorts.join(', ')}`).default('newest'),
  /** Only this channel. */
  channelId: uuid('The channel').optional(),
  cursor,
})

export const feed = z.object({
  course: z.object({ id: z.uuid(), slug: z.string(), title: z.string() }),
  rights: communityRights,
  channels: z.array(channel),
  /** How large a video below a post may be. */
  videoMaxMb: z.number().int(),
  /** On the first page the pinned ones come first; no page repeats them. */
  posts: z.array(post),
  nextCursor: z.string().nullable(),
})
export type Feed = z.output<typeof feed>

const postText = text('Post', limits.post, 'Please write something')

const attachments = z
  .array(
    z.union(
      [
        z.strictObject({ mediaId: uuid('The file') }),
        z.strictObject({ url: z.string().max(2_000, 'This address is too long') }),
      ],
      'An attachment is a file or an address',
    ),
  )
  .max(limits.attachments, `A post can have at most ${limits.attachments} attachments`)
  .default([])
export type AttachmentInput = z.output<typeof attachments>[number]

const pollDraft = z.object({
  options: z
    .array(line('An answer', limits.pollOption, 'Please write every answer of the poll'))
    .min(2, 'A poll needs at least 2 answers')
    .max(limits.pollOptions, `A poll can have at most ${limits.pollOptions} answers`),
  closesAt: z.coerce.date('Please choose when the poll closes').nullable().default(null),
})

export const postDraft = z.object({
  courseId,
  content: postText,
  attachments,
  channelId: uuid('The channel').nullable().default(null),
  /** The rest is for the instructor, with Pro. */
  poll: pollDraft.nullable().default(null),
  scheduledFor: z.coerce.date('Please choose when the post is published').nullable().default(null),
  isAnnouncement: z.boolean().default(false),
})
export type PostDraft = z.output<typeof postDraft>
export type PostDraftInput = z.input<typeof postDraft>

/** The whole post: what is left out becomes empty. `scheduledFor` counts for a post that still waits. */
export const postEdit = z.object({
  postId,
  content: postText,
  attachments,
  channelId: uuid('The channel').nullable().default(null),
  scheduledFor: z.coerce.date('Please choose when the post is published').optional(),
  /** Its `updatedAt` as the sender read it: what was changed since is not overwritten. */
  known: z.coerce.date('Please say which updatedAt of the post you know').optional(),
})
export type PostEdit = z.output<typeof postEdit>
export type PostEditInput = z.input<typeof postEdit>

export const postPin = byPost.extend({ isPinned: z.boolean('Say whether it is pinned') })
export const postLike = byPost.extend({ liked: z.boolean('Say whether you like it') })
export const commentLike = byComment.extend({ liked: z.boolean('Say whether you like it') })
export const likeState = z.object({ liked: z.boolean(), likesCount: z.number().int() })
export const pinState = z.object({ isPinned: z.boolean() })
export const removed = z.object({ removed: z.literal(true) })

// Comments ---------------------------------------------------------------------------------------

export const comment = z.object({
  id: z.uuid(),
  postId: z.uuid(),
  /** What it answers; null for a comment on the post. */
  parentId: z.uuid().nullable(),
  /** The comment on the post below which it stands; null for that one itself. */
  threadId: z.uuid().nullable(),
  /** Null for what is deleted or hidden: its place is kept for the replies. */
  author: author.nullable(),
  content: z.string(),
  mentions: z.array(mention),
  status: z.enum(['published', 'deleted', 'hidden']),
  likesCount: z.number().int(),
  liked: z.boolean(),
  isOwn: z.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
})
export type Comment = z.output<typeof comment>

const thread = comment.extend({
  repliesCount: z.number().int(),
  /** The first ones, oldest first. */
  replies: z.array(comment),
  /** For the replies after these; null when there are no more. */
  nextReplies: z.string().nullable(),
  /** The reply that was asked for, where it is not among these. */
  linkedReply: comment.nullable(),
})
export type Thread = z.output<typeof thread>

export const commentsQuery = byPost.extend({
  cursor: placeInList.optional(),
  /** A comment or reply that has to be in the answer, as far down as it is: for deep links. */
  with: commentId.optional(),
  /** Nothing but the thread of this comment or reply: for what has just changed. */
  only: commentId.optional(),
})
export const commentPage = z.object({
  /** Oldest first. */
  threads: z.array(thread),
  nextCursor: z.string().nullable(),
  /** The thread that was asked for, where it is not among these. */
  linked: thread.nullable(),
  /** Of the post. */
  commentsCount: z.number().int(),
})
export type CommentPage = z.output<typeof commentPage>

export const repliesQuery = byComment.extend({ cursor: placeInList.optional() })
export const replyPage = z.object({
  replies: z.array(comment),
  nextCursor: z.string().nullable(),
})

const commentText = text('Comment', limits.comment, 'Please write a comment')

export const commentDraft = byPost.extend({
  content: commentText,
  /** What it answers: a comment or reply of the same post. */
  parentId: commentId.nullable().default(null),
})
export const commentEdit = byComment.extend({ content: commentText })

// People, search ---------------------------------------------------------------------------------

export const mentionQuery = z.object({
  slug,
  /** How the name or the username begins; empty for whoever wrote last. */
  search: clearableLine('Search text', limits.search).default(''),
})
export const mentionable = z.array(
  z.object({
    id: z.uuid(),
    name: z.string(),
    username: z.string(),
    avatarUrl: z.string().nullable(),
    isInstructor: z.boolean(),
  }),
)
export type Mentionable = z.output<typeof mentionable>[number]

export const communitySearch = z.object({
  slug,
  search: line('Search text', limits.search, 'Please write what you are looking for'),
  cursor,
})
const found = z.object({
  postId: z.uuid(),
  /** Null when the post itself was found. */
  commentId: z.uuid().nullable(),
  author: author.nullable(),
  /** The part of the text where the words are. */
  excerpt: z.array(z.object({ text: z.string(), isMatch: z.boolean() })),
  createdAt: timestamp,
})
export type Found = z.output<typeof found>
export const foundPage = z.object({
  /** Newest first. */
  found: z.array(found),
  nextCursor: z.string().nullable(),
})
export type FoundPage = z.output<typeof foundPage>

// Channels, polls, scheduled posts ---------------------------------------------------------------

/** All channels in their order; one that is left out is removed, and its posts stay without a channel. */
export const channelsSave = byCourse.extend({
  channels: z
    .array(
      z.object({
        /** Of a channel that is there already. */
        id: uuid('The channel').optional(),
        name: line('A channel', limits.channelName, 'Please name every channel'),
      }),
    )
    .max(limits.channels, tooManyChannels),
  /** The channels that were there when the list was begun; only of these one that is left out is removed. */
  known: z.array(uuid('The channel')).max(limits.channels, tooManyChannels).optional(),
})
export const channelList = z.object({ channels: z.array(channel) })

/** Null takes the vote back. */
export const vote = byPost.extend({ optionId: uuid('The answer').nullable() })
export const pollState = poll

export const scheduledPosts = z.object({
  /** The next one comes first. */
  posts: z.array(post),
})
