import type { Pool } from 'pg'
import { isPro, type Plan } from '../billing/plan.ts'
import { enrolledTitles } from '../enrollment/queries.ts'
import { unreadOf } from '../notifications/bell-queries.ts'

interface ShellRow {
  isPro: boolean
  courses: { slug: string; title: string }[]
  unreadNotifications: number
}

/** What stands around every page of a person who is signed in: one statement, because every page asks. */
export async function shellOf(pool: Pool, userId: string) {
  const { rows } = await pool.query<ShellRow>({
    name: 'shell-of',
    text: `select ${isPro('$1')} as "isPro", ${enrolledTitles('$1')} as courses,
                  ${unreadOf('$1')} as "unreadNotifications"`,
    values: [userId],
  })
  const { isPro: hasPro, ...shell } = rows[0]!
  const plan: Plan = hasPro ? 'pro' : 'free'
  return { ...shell, plan }
}
