// What became of the payment from which somebody comes back to the course page.
import { safe } from '@orpc/client'
import type { ApiClient } from '../../../server/contract-calls.ts'
import type { CoursePage } from '../../courses/schema.ts'

/** What the payment page adds to the address of the course on the way back. */
const flags = ['success', 'canceled'] as const

/** `open`: it is not known yet. */
export type PaymentReturn = 'canceled' | 'open' | 'paid' | 'expired' | 'refused'

interface Return {
  /** Null for who does not come from a payment, whatever the address says. */
  payment: PaymentReturn | null
  /** Read again where asking may be what let the person in. */
  course: CoursePage
}

/** Whether the payment page says, in the address, that somebody has paid. */
export const saysPaid = (search: URLSearchParams) => search.get('success') === 'true'

export async function readReturn(
  calls: ApiClient,
  course: CoursePage,
  search: URLSearchParams,
): Promise<Return> {
  const { slug, standing } = course
  if (standing !== 'signedIn' && standing !== 'member') return { payment: null, course }
  if (saysPaid(search)) {
    const [error, state] = await safe(calls.purchases.getCourseCheckout({ slug }))
    // The payment may well have arrived: the page goes on asking.
    if (error) return { payment: 'open', course }
    const { status } = state
    if (status === 'none') return { payment: null, course }
    if (status !== 'paid' || standing === 'member') return { payment: status, course }
    const [gone, now] = await safe(calls.courses.getCoursePage({ slug }))
    if (gone) return { payment: 'open', course }
    // Whoever left since, or had the payment back, is not told of being in the course.
    return { payment: now.standing === 'member' ? 'paid' : null, course: now }
  }
  const isCanceled = search.get('canceled') === 'true' && standing === 'signedIn'
  return { payment: isCanceled ? 'canceled' : null, course }
}

/** The address of the course without what a payment page adds to it; null where nothing is added. */
export function withoutReturn(slug: string, search: URLSearchParams): string | null {
  const rest = new URLSearchParams(search)
  for (const flag of flags) rest.delete(flag)
  if (rest.size === search.size) return null
  return `/course/${slug}${rest.size > 0 ? `?${rest}` : ''}`
}
