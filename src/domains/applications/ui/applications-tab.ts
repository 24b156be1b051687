// What the Applications tab of the member page shows, and the addresses inside it.
import { safe } from '@orpc/client'
import type { client } from '../../../web/api-client.ts'
import { applicationsShown } from '../rules.ts'
import type { ApplicationForm, ApplicationPage } from '../schema.ts'

type Shown = (typeof applicationsShown)[number]

/** Which applications are looked at. */
export interface ApplicationsFilter {
  status: Shown
  search: string
}

/** Null where it could not be loaded. */
export type ApplicationsTab =
  | { view: 'list'; filter: ApplicationsFilter; page: ApplicationPage | null }
  | { view: 'form'; form: ApplicationForm | null }

/** For the page's loader; `calls` throw errors as they are (`formApi`). */
export async function loadApplications(
  calls: (typeof client)['applications'],
  courseId: string,
  url: URL,
): Promise<ApplicationsTab> {
  if (url.searchParams.get('edit') === 'questions') {
    const [, form] = await safe(calls.getApplicationQuestions({ courseId }))
    return { view: 'form', form: form ?? null }
  }
  const given = url.searchParams.get('status')
  const filter = {
    status: applicationsShown.find((one) => one === given) ?? 'pending',
    search: (url.searchParams.get('search') ?? '').trim().slice(0, 200),
  }
  const [, page] = await safe(calls.getApplications({ courseId, ...filter }))
  return { view: 'list', filter, page: page ?? null }
}

/** The tab with this filter. */
export function applicationsAddress(
  slug: string,
  { status, search }: Partial<ApplicationsFilter> = {},
): string {
  const parameters = new URLSearchParams({ tab: 'applications' })
  if (status && status !== 'pending') parameters.set('status', status)
  if (search) parameters.set('search', search)
  return `/course/${slug}/dashboard?${parameters}`
}

/** Where the questions are edited. */
export const questionsAddress = (slug: string) => `${applicationsAddress(slug)}&edit=questions`
