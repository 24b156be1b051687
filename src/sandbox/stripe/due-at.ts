/** Seconds in which a payout can still be canceled. */
const beforeBank = 60 * 60

/** When something happens to this object by itself, in seconds of its customer's time; null: never. */
export function dueAt(given: object): number | null {
  const object = given as {
    object: string
    status?: string | null
    created?: number
    expires_at?: number | null
    arrival_date?: number
    available_on?: number
    next_payment_attempt?: number | null
    auto_advance?: boolean
    automatically_finalizes_at?: number | null
    cancel_at?: number | null
    items?: { data: { current_period_end: number }[] }
  }
  if (object.object === 'checkout.session') {
    return object.status === 'open' ? (object.expires_at ?? null) : null
  }
  if (object.object === 'invoice') {
    if (object.status === 'draft' && object.auto_advance) {
      return object.automatically_finalizes_at ?? null
    }
    return object.status === 'open' ? (object.next_payment_attempt ?? null) : null
  }
  if (object.object === 'balance_transaction') {
    return object.status === 'pending' ? (object.available_on ?? null) : null
  }
  if (object.object === 'payout') {
    // First it is given to the bank.
    if (object.status === 'pending') {
      return Math.min((object.created ?? 0) + beforeBank, object.arrival_date ?? Infinity)
    }
    return object.status === 'in_transit' ? (object.arrival_date ?? null) : null
  }
  if (object.object === 'subscription') {
    if (object.status === 'incomplete') return (object.created ?? 0) + 23 * 60 * 60
    if (object.status === 'canceled' || object.status === 'incomplete_expired') return null
    const ends = object.items?.data.map((item) => item.current_period_end) ?? []
    return Math.min(...ends, object.cancel_at ?? Infinity)
  }
  return null
}
