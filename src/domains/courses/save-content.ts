import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { replaceLessons } from '../lessons/replace-lessons.ts'
import { lessonResources, lessons } from '../lessons/tables.ts'
import { mediaFiles } from '../media/tables.ts'
import type { ContentPlan, KnownContent } from './plan-content.ts'
import { chapters, courses } from './tables.ts'

/**
 * The course's content version; nobody else saves it until the transaction ends. Null when the course
 * is not this instructor's. (`no key update`: people may join and complete lessons meanwhile.)
 */
export async function lockContent(
  transaction: Transaction,
  course: { courseId: string; instructorId: string },
): Promise<number | null> {
  const [row] = await transaction
    .select({ contentVersion: courses.contentVersion })
    .from(courses)
    .where(and(eq(courses.id, course.courseId), eq(courses.instructorId, course.instructorId)))
    .for('no key update')
  return row?.contentVersion ?? null
}

const idsOf = (rows: { id: string }[]) => new Set(rows.map(({ id }) => id))

/** What a save is checked against. */
export async function knownContent(
  transaction: Transaction,
  courseId: string,
): Promise<KnownContent> {
  const chapterRows = await transaction
    .select({ id: chapters.id, status: courses.status })
    .from(courses)
    .leftJoin(chapters, eq(chapters.courseId, courses.id))
    .where(eq(courses.id, courseId))
  const lessonRows = await transaction
    .select({ id: lessons.id, title: lessons.title, slug: lessons.slug })
    .from(lessons)
    .where(eq(lessons.courseId, courseId))
  const linkRows = await transaction
    .select({ id: lessonResources.id })
    .from(lessonResources)
    .innerJoin(lessons, eq(lessons.id, lessonResources.lessonId))
    .where(eq(lessons.courseId, courseId))
  const videoRows = await transaction
    .select({ id: mediaFiles.id })
    .from(mediaFiles)
    .where(
      and(
        eq(mediaFiles.courseId, courseId),
        eq(mediaFiles.purpose, 'video'),
        eq(mediaFiles.status, 'ready'),
      ),
    )
    // One that is swept away at this moment is not there any more.
    .for('key share')
  return {
    chapterIds: new Set(chapterRows.flatMap(({ id }) => id ?? [])),
    lessons: new Map(lessonRows.map((row) => [row.id, row])),
    linkIds: idsOf(linkRows),
    readyVideoIds: idsOf(videoRows),
    isPublished: chapterRows[0]?.status === 'published',
  }
}

/** A supply of `count` new ids, in order. */
export async function newIds(transaction: Transaction, count: number): Promise<() => string> {
  const { rows } = await transaction.execute<{ id: string }>(
    sql`select uuidv7() as id from generate_series(1, ${count}::int)`,
  )
  const ids = rows.map(({ id }) => id).values()
  return () => {
    const next = ids.next()
    if (next.done) throw new Error('more new rows than ids')
    return next.value
  }
}

/** Stores a plan as the course's content; the caller holds the lock (`lockContent`). */
export async function storeContent(
  transaction: Transaction,
  courseId: string,
  plan: ContentPlan,
): Promise<void> {
  const rows = sql`jsonb_to_recordset(${JSON.stringify(plan.chapters)}::jsonb)
                     as x("id" uuid, "title" text, "orderIndex" int)`
  await transaction.execute(sql`
    insert into chapters as c (id, course_id, title, order_index)
    select x."id", ${courseId}, x."title", x."orderIndex" from ${rows}
    on conflict (id) do update set title = excluded.title, order_index = excluded.order_index
     where c.course_id = excluded.course_id
       and (c.title, c.order_index) is distinct from (excluded.title, excluded.order_index)`)
  await replaceLessons(transaction, courseId, plan)
  // Last, because a lesson may just have moved out of a chapter that goes.
  await transaction.execute(sql`
    delete from chapters where course_id = ${courseId} and id not in (select x."id" from ${rows})`)
  await transaction
    .update(courses)
    .set({
      lessonsCount: plan.lessons.length,
      contentVersion: sql`${courses.contentVersion} + 1`,
      updatedAt: sql`now()`,
    })
    .where(eq(courses.id, courseId))
}
