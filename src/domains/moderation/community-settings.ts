// What may be written in a course's community, as its instructor reads and changes it.
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../server/db.ts'
import { courses } from '../courses/tables.ts'
import { moderationLimits } from './rules.ts'
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

/** What this changes of what it began with, over what is there by now. */
function changedSince(
  begun: CommunitySettings,
  now: CommunitySettings,
  { blockedWords, firstPosts, firstPostsLinks }: CommunitySettings,
): CommunitySettings {
  const known = new Set([...begun.blockedWords, ...blockedWords])
  const before = new Set(begun.blockedWords)
  const isThere = new Set(now.blockedWords)
  const hasSameLimit = firstPosts === begun.firstPosts && firstPostsLinks === begun.firstPostsLinks
  const limit = hasSameLimit ? now : { firstPosts, firstPostsLinks }
  return {
    blockedWords: [
      ...blockedWords.filter((word) => !before.has(word) || isThere.has(word)),
      ...now.blockedWords.filter((word) => !known.has(word)),
    ],
    firstPosts: limit.firstPosts,
    firstPostsLinks: limit.firstPostsLinks,
  }
}

/** Null when there is no such course of this instructor any more. */
export async function saveSettings(
  db: Db,
  { courseId, instructorId }: Owned,
  { begun, ...meant }: CommunitySettings & { begun?: CommunitySettings },
): Promise<CommunitySettings | 'too many words' | null> {
  return db.transaction(async (transaction) => {
    const [course] = await transaction
      .select({ id: courses.id })
      .from(courses)
      .where(and(eq(courses.id, courseId), eq(courses.instructorId, instructorId)))
      .for('no key update')
    if (!course) return null
    const [stored] = await transaction
      .select(shown)
      .from(communitySettings)
      .where(eq(communitySettings.courseId, courseId))
    const { blockedWords, firstPosts, firstPostsLinks } = begun
      ? changedSince(begun, stored ?? none, meant)
      : meant
    // Together with what others added meanwhile.
    if (blockedWords.length > moderationLimits.blockedWords) return 'too many words'
    const values = { blockedWords, firstPosts, firstPostsLinks }
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
