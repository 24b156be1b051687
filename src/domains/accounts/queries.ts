// What is read about people for their profiles, and about ways to log in.
import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import type { Executor } from '../../server/db.ts'
import { type Platform, platforms, socialLink } from './profile-links.ts'
import type { MyProfile } from './schema.ts'
import { mailboxOf } from './shown-email.ts'
import { ssoProviders, users } from './tables.ts'

/** A person's own profile, to edit. Its version names the values that the form holds, and nothing else. */
export async function myProfile(executor: Executor, userId: string): Promise<MyProfile> {
  const [row] = await executor
    .select({
      name: users.name,
      email: users.email,
      username: users.username,
      bio: users.bio,
      website: users.website,
      socialLinks: users.socialLinks,
      avatarUrl: users.avatarUrl,
    })
    .from(users)
    .where(eq(users.id, userId))
  if (!row) throw new Error('the signed-in person has no row')
  const { socialLinks, email, avatarUrl, ...rest } = row
  const edited = {
    ...rest,
    // Whoever has not been welcomed yet has no username; the id is what the welcome would fall back to.
    username: row.username ?? userId,
    social: Object.fromEntries(
      platforms.map((platform) => [platform, socialLinks[platform] ?? '']),
    ) as Record<Platform, string>,
  }
  const version = createHash('sha256').update(JSON.stringify(edited)).digest('base64url')
  return { ...edited, email: mailboxOf(email), avatarUrl, version: version.slice(0, 22) }
}

interface PublicRow {
  id: string
  username: string
  name: string
  bio: string
  website: string
  avatarUrl: string | null
  socialLinks: Partial<Record<Platform, string>>
}

/** What everybody may know of the person with this username; null when there is none. */
export async function profileOf(pool: Pool, username: string) {
  const { rows } = await pool.query<PublicRow>({
    name: 'profile-of',
    text: `select id, username, name, bio, website, avatar_url as "avatarUrl",
                  social_links as "socialLinks"
             from users where username = $1 and suspended_at is null`,
    values: [username],
  })
  const row = rows[0]
  if (!row) return null
  const links = platforms.flatMap((platform) => {
    const url = socialLink(platform, row.socialLinks[platform] ?? '')
    return url === null ? [] : [{ platform, url }]
  })
  return { ...row, socialLinks: links }
}

const titleCased = (words: string) =>
  words.replace(/\S+/g, (word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase())

/**
 * The username of the one person who has this name: with hyphens as spaces in any case, else exactly, else
 * with each word capitalised (spec 2, section 7). Null when nobody has it, or more than one person.
 */
export async function usernameByName(executor: Executor, raw: string): Promise<string | null> {
  const spaced = raw.replaceAll('-', ' ')
  const titled = titleCased(spaced)
  const sameLetters = (name: string) => sql`lower(${users.name}) = lower(${name})`
  for (const rule of [
    sameLetters(spaced),
    sql`${sameLetters(raw)} and ${users.name} = ${raw}`,
    sql`${sameLetters(titled)} and ${users.name} = ${titled}`,
  ]) {
    const found = await executor
      .select({ username: users.username })
      .from(users)
      .where(sql`${rule} and ${users.username} is not null and ${users.suspendedAt} is null`)
      .limit(2)
    if (found.length === 1) return found[0]!.username
  }
  return null
}

/** The id and the version of the person with this username; null when there is none. */
export async function profileVersion(pool: Pool, username: string) {
  const { rows } = await pool.query<{ id: string; version: string }>({
    name: 'profile-version',
    text: 'select id, version from users where username = $1 and suspended_at is null',
    values: [username],
  })
  return rows[0] ?? null
}

/** Whether any organisation has registered a log-in of its own. */
export async function hasSsoProvider(executor: Executor): Promise<boolean> {
  const found = await executor.select({ id: ssoProviders.id }).from(ssoProviders).limit(1)
  return found.length > 0
}
