import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id, moment, updatedAt } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'
import { comments, posts } from '../community/tables.ts'
import { courses } from '../courses/tables.ts'
import { caseActions, reportReasons } from './rules.ts'

/** What was reported, and what became of it; all reports of one thing join one open case. */
export const moderationCases = pgTable(
  'moderation_cases',
  {
    id: id(),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    subject: text('subject', { enum: ['post', 'comment'] }).notNull(),
    /** The post, or the one that the comment stands below; null when it is gone. */
    postId: uuid('post_id').references(() => posts.id, { onDelete: 'set null' }),
    /** Null for a post, and when the comment is gone. */
    commentId: uuid('comment_id').references(() => comments.id, { onDelete: 'set null' }),
    /** Who wrote it; null when the account was deleted. */
    authorId: uuid('author_id').references(() => users.id, { onDelete: 'set null' }),
    /** What it said when it was reported first. */
    content: text('content').notNull(),
    /** Written by the instructor, who does not decide about it: only administrators do. */
    aboutInstructor: boolean('about_instructor').notNull().default(false),
    status: text('status', { enum: ['open', 'closed'] })
      .notNull()
      .default('open'),
    /** What closed it. */
    outcome: text('outcome', { enum: caseActions }),
    reportsCount: integer('reports_count').notNull().default(0),
    createdAt: createdAt(),
    closedAt: moment('closed_at'),
  },
  (table) => [
    uniqueIndex('moderation_cases_open_post')
      .on(table.postId)
      .where(sql`status = 'open' and subject = 'post'`),
    uniqueIndex('moderation_cases_open_comment')
      .on(table.commentId)
      .where(sql`status = 'open' and subject = 'comment'`),
    index('moderation_cases_course').on(
      table.courseId,
      table.status,
      table.createdAt.desc(),
      table.id.desc(),
    ),
    index('moderation_cases_newest').on(table.status, table.createdAt.desc(), table.id.desc()),
    index('moderation_cases_post').on(table.postId),
    index('moderation_cases_comment').on(table.commentId),
    index('moderation_cases_author').on(table.authorId),
  ],
)

/** One per person and case. */
export const moderationReports = pgTable(
  'moderation_reports',
  {
    id: id(),
    caseId: uuid('case_id')
      .notNull()
      .references(() => moderationCases.id, { onDelete: 'cascade' }),
    reporterId: uuid('reporter_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    reason: text('reason', { enum: reportReasons }).notNull(),
    note: text('note').notNull().default(''),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('moderation_reports_case_reporter').on(table.caseId, table.reporterId),
    index('moderation_reports_reporter').on(table.reporterId),
  ],
)

/** What moderators did in a case, in order. */
export const moderationActions = pgTable(
  'moderation_actions',
  {
    id: id(),
    caseId: uuid('case_id')
      .notNull()
      .references(() => moderationCases.id, { onDelete: 'cascade' }),
    /** Null when the account was deleted. */
    moderatorId: uuid('moderator_id').references(() => users.id, { onDelete: 'set null' }),
    action: text('action', { enum: caseActions }).notNull(),
    note: text('note').notNull().default(''),
    createdAt: createdAt(),
  },
  (table) => [
    index('moderation_actions_case').on(table.caseId, table.createdAt, table.id),
    index('moderation_actions_moderator').on(table.moderatorId),
  ],
)

/** What may be written in a course's community; no row means no rules. */
export const communitySettings = pgTable('community_settings', {
  courseId: uuid('course_id')
    .primaryKey()
    .references(() => courses.id, { onDelete: 'cascade' }),
  /** In lower case. */
  blockedWords: text('blocked_words')
    .array()
    .notNull()
    .default(sql`'{}'`),
  /** So many first posts and comments of a member may have few links; 0 means no limit. */
  firstPosts: smallint('first_posts').notNull().default(0),
  /** Links that each of those may have. */
  firstPostsLinks: smallint('first_posts_links').notNull().default(0),
  updatedAt: updatedAt(),
})
