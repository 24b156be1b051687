import type { PricingType } from '../rules.ts'
import type { StoredCourse } from './course-form-fields.ts'

type Stored = Pick<StoredCourse, 'pricingType' | 'priceAmount' | 'monthlyPayers'>
type Chosen = { pricingType: PricingType; priceAmount: number }

/** For whom the chosen price changes nothing, in words for the creator; null where there is nobody. */
export function whoPaysOn({ monthlyPayers, ...stored }: Stored, chosen: Chosen): string | null {
  const isFree = chosen.pricingType === 'free'
  const isSame =
    chosen.pricingType === stored.pricingType && chosen.priceAmount === stored.priceAmount
  // What is free stays worth knowing: nobody else pays for it.
  if (monthlyPayers === 0 || (isSame && !isFree)) return null
  const who =
    monthlyPayers === 1
      ? '1 person goes on paying each month what they paid'
      : `${monthlyPayers.toLocaleString('en-US')} people go on paying each month what they paid`
  const paysOn = `${who} so far, until they cancel. A new price is for new buyers only.`
  return isFree
    ? `${paysOn} If they need not pay any more, tell them: they can cancel on their billing page.`
    : paysOn
}
