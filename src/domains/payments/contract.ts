import { row } from '../../contract-row.ts'
import { paymentEvent, paymentEventId, paymentEventPage, paymentEventsQuery } from './schema.ts'

export const payments = {
  getPaymentEvents: row(
    'admin',
    'GET',
    '/rest/v1/payment-events',
    'What the payment provider told us',
  )
    .input(paymentEventsQuery)
    .output(paymentEventPage),

  /** Applies it again; what was done already is not done twice. */
  replayPaymentEvent: row(
    'admin',
    'POST',
    '/rest/v1/payment-events/{eventId}/replay',
    'Apply an event of the payment provider again',
  )
    .input(paymentEventId)
    .output(paymentEvent),
}
