// The billing portal: people change their card and end or resume what they subscribed to.
import { Hono } from 'hono'
import type Stripe from 'stripe'
import { cardForm, emptyCard } from './pages/card-fields.ts'
import { message } from './pages/layout.ts'
import { portalPage, type PortalShown } from './pages/portal-page.ts'
import type { PortalSession } from './portal-sessions.ts'
import { newCardMethod, readCard, type CardForm } from './read-card.ts'
import { wallSeconds, type Store, type Unit } from './store.ts'
import { setCancelAtPeriodEnd } from './subscription-routes.ts'
import { askCard } from './test-cards.ts'

/** Seconds for which an address of the portal works. */
const validFor = 60 * 60

const live = new Set<string>(['active', 'trialing', 'past_due', 'unpaid'])

async function look(unit: Unit, id: string): Promise<Omit<PortalShown, 'form'> | null> {
  const session = await unit.get<PortalSession>(id)
  if (session?.object !== 'billing_portal.session') return null
  if (session.created + validFor < wallSeconds()) return null
  const { customer: customerId } = session
  const customer = await unit.get<Stripe.Customer | Stripe.DeletedCustomer>(customerId)
  if (!customer || customer.deleted) return null
  const filter = { customer: customerId }
  const all = await unit.find<Stripe.Subscription>('subscription', filter)
  const subscriptions = all.filter(({ status }) => live.has(status))
  const cardId =
    customer.invoice_settings.default_payment_method ?? subscriptions[0]?.default_payment_method
  const method = cardId ? await unit.get<Stripe.PaymentMethod>(String(cardId)) : null
  const products = new Map<string, string>()
  for (const subscription of subscriptions) {
    const productId = String(subscription.items.data[0]?.price.product)
    const product = await unit.get<Stripe.Product>(productId)
    products.set(subscription.id, product?.name ?? 'Subscription')
  }
  const invoices = await unit.find<Stripe.Invoice>('invoice', filter)
  return { session, customer, subscriptions, products, card: method?.card ?? null, invoices }
}

/** Where a finished errand leads: back, or to the portal. */
function afterwards(session: PortalSession): string {
  const wanted = session.flow?.after_completion.redirect?.return_url
  if (wanted) return wanted
  return session.flow && session.return_url
    ? session.return_url
    : `/sandbox/stripe/p/session/${session.id}`
}

async function changeCard(
  unit: Unit,
  { customer }: Omit<PortalShown, 'form'>,
  form: CardForm,
): Promise<Pick<PortalShown, 'errors' | 'problem'> | null> {
  const read = readCard(form, { asksEmail: false, now: wallSeconds() })
  if ('errors' in read) return { errors: read.errors }
  const verdict = askCard(read.card.last4, 'setup')
  if (typeof verdict === 'object') return { problem: verdict.message }
  const method = newCardMethod(
    unit,
    { ...read.card, email: customer.email },
    { customer: customer.id, created: await unit.now(customer.id) },
  )
  // Nothing else, as at Stripe: a subscription that has a card of its own goes on with that.
  customer.invoice_settings.default_payment_method = method.id
  unit.put(customer)
  unit.emit('customer.updated', customer)
  return null
}

export function portal(store: Store) {
  const app = new Hono()
  const gone = () =>
    message('This page is not open any more', 'Go back and open your billing page again.')

  app.get('/p/session/:id', async (context) => {
    const shown = await store.look((unit) => look(unit, context.req.param('id')))
    return shown
      ? context.html(portalPage({ ...shown, form: emptyCard }))
      : context.html(gone(), 404)
  })

  app.post('/p/session/:id/card', async (context) => {
    const form = cardForm(await context.req.formData())
    const done = await store.work(async (unit) => {
      const shown = await look(unit, context.req.param('id'))
      return shown && { shown, problem: await changeCard(unit, shown, form) }
    })
    if (!done) return context.html(gone(), 404)
    if (!done.problem) return context.redirect(afterwards(done.shown.session), 303)
    const kept = done.problem.problem ? { ...form, number: '', cvc: '' } : form
    return context.html(portalPage({ ...done.shown, ...done.problem, form: kept }), 422)
  })

  app.post('/p/session/:id/subscriptions/:subscription', async (context) => {
    const sent = await context.req.formData()
    const session = await store.work(async (unit) => {
      const shown = await look(unit, context.req.param('id'))
      const wanted = context.req.param('subscription')
      const subscription = shown?.subscriptions.find(({ id }) => id === wanted)
      const isToEnd = sent.get('action') === 'cancel'
      if (subscription && (subscription.cancel_at !== null) !== isToEnd) {
        await setCancelAtPeriodEnd(unit, subscription, isToEnd)
        // In flexible billing mode, the usual one, the portal names the moment instead.
        subscription.cancel_at_period_end = false
        unit.put(subscription)
        unit.emit('customer.subscription.updated', subscription)
      }
      return shown?.session
    })
    return session ? context.redirect(afterwards(session), 303) : context.html(gone(), 404)
  })
  return app
}
