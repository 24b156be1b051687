import { and, eq, sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { askTogether, question } from '../../server/ask-together.ts'
import type { Transaction } from '../../server/db.ts'
import { keepingStream } from '../media/stream-limit.ts'
import { mediaFiles } from '../media/tables.ts'
import { completeLesson } from './complete-lesson.ts'
import type { PositionSave, SavedPosition } from './schema.ts'
import { lessonPositions, lessons } from './tables.ts'
import {
  fastestSpeed,
  firstCredit,
  isWatchedThrough,
  leastLength,
  lengthTolerance,
  mostCredit,
  multirangeOf,
} from './watched.ts'

type Place = { userId: string; courseId: string; lessonId: string }

interface PlaybackRow {
  /** Null when nothing was stored: the report goes beyond the end. */
  accepted: boolean | null
  /** Of the browser that reports; null where it has none, or is not counted. */
  stream: SavedPosition['stream'] | null
}

/** Seconds in a multirange, in SQL. */
const length = (multirange: string) =>
  `coalesce((select sum(upper(r) - lower(r)) from unnest(${multirange}) r), 0)`

/**
 * `seconds` is the position, `played` what was played, `least` how long the video must be for it, `told` how long the
 * player says that it is, `session` the log-in whose stream it keeps its place for, or null. The position is stored in
 * any case. What was played counts as long as the seconds that it adds are covered by the time that has passed (a
 * bucket that fills with it), and otherwise not at all. What is told twice adds nothing, so an answer may get lost.
 * Lessons are held in the order of their ids, as by whoever deletes them: nobody waits for somebody who waits for them.
 */
const playbackQuestion = question(
  'record-playback',
  {
    person: 'uuid',
    lesson: 'uuid',
    course: 'uuid',
    seconds: 'real',
    played: 'int4multirange',
    least: 'real',
    told: 'real',
    session: 'uuid',
  },
  (asked) => `
    with asked as (select * from ${asked}), lesson as (
      select asked.*, l.id, l.course_id,
             coalesce(nullif(m.duration_seconds, 0), asked.told) as length
        from asked join lessons l on l.id = asked.lesson and l.course_id = asked.course
             left join media_files m on m.id = l.video_id
       order by l.id, asked.person
         for key share of l
    ), stored as (
      insert into lesson_positions as p
             (user_id, lesson_id, course_id, seconds, watched, watch_credit, updated_at)
      select lesson.person, lesson.id, lesson.course_id, lesson.seconds,
             case when first.length <= ${firstCredit} then lesson.played else '{}' end,
             case when first.length <= ${firstCredit} then ${firstCredit} - first.length
                  else ${firstCredit} end,
             clock_timestamp()
        from lesson, lateral (select ${length('lesson.played')} as length) first
       where coalesce(lesson.least <= lesson.length, true)
      on conflict (user_id, lesson_id) do update
         set seconds = excluded.seconds,
             updated_at = greatest(p.updated_at, excluded.updated_at),
             (watched, watch_credit) = (
               select case when adds <= credit then p.watched + lesson.played
                           else p.watched end,
                      case when adds <= credit then credit - adds else credit end
                 from lesson,
                      lateral (select ${length('lesson.played - p.watched')} as adds,
                              least(${mostCredit}, p.watch_credit + ${fastestSpeed} * greatest(0,
                                extract(epoch from excluded.updated_at - p.updated_at))) as credit) of_these
                where lesson.person = excluded.user_id and lesson.id = excluded.lesson_id)
      returning user_id, lesson_id, watched
    ), ${keepingStream}
    select lesson.n, stored.watched @> lesson.played as "accepted",
           (select json_build_object('id', id, 'state', state, 'endedBy', "endedBy")
              from stream where stream.n = lesson.n) as "stream"
      from lesson left join stored on stored.user_id = lesson.person and stored.lesson_id = lesson.id`,
)

/** Null when the lesson is none of the course. `sessionId` is whose stream it is, where streams are counted. */
export async function recordPlayback(
  pool: Pool,
  place: Place,
  report: PositionSave,
  sessionId: string | null,
) {
  const { userId, lessonId, courseId } = place
  const { seconds, played, duration = null } = report
  const [row] = await askTogether<PlaybackRow>(pool, playbackQuestion, {
    person: userId,
    lesson: lessonId,
    course: courseId,
    seconds,
    played: multirangeOf(played),
    least: leastLength(played),
    told: duration,
    session: sessionId,
  })
  if (!row) return null
  if (row.accepted === null) return 'beyond the end'
  return { accepted: row.accepted, ...(row.stream && { stream: row.stream }) }
}

/**
 * Completes a lesson at the end of its video, when enough of it was watched; `told` is how long the
 * player says that it is.
 */
export async function completeByWatching(
  transaction: Transaction,
  place: Place,
  told: number | undefined,
): Promise<'completed' | 'was complete' | 'not watched'> {
  const [watched] = await transaction
    .select({
      seconds: sql<number>`${sql.raw(length(watchedOfVideo))}::int`,
      until: sql<number>`${sql.raw(`coalesce(upper(${watchedOfVideo}), 0)`)}`,
      duration: sql<number | null>`nullif(${mediaFiles.durationSeconds}, 0)`,
    })
    .from(lessonPositions)
    .innerJoin(lessons, eq(lessons.id, lessonPositions.lessonId))
    .leftJoin(mediaFiles, eq(mediaFiles.id, lessons.videoId))
    .where(inPlace(place))
    .for('update', { of: lessonPositions })
  if (!watched || !isWatchedThrough(watched, watched.duration ?? told ?? 0)) return 'not watched'
  return (await completeLesson(transaction, place)) ? 'completed' : 'was complete'
}

/** Not what was watched of a longer video that was in its place before. */
const watchedOfVideo = `(lesson_positions.watched * int4multirange(int4range(
  0, ceil(nullif(media_files.duration_seconds, 0))::int + ${lengthTolerance})))`

/** Only watching it again completes the lesson again. Before the completion goes: that order is everybody's. */
export async function forgetWatched(transaction: Transaction, place: Place): Promise<void> {
  await transaction
    .update(lessonPositions)
    .set({ watched: '{}' })
    .where(inPlace(place))
    .prepare('forget-watched')
    .execute()
}

const inPlace = ({ userId, lessonId, courseId }: Place) =>
  and(
    eq(lessonPositions.userId, userId),
    eq(lessonPositions.lessonId, lessonId),
    eq(lessonPositions.courseId, courseId),
  )
