import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { createdAt, id, moment } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'

/** The audit log: what administrators did, append-only in the database. */
export const administrativeActs = pgTable(
  'administrative_acts',
  {
    id: id(),
    /** Null for the command line, and when the account was deleted. */
    actorId: uuid('actor_id').references(() => users.id, { onDelete: 'set null' }),
    /** 'suspend_account', 'lift_suspension'…: the closed list is in rules.ts. */
    action: text('action').notNull(),
    subjectKind: text('subject_kind').notNull(),
    subjectId: text('subject_id'),
    /** What it was called then; emptied, like its id, when it was a person whose account is deleted. */
    subjectName: text('subject_name').notNull().default(''),
    reason: text('reason').notNull().default(''),
    details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
    createdAt: createdAt(),
  },
  (table) => [
    index('administrative_acts_newest').on(table.createdAt.desc(), table.id.desc()),
    index('administrative_acts_actor').on(table.actorId, table.createdAt.desc(), table.id.desc()),
    index('administrative_acts_subject').on(
      table.subjectKind,
      table.subjectId,
      table.createdAt.desc(),
      table.id.desc(),
    ),
  ],
)

/** An account or a course that administrators stopped, until they lift it. */
export const suspensions = pgTable(
  'suspensions',
  {
    id: id(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    courseId: uuid('course_id').references(() => courses.id, { onDelete: 'cascade' }),
    /** Of a course: that of its creator's account, with which it comes and goes. */
    becauseOf: uuid('because_of').references((): AnyPgColumn => suspensions.id, {
      onDelete: 'cascade',
    }),
    /** A course that was published is published again when the suspension is lifted. */
    wasPublished: boolean('was_published').notNull().default(false),
    reason: text('reason').notNull(),
    suspendedBy: uuid('suspended_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    appeal: text('appeal'),
    appealedAt: moment('appealed_at'),
    /** Why an appeal was refused. */
    appealAnswer: text('appeal_answer'),
    appealAnsweredAt: moment('appeal_answered_at'),
    liftedAt: moment('lifted_at'),
    liftedBy: uuid('lifted_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [
    check('suspensions_one_subject', sql`num_nonnulls(${table.userId}, ${table.courseId}) = 1`),
    uniqueIndex('suspensions_open_user')
      .on(table.userId)
      .where(sql`lifted_at is null`),
    uniqueIndex('suspensions_open_course')
      .on(table.courseId)
      .where(sql`lifted_at is null`),
    index('suspensions_user').on(table.userId, table.createdAt.desc()),
    index('suspensions_course').on(table.courseId, table.createdAt.desc()),
    index('suspensions_because_of').on(table.becauseOf),
    index('suspensions_suspended_by').on(table.suspendedBy),
    index('suspensions_lifted_by').on(table.liftedBy),
    index('suspensions_appeals')
      .on(table.appealedAt)
      .where(sql`lifted_at is null and appealed_at is not null and appeal_answered_at is null`),
  ],
)

/** What administrators told everybody, or some. */
export const announcements = pgTable(
  'announcements',
  {
    id: id(),
    title: text('title').notNull(),
    message: text('message').notNull(),
    /** A page of ours; empty for none. */
    href: text('href').notNull().default(''),
    audience: text('audience', { enum: ['everybody', 'creators', 'pro'] }).notNull(),
    announcedBy: uuid('announced_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    /** How many have been told so far; the job raises it. */
    toldCount: integer('told_count').notNull().default(0),
    /** The last person, by id, who was told: where the job goes on, also after it was killed. */
    toldUpTo: uuid('told_up_to'),
    finishedAt: moment('finished_at'),
  },
  (table) => [
    index('announcements_newest').on(table.createdAt.desc(), table.id.desc()),
    index('announcements_announced_by').on(table.announcedBy),
  ],
)
