import { html } from 'hono/html'
import type Stripe from 'stripe'
import type { CardErrors, CardForm } from '../read-card.ts'
import { cardFields } from './card-fields.ts'
import { inMoney, layout, onDay } from './layout.ts'

interface Shown {
  invoice: Stripe.Invoice
  form: CardForm
  errors?: CardErrors
  problem?: string
}

export function invoicePage({ invoice, form, errors = {}, problem }: Shown) {
  const { currency } = invoice
  const number = invoice.number ?? invoice.id
  return layout({
    title: `Invoice ${number}`,
    body: html`
      <h1>Invoice ${number}</h1>
      <p class="amount">${inMoney(invoice.total, currency)}</p>
      <section>
        <dl>
          <dt>Status</dt>
          <dd>${invoice.status ?? ''}</dd>
          <dt>Date</dt>
          <dd>${onDay(invoice.created)}</dd>
          <dt>For</dt>
          <dd>${invoice.customer_name ?? invoice.customer_email ?? ''}</dd>
          ${invoice.lines.data.map(
            (line) =>
              html`<dt>${line.description ?? 'Subscription'}</dt>
                <dd>${inMoney(line.amount, currency)}</dd>`,
          )}
          <dt>Paid</dt>
          <dd>${inMoney(invoice.amount_paid, currency)}</dd>
        </dl>
      </section>
      <p><a class="button" href="/sandbox/stripe/i/${invoice.id}/pdf">Download the PDF</a></p>
      ${
        invoice.status === 'open'
          ? html`<form class="card" method="post">
              <h2>Pay ${inMoney(invoice.amount_remaining, currency)}</h2>
              ${problem ? html`<p class="alert" role="alert">${problem}</p>` : ''}
              ${
                Object.keys(errors).length > 0
                  ? html`<p class="alert" role="alert">Please mend what is marked below.</p>`
                  : ''
              }
              ${cardFields(form, errors, false)}
              <button class="main">Pay this invoice</button>
            </form>`
          : ''
      }
    `,
  })
}

export function receiptPage({
  charge,
  refunds,
}: {
  charge: Stripe.Charge
  refunds: Stripe.Refund[]
}) {
  const { currency } = charge
  const card = charge.payment_method_details?.card
  return layout({
    title: 'Receipt',
    body: html`
      <h1>Receipt</h1>
      <p class="amount">${inMoney(charge.amount, currency)}</p>
      <section>
        <dl>
          <dt>For</dt>
          <dd>${charge.description ?? 'Payment'}</dd>
          <dt>Paid on</dt>
          <dd>${onDay(charge.created)}</dd>
          <dt>With</dt>
          <dd>${card?.brand ?? 'card'} ending in ${card?.last4 ?? ''}</dd>
          ${refunds.map(
            (refund) =>
              html`<dt>Refunded on ${onDay(refund.created)} (${refund.status ?? ''})</dt>
                <dd>−${inMoney(refund.amount, currency)}</dd>`,
          )}
          <dt>Receipt number</dt>
          <dd>${charge.id}</dd>
        </dl>
      </section>
    `,
  })
}
