import type Stripe from 'stripe'

export interface PayerLabel {
  /** Of a card; else the bank, or what kind of payment it is: 'paypal', 'sepa_debit'. */
  brand: string
  /** Null of what people know by no number. */
  last4: string | null
}

/** What somebody pays with, in few words; null without anything. */
export function payerLabel(method: Stripe.PaymentMethod | null): PayerLabel | null {
  if (method?.card) return { brand: method.card.brand, last4: method.card.last4 }
  const account = method?.us_bank_account
  if (account) return { brand: account.bank_name ?? 'us_bank_account', last4: account.last4 }
  return method?.type ? { brand: method.type, last4: null } : null
}
