import { eq } from 'drizzle-orm'
import * as z from 'zod'
import type { Executor } from '../../server/db.ts'
import { courses } from '../courses/tables.ts'
import { checkouts } from './tables.ts'

export type Checkout = typeof checkouts.$inferSelect

/** Null also for what is no id of ours: the provider's account may be used by others, too. */
export async function checkoutById(executor: Executor, id: string): Promise<Checkout | null> {
  if (!z.uuid().safeParse(id).success) return null
  const [found] = await executor.select().from(checkouts).where(eq(checkouts.id, id))
  return found ?? null
}

/** The title of the course that is bought; null when it is gone. */
export async function titleOfCheckout(
  executor: Executor,
  { id }: Checkout,
): Promise<string | null> {
  const [course] = await executor
    .select({ title: courses.title })
    .from(checkouts)
    .innerJoin(courses, eq(courses.id, checkouts.courseId))
    .where(eq(checkouts.id, id))
  return course?.title ?? null
}
