import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, moment, updatedAt } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'

/** A prize that creators with Pro can win with a course; the winner is drawn, and anybody can draw again. */
export const challenges = pgTable(
  'challenges',
  {
    id: id(),
    slug: text('slug').notNull().unique(),
    kind: text('kind', { enum: ['challenge', 'giveaway'] }).notNull(),
    title: text('title').notNull(),
    rules: text('rules').notNull(),
    prize: text('prize').notNull(),
    opensAt: moment('opens_at').notNull(),
    closesAt: moment('closes_at').notNull(),
    status: text('status', { enum: ['draft', 'published', 'closed', 'drawn', 'canceled'] })
      .notNull()
      .default('draft'),
    /** SHA-256 of the seed in hex, published with the challenge, so before anybody enters. */
    seedHash: text('seed_hash').notNull(),
    /** Encrypted with the installation's secret until the draw. */
    sealedSeed: text('sealed_seed').notNull(),
    /** In hex, from the draw on. */
    seed: text('seed'),
    /** SHA-256 of the frozen list of entries in hex, from the closing on. */
    entriesHash: text('entries_hash'),
    /** 1-based place in the frozen list. */
    winnerNumber: integer('winner_number'),
    publishedAt: moment('published_at'),
    closedAt: moment('closed_at'),
    drawnAt: moment('drawn_at'),
    canceledReason: text('canceled_reason'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('challenges_newest').on(table.status, table.closesAt.desc(), table.id.desc())],
)

export const challengeEntries = pgTable(
  'challenge_entries',
  {
    id: id(),
    challengeId: uuid('challenge_id')
      .notNull()
      .references(() => challenges.id, { onDelete: 'cascade' }),
    /** Null when the account was deleted after the list was frozen: its line stays. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** Null when the course was deleted. */
    courseId: uuid('course_id').references(() => courses.id, { onDelete: 'set null' }),
    /** Its line in the frozen list, 1-based; null until the challenge closes. */
    number: integer('number'),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('challenge_entries_once').on(table.challengeId, table.userId),
    uniqueIndex('challenge_entries_number').on(table.challengeId, table.number),
    index('challenge_entries_user').on(table.userId),
    index('challenge_entries_course').on(table.courseId),
  ],
)
