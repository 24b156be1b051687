import { eq, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { settings } from './tables.ts'

/** The fixed slug of the flagship course; no other course may have it. */
export const flagshipSlug = 'thunder-bootcamp'

/** The course that everybody joins at sign-up and that no limit applies to, or null without one. */
export async function flagshipCourseId(executor: Executor): Promise<string | null> {
  const [row] = await executor.select().from(settings).where(eq(settings.key, 'flagship_course_id'))
  return typeof row?.value === 'string' ? row.value : null
}

/** The same, for a statement that reads more than that. */
export const isFlagshipCourse = (courseId: string): SQL<boolean> => sql<boolean>`exists (
  select 1 from settings where key = 'flagship_course_id' and value = to_jsonb(${courseId}::text))`

export async function setFlagshipCourse(executor: Executor, courseId: string): Promise<void> {
  await executor
    .insert(settings)
    .values({ key: 'flagship_course_id', value: courseId })
    .onConflictDoUpdate({ target: settings.key, set: { value: courseId } })
}
