import { api } from '../../server/api.ts'
import { receiptsOf } from '../payments/list-receipts.ts'
import { ownAddress } from '../payments/own-address.ts'
import { receiptAddress } from '../payments/receipt-address.ts'
import { purchasesOf } from '../purchases/list-purchases.ts'
import { billingNow } from './billing-now.ts'
import { changeSubscription } from './change-subscription.ts'
import { startDemo } from './demo-upgrade.ts'
import { historyOf } from './history.ts'
import { planOf, transactionFeePercent } from './plan.ts'
import { startPlanCheckout } from './plan-checkout.ts'
import { portalOf } from './portal.ts'
import { billingOf } from './queries.ts'
import { catalogue } from './rules.ts'

const customerNotFound = { message: 'Customer not found' }
const receiptNotFound = { message: 'Receipt not found' }
const noDemo = { message: 'Pro can be tried in the sandbox only.' }
const tooManyCheckouts = {
  message: 'You have started many payments. Please wait a few minutes and try again.',
}

export const billing = {
  getUserPlan: api.billing.getUserPlan.handler(({ context }) =>
    planOf(context.services.db, context.viewer.id),
  ),

  getUserTransactionFee: api.billing.getUserTransactionFee.handler(async ({ context }) =>
    transactionFeePercent(await planOf(context.services.db, context.viewer.id)),
  ),

  getBilling: api.billing.getBilling.handler(async ({ context }) => {
    const { services, viewer } = context
    const { pool, payments } = services
    const [{ purchasesCount, ...standing }, purchases] = await Promise.all([
      billingNow(services, viewer.id),
      purchasesOf(pool, viewer.id),
    ])
    return {
      ...standing,
      isTest: payments.mode !== 'live',
      hasDemoUpgrade: payments.mode === 'sandbox',
      purchases,
      hasMorePurchases: purchasesCount > purchases.length,
    }
  }),

  getMySubscription: api.billing.getMySubscription.handler(async ({ context }) => [
    (await billingOf(context.services.pool, context.viewer.id)).subscription,
  ]),

  stripeCheckout: api.billing.stripeCheckout.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    const { appUrl } = services.config
    const product = Object.values(catalogue).find(({ priceId }) => priceId === input.price_id)
    if (!product) throw errors.PRODUCT_NOT_FOUND()
    const paid = input.success_url ?? `/billing?success=true&plan=${product.plan}`
    const successUrl = ownAddress(appUrl, paid)
    const cancelUrl = ownAddress(appUrl, input.cancel_url ?? '/billing?canceled=true')
    if (!successUrl || !cancelUrl) throw errors.FOREIGN_PAGE()
    if ((await services.rateLimits.checkoutsByAccount.count(viewer.id)) > 0) {
      throw errors.TOO_MANY(tooManyCheckouts)
    }
    const order = { viewer, product, successUrl, cancelUrl }
    const started = await startPlanCheckout(services, order)
    if ('refused' in started) throw errors[started.refused]()
    return started
  }),

  stripeBillingHistory: api.billing.stripeBillingHistory.handler(
    async ({ input, context, errors }) => {
      const { services, viewer } = context
      const which = { userId: viewer.id, customerId: input.customer_id }
      const history = await historyOf(services, which)
      if (!history) throw errors.NOT_FOUND(customerNotFound)
      return history
    },
  ),

  getReceipts: api.billing.getReceipts.handler(({ input, context }) =>
    receiptsOf(context.services.db, context.viewer.id, input.cursor),
  ),

  getReceipt: api.billing.getReceipt.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    const url = await receiptAddress(services, { payerId: viewer.id, ...input })
    if (!url) throw errors.NOT_FOUND(receiptNotFound)
    return { url }
  }),

  stripePortal: api.billing.stripePortal.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    const returnUrl = ownAddress(services.config.appUrl, input.return_url ?? '/billing')
    if (!returnUrl) throw errors.FOREIGN_PAGE()
    const portal = await portalOf(services, { userId: viewer.id, returnUrl, flow: input.flow })
    if (!portal) throw errors.NO_CUSTOMER()
    return portal
  }),

  cancelSubscription: api.billing.cancelSubscription.handler(async ({ context, errors }) => {
    const { services, viewer } = context
    const change = { userId: viewer.id, renews: false }
    if (!(await changeSubscription(services, change))) throw errors.NO_SUBSCRIPTION()
    return (await billingOf(services.pool, viewer.id)).subscription
  }),

  reactivateSubscription: api.billing.reactivateSubscription.handler(
    async ({ context, errors }) => {
      const { services, viewer } = context
      const change = { userId: viewer.id, renews: true }
      if (!(await changeSubscription(services, change))) throw errors.NO_SUBSCRIPTION()
      return (await billingOf(services.pool, viewer.id)).subscription
    },
  ),

  demoUpgrade: api.billing.demoUpgrade.handler(async ({ input, context, errors }) => {
    const { services, viewer } = context
    if (services.payments.mode !== 'sandbox') throw errors.NOT_FOUND(noDemo)
    if ((await planOf(services.db, viewer.id)) === 'pro') throw errors.ALREADY_PRO()
    await startDemo(services, { viewer, plan: input.plan })
    return (await billingOf(services.pool, viewer.id)).subscription
  }),
}
