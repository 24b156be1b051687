import type { Reduction } from '../rules.ts'

/** '20% off' or '$5 off'. */
export function reductionLabel({ percentOff, amountOff }: Reduction): string {
  if (percentOff !== null) return `${percentOff}% off`
  const amount = amountOff ?? 0
  const dollars = (amount / 100).toLocaleString('en-US', {
    minimumFractionDigits: amount % 100 === 0 ? 0 : 2,
  })
  return `$${dollars} off`
}
