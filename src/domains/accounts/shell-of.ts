import type { Pool } from 'pg'
import { askTogether, question } from '../../server/ask-together.ts'
import { isPro, type Plan } from '../billing/plan.ts'
import { enrolledTitles } from '../enrollment/queries.ts'
import { mostInMenu } from '../enrollment/rules.ts'
import { unreadOf } from '../notifications/bell-queries.ts'

interface ShellRow {
  isPro: boolean
  courses: { slug: string; title: string }[]
  unreadNotifications: number
}

const shellQuestion = question(
  'shell-of',
  { person: 'uuid' },
  (asked) => `
    select asked.n, ${isPro('asked.person')} as "isPro", ${enrolledTitles('asked.person')} as courses,
           ${unreadOf('asked.person')} as "unreadNotifications"
      from ${asked}`,
)

/** What stands around every page of a person who is signed in: one statement, because every page asks. */
export async function shellOf(pool: Pool, userId: string) {
  const [row] = await askTogether<ShellRow>(pool, shellQuestion, { person: userId })
  const { isPro: hasPro, courses, unreadNotifications } = row!
  const plan: Plan = hasPro ? 'pro' : 'free'
  return {
    courses: courses.slice(0, mostInMenu),
    hasMoreCourses: courses.length > mostInMenu,
    unreadNotifications,
    plan,
  }
}
