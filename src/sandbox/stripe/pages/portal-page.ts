import { html } from 'hono/html'
import type Stripe from 'stripe'
import type { PortalSession } from '../portal-sessions.ts'
import type { CardErrors, CardForm } from '../read-card.ts'
import { cardFields } from './card-fields.ts'
import { inMoney, layout, onDay, type Html } from './layout.ts'

export interface PortalShown {
  session: PortalSession
  customer: Stripe.Customer
  subscriptions: Stripe.Subscription[]
  /** Names, by the id of the subscription. */
  products: Map<string, string>
  card: Stripe.PaymentMethod.Card | null
  invoices: Stripe.Invoice[]
  form: CardForm
  errors?: CardErrors
  problem?: string
}

function subscriptionCard(shown: PortalShown, subscription: Stripe.Subscription): Html {
  const [item] = subscription.items.data
  const amount = inMoney(
    (item?.price.unit_amount ?? 0) * (item?.quantity ?? 1),
    subscription.currency,
  )
  const name = shown.products.get(subscription.id) ?? 'Subscription'
  const end = onDay(item?.current_period_end ?? 0)
  const isEnding = subscription.cancel_at !== null
  const action = `/sandbox/stripe/p/session/${shown.session.id}/subscriptions/${subscription.id}`
  return html`<li>
    <h3>${name}</h3>
    <p>
      ${amount} per ${item?.price.recurring?.interval ?? 'month'} ·
      ${isEnding ? `ends on ${end}` : `renews on ${end}`}
      ${subscription.status === 'past_due' ? html` · <strong>payment failed</strong>` : ''}
    </p>
    <form method="post" action="${action}">
      ${
        isEnding
          ? html`<button name="action" value="resume">Don’t cancel ${name}</button>`
          : html`<button name="action" value="cancel">
              Cancel ${name} at the end of the period
            </button>`
      }
    </form>
  </li>`
}

function cardSection(shown: PortalShown): Html {
  const { card, session, form, errors = {}, problem } = shown
  return html`<section>
    <h2>Payment method</h2>
    <p>
      ${
        card
          ? `${card.brand} ending in ${card.last4}, expires ${card.exp_month}/${card.exp_year}`
          : 'No card is kept.'
      }
    </p>
    <form method="post" action="/sandbox/stripe/p/session/${session.id}/card">
      ${problem ? html`<p class="alert" role="alert">${problem}</p>` : ''}
      ${
        Object.keys(errors).length > 0
          ? html`<p class="alert" role="alert">Please mend what is marked below.</p>`
          : ''
      }
      ${cardFields(form, errors, false)}
      <button class="main">Save this card</button>
    </form>
  </section>`
}

export function portalPage(shown: PortalShown) {
  const { session, customer, subscriptions, invoices } = shown
  const flow = session.flow?.type
  const wanted = session.flow?.subscription_cancel?.subscription
  const listed = wanted ? subscriptions.filter(({ id }) => id === wanted) : subscriptions
  return layout({
    title: 'Your billing',
    body: html`
      ${session.return_url ? html`<p><a href="${session.return_url}">← Back</a></p>` : ''}
      <h1>Your billing</h1>
      <p class="quiet">${customer.email ?? customer.name ?? customer.id}</p>
      ${
        flow === 'payment_method_update'
          ? ''
          : html`<section>
              <h2>Subscriptions</h2>
              ${
                listed.length === 0
                  ? html`<p>Nothing is subscribed to.</p>`
                  : html`<ul class="plain">
                      ${listed.map((subscription) => subscriptionCard(shown, subscription))}
                    </ul>`
              }
            </section>`
      }
      ${flow === 'subscription_cancel' ? '' : cardSection(shown)}
      ${
        flow
          ? ''
          : html`<section>
              <h2>Invoices</h2>
              ${
                invoices.length === 0
                  ? html`<p>There are no invoices yet.</p>`
                  : html`<dl>
                      ${invoices.map(
                        (invoice) =>
                          html`<dt>
                              <a href="/sandbox/stripe/i/${invoice.id}"
                                >${invoice.number ?? invoice.id}</a
                              >
                              · ${onDay(invoice.created)} · ${invoice.status ?? ''}
                            </dt>
                            <dd>${inMoney(invoice.total, invoice.currency)}</dd>`,
                      )}
                    </dl>`
              }
            </section>`
      }
    `,
  })
}
