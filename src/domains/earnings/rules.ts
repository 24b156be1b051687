// What is known about sales without asking anybody.

export const saleStates = [
  /** Not yet released by the provider: `availableAt` says when. */
  'pending',
  'available',
  'paid_out',
  'refunded',
  'disputed',
  /** The bank decided for the buyer. */
  'lost',
] as const
