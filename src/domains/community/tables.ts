import { sql } from 'drizzle-orm'
import {
  boolean,
  customType,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id, moment, updatedAt } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'
import { mediaFiles } from '../media/tables.ts'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** Parts of one course's community. */
export const communityChannels = pgTable(
  'community_channels',
  {
    id: id(),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** 1-based. */
    orderIndex: integer('order_index').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('community_channels_course_name').on(table.courseId, sql`lower(${table.name})`),
  ],
)

export const posts = pgTable(
  'posts',
  {
    id: id(),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    channelId: uuid('channel_id').references(() => communityChannels.id, { onDelete: 'set null' }),
    /** Plain text; who it mentions stands in it as '@username'. */
    content: text('content').notNull(),
    isPinned: boolean('is_pinned').notNull().default(false),
    pinnedAt: moment('pinned_at'),
    /** `hidden` by the moderation. */
    status: text('status', { enum: ['published', 'scheduled', 'hidden'] })
      .notNull()
      .default('published'),
    /** All members are told of it when it is published. */
    isAnnouncement: boolean('is_announcement').notNull().default(false),
    /** When it is to be published, or was to be; null for what was published at once. */
    scheduledFor: moment('scheduled_for'),
    likesCount: integer('likes_count').notNull().default(0),
    /** Those that are shown. */
    commentsCount: integer('comments_count').notNull().default(0),
    /** Of a scheduled post: when it was published. */
    createdAt: createdAt(),
    /** Differs from `created_at` once its author has edited it; nothing else changes it. */
    updatedAt: updatedAt(),
    /** Kept by a trigger: `community_words` of the content and the course, both met in one index. */
    search: tsvector('search'),
  },
  (table) => {
    const shown = sql`status = 'published'`
    const shownInChannel = sql`status = 'published' and channel_id is not null`
    return [
      // Read from either end: newest and oldest, highest and lowest.
      index('posts_course_newest')
        .on(table.courseId, table.createdAt.desc(), table.id.desc())
        .where(shown),
      index('posts_course_liked')
        .on(table.courseId, table.likesCount.desc(), table.createdAt.desc(), table.id.desc())
        .where(shown),
      index('posts_channel_newest')
        .on(table.channelId, table.createdAt.desc(), table.id.desc())
        .where(shownInChannel),
      index('posts_channel_liked')
        .on(table.channelId, table.likesCount.desc(), table.createdAt.desc(), table.id.desc())
        .where(shownInChannel),
      index('posts_channel')
        .on(table.channelId)
        .where(sql`channel_id is not null`),
      index('posts_course_pinned')
        .on(table.courseId, table.pinnedAt.desc())
        .where(sql`is_pinned`),
      index('posts_course_scheduled')
        .on(table.courseId, table.scheduledFor)
        .where(sql`status = 'scheduled'`),
      // Also how many posts somebody has written in a course.
      index('posts_user').on(table.userId, table.courseId, table.createdAt.desc()),
      index('posts_course').on(table.courseId),
      index('posts_search').using('gin', table.search),
    ]
  },
)

/** Pictures, videos and links to videos of a post. */
export const postAttachments = pgTable(
  'post_attachments',
  {
    postId: uuid('post_id')
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    /** 1-based. */
    orderIndex: smallint('order_index').notNull(),
    kind: text('kind', { enum: ['image', 'video', 'link'] }).notNull(),
    /** Of an image or a video. */
    mediaId: uuid('media_id').references(() => mediaFiles.id, { onDelete: 'cascade' }),
    /** Of a link: the page of the provider. */
    url: text('url'),
  },
  (table) => [
    primaryKey({ columns: [table.postId, table.orderIndex] }),
    uniqueIndex('post_attachments_media').on(table.mediaId),
  ],
)

export const postLikes = pgTable(
  'post_likes',
  {
    postId: uuid('post_id')
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.postId, table.userId] }),
    index('post_likes_user').on(table.userId),
  ],
)

