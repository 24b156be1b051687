import { sql } from 'drizzle-orm'
import {
  customType,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { courses } from '../courses/tables.ts'

const words = customType<{ data: string }>({ dataType: () => 'tsvector' })
/** Compared byte by byte, so that an index finds what begins with something in any database. */
const plain = customType<{ data: string }>({ dataType: () => 'text collate "C"' })

const ofCourse = () =>
  uuid('course_id')
    .primaryKey()
    .references(() => courses.id, { onDelete: 'cascade' })

/** What search knows of a published course. A trigger on `courses` keeps it (migration 0003). */
export const courseSearchDocuments = pgTable(
  'course_search_documents',
  {
    courseId: ofCourse(),
    category: text('category').notNull(),
    /** 0 free, 1 paid. */
    priceClass: smallint('price_class').notNull(),
    /** Grows by two when the number of students doubles, so that few enrolments change it. */
    popularity: smallint('popularity').notNull(),
    /** Folded: lower case without accents. */
    title: plain('title').notNull(),
    /** Title, short description and description, folded: for what is found by the letter. */
    body: text('body').notNull(),
    titleWords: words('title_words').notNull(),
    words: words('words').notNull(),
  },
  (table) => [
    index('course_search_documents_popular').on(table.popularity.desc(), table.courseId.desc()),
    // A title has at most 120 characters, so it fits.
    index('course_search_documents_title').on(table.title),
    index('course_search_documents_title_words').using('gin', table.titleWords),
    index('course_search_documents_words').using('gin', table.words),
  ],
)

/** Every word of the documents. A job counts them each night and drops those that went. */
export const searchWords = pgTable('search_words', {
  word: plain('word').primaryKey(),
  coursesCount: integer('courses_count').notNull().default(1),
  titlesCount: integer('titles_count').notNull().default(1),
})

/** The ends of each word, by where they begin: what lies inside words, and what is spelt alike. */
export const searchWordParts = pgTable(
  'search_word_parts',
  {
    /** 0-based. */
    position: smallint('position').notNull(),
    part: plain('part').notNull(),
    word: plain('word')
      .notNull()
      .references(() => searchWords.word, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.position, table.part, table.word] }),
    index('search_word_parts_word').on(table.word),
  ],
)

/** The day's order of the published courses by chance, weighted by their students. */
export const trendingCourses = pgTable(
  'trending_courses',
  {
    courseId: ofCourse(),
    category: text('category').notNull(),
    priceClass: smallint('price_class').notNull(),
    score: doublePrecision('score')
      .notNull()
      .default(sql`0`),
  },
  (table) => [
    index('trending_courses_score').on(table.priceClass, table.score.desc(), table.courseId.desc()),
    index('trending_courses_category_score').on(
      table.category,
      table.priceClass,
      table.score.desc(),
      table.courseId.desc(),
    ),
  ],
)
