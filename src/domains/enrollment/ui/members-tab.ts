// What the Members tab of the member page shows, and its address.
import { safe } from '@orpc/client'
import type { ApiClient } from '../../../server/contract-calls.ts'
import { type CourseActivities, loadActivities } from '../../analytics/ui/course-activities.ts'
import type { CourseDashboard } from '../../courses/schema.ts'
import { type CourseInvitations, loadInvitations } from '../../invitations/ui/course-invitations.ts'
import { memberLimits } from '../rules.ts'
import type { MemberPage } from '../schema.ts'

export interface MembersTab {
  search: string
  /** Null where it could not be loaded. */
  page: MemberPage | null
  /** For the instructor only; null where they could not be loaded: the browser asks then. */
  links: CourseInvitations | null
  mails: CourseInvitations | null
  activities: CourseActivities | null
}

/** For the page's loader; `calls` throw errors as they are (`formApi`). */
export async function loadMembers(
  calls: ApiClient,
  slug: string,
  asked: Promise<CourseDashboard>,
  url: URL,
): Promise<MembersTab> {
  const search = (url.searchParams.get('search') ?? '').trim().slice(0, memberLimits.search)
  const page = orNull(calls.enrollment.getMembers({ slug, search }))
  const { id, standing } = await asked
  const forInstructor = <Answer>(ask: () => Promise<Answer>) =>
    standing === 'instructor' ? orNull(ask()) : null
  const links = forInstructor(() => loadInvitations(calls.invitations, id, 'links'))
  const mails = forInstructor(() => loadInvitations(calls.invitations, id, 'mails'))
  const activities = forInstructor(() => loadActivities(calls.analytics, id))
  return {
    search,
    page: await page,
    links: await links,
    mails: await mails,
    activities: await activities,
  }
}

async function orNull<Answer>(call: Promise<Answer>): Promise<Answer | null> {
  const [error, answer] = await safe(call)
  return error ? null : (answer as Answer)
}

/** Where everybody is shown. */
export const membersAddress = (slug: string) => `/course/${slug}/dashboard?tab=members`
