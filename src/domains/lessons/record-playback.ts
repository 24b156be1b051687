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

/** Seconds that a report may be under way: until then it may be of the same device, and of before. */
const slowestReport = 30

type Place = { userId: string; courseId: string; lessonId: string }

interface PlaybackRow {
  /** Where the person is by now. */
  seconds: number
  /** The report is about a video that the lesson does not have, so nothing was stored. */
  isOther: boolean
  /** Null when nothing was stored: the report goes beyond the end. */
  accepted: boolean | null
  /** Of the browser that reports; null where it has none, or is not counted. */
  stream: SavedPosition['stream'] | null
}

/** Seconds in a multirange, in SQL. */
const length = (multirange: string) =>
  `coalesce((select sum(upper(r) - lower(r)) from unnest(${multirange}) r), 0)`

/**
 * `seconds` is the position, `ago` how long ago that was, `played` what was played, `least` how long the video must be for
 * it, `told` how long the player says that it is, `session` the log-in whose stream it keeps its place for, or null,
 * `video` which one is told of, or null for the lesson's own. The position is stored, unless it is told late and a later one is known. What was played counts as long as the seconds that
 * it adds are covered by the time that has passed (a bucket that fills with it), and otherwise not at all. What is told
 * twice adds nothing, so an answer may get lost. `updated_at` is when they were there, and the credit is kept as it was
 * then: it may be less than nothing, until the time since is added.
 * Lessons are held in the order of their ids, as by whoever deletes them: nobody waits for somebody who waits for them.
 */
const playbackQuestion = question(
  'record-playback',
  {
    person: 'uuid',
    lesson: 'uuid',
    course: 'uuid',
    seconds: 'real',
    ago: 'int',
    played: 'int4multirange',
    least: 'real',
    told: 'real',
    session: 'uuid',
    video: 'text',
  },
  (asked) => `
    with asked as (select * from ${asked}), lesson as (
      select asked.*, l.id, l.course_id,
             coalesce(nullif(m.duration_seconds, 0), asked.told) as length,
             asked.video is not null
               and (l.video_id::text = asked.video or l.video_url = asked.video) is not true as is_other
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
                  else ${firstCredit} end - ${fastestSpeed} * lesson.ago,
             clock_timestamp() - make_interval(secs => lesson.ago)
        from lesson, lateral (select ${length('lesson.played')} as length) first
       where not lesson.is_other and coalesce(lesson.least <= lesson.length, true)
      on conflict (user_id, lesson_id) do update
         set updated_at = greatest(p.updated_at, excluded.updated_at),
             (seconds, watched, watch_credit) = (
               select case when ago > 0 and passed + ${slowestReport} < ago then p.seconds
                           else excluded.seconds end,
                      case when adds <= credit then p.watched + lesson.played
                           else p.watched end,
                      case when adds <= credit then credit - adds else credit end
                        - ${fastestSpeed} * least(ago, passed)
                 from lesson,
                      lateral (select greatest(0, ago + extract(epoch from
                                excluded.updated_at - p.updated_at)) as passed) since,
                      lateral (select ${length('lesson.played - p.watched')} as adds,
                              least(${mostCredit}, p.watch_credit + ${fastestSpeed} * passed) as credit) of_these
                where lesson.person = excluded.user_id and lesson.id = excluded.lesson_id)
      returning user_id, lesson_id, seconds, watched
    ), ${keepingStream}
    select lesson.n, lesson.is_other as "isOther", stored.seconds, stored.watched @> lesson.played as "accepted",
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
  const { seconds, secondsAgo = 0, played, duration = null, video = null } = report
  const [row] = await askTogether<PlaybackRow>(pool, playbackQuestion, {
    person: userId,
    lesson: lessonId,
    course: courseId,
    seconds,
    ago: secondsAgo,
    played: multirangeOf(played),
    least: leastLength(played),
    told: duration,
    session: sessionId,
    video,
  })
  if (!row) return null
  if (row.isOther) return 'other video'
  if (row.accepted === null) return 'beyond the end'
  return { seconds: row.seconds, accepted: row.accepted, ...(row.stream && { stream: row.stream }) }
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
