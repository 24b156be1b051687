import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  real,
  text,
  uniqueIndex,
  uuid,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core'
import { createdAt, id, moment, updatedAt } from '../../server/columns.ts'
import { sessions, users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'

/** One row per uploaded file; the bytes are in the storage under keys made from the id. */
export const mediaFiles = pgTable(
  'media_files',
  {
    id: id(),
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => users.id),
    courseId: uuid('course_id').references((): AnyPgColumn => courses.id, { onDelete: 'cascade' }),
    purpose: text('purpose', {
      enum: [
        'video',
        'thumbnail',
        'avatar',
        'import',
        'post_image',
        'post_video',
        'course_logo',
        'course_cover',
      ],
    }).notNull(),
    status: text('status', { enum: ['uploading', 'ready', 'failed'] })
      .notNull()
      .default('uploading'),
    /** Why a failed upload failed, in words for people. */
    problem: text('problem'),
    filename: text('filename').notNull(),
    /** What the bytes are, not what the browser said; null until they were looked at. */
    contentType: text('content_type'),
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
    durationSeconds: real('duration_seconds'),
    width: integer('width'),
    height: integer('height'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('media_files_course').on(table.courseId),
    index('media_files_owner').on(table.ownerId),
  ],
)

/** What is made of a video after its upload; no row where there is no ffmpeg. The original plays meanwhile. */
export const videoProcessings = pgTable(
  'video_processings',
  {
    mediaId: uuid('media_id')
      .primaryKey()
      .references(() => mediaFiles.id, { onDelete: 'cascade' }),
    status: text('status', { enum: ['queued', 'running', 'done', 'failed'] })
      .notNull()
      .default('queued'),
    /** 0 to 100, of the work as a whole. */
    percent: integer('percent').notNull().default(0),
    /** Why it failed, in words for people. */
    problem: text('problem'),
    /** How often it was begun; a file on which the process died several times is given up. */
    attempts: integer('attempts').notNull().default(0),
    /** Told while it runs: work that nobody hears of any more has died. */
    heartbeatAt: moment('heartbeat_at'),
    hasPoster: boolean('has_poster').notNull().default(false),
    /** Small pictures for the seek bar: preview.jpg and preview.vtt. */
    hasPreview: boolean('has_preview').notNull().default(false),
    /** Heights in pixels of the HLS ladder; empty without one. */
    heights: jsonb('heights').$type<number[]>().notNull().default([]),
    /** Bytes of everything that was made. */
    sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('video_processings_status').on(table.status, table.createdAt)],
)

export type CaptionCue = { start: number; end: number; text: string }

/** One language of a video's captions. */
export const videoCaptions = pgTable(
  'video_captions',
  {
    id: id(),
    mediaId: uuid('media_id')
      .notNull()
      .references(() => mediaFiles.id, { onDelete: 'cascade' }),
    /** A BCP 47 tag, such as 'en' or 'pt-BR'. */
    language: text('language').notNull(),
    /** In order; times in seconds, plain text. */
    cues: jsonb('cues').$type<CaptionCue[]>().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('video_captions_media_language').on(table.mediaId, table.language)],
)

/**
 * Which browsers of a person play the films of courses, one row for each log-in (stream-limit.ts). Unlogged: what
 * a crash of PostgreSQL loses here, the players say again within seconds.
 */
export const playingStreams = pgTable(
  'playing_streams',
  {
    /** Another one each time that it begins anew. */
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    startedAt: moment('started_at').notNull().defaultNow(),
    /** The last sign of life. */
    seenAt: moment('seen_at').notNull().defaultNow(),
    /** Since when another device plays in its place. */
    endedAt: moment('ended_at'),
    /** The stream that took its place. */
    endedBy: uuid('ended_by'),
  },
  (table) => [
    uniqueIndex('playing_streams_user_session').on(table.userId, table.sessionId),
    index('playing_streams_session').on(table.sessionId),
  ],
)
