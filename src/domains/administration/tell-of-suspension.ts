// What people are told when an account or a course of theirs is suspended, and after it.
import { sql } from 'drizzle-orm'
import { quoted } from '../../isolated.ts'
import type { Transaction } from '../../server/db.ts'
import { notify } from '../notifications/notify.ts'
import { tellPeople } from '../notifications/tell-people.ts'
import { brand } from '../site/brand.ts'
import { appealsPage } from './rules.ts'
import { courseSuspensionPage, suspendedPage } from './suspension-pages.ts'

const withWords = (words: string) =>
  words === '' ? '' : ` The administrators wrote: ${quoted(words)}`

const withCourses = (count: number) => {
  if (count === 0) return ''
  return count === 1
    ? ' Your published course is not shown meanwhile; its members keep it.'
    : ` Your ${count} published courses are not shown meanwhile; their members keep them.`
}

export const tellOfAccountSuspension = (
  transaction: Transaction,
  { userId, reason, courses }: { userId: string; reason: string; courses: number },
) =>
  notify(transaction, {
    userId,
    kind: 'account_suspended',
    title: 'Your account is suspended',
    message: `The administrators of ${brand.name} have suspended your account. The reason: ${quoted(reason)}${withCourses(courses)} Log in to appeal, to download your data, or to delete your account.`,
    href: suspendedPage,
  })

export const tellOfCourseSuspension = (
  transaction: Transaction,
  {
    userId,
    accountIsSuspended = false,
    ...course
  }: {
    userId: string
    slug: string
    title: string
    reason: string
    /** Its creator can do nothing about it before the account is back. */
    accountIsSuspended?: boolean
  },
) =>
  notify(transaction, {
    userId,
    kind: 'course_suspended',
    title: 'Your course is suspended',
    message: `The administrators have suspended ${quoted(course.title)}. The reason: ${quoted(course.reason)} Nobody new can find, join or buy it; its members keep it. ${accountIsSuspended ? 'When your account is not suspended any more, you' : 'You'} can change it, and appeal on its page.`,
    href: courseSuspensionPage(course.slug),
  })

const drafts = (count: number) =>
  count === 1
    ? 'One of your courses has no lessons any more, so it is a draft now'
    : `${count} of your courses have no lessons any more, so they are drafts now`

const stopped = (count: number) =>
  count === 1
    ? 'One of your courses stays suspended for itself'
    : `${count} of your courses stay suspended for themselves`

const ofAccount = (withoutLessons: number, stayStopped: number) => {
  if (withoutLessons + stayStopped === 0) return ', and your courses are as before.'
  const changes = [
    ...(withoutLessons > 0 ? [drafts(withoutLessons)] : []),
    ...(stayStopped > 0 ? [stopped(stayStopped)] : []),
  ]
  return `. ${changes.join('; ')}; the others are as before.`
}

const ofCourse = (wasPublished: boolean, withoutLessons: number) => {
  if (!wasPublished) return '.'
  return withoutLessons > 0
    ? '. It has no lessons any more, so it is a draft now.'
    : ', and is published again.'
}

export function tellOfLifting(
  transaction: Transaction,
  {
    userId,
    note,
    onAppeal = false,
    course,
    waitsForAccount = false,
    withoutLessons = 0,
    stayStopped = 0,
  }: {
    userId: string
    note: string
    onAppeal?: boolean
    /** How many were published before, and are drafts now. */
    withoutLessons?: number
    /** How many were suspended for themselves meanwhile. */
    stayStopped?: number
    course?: { slug: string; title: string; wasPublished: boolean }
    /** It comes back with the account of its creator. */
    waitsForAccount?: boolean
  },
) {
  const begin = onAppeal ? 'Your appeal was granted. ' : ''
  const what = course
    ? `${quoted(course.title)} is not suspended any more${waitsForAccount ? '. It is published again when your account is not suspended any more, either.' : ofCourse(course.wasPublished, withoutLessons)}`
    : `Your account is not suspended any more${ofAccount(withoutLessons, stayStopped)}`
  return notify(transaction, {
    userId,
    kind: 'suspension_lifted',
    title: course
      ? waitsForAccount
        ? 'The suspension of your course is lifted'
        : 'Your course is back'
      : 'Your account is back',
    message: `${begin}${what}${withWords(note)}`,
    href: course ? `/course/${course.slug}/dashboard` : '/dashboard',
  })
}

export const tellOfRefusal = (
  transaction: Transaction,
  {
    userId,
    answer,
    course,
  }: { userId: string; answer: string; course?: { slug: string; title: string } },
) =>
  notify(transaction, {
    userId,
    kind: 'appeal_refused',
    title: 'Your appeal was refused',
    message: `${course ? `${quoted(course.title)} stays suspended.` : 'Your account stays suspended.'}${withWords(answer)}`,
    href: course ? courseSuspensionPage(course.slug) : suspendedPage,
  })

/** All administrators; whoever is leaving at this moment has the own row locked and is passed by. */
export async function tellOfAppeal(
  transaction: Transaction,
  subject: 'an account' | 'a course',
): Promise<void> {
  const administrators = sql`
    select id as user_id from users where role = 'admin' and suspended_at is null
     order by id for key share skip locked`
  await tellPeople(transaction, administrators, {
    kind: 'appeal_received',
    title: 'Somebody appeals',
    message: `An appeal against the suspension of ${subject} waits for an answer.`,
    href: appealsPage,
    sameAs: appealsPage,
  })
}
