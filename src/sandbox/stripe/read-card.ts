// A card as somebody types it. Only what any card shows on its front is kept: brand, last digits, expiry.
import type Stripe from 'stripe'
import type { Unit } from './store.ts'
import { noTestCardDigits, testCardOf } from './test-cards.ts'

export interface CardForm {
  number: string
  expiry: string
  cvc: string
  name: string
  email: string
}

export type CardErrors = Partial<Record<keyof CardForm, string>>

interface ReadCard {
  last4: string
  brand: string
  funding: string
  expMonth: number
  expYear: number
  name: string
  email: string | null
}

/** Luhn's check digit, which finds mistyped numbers. */
export function isCardNumber(digits: string): boolean {
  let sum = 0
  for (const [place, digit] of [...digits].toReversed().entries()) {
    const doubled = place % 2 === 1 ? Number(digit) * 2 : Number(digit)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return digits.length > 0 && sum % 10 === 0
}

function readExpiry(text: string): { month: number; year: number } | null {
  const found = /^(\d{1,2})\s*\/\s*(?:20)?(\d{2})$/.exec(text.trim())
  const month = Number(found?.[1])
  return month >= 1 && month <= 12 ? { month, year: 2000 + Number(found?.[2]) } : null
}

/** `asksEmail`: the page has a field for it. `now` in seconds. */
export function readCard(
  form: CardForm,
  { asksEmail, now }: { asksEmail: boolean; now: number },
): { errors: CardErrors } | { card: ReadCard } {
  const errors: CardErrors = {}
  const email = form.email.trim()
  if (asksEmail && !/^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/.test(email)) {
    errors.email = 'Your email is incomplete.'
  }
  const digits = form.number.replaceAll(/[\s-]/g, '')
  if (!/^\d{14,19}$/.test(digits)) errors.number = 'Your card number is incomplete.'
  else if (!isCardNumber(digits)) errors.number = 'Your card number is invalid.'

  const expiry = readExpiry(form.expiry)
  const today = new Date(now * 1000)
  if (!expiry) errors.expiry = 'Write the expiry date as MM/YY.'
  else if (
    expiry.year * 12 + expiry.month <
    today.getUTCFullYear() * 12 + today.getUTCMonth() + 1
  ) {
    errors.expiry = 'Your card’s expiration date is in the past.'
  }
  if (!/^\d{3,4}$/.test(form.cvc.trim())) errors.cvc = 'Your card’s security code is incomplete.'
  const name = form.name.trim().slice(0, 200)
  if (!name) errors.name = 'Write the name on the card.'

  if (Object.keys(errors).length > 0 || !expiry) return { errors }
  const known = testCardOf(digits)
  return {
    card: {
      // Of a real card not even the last digits are kept.
      last4: known ? digits.slice(-4) : noTestCardDigits,
      brand: known?.brand ?? 'unknown',
      funding: known?.funding ?? 'unknown',
      expMonth: expiry.month,
      expYear: expiry.year,
      name,
      email: email || null,
    },
  }
}

/** Without `customer` it is for this one payment. */
export function newCardMethod(
  unit: Unit,
  card: ReadCard,
  { customer, created }: { customer: string | null; created: number },
): Stripe.PaymentMethod {
  const method: Stripe.PaymentMethod = {
    id: unit.newId('pm_'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: {
      address: null,
      email: card.email,
      name: card.name,
      phone: null,
      tax_id: null,
    },
    card: {
      brand: card.brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: 'pass',
      },
      country: 'US',
      display_brand: card.brand,
      exp_month: card.expMonth,
      exp_year: card.expYear,
      fingerprint: `sandbox${card.last4}`,
      funding: card.funding,
      generated_from: null,
      last4: card.last4,
      networks: { available: [card.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created,
    customer,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
  unit.put(method)
  if (customer) unit.emit('payment_method.attached', method)
  return method
}
