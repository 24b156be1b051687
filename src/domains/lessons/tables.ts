import {
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id, moment, updatedAt } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'
import { chapters, courses } from '../courses/tables.ts'
import { mediaFiles } from '../media/tables.ts'
import type { RichText } from './rich-text.ts'

export const lessons = pgTable(
  'lessons',
  {
    id: id(),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    chapterId: uuid('chapter_id')
      .notNull()
      .references(() => chapters.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    /** Unique within the course; also a row of lesson_slugs, which keeps the earlier ones. */
    slug: text('slug').notNull(),
    content: jsonb('content').$type<RichText>().notNull(),
    videoId: uuid('video_id').references(() => mediaFiles.id, { onDelete: 'set null' }),
    /** A video elsewhere, as its creator wrote the address; never set together with `videoId`. */
    videoUrl: text('video_url'),
    /** Anybody may see this lesson without joining. */
    isPreview: boolean('is_preview').notNull().default(false),
    /** What the creator says; where a video's own length is known, that counts. */
    durationMinutes: integer('duration_minutes'),
    /** 1-based within the chapter. */
    orderIndex: integer('order_index').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('lessons_course_slug').on(table.courseId, table.slug),
    index('lessons_chapter_order').on(table.chapterId, table.orderIndex),
    index('lessons_video').on(table.videoId),
  ],
)

/** Every slug that a lesson has or had within its course. */
export const lessonSlugs = pgTable(
  'lesson_slugs',
  {
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    slug: text('slug').notNull(),
    lessonId: uuid('lesson_id')
      .notNull()
      .references(() => lessons.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.courseId, table.slug] }),
    index('lesson_slugs_lesson').on(table.lessonId),
  ],
)

/** The spec's additional links. */
export const lessonResources = pgTable(
  'lesson_resources',
  {
    id: id(),
    lessonId: uuid('lesson_id')
      .notNull()
      .references(() => lessons.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    url: text('url').notNull(),
    description: text('description').notNull().default(''),
    orderIndex: integer('order_index').notNull(),
  },
  (table) => [index('lesson_resources_lesson').on(table.lessonId, table.orderIndex)],
)

export const lessonCompletions = pgTable(
  'lesson_completions',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    lessonId: uuid('lesson_id')
      .notNull()
      .references(() => lessons.id, { onDelete: 'cascade' }),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    completedAt: moment('completed_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('lesson_completions_user_lesson').on(table.userId, table.lessonId),
    index('lesson_completions_user_course').on(table.userId, table.courseId),
    index('lesson_completions_lesson').on(table.lessonId),
    index('lesson_completions_course').on(table.courseId),
  ],
)

/** PostgreSQL's own sets of ranges: adding what is there already changes nothing. */
const int4multirange = customType<{ data: string }>({ dataType: () => 'int4multirange' })

/** Where a person left a lesson's video, in seconds (the latest device wins), and what was watched of it. */
export const lessonPositions = pgTable(
  'lesson_positions',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    lessonId: uuid('lesson_id')
      .notNull()
      .references(() => lessons.id, { onDelete: 'cascade' }),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    seconds: real('seconds').notNull(),
    /** Whole seconds of the video that this person has seen. */
    watched: int4multirange('watched').notNull().default('{}'),
    /** Seconds of watching that may still be reported for the time that has passed. */
    watchCredit: real('watch_credit').notNull().default(0),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.lessonId] }),
    index('lesson_positions_lesson').on(table.lessonId),
    // Without the time: a saved place, of all writes the most frequent, changes no index, so its row stays in its page.
    index('lesson_positions_person').on(table.userId, table.courseId),
    index('lesson_positions_course').on(table.courseId),
  ],
)

/** What a learner writes down beside a lesson, for nobody else. */
export const lessonNotes = pgTable(
  'lesson_notes',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    lessonId: uuid('lesson_id')
      .notNull()
      .references(() => lessons.id, { onDelete: 'cascade' }),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    /** The moment of the video that it is about; null for the lesson as a whole. */
    seconds: real('seconds'),
    text: text('text').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('lesson_notes_user_lesson').on(table.userId, table.lessonId),
    index('lesson_notes_lesson').on(table.lessonId),
    index('lesson_notes_course').on(table.courseId),
  ],
)
