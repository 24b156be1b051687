// What plans, their state and money are called on the screen (spec 1, section 9; spec 2, sections 4 and 9).
import { brand } from '../../site/brand.ts'
import { catalogue, type PlanName } from '../rules.ts'
import type { BillingPage, SubscriptionRecord } from '../schema.ts'

export const upgradeFailed = 'Failed to start checkout process. Please try again.'

/** In the order and the words of the specification. */
export const proBenefits = [
  '0% fees',
  'Unlimited courses and students',
  'Advanced analytics',
  'Priority support',
  'Custom course branding',
  'Advanced community features',
  'Export of student data',
]

/** '$20.00', of minor units. */
export const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100)

/** '$20', where there are no cents. */
export const shortMoney = (amount: number, currency: string): string =>
  money(amount, currency).replace(/\.00$/, '')

/** What a year costs less than twelve months, in minor units and in percent, and what remains a month. */
export function annualSaving() {
  const { monthly, annual } = catalogue
  const yearByMonths = monthly.amount * 12
  const amount = yearByMonths - annual.amount
  return {
    amount,
    percent: Math.round((amount / yearByMonths) * 100),
    monthsFree: amount / monthly.amount,
    perMonth: Math.round(annual.amount / 12),
  }
}

export function planTitle(priceId: string | null): string {
  const product = Object.values(catalogue).find((plan) => plan.priceId === priceId)
  return product ? `${brand.name} Pro: ${product.name}` : `${brand.name} Pro`
}

export const isPlanName = (value: unknown): value is PlanName =>
  typeof value === 'string' && Object.hasOwn(catalogue, value)

/** What the provider names otherwise than people do. */
const payers: Readonly<Record<string, string>> = {
  amex: 'American Express',
  cashapp: 'Cash App Pay',
  jcb: 'JCB',
  paypal: 'PayPal',
  sepa_debit: 'SEPA Direct Debit',
  unionpay: 'UnionPay',
  us_bank_account: 'Bank account',
}

/** 'Visa', 'PayPal', 'Amazon pay'; the name of a bank stays as it is. */
export function payerName(method: string): string {
  if (Object.hasOwn(payers, method)) return payers[method]!
  const words = method.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const known = {
  active: { label: 'Active', tone: 'success' },
  trialing: { label: 'Trial', tone: 'primary' },
  past_due: { label: 'Past Due', tone: 'warning' },
  canceled: { label: 'Canceled', tone: 'danger' },
  incomplete: { label: 'Incomplete', tone: 'neutral' },
  not_started: { label: 'Not Started', tone: 'neutral' },
} as const

type StatusBadge = {
  label: string
  tone: 'success' | 'primary' | 'warning' | 'danger' | 'neutral'
}

export function statusBadge(status: string): StatusBadge {
  if (Object.hasOwn(known, status)) return known[status as keyof typeof known]
  const words = status.replaceAll('_', ' ')
  return { label: words.charAt(0).toUpperCase() + words.slice(1), tone: 'neutral' }
}

/** Whether the provider still collects for it: then its card can be changed. */
export const isRunning = ({ subscription_status: status }: SubscriptionRecord): boolean =>
  ['active', 'trialing', 'past_due'].includes(status)

export const canCancelPlan = ({ subscription }: BillingPage): boolean =>
  isRunning(subscription) && !subscription.cancel_at_period_end
