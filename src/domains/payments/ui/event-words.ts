import type { PaymentEvent } from '../schema.ts'

/** What became of an event. */
export const statusWords = {
  waiting: 'Waiting',
  applied: 'Applied',
  ignored: 'Ignored',
  failed: 'Failed',
} as const satisfies Record<PaymentEvent['status'], string>

export const isEventStatus = (status: string | null): status is PaymentEvent['status'] =>
  status !== null && Object.hasOwn(statusWords, status)
