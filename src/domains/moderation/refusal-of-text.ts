import { sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { blockedWordIn, linksIn, tooManyLinks } from './text-rules.ts'

interface Written {
  courseId: string
  instructorId: string
  userId: string
  text: string
  /** When it was first written, of what is edited: what came later does not make it less of a first one. */
  writtenAt?: Date
}

type Rules = { words: string[]; firstPosts: number; links: number; written: number }

/**
 * Why the rules of this community do not allow this text, in words; null when they do, and always for the
 * instructor. One statement, which reads no more posts and comments than the limit of links is about.
 */
export async function refusalOfText(
  transaction: Transaction,
  { courseId, instructorId, userId, text, writtenAt }: Written,
): Promise<string | null> {
  if (userId === instructorId) return null
  const earlier = writtenAt ? sql`and created_at < ${writtenAt}` : sql``
  const some = sql`user_id = ${userId} and course_id = ${courseId} and status = 'published'
                   ${earlier} order by created_at desc nulls last limit s.first_posts`
  const { rows } = await transaction.execute<Rules>(sql`
    select s.blocked_words as words, s.first_posts as "firstPosts", s.first_posts_links as links,
           ((select count(*) from (select 1 from posts where ${some}) as p)
            + (select count(*) from (select 1 from comments where ${some}) as c))::int as written
      from community_settings s where s.course_id = ${courseId}`)
  const rules = rows[0]
  if (!rules) return null
  const word = blockedWordIn(text, rules.words)
  if (word !== null) {
    return `Your text contains a word that is not allowed in this community: “${word}”.`
  }
  if (rules.written >= rules.firstPosts || linksIn(text) <= rules.links) return null
  return tooManyLinks(rules.firstPosts, rules.links)
}
