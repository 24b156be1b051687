import { accountRoutes } from './connect/accounts.ts'
import { externalAccountRoutes } from './connect/external-accounts.ts'
import { payoutRoutes } from './connect/payouts.ts'
import { tokenRoutes } from './connect/tokens.ts'
import { transferRoutes } from './connect/transfers.ts'
import { checkoutSessionRoutes } from './checkout-sessions.ts'
import { clockRoutes } from './clocks.ts'
import { customerRoutes } from './customers.ts'
import { eventRoutes } from './event-routes.ts'
import { invoiceRoutes } from './invoice-routes.ts'
import { paymentMethodRoutes } from './payment-methods.ts'
import { paymentRoutes } from './payment-routes.ts'
import { portalRoutes } from './portal-sessions.ts'
import { priceRoutes } from './prices.ts'
import type { Route } from './route.ts'
import { subscriptionRoutes } from './subscription-routes.ts'

/** The part of Stripe's API that the sandbox speaks. */
export const routes: Route[] = [
  ...customerRoutes,
  ...paymentMethodRoutes,
  ...priceRoutes,
  ...checkoutSessionRoutes,
  ...paymentRoutes,
  ...subscriptionRoutes,
  ...invoiceRoutes,
  ...portalRoutes,
  ...tokenRoutes,
  ...accountRoutes,
  ...externalAccountRoutes,
  ...transferRoutes,
  ...payoutRoutes,
  ...eventRoutes,
  ...clockRoutes,
]
