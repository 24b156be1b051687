// What methods, payouts and their states are called on the screen.
import type { Payout, PayoutSetup } from '../schema.ts'

type Method = Payout['method']
type Tone = 'neutral' | 'primary' | 'success' | 'warning' | 'danger'

export const methodWords: Record<Method, string> = {
  bank_account: 'Bank Account',
  debit_card: 'Debit Card',
  paypal: 'PayPal',
}

export const standingWords: Record<PayoutSetup['standing'], { label: string; tone: Tone }> = {
  not_connected: { label: 'Not connected', tone: 'neutral' },
  ready: { label: 'Connected', tone: 'success' },
  information_needed: { label: 'Information needed', tone: 'warning' },
  under_review: { label: 'Under review', tone: 'primary' },
  paused: { label: 'Paused', tone: 'warning' },
  rejected: { label: 'Rejected', tone: 'danger' },
  failed: { label: 'Failed', tone: 'danger' },
}

export const payoutStates: Record<Payout['status'], { label: string; tone: Tone }> = {
  requested: { label: 'Requested', tone: 'primary' },
  in_transit: { label: 'On its way', tone: 'primary' },
  paid: { label: 'Paid', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
}

export const scheduleWords = {
  manual: 'Off',
  weekly: 'Every week',
  monthly: 'Every month',
} as const

export const isSchedule = (value: unknown): value is keyof typeof scheduleWords =>
  typeof value === 'string' && Object.hasOwn(scheduleWords, value)

/** 'STRIPE TEST BANK •••• 6789', or the address at PayPal. */
export function destinationOf(method: NonNullable<PayoutSetup['method']>): string {
  if (method.method === 'paypal') return `PayPal ${method.paypalEmail ?? ''}`.trim()
  return `${method.label} •••• ${method.last4}`
}
