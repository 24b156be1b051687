// What the charts show, said in words.
import { countLabel } from '../../courses/ui/count-label.ts'
import { money } from '../../billing/ui/plan-words.ts'
import type { AdvancedAnalytics } from '../schema.ts'

type Point = AdvancedAnalytics['points'][number]
type Interval = AdvancedAnalytics['interval']
type Funnel = NonNullable<AdvancedAnalytics['funnel']>

/** How amounts of one kind are written. */
export type Measure = (amount: number) => string

export const inMoney =
  (currency: string): Measure =>
  (amount) =>
    money(amount, currency)

export const inNumber: Measure = (amount) => amount.toLocaleString('en-US')

const say = (from: string, options: Intl.DateTimeFormatOptions) =>
  new Date(`${from}T00:00:00Z`).toLocaleDateString('en-US', { ...options, timeZone: 'UTC' })

/** Under a chart: 'Nov 22', 'Nov 2026'. */
export const shortDay = (from: string, interval: Interval): string =>
  interval === 'month'
    ? say(from, { month: 'short', year: 'numeric' })
    : say(from, { month: 'short', day: 'numeric' })

/** In a table and in a sentence: 'Nov 22, 2026', 'November 2026'. */
export const longDay = (from: string, interval: Interval): string =>
  interval === 'month'
    ? say(from, { month: 'long', year: 'numeric' })
    : say(from, { month: 'short', day: 'numeric', year: 'numeric' })

/** Over the column that says which points they are. */
export const intervalNames: Record<Interval, string> = {
  day: 'Day',
  week: 'Week from',
  month: 'Month',
}

const inInterval: Record<Interval, string> = {
  day: 'on',
  week: 'in the week from',
  month: 'in',
}

/** 'Total: $40.00. Highest: $30.00 on Nov 22, 2026.' Null when there is nothing to show. */
export function summaryOf(
  { interval, points }: Pick<AdvancedAnalytics, 'interval' | 'points'>,
  amountOf: (point: Point) => number,
  measure: Measure,
): string | null {
  if (points.every((point) => amountOf(point) === 0)) return null
  const total = points.reduce((sum, point) => sum + amountOf(point), 0)
  const [first, ...rest] = points
  if (!first) return null
  const most = rest.reduce(
    (best, point) => (amountOf(point) > amountOf(best) ? point : best),
    first,
  )
  const all = `Total: ${measure(total)}.`
  if (amountOf(most) <= 0) return all
  const when = longDay(most.from, interval)
  return `${all} Highest: ${measure(amountOf(most))} ${inInterval[interval]} ${when}.`
}

/** Who counts as an active learner; somebody in two courses counts in each. */
export function aboutLearners(interval: Interval, ofAllCourses: boolean): string {
  const who = 'Who watched, completed a lesson, or wrote'
  const courses = ofAllCourses ? ' in each course' : ''
  if (interval !== 'day') {
    return `${who}: the learners of each day${courses}, added up by ${interval}`
  }
  return `${who}, each day${ofAllCourses ? ': the learners of each course, added up' : ''}`
}

/**
 * Where most people stop, from one lesson to the next. Students are those who are there now, lessons were completed
 * also by those who left: where these are more, nobody knows how many joined, and the first lesson is the beginning.
 */
export function whereMostStop({ students, lessons }: Funnel): string {
  const [first] = lessons
  if (!first) return 'This course has no lessons yet.'
  const mostCompleted = Math.max(...lessons.map(({ completed }) => completed))
  if (mostCompleted === 0) {
    return students === 0
      ? 'Nobody has joined this course yet.'
      : 'Nobody has completed a lesson yet.'
  }
  const hasManyLeft = mostCompleted > students
  let before = hasManyLeft ? first.completed : students
  let most = { lost: 0, before: 0, at: 0 }
  for (const [at, { completed }] of lessons.entries()) {
    if (before - completed > most.lost) most = { lost: before - completed, before, at }
    before = completed
  }
  const lesson = lessons[most.at]
  if (most.lost === 0 || !lesson) {
    if (!hasManyLeft) return 'Nobody stops on the way: as many complete the last lesson as join.'
    return lessons.at(-1)!.completed === first.completed
      ? 'Of those who were ever here, nobody stops on the way: as many completed the last lesson as the first.'
      : 'Of those who were ever here, no lesson was completed by fewer than the one before it.'
  }
  const came =
    most.at === 0
      ? `${countLabel(most.before, 'student')} joined`
      : `${countLabel(most.before, 'person', 'people')} completed the lesson before`
  const begin = hasManyLeft ? 'Of those who were ever here, the' : 'The'
  return `${begin} biggest drop is at “${lesson.title}”: ${came}, ${lesson.completed.toLocaleString('en-US')} completed this one.`
}

/** A part of the whole in percent, for the length of a bar. */
export const shareOf = (part: number, whole: number): number =>
  whole <= 0 ? 0 : Math.min(100, Math.max(0, (part / whole) * 100))
