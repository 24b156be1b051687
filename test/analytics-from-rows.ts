// What analytics say, counted one by one from everything that happened: slow, and simple enough to be right.
import type { Pool } from 'pg'

/** Somebody learned in a course: the one thing that no row remembers once it is taken back. */
export interface Act {
  courseId: string
  userId: string
  day: string
}

interface Asked {
  courseId?: string
  days?: number
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)
const dayAfter = (day: string, days = 1) =>
  dayOf(new Date(new Date(`${day}T00:00:00Z`).getTime() + days * 86_400_000))

const nothing = () => ({
  revenue: 0,
  sales: 0,
  students: 0,
  active: 0,
  completions: 0,
  posts: 0,
  comments: 0,
})
type Counts = ReturnType<typeof nothing>

interface Fact {
  courseId: string | null
  day: string
  what: keyof Counts
  amount: number
}

/** Everything that happened in a creator's courses. */
export type Facts = Awaited<ReturnType<typeof factsFromRows>>

export async function factsFromRows(pool: Pool, creatorId: string, acts: Act[]) {
  const all = async <Row>(text: string) =>
    (await pool.query<Row & Record<string, unknown>>(text)).rows
  const own = (await all<{ id: string; instructor_id: string }>('select * from courses')).filter(
    (course) => course.instructor_id === creatorId,
  )
  const owns = (id: string) => own.some((course) => course.id === id)
  const people = new Set((await all<{ id: string }>('select id from users')).map(({ id }) => id))
  const facts: Fact[] = []
  const note = (courseId: string | null, day: string, what: Fact['what'], amount = 1) =>
    facts.push({ courseId, day, what, amount })

  for (const row of await all<Record<string, never>>('select * from enrollments')) {
    if (owns(row.course_id!) && row.user_id !== creatorId) {
      note(row.course_id!, dayOf(row.enrolled_at!), 'students')
    }
  }
  const completions = await all<Record<string, never>>('select * from lesson_completions')
  const done = completions.filter((row) => owns(row.course_id!) && row.user_id !== creatorId)
  for (const row of done) note(row.course_id!, dayOf(row.completed_at!), 'completions')
  for (const table of ['posts', 'comments'] as const) {
    for (const row of await all<Record<string, never>>(`select * from ${table}`)) {
      if (owns(row.course_id!) && row.status === 'published') {
        note(row.course_id!, dayOf(row.created_at!), table)
      }
    }
  }
  const active = new Set<string>()
  for (const { courseId, userId, day } of acts) {
    const key = [courseId, userId, day].join()
    if (active.has(key) || !owns(courseId) || !people.has(userId) || userId === creatorId) continue
    active.add(key)
    note(courseId, day, 'active')
  }
  const entries = await all<Record<string, never>>(`
    select t.created_at, e.what, e.amount, p.course_id
      from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
      join ledger_accounts a on a.id = e.account_id
      join payments p on p.id = t.payment_id
     where a.user_id = '${creatorId}'`)
  for (const row of entries) {
    // A creator's money is a credit, and those are negative.
    if (['gross', 'refund', 'dispute'].includes(row.what!)) {
      note(row.course_id!, dayOf(row.created_at!), 'revenue', -Number(row.amount))
    }
    if (row.what === 'gross') note(row.course_id!, dayOf(row.created_at!), 'sales')
  }
  const [{ today } = { today: '' }] = await all<{ today: string }>(
    `select (now() at time zone 'UTC')::date::text as today`,
  )
  const lessons = await all<{ id: string; course_id: string; title: string }>(
    'select * from lessons',
  )
  const begun = await all<{ lesson_id: string; user_id: string }>(
    `select lesson_id, user_id from lesson_positions where user_id <> '${creatorId}'`,
  )
  return { own, facts, done, today, lessons, begun }
}

/** The list's figures by course, and their sums. */
export function creatorFromRows({ own, facts, today }: Facts, { days }: Asked) {
  const first = days === undefined ? '0000' : dayAfter(today, 1 - days)
  const sum = (what: Fact['what'], which: (fact: Fact) => boolean) =>
    facts
      .filter((fact) => fact.what === what && fact.day >= first && which(fact))
      .reduce((total, { amount }) => total + amount, 0)
  const courses = own.map(({ id }) => ({
    id,
    students: sum('students', ({ courseId }) => courseId === id),
    revenue: sum('revenue', ({ courseId }) => courseId === id),
  }))
  const isOwn = ({ courseId }: Fact) => own.some(({ id }) => id === courseId)
  return {
    students: sum('students', isOwn),
    revenue: sum('revenue', () => true),
    otherRevenue: sum('revenue', (fact) => !isOwn(fact)),
    courses: courses.toSorted((one, other) => one.id.localeCompare(other.id)),
  }
}

/** Days, weeks or months; whether these are the right ones is for the caller to say. */
export function pointsFromRows(
  { facts, own, today }: Facts,
  { courseId, days }: Asked,
  interval: 'day' | 'week' | 'month',
) {
  const isMeant = (fact: Fact) =>
    courseId
      ? fact.courseId === courseId
      : ['sales', 'revenue'].includes(fact.what) || own.some(({ id }) => id === fact.courseId)
  const meant = facts.filter(isMeant)
  const begin = meant.map(({ day }) => day).toSorted()[0] ?? today
  const first = days === undefined ? begin : dayAfter(today, 1 - days)
  const points: ({ from: string } & Counts)[] = []
  for (let day = first; day <= today; day = dayAfter(day)) {
    const isMonday = new Date(`${day}T00:00:00Z`).getUTCDay() === 1
    const begins = { day: true, week: isMonday, month: day.endsWith('-01') }[interval]
    if (begins || day === first) points.push({ from: day, ...nothing() })
    for (const fact of meant) {
      if (fact.day === day) points.at(-1)![fact.what] += fact.amount
    }
  }
  return points
}

/** Of the lessons of a course by title: who began its video and who completed it. */
export function funnelFromRows({ lessons, begun, done }: Facts, courseId: string) {
  const counted = lessons
    .filter((lesson) => lesson.course_id === courseId)
    .map(({ id, title }) => ({
      title,
      started: begun.filter((row) => row.lesson_id === id).length,
      completed: done.filter((row) => row.lesson_id === id).length,
    }))
  return counted.toSorted((one, other) => one.title.localeCompare(other.title))
}
