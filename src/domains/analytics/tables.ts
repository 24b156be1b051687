import {
  bigint,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'
import { lessons } from '../lessons/tables.ts'

/** What people did, written in the transaction in which they did it (spec 2, sections 3 and 4). */
export const userActivities = pgTable(
  'user_activities',
  {
    id: id(),
    /** Who did it. */
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    activityType: text('activity_type', {
      enum: ['course_created', 'first_enrollment', 'lesson_completed', 'post_created'],
    }).notNull(),
    /** For lesson_completed: each lesson counts once for a person. */
    lessonId: uuid('lesson_id').references(() => lessons.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (table) => [
    index('user_activities_user_newest').on(table.userId, table.createdAt.desc()),
    index('user_activities_course_newest').on(table.courseId, table.createdAt.desc()),
    uniqueIndex('user_activities_lesson_once').on(table.lessonId, table.userId),
  ],
)

/**
 * What changed in the counts of a day: rows that triggers on enrollments, lesson_completions, lesson_positions, posts,
 * comments and learner_days append, so that people who learn at the same time never wait for each other. A job folds
 * them into `course_days` and `lesson_counts`; whoever reads adds what is not folded yet.
 */
export const courseDayChanges = pgTable(
  'course_day_changes',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** No references: the course may be gone when it is folded. */
    courseId: uuid('course_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    metric: text('metric', {
      enum: ['students', 'active', 'completions', 'started', 'posts', 'comments'],
    }).notNull(),
    /** Of completions and started. */
    lessonId: uuid('lesson_id'),
    amount: integer('amount').notNull(),
  },
  (table) => [index('course_day_changes_course').on(table.courseId)],
)

/** What happened in a course on a day (UTC), by others than its instructor; posts and comments by everybody. */
export const courseDays = pgTable(
  'course_days',
  {
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    day: date('day', { mode: 'string' }).notNull(),
    /** Who joined on that day and has not left. */
    students: integer('students_count').notNull().default(0),
    /** Rows of learner_days. */
    active: integer('active').notNull().default(0),
    /** Lessons completed. */
    completions: integer('completions').notNull().default(0),
    /** Shown ones. */
    posts: integer('posts').notNull().default(0),
    comments: integer('comments').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.courseId, table.day] })],
)

/** How many people have begun and completed a lesson, the instructor left out. */
export const lessonCounts = pgTable(
  'lesson_counts',
  {
    lessonId: uuid('lesson_id')
      .primaryKey()
      .references(() => lessons.id, { onDelete: 'cascade' }),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    /** Of a video. */
    started: integer('started').notNull().default(0),
    completed: integer('completed').notNull().default(0),
  },
  (table) => [index('lesson_counts_course').on(table.courseId)],
)

/** The days (UTC) on which somebody learned in a course: watched, completed a lesson, wrote a post or a comment. */
export const learnerDays = pgTable(
  'learner_days',
  {
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    day: date('day', { mode: 'string' }).notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.courseId, table.day, table.userId] }),
    index('learner_days_user').on(table.userId, table.courseId, table.day.desc()),
  ],
)
