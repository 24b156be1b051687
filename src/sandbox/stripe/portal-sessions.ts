import type Stripe from 'stripe'
import { requireCustomer } from './customers.ts'
import { readParams } from './params.ts'
import { missing, wrong } from './refusal.ts'
import type { Route } from './route.ts'

export type PortalSession = Stripe.BillingPortal.Session

export const portalRoutes: Route[] = [
  [
    'POST',
    '/v1/billing_portal/sessions',
    async ({ unit, params }) => {
      const given = readParams(params, {
        customer: 'text!',
        return_url: 'text',
        locale: 'text',
        flow_data: 'group',
      })
      const customer = await requireCustomer(unit, given.customer)
      if (given.return_url && !URL.canParse(given.return_url)) {
        throw wrong('Not a valid URL', 'return_url', 'url_invalid')
      }
      const flow =
        given.flow_data &&
        readParams(
          given.flow_data,
          { type: 'text!', subscription_cancel: 'group', after_completion: 'group' },
          'flow_data',
        )
      if (flow && flow.type !== 'payment_method_update' && flow.type !== 'subscription_cancel') {
        throw wrong('The sandbox does not have this flow.', 'flow_data[type]')
      }
      const cancel =
        flow?.subscription_cancel &&
        readParams(
          flow.subscription_cancel,
          { subscription: 'text!' },
          'flow_data[subscription_cancel]',
        )
      if (cancel) {
        const found = await unit.get<Stripe.Subscription>(cancel.subscription)
        if (found?.customer !== customer.id) {
          throw missing('subscription', cancel.subscription, 'flow_data[subscription_cancel]')
        }
      }
      const end =
        flow?.after_completion &&
        readParams(
          flow.after_completion,
          { type: 'text!', redirect: 'group', hosted_confirmation: 'group' },
          'flow_data[after_completion]',
        )
      const redirect =
        end?.redirect &&
        readParams(end.redirect, { return_url: 'text!' }, 'flow_data[after_completion][redirect]')
      const id = unit.newId('bps_')
      const session: PortalSession = {
        id,
        object: 'billing_portal.session',
        configuration: 'bpc_sandbox',
        created: await unit.now(),
        customer: customer.id,
        customer_account: null,
        flow: flow
          ? {
              after_completion: {
                hosted_confirmation: null,
                redirect: redirect ? { return_url: redirect.return_url } : null,
                type: redirect ? 'redirect' : 'portal_homepage',
              },
              customer_update: null,
              subscription_cancel: cancel
                ? { retention: null, subscription: cancel.subscription }
                : null,
              subscription_pause: null,
              subscription_update: null,
              subscription_update_confirm: null,
              type: flow.type,
            }
          : null,
        livemode: false,
        locale: (given.locale ?? null) as PortalSession['locale'],
        on_behalf_of: null,
        return_url: given.return_url ?? null,
        url: unit.address(`/p/session/${id}`),
      }
      unit.put(session)
      return session
    },
  ],
]
