import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id, moment, updatedAt } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'
import type { RichText } from '../lessons/rich-text.ts'
import { mediaFiles } from '../media/tables.ts'

const priceClass = ({ priceAmount }: { priceAmount: AnyPgColumn }) => sql`least(${priceAmount}, 1)`

export const courses = pgTable(
  'courses',
  {
    id: id(),
    /** Also a row of course_slugs, which keeps the earlier ones for redirects. */
    slug: text('slug').notNull().unique(),
    title: text('title').notNull(),
    shortDescription: text('short_description').notNull().default(''),
    description: jsonb('description').$type<RichText>().notNull(),
    /** The description's plain text, for cards, search and meta tags. */
    descriptionText: text('description_text').notNull().default(''),
    instructorId: uuid('instructor_id')
      .notNull()
      .references(() => users.id),
    thumbnailId: uuid('thumbnail_id').references(() => mediaFiles.id, { onDelete: 'set null' }),
    pricingType: text('pricing_type', { enum: ['free', 'one_time', 'monthly'] })
      .notNull()
      .default('one_time'),
    /** Minor units of `currency`; 0 exactly when pricing_type is free. */
    priceAmount: integer('price_amount').notNull().default(0),
    currency: text('currency').notNull().default('usd'),
    category: text('category').notNull(),
    level: text('level').notNull().default('Beginner'),
    /** The mean of its reviews; 0 without any. */
    rating: numeric('rating', { precision: 3, scale: 2, mode: 'number' }).notNull().default(0),
    reviewsCount: integer('reviews_count').notNull().default(0),
    studentsCount: integer('students_count').notNull().default(0),
    lessonsCount: integer('lessons_count').notNull().default(0),
    verified: boolean('verified').notNull().default(false),
    applicationRequired: boolean('application_required').notNull().default(false),
    applicationInstructions: text('application_instructions')
      .notNull()
      .default('Write anything here that will be displayed to the applicant.'),
    /** Whether the viewer's email address lies faintly over its videos. */
    watermark: boolean('watermark').notNull().default(false),
    status: text('status', { enum: ['draft', 'published'] })
      .notNull()
      .default('draft'),
    publishedAt: moment('published_at'),
    /** Set while a suspension is open; then it is a draft that cannot be published. */
    suspendedAt: moment('suspended_at'),
    /** Raised by each save of chapters and lessons; a save names the one it started from. */
    contentVersion: integer('content_version').notNull().default(1),
    /** Raised by a trigger on every change; kept pages are checked against it. */
    version: bigint('version', { mode: 'number' }).notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    check(
      'courses_suspended_is_draft',
      sql`${table.suspendedAt} is null or ${table.status} = 'draft'`,
    ),
    index('courses_instructor').on(table.instructorId, table.createdAt.desc()),
    index('courses_thumbnail').on(table.thumbnailId),
    index('courses_suspended')
      .on(table.id)
      .where(sql`suspended_at is not null`),
    index('courses_verified')
      .on(table.id)
      .where(sql`verified`),
    index('courses_published_newest').on(table.status, table.publishedAt.desc(), table.id.desc()),
    index('courses_category_newest').on(
      table.status,
      table.category,
      table.publishedAt.desc(),
      table.id.desc(),
    ),
    // The other orders of the catalogue, each for free (0) and paid (1) courses.
    index('courses_price_class_newest').on(
      table.status,
      priceClass(table),
      table.publishedAt.desc(),
      table.id.desc(),
    ),
    index('courses_category_price_class_newest').on(
      table.status,
      table.category,
      priceClass(table),
      table.publishedAt.desc(),
      table.id.desc(),
    ),
    index('courses_popular').on(
      table.status,
      priceClass(table),
      table.studentsCount.desc(),
      table.id.desc(),
    ),
    index('courses_category_popular').on(
      table.status,
      table.category,
      priceClass(table),
      table.studentsCount.desc(),
      table.id.desc(),
    ),
    index('courses_price').on(
      table.status,
      table.priceAmount,
      table.publishedAt.desc(),
      table.id.desc(),
    ),
    index('courses_category_price').on(
      table.status,
      table.category,
      table.priceAmount,
      table.publishedAt.desc(),
      table.id.desc(),
    ),
  ],
)

/** Every slug that a course has or had: an address once shared keeps working. */
export const courseSlugs = pgTable(
  'course_slugs',
  {
    slug: text('slug').primaryKey(),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
  },
  (table) => [index('course_slugs_course').on(table.courseId)],
)

export const chapters = pgTable(
  'chapters',
  {
    id: id(),
    courseId: uuid('course_id')
      .notNull()
      .references(() => courses.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    description: text('description').notNull().default(''),
    /** 1-based. */
    orderIndex: integer('order_index').notNull(),
  },
  (table) => [index('chapters_course_order').on(table.courseId, table.orderIndex)],
)

/** What the nightly recount of the counters in `courses` found; a difference is a fault of ours. */
export const counterChecks = pgTable(
  'counter_checks',
  {
    id: id(),
    /** The column of `courses`. */
    counter: text('counter').notNull(),
    /** Courses whose counter was not what its rows say; they were mended. */
    differences: integer('differences').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('counter_checks_newest').on(table.counter, table.createdAt.desc())],
)
