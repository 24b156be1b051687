// What this Thunder can open to everybody: the one place that knows which ways in there are.
import type { PricingType } from './rules.ts'

interface JoiningTerms {
  pricingType: PricingType
  applicationRequired: boolean
}

/** Nobody can pay before there is a checkout; it takes this away. */
const paymentObstacle =
  'Paid courses cannot be published on this Thunder: it has no payment service. Choose Free to publish this course.'

/** Nobody can apply before there is a way to send and review applications; it takes this away. */
const applicationObstacle =
  'Courses that require an application cannot be published on this Thunder: it cannot receive applications. Switch off “Require application” to publish this course.'

/** Whether a new course's form suggests a price. */
export const suggestsPaid = false

/** Why people could not join a course on these terms, by what stands in the way; null where nothing does. */
export function openingObstacles({ pricingType, applicationRequired }: JoiningTerms) {
  return {
    payment: pricingType === 'free' ? null : paymentObstacle,
    application: applicationRequired ? applicationObstacle : null,
  }
}

/** The first of them; null when the course can be open to everybody. */
export function openingObstacle(terms: JoiningTerms): string | null {
  const { payment, application } = openingObstacles(terms)
  return payment ?? application
}
