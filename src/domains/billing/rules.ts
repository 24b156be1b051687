// Pure decisions about plans: what they cost, what they save, what they are called.
import { brand } from '../site/brand.ts'

export type PlanName = 'monthly' | 'annual'

export interface PlanProduct {
  name: 'Monthly Plan' | 'Annual Plan'
  plan: PlanName
  /** What a checkout is asked for with. */
  priceId: 'pro_monthly' | 'pro_annual'
  mode: 'subscription'
  /** Minor units for each interval. */
  amount: number
  currency: 'usd'
  interval: 'month' | 'year'
}

/** The product catalogue (spec 1, section 3). */
export const catalogue: Record<PlanName, PlanProduct> = {
  monthly: {
    name: 'Monthly Plan',
    plan: 'monthly',
    priceId: 'pro_monthly',
    mode: 'subscription',
    amount: 2000,
    currency: 'usd',
    interval: 'month',
  },
  annual: {
    name: 'Annual Plan',
    plan: 'annual',
    priceId: 'pro_annual',
    mode: 'subscription',
    amount: 20_000,
    currency: 'usd',
    interval: 'year',
  },
}

/** What is bought, on payment pages and invoices: 'Thunder Pro Monthly Plan'. */
export const titleOfPlan = (plan: PlanName) => `${brand.name} Pro ${catalogue[plan].name}`

/** Percent of a sale that we keep (spec 1, section 9). */
export const feePercents = { free: 5, pro: 0 } as const

/** What we keep of an amount in minor units, rounded to the nearest one; half a cent is the creator's. */
export function platformFeeOf(gross: number, percent: number): number {
  return Math.max(0, Math.ceil((gross * percent) / 100 - 0.5))
}

/** What card processing typically costs (spec 2, section 9): of each payment so much percent and so many cents. */
export const typicalCardFee = { percent: 2.9, fixed: 30 } as const

interface Share {
  platformFee: number
  /** What the provider will take, as far as can be said before somebody pays. */
  cardFee: number
  /** Below zero when a price is lower than the fees. */
  received: number
}

/** What becomes of a price in minor units: ours, the provider's, the creator's. */
export function shareOf(price: number, feePercent: number): Share {
  const platformFee = platformFeeOf(price, feePercent)
  const cardFee = Math.round((price * typicalCardFee.percent) / 100) + typicalCardFee.fixed
  return { platformFee, cardFee, received: price - platformFee - cardFee }
}
