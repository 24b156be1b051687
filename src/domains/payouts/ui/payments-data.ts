import type { ApiClient } from '../../../server/contract-calls.ts'
import { salesQuery } from '../../earnings/schema.ts'

interface Wanted {
  filter?: Partial<ReturnType<typeof filterIn>>
  /** Asks the provider how it stands, after its own pages. */
  fresh?: boolean
}

/** What the address says; what it says wrongly counts as not said. */
export function filterIn(search: URLSearchParams) {
  const said = (name: string) => search.get(name) || undefined
  const { data } = salesQuery.safeParse({ courseId: said('course'), state: said('state') })
  return { courseId: data?.courseId, state: data?.state }
}

/** Everything that /payments and the tab of the settings show. */
export async function paymentsOf(api: ApiClient, { filter = {}, fresh = false }: Wanted = {}) {
  const [setup, earnings, payouts, sales, mine] = await Promise.all([
    api.payouts.getPayoutSetup({ fresh }),
    api.earnings.getEarnings(),
    api.payouts.getPayouts({}),
    api.earnings.getSales(filter),
    api.courses.getMyDashboard(),
  ])
  const courses = mine.created.map(({ id, title }) => ({ id, title }))
  return { setup, earnings, payouts, sales, courses, filter }
}

export type Payments = Awaited<ReturnType<typeof paymentsOf>>
