import { html } from 'hono/html'
import type Stripe from 'stripe'
import type { CheckoutSession } from '../checkout-sessions.ts'
import type { CardErrors, CardForm } from '../read-card.ts'
import { cardFields } from './card-fields.ts'
import { inMoney, layout, message } from './layout.ts'

const intervals: Record<string, string> = {
  day: 'per day',
  week: 'per week',
  month: 'per month',
  year: 'per year',
}

function rhythm(price: Stripe.Price | null): string {
  const recurring = price?.recurring
  if (!recurring) return ''
  const { interval, interval_count: count } = recurring
  return count === 1 ? (intervals[interval] ?? '') : `every ${count} ${interval}s`
}

interface Shown {
  session: CheckoutSession
  form: CardForm
  errors?: CardErrors
  /** Why the card was refused. */
  problem?: string
}

export function payPage({ session, form, errors = {}, problem }: Shown) {
  const currency = session.currency ?? 'usd'
  const total = inMoney(session.amount_total ?? 0, currency)
  const items = session._line_items.data
  const isSubscription = session.mode === 'subscription'
  const names = items.map((item) => item.description ?? '').join(', ')
  return layout({
    title: isSubscription ? `Subscribe to ${names}` : `Pay for ${names}`,
    body: html`
      ${
        session.cancel_url
          ? html`<p><a href="${session.cancel_url}">← Back without paying</a></p>`
          : ''
      }
      <h1>${isSubscription ? `Subscribe to ${names}` : names}</h1>
      <p>
        <span class="amount">${total}</span>
        <span class="quiet">${rhythm(items[0]?.price ?? null)}</span>
      </p>
      <form class="card" method="post" action="/sandbox/stripe/c/pay/${session.id}">
        <h2>Pay with card</h2>
        ${problem ? html`<p class="alert" role="alert">${problem}</p>` : ''}
        ${
          Object.keys(errors).length > 0
            ? html`<p class="alert" role="alert">Please mend what is marked below.</p>`
            : ''
        }
        ${cardFields(form, errors, true)}
        <button class="main">${isSubscription ? 'Subscribe' : `Pay ${total}`}</button>
        ${
          isSubscription
            ? html`<p class="quiet">
                ${total} ${rhythm(items[0]?.price ?? null)}, until you cancel.
              </p>`
            : ''
        }
      </form>
    `,
  })
}

/** For a payment page that nobody can pay on any more. */
export function closedPage(session: Stripe.Checkout.Session) {
  if (session.status === 'complete') {
    const link = session.success_url && {
      to: session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id),
      label: 'Continue',
    }
    return message(
      'This has been paid',
      'You were charged once. You can close this page.',
      link || null,
    )
  }
  const link = session.cancel_url && { to: session.cancel_url, label: 'Back' }
  return message(
    'This payment page has expired',
    'Nothing was charged. Go back and begin again.',
    link || null,
  )
}

export function threeDSecurePage(intent: Stripe.PaymentIntent) {
  return layout({
    title: 'Confirm your payment',
    body: html`
      <h1>Confirm your payment</h1>
      <section>
        <p>Your bank wants to know that it is you who pays.</p>
        <p class="amount">${inMoney(intent.amount, intent.currency)}</p>
        <form method="post">
          <p><button class="main" name="answer" value="complete">Complete</button></p>
          <button name="answer" value="fail">Fail</button>
        </form>
      </section>
    `,
  })
}
