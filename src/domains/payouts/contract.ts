import { row } from '../../contract-row.ts'
import {
  byPayout,
  newPayout,
  newPayoutMethod,
  onboardingAddress,
  payout,
  payoutPage,
  payoutSchedule,
  payoutSetup,
  payoutSetupQuery,
  payoutsQuery,
} from './schema.ts'

const notConnected = { status: 409, message: 'Set up a payout method first.' } as const

const tooMany = { status: 429 } as const

export const payouts = {
  getPayoutSetup: row('signedIn', 'GET', '/rest/v1/payout-setup', 'How I am paid')
    .input(payoutSetupQuery)
    .output(payoutSetup),

  /** Replaces the one before. With a token of the payment provider, never with numbers. */
  connectPayoutMethod: row('signedIn', 'PUT', '/rest/v1/payout-setup', 'Set up how I am paid', {
    proven: true,
  })
    .errors({
      /** The provider did not take it; its reason in words. */
      REFUSED: { status: 422 },
      PAYPAL_NOT_OFFERED: { status: 422, message: 'PayPal is not offered here.' },
      PAYOUT_OPEN: {
        status: 409,
        message: 'A payout is on its way. Change the method when it has arrived.',
      },
      TOO_MANY: tooMany,
    })
    .input(newPayoutMethod)
    .output(payoutSetup),

  removePayoutMethod: row('signedIn', 'DELETE', '/rest/v1/payout-setup', 'Remove how I am paid')
    .errors({
      PAYOUT_OPEN: {
        status: 409,
        message: 'A payout is on its way. Remove the method when it has arrived.',
      },
    })
    .output(payoutSetup),

  setPayoutSchedule: row(
    'signedIn',
    'PATCH',
    '/rest/v1/payout-setup/schedule',
    'When I am paid by itself',
  )
    .errors({ NOT_CONNECTED: notConnected })
    .input(payoutSchedule)
    .output(payoutSetup),

  /** The provider's own pages, for what it still has to know, and where one is paid; one comes back to /payments. */
  startOnboarding: row(
    'signedIn',
    'POST',
    '/rest/v1/payout-setup/onboarding',
    'Tell the payment provider who I am',
    { proven: true },
  )
    .errors({
      PAYOUT_OPEN: {
        status: 409,
        message:
          'A payout is on its way through an account that Stripe does not know any more. Write to us: we have to settle it before you can set up another one.',
      },
      TOO_MANY: tooMany,
    })
    .output(onboardingAddress),

  requestPayout: row('signedIn', 'POST', '/rest/v1/payouts', 'Pay out what I earned', {
    stoppedBy: 'payouts',
  })
    .errors({
      SUSPENDED: {
        status: 409,
        message:
          'Your account is suspended. What you earned is kept, and can be paid out after that.',
      },
      NOT_CONNECTED: notConnected,
      /** Its message says what is in the way. */
      NOT_READY: { status: 409 },
      TOO_LITTLE: { status: 422 },
      TOO_MUCH: { status: 422 },
      PAYOUT_OPEN: {
        status: 409,
        message: 'A payout is on its way already. Ask for the next one when it has arrived.',
      },
    })
    .input(newPayout)
    .output(payout),

  /** Of PayPal, as long as nobody has claimed it at the address: it is in the balance again. */
  takeBackPayout: row(
    'signedIn',
    'POST',
    '/rest/v1/payouts/{payoutId}/take-back',
    'Take back a payout that nobody claims',
  )
    .errors({
      NOT_UNCLAIMED: {
        status: 409,
        message: 'Only a payout that nobody has claimed at PayPal can be taken back.',
      },
      UNREACHABLE: { status: 503, message: 'PayPal could not be reached. Please try again.' },
      TOO_MANY: tooMany,
    })
    .input(byPayout)
    .output(payout),

  getPayouts: row('signedIn', 'GET', '/rest/v1/payouts', 'My payouts')
    .input(payoutsQuery)
    .output(payoutPage),
}
