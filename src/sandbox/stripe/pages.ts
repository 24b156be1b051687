// The hosted pages: what a browser sees of the payment provider. Their ids in the address are the keys.
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type Stripe from 'stripe'
import { dashboard } from './dashboard.ts'
import type { CheckoutSession } from './checkout-sessions.ts'
import { invoicePages } from './invoice-pages.ts'
import { onboarding } from './connect/onboarding.ts'
import { tokenDoor } from './connect/token-door.ts'
import { cardForm, emptyCard } from './pages/card-fields.ts'
import { message } from './pages/layout.ts'
import { closedPage, payPage, threeDSecurePage } from './pages/pay-page.ts'
import { confirmCheckout, openCheckout, payCheckout, type PaidCheckout } from './pay-checkout.ts'
import { portal } from './portal.ts'
import { Refusal } from './refusal.ts'
import type { Store } from './store.ts'

const successOf = (session: CheckoutSession) =>
  (session.success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', session.id)

const nothingHere = (context: Context) =>
  context.html(message('Nothing here', 'This address leads nowhere, or no longer.'), 404)

/** The form of somebody who just came. */
const freshForm = ({ customer_details: customer }: CheckoutSession) => ({
  ...emptyCard,
  email: customer?.email ?? '',
})

async function present(context: Context, paid: PaidCheckout, form = freshForm(paid.session)) {
  const { session } = paid
  switch (paid.outcome) {
    case 'paid':
      return context.redirect(successOf(session), 303)
    case 'closed':
      return session.status === 'complete'
        ? context.redirect(successOf(session), 303)
        : context.html(closedPage(session), 410)
    case 'confirm':
      return context.redirect(`/sandbox/stripe/c/3ds/${paid.intent.id}`, 303)
    case 'refused':
      // The number has to be typed again, as on any such page.
      return context.html(
        payPage({ session, form: { ...form, number: '', cvc: '' }, problem: paid.problem }),
        402,
      )
    case 'mistaken':
      return context.html(payPage({ session, form, errors: paid.errors }), 422)
  }
}

export function createPages(options: { store: Store; appUrl: string; publishableKey: string }) {
  const { store } = options
  const app = new Hono().basePath('/sandbox/stripe')
  app.use(async (context, next) => {
    await next()
    context.header('cache-control', 'no-store')
  })
  app.use(
    bodyLimit({
      maxSize: 16 * 1024,
      onError: (context) => context.html(message('Too long', 'This form is too long.'), 413),
    }),
  )
  app.onError((error, context) => {
    if (!(error instanceof Refusal)) throw error
    return context.html(message('That did not work', error.message), 400)
  })
  app.notFound(nothingHere)

  app.get('/c/pay/:id', async (context) => {
    const id = context.req.param('id')
    const session = await store.work((unit) => openCheckout(unit, id))
    if (!session) return nothingHere(context)
    if (session.status !== 'open') return context.html(closedPage(session))
    return context.html(payPage({ session, form: freshForm(session) }))
  })
  app.post('/c/pay/:id', async (context) => {
    const id = context.req.param('id')
    const form = cardForm(await context.req.formData())
    const paid = await store.work(async (unit) => {
      const session = await openCheckout(unit, id)
      return session && payCheckout(unit, session, form)
    })
    return paid ? present(context, paid, form) : nothingHere(context)
  })

  /** A payment that waits for its owner, and the payment page that it belongs to. */
  const waiting = (id: string, isConfirmed: boolean | null) =>
    store.work(async (unit) => {
      const intent = await unit.get<Stripe.PaymentIntent & { _session?: string }>(id)
      const session = intent?._session ? await openCheckout(unit, intent._session) : null
      if (intent?.object !== 'payment_intent' || !session) return null
      if (isConfirmed !== null) return confirmCheckout(unit, intent, session, isConfirmed)
      if (session.status === 'open' && intent.status === 'requires_action') {
        return { outcome: 'confirm', session, intent } as const
      }
      return { outcome: 'closed', session } as const
    })
  app.get('/c/3ds/:id', async (context) => {
    const found = await waiting(context.req.param('id'), null)
    if (!found) return nothingHere(context)
    if (found.outcome === 'confirm') return context.html(threeDSecurePage(found.intent))
    return context.redirect(`/sandbox/stripe/c/pay/${found.session.id}`, 303)
  })
  app.post('/c/3ds/:id', async (context) => {
    const sent = await context.req.formData()
    const paid = await waiting(context.req.param('id'), sent.get('answer') === 'complete')
    return paid ? present(context, paid) : nothingHere(context)
  })

  app.route('/', portal(store))
  app.route('/', invoicePages(store))
  app.route('/', onboarding(store))
  app.route('/', tokenDoor(options))
  app.route('/', dashboard(options))
  return async (request: Request) => app.fetch(request)
}
