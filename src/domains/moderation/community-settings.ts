// What may be written in a course's community, as its instructor reads and changes it.
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../server/db.ts'
import { courses } from '../courses/tables.ts'
import type { CommunitySettings } from './schema.ts'
import { communitySettings } from './tables.ts'

const none: CommunitySettings = { blockedWords: [], firstPosts: 0, firstPostsLinks: 0 }

interface Owned {
  courseId: string
  instructorId: string
}

const shown = {
  blockedWords: communitySettings.blockedWords,
  firstPosts: communitySettings.firstPosts,
  firstPostsLinks: communitySettings.firstPostsLinks,
}

export async function settingsOf(
  db: Db,
  { courseId, instructorId }: Owned,
): Promise<CommunitySettings> {
  const [settings] = await db
    .select(shown)
    .from(communitySettings)
    .innerJoin(courses, eq(courses.id, communitySettings.courseId))
    .where(and(eq(communitySettings.courseId, courseId), eq(courses.instructorId, instructorId)))
  return settings ?? none
}

/** Null when there is no such course of this instructor any more. */
export async function saveSettings(
  db: Db,
  { courseId, instructorId }: Owned,
  { blockedWords, firstPosts, firstPostsLinks }: CommunitySettings,
): Promise<CommunitySettings | null> {
  const values = { blockedWords, firstPosts, firstPostsLinks }
  return db.transaction(async (transaction) => {
    const [course] = await transaction
      .select({ id: courses.id })
      .from(courses)
      .where(and(eq(courses.id, courseId), eq(courses.instructorId, instructorId)))
      .for('key share')
    if (!course) return null
    const [saved] = await transaction
      .insert(communitySettings)
      .values({ courseId, ...values })
      .onConflictDoUpdate({
        target: communitySettings.courseId,
        set: { ...values, updatedAt: sql`now()` },
      })
      .returning(shown)
    return saved ?? null
  })
}
