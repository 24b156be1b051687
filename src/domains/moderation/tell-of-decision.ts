import { sql } from 'drizzle-orm'
import { quoted } from '../../isolated.ts'
import type { Transaction } from '../../server/db.ts'
import { postPath } from '../community/rules.ts'
import { notify } from '../notifications/notify.ts'
import { tellPeople } from '../notifications/tell-people.ts'
import type { CaseAction } from './rules.ts'

interface Decision {
  caseId: string
  course: { courseId: string; instructorId: string; slug: string; title: string }
  subject: 'post' | 'comment'
  /** Where it stands, as long as it does. */
  postId: string | null
  commentId: string | null
  action: CaseAction
  /** In the words of the moderator; may be empty. */
  note: string
  moderatorId: string
  /** It was deleted before. */
  isGone: boolean
}

const discussion = (slug: string) => `/course/${slug}/dashboard?tab=discussion`

/** What the author is told; removing a member has a notice of its own, and the rest changes nothing for them. */
const toAuthor: Partial<
  Record<CaseAction, (thing: string, title: string) => { title: string; message: string }>
> = {
  warn: (thing, title) => ({
    title: `A warning about your ${thing}`,
    message: `Your ${thing} in ${quoted(title)} does not keep to the rules of its community.`,
  }),
  hide: (thing, title) => ({
    title: `Your ${thing} was hidden`,
    message: `Your ${thing} in ${quoted(title)} was hidden, because it does not keep to the rules of its community.`,
  }),
  delete: (thing, title) => ({
    title: `Your ${thing} was deleted`,
    message: `Your ${thing} in ${quoted(title)} was deleted, because it does not keep to the rules of its community.`,
  }),
  restore: (thing, title) => ({
    title: `Your ${thing} is back`,
    message: `Your ${thing} in ${quoted(title)} can be seen again.`,
  }),
}

/** Tells the author, who is still there, what was decided and why, and not by whom. */
export async function tellAuthor(
  transaction: Transaction,
  { course, subject, postId, commentId, action, note, authorId }: Decision & { authorId: string },
): Promise<void> {
  const words = toAuthor[action]?.(subject, course.title)
  if (!words) return
  const canBeSeen = action === 'warn' || action === 'restore'
  await notify(transaction, {
    userId: authorId,
    kind: 'content_moderated',
    title: words.title,
    message: note === '' ? words.message : `${words.message} The moderators wrote: ${quoted(note)}`,
    href:
      canBeSeen && postId !== null
        ? postPath(course.slug, postId, commentId ?? undefined)
        : discussion(course.slug),
  })
}

/** In general words: what happened to a person is between this person and the moderators. */
const toReporters: Partial<Record<CaseAction, string>> = {
  dismiss: 'It can stay, because it keeps to the rules of the community.',
  warn: 'We have talked to its author.',
  hide: 'It was removed.',
  delete: 'It was removed.',
  remove_member: 'It was removed.',
}

const notThere = 'It is not there any more.'

/** Tells all who reported and are still there that the case is closed, in one statement. */
export async function tellReporters(
  transaction: Transaction,
  { caseId, course, subject, action, moderatorId, isGone }: Decision,
): Promise<void> {
  const { courseId, instructorId, slug, title } = course
  const outcome = isGone && action === 'dismiss' ? notThere : (toReporters[action] ?? '')
  // Who is leaving at this moment has the own row locked; to wait for each other would never end.
  const reporters = sql`
    select u.id as user_id from moderation_reports r join users u on u.id = r.reporter_id
     where r.case_id = ${caseId} and u.id <> ${moderatorId}
       and (u.id = ${instructorId} or exists (
             select 1 from enrollments e where e.course_id = ${courseId} and e.user_id = u.id))
       for key share of u skip locked`
  await tellPeople(transaction, reporters, {
    kind: 'report_decided',
    title: 'We looked at what you reported',
    message: `We looked at the ${subject} that you reported in ${quoted(title)}. ${outcome} Thank you for looking after the community.`,
    href: discussion(slug),
  })
}