/** Whom a post names, of those who could read it then. */
export const postMentions = pgTable(
  'post_mentions',
  {
    postId: uuid('post_id')
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As it stands in the text, without the @. */
    handle: text('handle').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.postId, table.userId] }),
    index('post_mentions_user').on(table.userId),
  ],
)

export const comments = pgTable(
  'comments',
  {
    id: id(),
    postId: uuid('post_id')
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    /** Null when its author's account was deleted and replies keep its place. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** What it answers; null for a comment on the post. */
    parentId: uuid('parent_id'),
    /** The comment on the post below which it stands; null for that one itself. */
    threadId: uuid('thread_id'),
    /** Plain text; empty once it is deleted. */
    content: text('content').notNull(),
    /** `deleted` keeps the place of what has replies; `hidden` by the moderation. */
    status: text('status', { enum: ['published', 'deleted', 'hidden'] })
      .notNull()
      .default('published'),
    likesCount: integer('likes_count').notNull().default(0),
    /** Of a thread: its replies that are shown. */
    repliesCount: integer('replies_count').notNull().default(0),
    createdAt: createdAt(),
    /** Differs from `created_at` once its author has edited it; nothing else changes it. */
    updatedAt: updatedAt(),
    /** As that of posts. */
    search: tsvector('search'),
  },
  (table) => [
    foreignKey({
      name: 'comments_parent_id_comments_id_fk',
      columns: [table.parentId],
      foreignColumns: [table.id],
    }).onDelete('cascade'),
    foreignKey({
      name: 'comments_thread_id_comments_id_fk',
      columns: [table.threadId],
      foreignColumns: [table.id],
    }).onDelete('cascade'),
    index('comments_post_threads')
      .on(table.postId, table.createdAt, table.id)
      .where(sql`thread_id is null`),
    index('comments_thread')
      .on(table.threadId, table.createdAt, table.id)
      .where(sql`thread_id is not null`),
    index('comments_parent')
      .on(table.parentId)
      .where(sql`parent_id is not null`),
    index('comments_post').on(table.postId),
    index('comments_course_newest').on(table.courseId, table.createdAt.desc(), table.id.desc()),
    index('comments_user').on(table.userId, table.courseId, table.createdAt.desc()),
    index('comments_search').using('gin', table.search),
  ],
)

export const commentLikes = pgTable(
  'comment_likes',
  {
    commentId: uuid('comment_id')
      .notNull()
      .references(() => comments.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.commentId, table.userId] }),
    index('comment_likes_user').on(table.userId),
  ],
)

export const commentMentions = pgTable(
  'comment_mentions',
  {
    commentId: uuid('comment_id')
      .notNull()
      .references(() => comments.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As it stands in the text, without the @. */
    handle: text('handle').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.commentId, table.userId] }),
    index('comment_mentions_user').on(table.userId),
  ],
)

/** A question with answers to choose one of, below a post. */
export const polls = pgTable('polls', {
  postId: uuid('post_id')
    .primaryKey()
    .references(() => posts.id, { onDelete: 'cascade' }),
  /** Null for one that stays open. */
  closesAt: moment('closes_at'),
})

export const pollOptions = pgTable(
  'poll_options',
  {
    id: id(),
    postId: uuid('post_id')
      .notNull()
      .references(() => polls.postId, { onDelete: 'cascade' }),
    text: text('text').notNull(),
    /** 1-based. */
    orderIndex: smallint('order_index').notNull(),
    votesCount: integer('votes_count').notNull().default(0),
  },
  (table) => [uniqueIndex('poll_options_post_order').on(table.postId, table.orderIndex)],
)

/** One per person and poll. */
export const pollVotes = pgTable(
  'poll_votes',
  {
    postId: uuid('post_id')
      .notNull()
      .references(() => polls.postId, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    optionId: uuid('option_id')
      .notNull()
      .references(() => pollOptions.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.postId, table.userId] }),
    index('poll_votes_option').on(table.optionId),
    index('poll_votes_user').on(table.userId),
  ],
)
