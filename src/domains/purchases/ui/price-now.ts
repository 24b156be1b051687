import type { CoursePage } from '../../courses/schema.ts'
import type { Offer } from './offer.ts'

/** What this person pays: the course's price, or less with the coupon; nothing with one for everything. */
export function priceNow(
  { pricingType, priceAmount }: Pick<CoursePage, 'pricingType' | 'priceAmount'>,
  offer: Offer | null,
): Pick<CoursePage, 'pricingType' | 'priceAmount'> {
  return { pricingType, priceAmount: offer?.quote ? offer.quote.amount : priceAmount }
}
