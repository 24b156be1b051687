import { api, refusalOfSwitch } from '../../server/api.ts'
import { connectPayoutMethod } from './connect-payout-method.ts'
import { PayoutOpen } from './connected-account.ts'
import { startOnboarding } from './onboarding.ts'
import { payoutsOf } from './payout-queries.ts'
import { payoutSetupOf } from './payout-setup.ts'
import { removePayoutMethod } from './remove-payout-method.ts'
import { requestOwnPayout } from './request-payout.ts'
import { setPayoutSchedule } from './set-schedule.ts'
import { syncAfterOnboarding } from './sync-connected-account.ts'
import { takeBackPayout } from './take-back-payout.ts'

const tooManyMethods = {
  message: 'You have changed how you are paid many times. Please wait an hour and try again.',
}
const tooManyPages = {
  message: 'You have opened many pages of Stripe. Please wait a few minutes and try again.',
}
const tooManyTries = {
  message: 'You have tried many times. Please wait a few minutes and try again.',
}

export const payouts = {
  getPayoutSetup: api.payouts.getPayoutSetup.handler(async ({ input, context }) => {
    const { services, viewer } = context
    if (input.fresh) await syncAfterOnboarding(services, viewer.id)
    return payoutSetupOf(services, viewer.id)
  }),

  connectPayoutMethod: api.payouts.connectPayoutMethod.handler(
    async ({ input, context, errors }) => {
      const { services, viewer } = context
      if ((await services.rateLimits.payoutMethodsByAccount.count(viewer.id)) > 0) {
        throw errors.TOO_MANY(tooManyMethods)
      }
      const connected = await connectPayoutMethod(services, { creator: viewer, given: input })
      if (connected === 'connected') return payoutSetupOf(services, viewer.id)
      if (connected.refused === 'REFUSED') throw errors.REFUSED({ message: connected.message })
      if (connected.refused === 'ACCOUNT_GONE') throw errors.UNAUTHORIZED()
      throw errors[connected.refused]()
    },
  ),

  removePayoutMethod: api.payouts.removePayoutMethod.handler(async ({ context, errors }) => {
    const { services, viewer } = context
    if ((await removePayoutMethod(services, viewer.id)) !== 'removed') throw errors.PAYOUT_OPEN()
    return payoutSetupOf(services, viewer.id)
  }),

  setPayoutSchedule: api.payouts.setPayoutSchedule.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    const wish = { userId: viewer.id, schedule: input.schedule }
    if (!(await setPayoutSchedule(services.db, wish))) throw errors.NOT_CONNECTED()
    return payoutSetupOf(services, viewer.id)
  }),

  startOnboarding: api.payouts.startOnboarding.handler(async ({ context, errors }) => {
    const { services, viewer } = context
    if ((await services.rateLimits.checkoutsByAccount.count(viewer.id)) > 0) {
      throw errors.TOO_MANY(tooManyPages)
    }
    return startOnboarding(services, viewer).catch((error: unknown) => {
      throw error instanceof PayoutOpen ? errors.PAYOUT_OPEN() : error
    })
  }),

  requestPayout: api.payouts.requestPayout.handler(({ input: { amount }, context, errors }) => {
    const { services, viewer } = context
    const wanted = { userId: viewer.id, amount, offersPaypal: services.paypal !== null }
    return services.db.transaction(async (transaction) => {
      const payout = await requestOwnPayout(transaction, wanted)
      if ('refused' in payout) {
        const { refused, message } = payout
        if (refused === 'FEATURE_OFF') throw refusalOfSwitch(message!)
        throw errors[refused]({ message })
      }
      return payout
    })
  }),

  takeBackPayout: api.payouts.takeBackPayout.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    if ((await services.rateLimits.checkoutsByAccount.count(viewer.id)) > 0) {
      throw errors.TOO_MANY(tooManyTries)
    }
    const wanted = { userId: viewer.id, payoutId: input.payoutId }
    const payout = await takeBackPayout(services, wanted)
    if ('refused' in payout) {
      if (payout.refused === 'NOT_FOUND') throw errors.NOT_FOUND({ message: 'Payout not found' })
      throw errors[payout.refused]()
    }
    return payout
  }),

  getPayouts: api.payouts.getPayouts.handler(
    ({ input: { cursor }, context: { viewer, services } }) =>
      payoutsOf(services.db, viewer.id, cursor),
  ),
}
