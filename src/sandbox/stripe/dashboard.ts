// The operator's page of the sandbox: what was paid, and what people, banks and time do to it.
import { Hono } from 'hono'
import type Stripe from 'stripe'
import { advanceCustomer } from './clocks.ts'
import { pendingCharges, releaseCharge } from './balance-transactions.ts'
import { arrivePayout, failPayout } from './connect/payouts.ts'
import { accountStates, requireAccount, setState, type Account } from './connect/requirements.ts'
import { requireCustomer } from './customers.ts'
import { closeDispute, openDispute } from './disputes.ts'
import { dashboardPage, told, type DashboardShown } from './pages/dashboard-page.ts'
import { message } from './pages/layout.ts'
import { failRefund, refundCharge } from './refund-charge.ts'
import { wrong } from './refusal.ts'
import { wallSeconds, type Store, type Stored, type Unit } from './store.ts'
import { readSwitches, setSwitches, type Switches } from './switches.ts'

const newest = { limit: 25 }
const day = 86_400

async function look(unit: Unit): Promise<Omit<DashboardShown, 'switches' | 'done'>> {
  const recent = async <T extends { id: string; object: string }>(object: string) =>
    (await unit.page<T>(object, {}, newest)).data
  const customers = await recent<Stripe.Customer>('customer')
  const nows = new Map<string, number>()
  for (const { id } of customers) nows.set(id, await unit.now(id))
  return {
    charges: await recent<Stripe.Charge>('charge'),
    pending: await pendingCharges(unit),
    refunds: await recent<Stripe.Refund>('refund'),
    disputes: await recent<Stripe.Dispute>('dispute'),
    customers: customers.filter((customer) => !('deleted' in customer)),
    nows,
    subscriptions: await recent<Stripe.Subscription>('subscription'),
    accounts: (await recent<Account>('account')).filter((account) => !('deleted' in account)),
    payouts: await payoutsOf(unit),
  }
}

/** Payouts belong to connected accounts, which `page` would ask about one by one. */
async function payoutsOf(unit: Unit): Promise<Stripe.Payout[]> {
  const rows = await unit.query<{ data: Stripe.Payout }>(
    `select data from stripe_sandbox.objects where object = 'payout' order by seq desc limit 25`,
  )
  return rows.map(({ data }) => data)
}

/** Written as 12.50. */
function readAmount(text: string): number | undefined {
  if (!text) return undefined
  if (!/^\d{1,7}(\.\d{1,2})?$/.test(text)) throw wrong('Write the amount like 12.50.')
  return Math.round(Number(text) * 100)
}

function readSwitch(text: string, most: number): number {
  const value = Number(text || '0')
  if (!Number.isInteger(value) || value < 0 || value > most) {
    throw wrong(`Write a whole number from 0 to ${most}.`)
  }
  return value
}

async function requireKind<T extends Stored | { id: string; object: string }>(
  unit: Unit,
  id: string,
  object: string,
): Promise<T> {
  const found = await unit.get<T & { id: string; object: string }>(id)
  if (found?.object !== object) throw wrong(`There is no ${object} ${id}.`)
  return found
}

export function dashboard({ store, appUrl }: { store: Store; appUrl: string }) {
  const app = new Hono()
  const { hostname } = new URL(appUrl)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  // Never where the public could reach it; that the visitor is at this machine, the app has seen to.
  for (const path of ['/dashboard', '/dashboard/*']) {
    app.use(path, async (context, next) => {
      if (isLocal) return next()
      return context.html(message('Nothing here', 'There is nothing at this address.'), 404)
    })
  }

  app.get('/dashboard', async (context) => {
    const shown = await store.look(look)
    const done = told(context.req.query('done'))
    return context.html(dashboardPage({ ...shown, switches: await readSwitches(store), done }))
  })

  app.post('/dashboard/:action', async (context) => {
    const sent = await context.req.formData()
    const text = (name: string) => {
      const value = sent.get(name)
      return typeof value === 'string' ? value.trim() : ''
    }
    const action = context.req.param('action')
    const id = text('id')
    if (action === 'switches') {
      const change: Switches = {
        delayMs: readSwitch(text('delayMs'), 3_600_000),
        dropPercent: readSwitch(text('dropPercent'), 100),
        repeat: readSwitch(text('repeat'), 20),
        shuffle: text('shuffle') === 'on',
        webhookStatus: readSwitch(text('webhookStatus'), 599),
        apiDelayMs: readSwitch(text('apiDelayMs'), 120_000),
        apiStatus: readSwitch(text('apiStatus'), 599),
        draftSeconds: readSwitch(text('draftSeconds'), 86_400),
      }
      await setSwitches(store, change)
    } else {
      await store.work(async (unit) => {
        if (action === 'refund') {
          const charge = await requireKind<Stripe.Charge>(unit, id, 'charge')
          await refundCharge(unit, charge, { amount: readAmount(text('amount')) })
        } else if (action === 'fail-refund') {
          await failRefund(unit, await requireKind<Stripe.Refund>(unit, id, 'refund'))
        } else if (action === 'dispute') {
          const charge = await requireKind<Stripe.Charge>(unit, id, 'charge')
          await openDispute(unit, charge, await unit.now(charge.customer as string | null))
        } else if (action === 'close-dispute') {
          const dispute = await requireKind<Stripe.Dispute>(unit, id, 'dispute')
          await closeDispute(unit, dispute, text('verdict') === 'won')
        } else if (action === 'advance') {
          const customer = await requireCustomer(unit, id)
          await advanceCustomer(unit, customer.id, readSwitch(text('days'), 3650) * day)
        } else if (action === 'fail-payout') {
          await failPayout(unit, await requireKind<Stripe.Payout>(unit, id, 'payout'))
        } else if (action === 'arrive') {
          await arrivePayout(unit, await requireKind<Stripe.Payout>(unit, id, 'payout'))
        } else if (action === 'release') {
          await releaseCharge(unit, (await requireKind<Stripe.Charge>(unit, id, 'charge')).id)
        } else if (action === 'account') {
          const state = accountStates.find((one) => one === text('state'))
          if (!state) throw wrong('There is no such state of an account.')
          setState(unit, await requireAccount(unit, id), state, wallSeconds())
        } else {
          throw wrong('There is no such action.')
        }
      })
    }
    return context.redirect(`/sandbox/stripe/dashboard?done=${action}`, 303)
  })
  return app
}
