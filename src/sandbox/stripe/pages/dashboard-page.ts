import { html } from 'hono/html'
import type Stripe from 'stripe'
import { accountStates, type Account } from '../connect/requirements.ts'
import type { Switches } from '../switches.ts'
import { inMoney, layout, onDay, type Html } from './layout.ts'

export interface DashboardShown {
  charges: Stripe.Charge[]
  /** Those whose money cannot be used yet. */
  pending: ReadonlySet<string>
  refunds: Stripe.Refund[]
  disputes: Stripe.Dispute[]
  customers: Stripe.Customer[]
  /** What time it is for each customer, in seconds. */
  nows: Map<string, number>
  subscriptions: Stripe.Subscription[]
  accounts: Account[]
  payouts: Stripe.Payout[]
  switches: Switches
  done: string | null
}

const words: Record<string, string> = {
  refund: 'Refunded.',
  'fail-refund': 'The refund failed.',
  dispute: 'The payment is disputed.',
  'close-dispute': 'The dispute is decided.',
  advance: 'Time has passed for this customer.',
  'fail-payout': 'The payout failed.',
  arrive: 'The bank has the payout.',
  release: 'The money of the payment can be used.',
  account: 'The account is set.',
  switches: 'The switches are set.',
}

/** What was done, in words; null for anything else that an address says. */
export const told = (action: string | undefined) => words[action ?? ''] ?? null

const button = (action: string, id: string, label: string, more?: Html) =>
  html`<form method="post" action="/sandbox/stripe/dashboard/${action}">
    <input type="hidden" name="id" value="${id}" />${more ?? ''}
    <button aria-label="${label}: ${id}">${label}</button>
  </form>`

function chargeItem(charge: Stripe.Charge, isPending: boolean): Html {
  const { id, currency } = charge
  const left = charge.amount - charge.amount_refunded
  const canRefund = charge.status === 'succeeded' && left > 0
  const field = `amount-${id}`
  return html`<li>
    <p>
      <strong>${inMoney(charge.amount, currency)}</strong> · ${charge.status}
      ${
        charge.amount_refunded > 0
          ? html` · ${inMoney(charge.amount_refunded, currency)} refunded`
          : ''
      }
      ${charge.disputed ? ' · disputed' : ''}${isPending ? ' · not available yet' : ''} ·
      ${charge.description ?? ''} · ${onDay(charge.created)}<br />
      <code>${id}</code> <code>${String(charge.customer)}</code>
      ${charge.failure_message ?? ''}
    </p>
    ${
      canRefund
        ? html`<div class="row">
            ${isPending ? button('release', id, 'Release the money') : ''}
            ${button('refund', id, 'Refund in full')}
            ${button(
              'refund',
              id,
              'Refund a part',
              html`<div>
                <label for="${field}">Amount</label>
                <input
                  id="${field}"
                  name="amount"
                  inputmode="decimal"
                  placeholder="5.00"
                  required
                />
              </div>`,
            )}
            ${charge.disputed ? '' : button('dispute', id, 'Dispute')}
          </div>`
        : ''
    }
  </li>`
}

function disputeItem(dispute: Stripe.Dispute): Html {
  const isOpen = dispute.status === 'needs_response'
  const verdict = (value: string) => html`<input type="hidden" name="verdict" value="${value}" />`
  return html`<li>
    <p>
      <strong>${inMoney(dispute.amount, dispute.currency)}</strong> · ${dispute.status}<br />
      <code>${dispute.id}</code> <code>${String(dispute.charge)}</code>
    </p>
    ${
      isOpen
        ? html`<div class="row">
            ${button('close-dispute', dispute.id, 'Decide for us', verdict('won'))}
            ${button('close-dispute', dispute.id, 'Decide for the customer', verdict('lost'))}
          </div>`
        : ''
    }
  </li>`
}

function customerItem(customer: Stripe.Customer, now: number): Html {
  const field = `days-${customer.id}`
  return html`<li>
    <p>
      ${customer.email ?? customer.name ?? ''} · it is ${onDay(now)}<br />
      <code>${customer.id}</code>
    </p>
    <div class="row">
      ${button(
        'advance',
        customer.id,
        'Let time pass',
        html`<div>
          <label for="${field}">Days</label>
          <input id="${field}" name="days" inputmode="numeric" value="31" required />
        </div>`,
      )}
    </div>
  </li>`
}

const subscriptionItem = (subscription: Stripe.Subscription): Html => {
  const [item] = subscription.items.data
  return html`<li>
    <p>
      <strong>${inMoney(item?.price.unit_amount ?? 0, subscription.currency)}</strong> per
      ${item?.price.recurring?.interval ?? 'month'} · ${subscription.status}
      ${subscription.cancel_at !== null ? ' · ends with the period' : ''} · until
      ${onDay(item?.current_period_end ?? 0)}<br />
      <code>${subscription.id}</code> <code>${String(subscription.customer)}</code>
    </p>
  </li>`
}

