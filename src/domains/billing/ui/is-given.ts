import type { PurchasedCourse } from '../schema.ts'

/** A monthly course by a coupon for all of its price: nothing is paid each month, so there is nothing to cancel. */
export const isGiven = ({ amount, currentPeriodEnd }: PurchasedCourse): boolean =>
  amount === 0 && currentPeriodEnd === null
