import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { mediaFiles } from './tables.ts'

interface Wanted {
  id: string
  ownerId: string
  courseId: string
  purpose: 'course_logo' | 'course_cover'
}

/** False when this is no ready picture of that person, for that course. What removes unused ones sees that it is used. */
export async function holdCoursePicture(
  transaction: Transaction,
  { id, ownerId, courseId, purpose }: Wanted,
): Promise<boolean> {
  const isWanted = and(eq(mediaFiles.courseId, courseId), eq(mediaFiles.purpose, purpose))
  return hold(transaction, { id, ownerId }, isWanted)
}

/** False when this is no ready thumbnail of that person. It belongs to no course until one shows it; several may. */
export async function holdThumbnail(
  transaction: Transaction,
  ownerId: string,
  id: string,
): Promise<boolean> {
  return hold(transaction, { id, ownerId }, eq(mediaFiles.purpose, 'thumbnail'))
}

async function hold(
  transaction: Transaction,
  { id, ownerId }: Pick<Wanted, 'id' | 'ownerId'>,
  isWanted: SQL | undefined,
): Promise<boolean> {
  const held = await transaction
    .update(mediaFiles)
    .set({ updatedAt: sql`now()` })
    .where(
      and(
        eq(mediaFiles.id, id),
        eq(mediaFiles.ownerId, ownerId),
        eq(mediaFiles.status, 'ready'),
        isWanted,
      ),
    )
    .returning({ id: mediaFiles.id })
  return held.length === 1
}

/** From now on they lie unused. */
export async function touchFiles(transaction: Transaction, ids: (string | null)[]): Promise<void> {
  const known = ids.filter((id) => id !== null)
  if (known.length === 0) return
  await transaction
    .update(mediaFiles)
    .set({ updatedAt: sql`now()` })
    .where(inArray(mediaFiles.id, known))
}