const refundItem = (refund: Stripe.Refund): Html =>
  html`<li>
    <p>
      <strong>${inMoney(refund.amount, refund.currency)}</strong> · ${refund.status ?? ''}<br />
      <code>${refund.id}</code> <code>${String(refund.charge)}</code>
    </p>
    ${
      refund.status === 'succeeded'
        ? html`<div class="row">${button('fail-refund', refund.id, 'Let it fail')}</div>`
        : ''
    }
  </li>`

const payoutItem = (payout: Stripe.Payout): Html =>
  html`<li>
    <p>
      <strong>${inMoney(payout.amount, payout.currency)}</strong> · ${payout.status} · arrives
      ${onDay(payout.arrival_date)}<br />
      <code>${payout.id}</code>
    </p>
    ${
      payout.status === 'pending' || payout.status === 'in_transit'
        ? html`<div class="row">
            ${button('arrive', payout.id, 'Let it arrive')}
            ${button('fail-payout', payout.id, 'Let it fail')}
          </div>`
        : payout.status === 'paid'
          ? html`<div class="row">${button('fail-payout', payout.id, 'Let it come back')}</div>`
          : ''
    }
  </li>`

function accountItem(account: Account): Html {
  const field = `state-${account.id}`
  const due = account.requirements?.currently_due ?? []
  return html`<li>
    <p>
      ${account.email ?? ''} · payouts ${account.payouts_enabled ? 'on' : 'off'}
      ${account._state === 'enabled' ? '' : ` · ${account._state}`}
      ${due.length > 0 ? ` · due: ${due.join(', ')}` : ''}<br />
      <code>${account.id}</code>
    </p>
    <div class="row">
      ${button(
        'account',
        account.id,
        'Set',
        html`<div>
          <label for="${field}">The account is</label>
          <select id="${field}" name="state">
            ${accountStates.map(
              (state) =>
                html`<option ${state === account._state ? 'selected' : ''}>${state}</option>`,
            )}
          </select>
        </div>`,
      )}
    </div>
  </li>`
}

const section = (title: string, items: Html[]) =>
  html`<section>
    <h2>${title}</h2>
    ${
      items.length === 0
        ? html`<p class="quiet">None yet.</p>`
        : html`<ul class="plain">
            ${items}
          </ul>`
    }
  </section>`

const numbers: { name: keyof Switches; label: string }[] = [
  { name: 'delayMs', label: 'Webhooks come later, by milliseconds' },
  { name: 'dropPercent', label: 'Webhooks that are lost, percent' },
  { name: 'repeat', label: 'Webhooks come again, times' },
  { name: 'webhookStatus', label: 'Webhooks count as answered with status (0: as answered)' },
  { name: 'apiDelayMs', label: 'The API answers later, by milliseconds' },
  { name: 'apiStatus', label: 'The API answers with status (0: it works)' },
  { name: 'draftSeconds', label: 'Renewals are drafts before they are charged, for seconds' },
]

const switchForm = (switches: Switches) =>
  html`<form class="card" method="post" action="/sandbox/stripe/dashboard/switches">
    <h2>Bad days</h2>
    ${numbers.map(
      ({ name, label }) =>
        html`<div class="field">
          <label for="${name}">${label}</label>
          <input
            id="${name}"
            name="${name}"
            inputmode="numeric"
            value="${String(switches[name])}"
          />
        </div>`,
    )}
    <label class="choice"
      ><input type="checkbox" name="shuffle" ${switches.shuffle ? 'checked' : ''} />
      <span>Webhooks come in any order</span></label
    >
    <button class="main">Set the switches</button>
  </form>`

export function dashboardPage(shown: DashboardShown) {
  const { nows, pending, switches, done } = shown
  return layout({
    title: 'Payments sandbox',
    isWide: true,
    body: html`
      <h1>Payments sandbox</h1>
      <p class="quiet">What the payment provider would show. The newest 25 of each.</p>
      ${done ? html`<p class="card" role="status">${done}</p>` : ''}
      <div class="columns">
        ${section(
          'Payments',
          shown.charges.map((charge) => chargeItem(charge, pending.has(charge.id))),
        )}
        <div>
          ${section('Disputes', shown.disputes.map(disputeItem))}
          ${section('Refunds', shown.refunds.map(refundItem))}
          ${section('Subscriptions', shown.subscriptions.map(subscriptionItem))}
        </div>
        <div>
          ${section(
            'Customers',
            shown.customers.map((customer) => customerItem(customer, nows.get(customer.id) ?? 0)),
          )}
          ${section('Connected accounts', shown.accounts.map(accountItem))}
          ${section('Payouts', shown.payouts.map(payoutItem))}
        </div>
        ${switchForm(switches)}
      </div>
    `,
  })
}
