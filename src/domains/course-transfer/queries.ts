import { and, desc, eq, inArray, not, sql } from 'drizzle-orm'
import type { Executor, Transaction } from '../../server/db.ts'
import { enqueue, isQueued } from '../../server/jobs.ts'
import { courses } from '../courses/tables.ts'
import { mediaFiles } from '../media/tables.ts'
import { courseImports } from './tables.ts'

/** Shown in the list; what is older was seen long ago. */
const shownImports = 10

const isUnderWay = inArray(courseImports.status, ['waiting', 'running'])

const shown = {
  id: courseImports.id,
  status: courseImports.status,
  progressPercent: courseImports.progressPercent,
  problem: courseImports.problem,
  canRetry: sql<boolean>`${courseImports.status} = 'failed' and ${courseImports.fileId} is not null`,
  filename: mediaFiles.filename,
  course: { id: courses.id, slug: courses.slug, title: courses.title },
  createdAt: courseImports.createdAt,
}

const shownOf = (executor: Executor) =>
  executor
    .select(shown)
    .from(courseImports)
    .leftJoin(mediaFiles, eq(mediaFiles.id, courseImports.fileId))
    .leftJoin(courses, eq(courses.id, courseImports.courseId))

export const importsOf = (executor: Executor, userId: string) =>
  shownOf(executor)
    .where(eq(courseImports.userId, userId))
    .orderBy(desc(courseImports.createdAt), desc(courseImports.id))
    .limit(shownImports)

export async function ownImport(executor: Executor, userId: string, importId: string) {
  const [row] = await shownOf(executor).where(
    and(eq(courseImports.id, importId), eq(courseImports.userId, userId)),
  )
  return row ?? null
}

/** True for a ZIP that this person has uploaded and that is still there. */
export async function isOwnCourseFile(executor: Executor, userId: string, mediaId: string) {
  const [row] = await executor
    .select({ id: mediaFiles.id })
    .from(mediaFiles)
    .where(
      and(
        eq(mediaFiles.id, mediaId),
        eq(mediaFiles.ownerId, userId),
        eq(mediaFiles.purpose, 'import'),
        eq(mediaFiles.status, 'ready'),
      ),
    )
  return row !== undefined
}

export async function hasImportUnderWay(executor: Executor, userId: string): Promise<boolean> {
  const [row] = await executor
    .select({ id: courseImports.id })
    .from(courseImports)
    .where(and(eq(courseImports.userId, userId), isUnderWay))
    .limit(1)
  return row !== undefined
}

export const enqueueImport = (executor: Executor, importId: string) =>
  enqueue(executor, 'importCourse', { importId }, `course-import:${importId}`)

export async function addImport(
  transaction: Transaction,
  userId: string,
  fileId: string,
): Promise<string> {
  const [row] = await transaction
    .insert(courseImports)
    .values({ userId, fileId })
    .returning({ id: courseImports.id })
  await enqueueImport(transaction, row!.id)
  return row!.id
}

/** False when it has not failed, or its file is gone. */
export async function renewImport(
  transaction: Transaction,
  userId: string,
  importId: string,
): Promise<boolean> {
  const renewed = await transaction
    .update(courseImports)
    .set({ status: 'waiting', progressPercent: 0, problem: null, finishedAt: null })
    .where(
      and(
        eq(courseImports.id, importId),
        eq(courseImports.userId, userId),
        eq(courseImports.status, 'failed'),
        sql`${courseImports.fileId} is not null`,
      ),
    )
    .returning({ id: courseImports.id })
  if (renewed.length === 0) return false
  await enqueueImport(transaction, importId)
  return true
}

/** Null when there is no such import; an import under way notices, and ends. */
export async function deleteImport(
  transaction: Transaction,
  userId: string,
  importId: string,
): Promise<{ fileId: string | null } | null> {
  const [row] = await transaction
    .delete(courseImports)
    .where(and(eq(courseImports.id, importId), eq(courseImports.userId, userId)))
    .returning({ fileId: courseImports.fileId })
  return row ?? null
}

// For the job --------------------------------------------------------------------------------------

/** Of which no job is left that will go on with them: one that another process works on, or may try again, stays. */
export const importsLeftBehind = (executor: Executor) =>
  executor
    .select({ id: courseImports.id })
    .from(courseImports)
    .where(and(isUnderWay, not(isQueued(sql`'course-import:' || ${courseImports.id}`))))

/** Null when it is over, or was removed. */
export async function beginImport(executor: Executor, importId: string) {
  const [row] = await executor
    .update(courseImports)
    .set({ status: 'running', progressPercent: 0, problem: null })
    .where(and(eq(courseImports.id, importId), isUnderWay))
    .returning({ userId: courseImports.userId, fileId: courseImports.fileId })
  return row ?? null
}

type Outcome = Partial<
  Pick<typeof courseImports.$inferSelect, 'status' | 'progressPercent' | 'problem' | 'courseId'>
>

/** False when the import was removed meanwhile. */
export async function noteImport(
  executor: Executor,
  importId: string,
  outcome: Outcome,
): Promise<boolean> {
  const isOver = outcome.status === 'done' || outcome.status === 'failed'
  const noted = await executor
    .update(courseImports)
    .set({ ...outcome, ...(isOver ? { finishedAt: sql`now()` } : {}) })
    .where(and(eq(courseImports.id, importId), eq(courseImports.status, 'running')))
    .returning({ id: courseImports.id })
  return noted.length === 1
}
