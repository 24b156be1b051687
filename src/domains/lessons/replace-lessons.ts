import { sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import type { LessonRow, LinkRow } from '../courses/plan-content.ts'

/**
 * Makes these the lessons and links of a course: rows with a known id are changed in place, so that
 * completions, positions and addresses stay with them; the others are new; what is not listed is
 * removed. The number of statements does not depend on the number of lessons. The caller holds the
 * course's lock and has checked that the ids are the course's own.
 */
export async function replaceLessons(
  transaction: Transaction,
  courseId: string,
  rows: { lessons: LessonRow[]; links: LinkRow[] },
): Promise<void> {
  const refilmed = await holdChanging(transaction, courseId, rows.lessons)
  await noteVideos(transaction, courseId, rows.lessons)
  await forgetVideos(transaction, refilmed)
  await removeOthers(transaction, courseId, rows)
  await giveBackSlugs(transaction, courseId, rows.lessons)
  await storeLessons(transaction, courseId, rows.lessons)
  await storeLinks(transaction, rows.links)
}

const json = (rows: readonly unknown[]) => sql`${JSON.stringify(rows)}::jsonb`

const idsOf = (rows: { id: string }[]) =>
  sql`array(select jsonb_array_elements_text(${json(rows.map(({ id }) => id))})::uuid)`

/**
 * Holds the lessons that go, get another address or another video, in the order in which whoever stores something about
 * several lessons holds them. Who tells what they watched has told it, or waits. Answers which get another video.
 */
async function holdChanging(
  transaction: Transaction,
  courseId: string,
  rows: LessonRow[],
): Promise<string[]> {
  const wanted = rows.map(({ id, slug, videoId, videoUrl }) => ({ id, slug, videoId, videoUrl }))
  const { rows: held } = await transaction.execute<{ id: string; refilmed: boolean }>(sql`
    select l.id, x.id is not null
                 and (l.video_id, l.video_url) is distinct from (x."videoId", x."videoUrl") as refilmed
      from lessons l
      left join jsonb_to_recordset(${json(wanted)})
        as x("id" uuid, "slug" text, "videoId" uuid, "videoUrl" text) on x.id = l.id
     where l.course_id = ${courseId}
       and (l.slug, l.video_id, l.video_url) is distinct from (x."slug", x."videoId", x."videoUrl")
     order by l.id for update of l`)
  return held.filter(({ refilmed }) => refilmed).map(({ id }) => id)
}

/**
 * Nobody has seen anything of another video, and nobody left it at a second; completions stay. It writes one row for each
 * learner who began one of these lessons, and touches no other. When they were there is still true. The lessons are held,
 * and everybody holds the lesson before the place in it.
 */
async function forgetVideos(transaction: Transaction, lessonIds: string[]): Promise<void> {
  if (lessonIds.length === 0) return
  const ids = sql.param(lessonIds)
  await transaction.execute(sql`
    update lesson_positions set seconds = 0, watched = '{}'
     where lesson_id = any(${ids}::uuid[]) and (seconds <> 0 or not isempty(watched))`)
}

/**
 * What no lesson shows any more is kept for some days from now on, as after its upload. What one shows from now on is
 * touched too: a sweep that waits for this transaction looks at the row once more.
 */
async function noteVideos(
  transaction: Transaction,
  courseId: string,
  rows: LessonRow[],
): Promise<void> {
  const kept = rows.flatMap(({ videoId }) => (videoId === null ? [] : [{ id: videoId }]))
  await transaction.execute(sql`
    update media_files m set updated_at = now()
     where m.course_id = ${courseId} and m.purpose = 'video'
       and exists (select 1 from lessons l where l.video_id = m.id and l.course_id = m.course_id)
           <> (m.id = any(${idsOf(kept)}))`)
}

async function removeOthers(
  transaction: Transaction,
  courseId: string,
  rows: { lessons: LessonRow[]; links: LinkRow[] },
): Promise<void> {
  await transaction.execute(sql`
    delete from lessons where course_id = ${courseId} and id <> all(${idsOf(rows.lessons)})`)
  await transaction.execute(sql`
    delete from lesson_resources r using lessons l
     where l.id = r.lesson_id and l.course_id = ${courseId} and r.id <> all(${idsOf(rows.links)})`)
}

/** Two lessons may swap addresses: those that change let go of theirs first. */
async function giveBackSlugs(transaction: Transaction, courseId: string, rows: LessonRow[]) {
  await transaction.execute(sql`
    update lessons l set slug = l.id::text
      from jsonb_to_recordset(${json(rows.map(({ id, slug }) => ({ id, slug })))}) as x(id uuid, slug text)
     where l.id = x.id and l.course_id = ${courseId} and l.slug <> x.slug`)
}

async function storeLessons(transaction: Transaction, courseId: string, rows: LessonRow[]) {
  await transaction.execute(sql`
    insert into lessons as l (id, course_id, chapter_id, title, slug, content, video_id, video_url, is_preview,
                             duration_minutes, order_index)
    select x."id", ${courseId}, x."chapterId", x."title", x."slug", x."content", x."videoId",
           x."videoUrl", x."isPreview", x."durationMinutes", x."orderIndex"
      from jsonb_to_recordset(${json(rows)})
        as x("id" uuid, "chapterId" uuid, "title" text, "slug" text, "content" jsonb, "videoId" uuid,
             "videoUrl" text, "isPreview" boolean, "durationMinutes" int, "orderIndex" int)
    on conflict (id) do update
       set chapter_id = excluded.chapter_id, title = excluded.title, slug = excluded.slug,
           content = excluded.content, video_id = excluded.video_id, video_url = excluded.video_url,
           is_preview = excluded.is_preview, duration_minutes = excluded.duration_minutes,
           order_index = excluded.order_index,
           updated_at = now()
     where l.course_id = excluded.course_id
       and (l.chapter_id, l.title, l.slug, l.content, l.video_id, l.video_url, l.is_preview, l.duration_minutes,
            l.order_index) is distinct from
           (excluded.chapter_id, excluded.title, excluded.slug, excluded.content, excluded.video_id,
            excluded.video_url, excluded.is_preview, excluded.duration_minutes, excluded.order_index)`)
  await transaction.execute(sql`
    insert into lesson_slugs as s (course_id, slug, lesson_id)
    select ${courseId}, x."slug", x."id" from jsonb_to_recordset(${json(rows.map(({ id, slug }) => ({ id, slug })))}) as x("id" uuid, "slug" text)
    on conflict (course_id, slug) do update set lesson_id = excluded.lesson_id
     where s.lesson_id <> excluded.lesson_id`)
}

async function storeLinks(transaction: Transaction, rows: LinkRow[]) {
  await transaction.execute(sql`
    insert into lesson_resources as r (id, lesson_id, title, url, description, order_index)
    select x."id", x."lessonId", x."title", x."url", x."description", x."orderIndex"
      from jsonb_to_recordset(${json(rows)})
        as x("id" uuid, "lessonId" uuid, "title" text, "url" text, "description" text, "orderIndex" int)
    on conflict (id) do update
       set lesson_id = excluded.lesson_id, title = excluded.title, url = excluded.url,
           description = excluded.description, order_index = excluded.order_index
     where (r.lesson_id, r.title, r.url, r.description, r.order_index) is distinct from
           (excluded.lesson_id, excluded.title, excluded.url, excluded.description, excluded.order_index)`)
}
