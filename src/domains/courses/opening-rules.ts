// What this Thunder can open to everybody: the one place that knows which ways in there are.
import type { PricingType } from './rules.ts'

/** Nobody can pay before there is a checkout; it takes this away. */
const paymentObstacle =
  'Paid courses cannot be published on this Thunder: it has no payment service. Choose Free to publish this course.'

/** Whether a new course's form suggests a price. */
export const suggestsPaid = false

/** Why people could not join a course at this price; null when it can be open to everybody. */
export function openingObstacle({ pricingType }: { pricingType: PricingType }): string | null {
  return pricingType === 'free' ? null : paymentObstacle
}
