// What a course costs. Amounts are in minor units.
import type { PricingType } from './rules.ts'

export const priceLimits = { least: 100, most: 1_000_000 } as const

/** Suggested to whoever switches from free to a price (spec 1, section 9). */
export const defaultPrice = 2900

interface Price {
  pricingType: PricingType
  priceAmount: number
}

export const noPrice: Price = { pricingType: 'free', priceAmount: 0 }

/**
 * The price after what is given was set. Free costs nothing, and nothing is free; a price without its type
 * is paid once; a type without its price costs what it did before, at first the default.
 */
export function pricingOf(before: Price, given: Partial<Price>): Price {
  const pricingType = given.pricingType ?? typeOf(before, given.priceAmount)
  if (pricingType === 'free') return noPrice
  return { pricingType, priceAmount: given.priceAmount ?? (before.priceAmount || defaultPrice) }
}

function typeOf(before: Price, priceAmount: number | undefined): PricingType {
  if (priceAmount === undefined) return before.pricingType
  if (priceAmount === 0) return 'free'
  return before.pricingType === 'free' ? 'one_time' : before.pricingType
}

/**
 * What somebody wrote as a price in dollars; a fraction of a cent stays one, to be refused. What is no
 * number is 0 (spec 1, section 5).
 */
export function amountIn(text: string): number {
  const bare = text.trim().replace(/^\$\s*/, '')
  const hasThousands = /^\d{1,3}(,\d{3})+(\.\d*)?$/.test(bare)
  // '29,50' is what many people write.
  const plain = hasThousands ? bare.replaceAll(',', '') : bare.replace(/,(?=\d{1,2}$)/, '.')
  if (!/^(\d+(\.\d*)?|\.\d+)$/.test(plain)) return 0
  return Math.round(Number(plain) * 100_000) / 1000
}

/** A price as the form shows it: '29', or '29.50'. */
export function textOfAmount(priceAmount: number): string {
  return priceAmount % 100 === 0 ? String(priceAmount / 100) : (priceAmount / 100).toFixed(2)
}
