// A creator says how to be paid, again and again, at bad moments and in odd words. No webhook comes.
import { and, eq, like, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { switches, tokenize } from '../../../test/sandbox.ts'
import { somebodyWaits } from '../../../test/waiting.ts'
import { creatorAccount } from '../ledger/accounts.ts'
import { ledgerAccounts } from '../ledger/tables.ts'
import { liveEvents, notifications } from '../notifications/tables.ts'
import { withConnectedAccount, withPayoutMethod } from './hold-method.ts'
import { payoutRowsOf, payoutSetupOf } from './payout-setup.ts'
import { readyMethodOf } from './ready-method.ts'
import { connectedAccounts, payoutMethods, payouts } from './tables.ts'

let app: TestApp
let paypal: TestApp['services']['paypal']
beforeAll(async () => {
  app = await startTestApp()
  ;({ paypal } = app.services)
  await switches(app, { dropPercent: 100 })
})
afterEach(async () => {
  vi.restoreAllMocks()
  app.services.paypal = paypal
  await switches(app, { apiStatus: 0 })
})
afterAll(() => app?.stop())

const db = () => app.services.db
const stripe = () => app.services.payments.stripe
const path = '/rest/v1/payout-setup'
const payee = { accountType: 'individual', firstName: 'Cleo', lastName: 'Creator' }
const numbers = { account_number: '000123456789', routing_number: '110000000' }

async function someone() {
  const person = await makePerson(app.services)
  const cookie = await sessionCookieOf(app.services, person.id)
  const ledgerAccountId = await db().transaction((on) => creatorAccount(on, person.id))
  return { ...person, cookie, ledgerAccountId }
}
type Someone = Awaited<ReturnType<typeof someone>>

const bankToken = () => tokenize(app, { bank_account: numbers })

const put = ({ cookie }: Someone, given: object) =>
  app.request(path, { method: 'PUT', body: { ...payee, ...given }, cookie })

const putBank = async (one: Someone, given: object = {}) =>
  put(one, { method: 'bank_account', bankName: 'My bank', token: await bankToken(), ...given })

const putPaypal = (one: Someone, given: object = {}) =>
  put(one, { method: 'paypal', paypalEmail: 'cleo@example.com', ...given })

async function withBank() {
  const one = await someone()
  expect((await putBank(one)).status).toBe(200)
  return one
}

const rows = ({ id }: Someone) => payoutRowsOf(db(), id)
const accountId = async (one: Someone) => (await rows(one)).connected!.id

const account = async (one: Someone) => stripe().accounts.retrieve(await accountId(one))

const open = ({ ledgerAccountId }: Someone, status: 'requested' | 'in_transit' = 'requested') =>
  db().insert(payouts).values({
    ledgerAccountId,
    method: 'paypal',
    destination: 'cleo@example.com',
    amount: 100,
    currency: 'usd',
    status,
  })

describe('a bank account', () => {
  test('can be set up where PayPal is not offered', async () => {
    const one = await someone()
    const { payments } = app.services
    app.services.paypal = null
    const { status, body } = await putBank(one)
    expect([status, body.standing, body.offersPaypal]).toEqual([200, 'information_needed', false])
    const real = { ...app.services, payments: { ...payments, mode: 'live' as const } }
    expect((await payoutSetupOf(real, one.id)).isTestMode).toBe(false)
  })

  test('is of the address that the creator gives for it', async () => {
    const one = await someone()
    await putBank(one, { email: 'money@example.com' })
    expect(await account(one)).toMatchObject({ email: 'money@example.com' })
  })

  test('is called as the creator calls it where the provider has no name for it', async () => {
    const one = await someone()
    const token = await bankToken()
    await app.services.pool.query(
      `update stripe_sandbox.objects set data = jsonb_set(data, '{bank_account,bank_name}', 'null')
        where id = $1`,
      [token],
    )
    expect((await putBank(one, { token })).body.method.label).toBe('My bank')
  })

  test('that is sent twice is set up once; the page hears of it', async () => {
    const one = await someone()
    const token = await bankToken()
    for (const title of ['Your Payout Method Was Set Up', 'Your Payout Method Was Changed']) {
      expect((await putBank(one, { token })).status).toBe(200)
      const [notice] = await db()
        .select()
        .from(notifications)
        .where(and(eq(notifications.userId, one.id), eq(notifications.title, title)))
      expect(notice).toMatchObject({ kind: 'payout_attention', href: '/payments' })
    }
    expect((await account(one)).external_accounts!.data).toHaveLength(1)
    const heard = and(
      eq(liveEvents.topic, `person:${one.id}`),
      sql`${liveEvents.event}->>'type' = 'earnings'`,
    )
    expect(await db().$count(liveEvents, heard)).toBe(2)
  })

  test('in another name stays with the same account there', async () => {
    const one = await withBank()
    const before = await accountId(one)
    await putBank(one, { firstName: 'Cleopatra' })
    expect(await accountId(one)).toBe(before)
  })

  test('comes to one account there, also when we died before we wrote it down', async () => {
    const one = await withBank()
    const before = await accountId(one)
    const own = eq(connectedAccounts.ledgerAccountId, one.ledgerAccountId)
    await db().delete(connectedAccounts).where(own)
    await putBank(one)
    expect(await accountId(one)).toBe(before)
  })
})

describe('what the provider answers to it', () => {
  const { StripeAPIError, StripeInvalidRequestError } = Stripe.errors
  const answers = (error: Error) =>
    vi.spyOn(stripe().accounts, 'update').mockRejectedValueOnce(error)
  const invalid = (code?: string, param?: string) =>
    new StripeInvalidRequestError({
      type: 'invalid_request_error',
      message: 'Its own words.',
      code,
      param,
    })

  test.each([
    ['token_in_use', 'Failed to set up payout method. Please try again.'],
    ['token_already_used', 'Failed to set up payout method. Please try again.'],
    ['routing_number_invalid', 'Your bank does not know this routing number.'],
    ['account_number_invalid', 'Your bank does not know this account number.'],
    ['something_new', 'Its own words.'],
    [undefined, 'Its own words.'],
  ])('%s is told', async (code, message) => {
    const one = await withBank()
    // That it is about the account says nothing by itself.
    answers(invalid(code, 'account'))
    const { status, body } = await putBank(one)
    expect([status, body.code, body.message]).toEqual([422, 'REFUSED', message])
  })

  test('a card that its bank declines is told in the words of the bank', async () => {
    const token = await tokenize(app, { card: { number: '4111111111111111' } })
    const { status, body } = await put(await someone(), { method: 'debit_card', token })
    expect([status, body.code]).toEqual([422, 'REFUSED'])
    expect(body.message).toContain('Your card was declined.')
  })

  test('an account that it misses is made anew', async () => {
    const one = await withBank()
    const before = await accountId(one)
    answers(invalid('resource_missing', 'account'))
    expect((await putBank(one)).status).toBe(200)
    expect(await accountId(one)).not.toBe(before)
  })

  test('an account that is gone is made anew, and what was paid through it stays', async () => {
    const one = await withBank()
    const connectedAccountId = await accountId(one)
    const [paid] = await db()
      .insert(payouts)
      .values({
        ledgerAccountId: one.ledgerAccountId,
        method: 'bank_account',
        destination: 'A bank',
        amount: 100,
        currency: 'usd',
        connectedAccountId,
        status: 'paid',
        endedAt: new Date(),
      })
      .returning()
    await stripe().accounts.del(connectedAccountId)
    expect((await putBank(one)).status).toBe(200)
    expect(await accountId(one)).not.toBe(connectedAccountId)
    const found = await db().select().from(payouts).where(eq(payouts.id, paid!.id))
    expect(found).toEqual([{ ...paid, connectedAccountId: null }])
  })

  test('nothing for the moment: everything stays, the account too', async () => {
    const one = await withBank()
    const before = await rows(one)
    answers(new StripeAPIError({ type: 'api_error' }))
    expect((await putBank(one)).status).toBe(503)
    expect(await rows(one)).toEqual(before)
  })
})

describe('while a payout is on its way', () => {
  test.each(['requested', 'in_transit'] as const)(
    '(%s) no other way is taken, and no account is made for one',
    async (status) => {
      const one = await someone()
      expect((await putPaypal(one)).status).toBe(200)
      await open(one, status)
      const message = 'A payout is on its way. Change the method when it has arrived.'
      for (const given of [{ paypalEmail: 'other@example.com' }, null]) {
        const answer = await (given ? putPaypal(one, given) : putBank(one))
        expect([answer.status, answer.body]).toMatchObject([409, { code: 'PAYOUT_OPEN', message }])
      }
      expect(await rows(one)).toMatchObject({
        method: { paypalEmail: 'cleo@example.com' },
        connected: null,
      })
    },
  )

  test('that was asked for at this moment, the bank account there stays the same', async () => {
    const one = await withBank()
    const before = (await account(one)).external_accounts!.data
    let late: ReturnType<typeof put> | undefined
    await withConnectedAccount(db(), one.ledgerAccountId, async () => {
      late = putBank(one)
      await somebodyWaits(app)
      await open(one)
    })
    expect(await late).toMatchObject({ status: 409, body: { code: 'PAYOUT_OPEN' } })
    expect((await account(one)).external_accounts!.data).toEqual(before)
  })
})

test('who leaves at this moment is not paid by anything new', async () => {
  const one = await someone()
  let late: ReturnType<typeof put> | undefined
  await withConnectedAccount(db(), one.ledgerAccountId, async () => {
    late = putPaypal(one)
    await somebodyWaits(app)
    const own = eq(ledgerAccounts.id, one.ledgerAccountId)
    await db().update(ledgerAccounts).set({ userId: null }).where(own)
  })
  expect((await late)!.status).toBe(401)
  const own = eq(payoutMethods.ledgerAccountId, one.ledgerAccountId)
  expect(await db().$count(payoutMethods, own)).toBe(0)
})

test('a method that is removed twice is told once', async () => {
  const one = await withBank()
  for (const status of [200, 200]) {
    const { cookie } = one
    expect((await app.request(path, { method: 'DELETE', cookie })).status).toBe(status)
  }
  const removed = and(eq(notifications.userId, one.id), like(notifications.title, '%Was Removed'))
  expect(await db().$count(notifications, removed)).toBe(1)
})

test('while one creator changes the method, others are paid and change theirs', async () => {
  const [one, other] = [await someone(), await someone()]
  await putPaypal(other)
  await withPayoutMethod(db(), one.ledgerAccountId, async () => {
    const way = db().transaction((on) => readyMethodOf(on, other.ledgerAccountId))
    expect(await way).toMatchObject({ destination: 'cleo@example.com' })
    const change = withPayoutMethod(db(), other.ledgerAccountId, async () => 'free')
    expect(await change).toBe('free')
  })
})

test('where PayPal was given up, another way is asked for', async () => {
  const one = await someone()
  await putPaypal(one)
  app.services.paypal = null
  const explanation = 'PayPal is not offered here any more. Set up another way to be paid.'
  const { body } = await app.request(path, { cookie: one.cookie })
  expect(body).toMatchObject({ standing: 'paused', explanation, offersPaypal: false })
  const wish = { body: { amount: 100 }, cookie: one.cookie }
  const refused = (await app.request('/rest/v1/payouts', wish)).body
  expect(refused).toMatchObject({ code: 'NOT_READY', message: explanation })
})

describe('the provider’s own pages', () => {
  const pages = async ({ cookie }: Someone) =>
    app.request(`${path}/onboarding`, { method: 'POST', cookie })

  /** What the page was asked to be about. */
  async function typeOf(one: Someone) {
    const create = vi.spyOn(stripe().accountLinks, 'create')
    expect((await pages(one)).status).toBe(200)
    const { type } = create.mock.lastCall![0] as Stripe.AccountLinkCreateParams
    create.mockRestore()
    return type
  }

  test('ask for what is missing, and only then show what is known', async () => {
    const one = await someone()
    expect(await typeOf(one)).toBe('account_onboarding')
    const { id, individual, business_type } = await account(one)
    // Nothing but the address is known.
    expect([business_type, individual]).toEqual(['individual', undefined])
    const note = (detailsSubmitted: boolean, currentlyDue: string[]) =>
      db()
        .update(connectedAccounts)
        .set({ detailsSubmitted, currentlyDue })
        .where(eq(connectedAccounts.id, id))
    await note(true, ['individual.phone'])
    expect(await typeOf(one)).toBe('account_onboarding')
    await note(false, [])
    expect(await typeOf(one)).toBe('account_onboarding')
    await note(true, [])
    expect(await typeOf(one)).toBe('account_update')
    // A new account, of which nothing is known.
    await stripe().accounts.del(id)
    expect(await typeOf(one)).toBe('account_onboarding')
  })

  test('know what the creator has told us', async () => {
    const [one, company] = [await someone(), await someone()]
    await putPaypal(one)
    await putPaypal(company, { accountType: 'business' })
    for (const each of [one, company]) await pages(each)
    expect(await account(one)).toMatchObject({
      business_type: 'individual',
      individual: { first_name: 'Cleo', last_name: 'Creator', email: one.email },
    })
    expect(await account(company)).toMatchObject({ business_type: 'company' })
  })

  test('that have ended lead to new ones', async () => {
    const one = await someone()
    const { pathname, search } = new URL((await pages(one)).body.url)
    await app.services.pool.query(
      `update stripe_sandbox.objects set data = jsonb_set(data, '{expires_at}', '0') where id = $1`,
      [new URLSearchParams(search).get('link')],
    )
    const answer = await fetch(app.url + pathname + search, { redirect: 'manual' })
    const again = 'http://localhost:3000/payments?onboarding=again'
    expect(answer.headers.get('location')).toBe(again)
  })
})

test('who asks again and again is told for how long to wait', async () => {
  const one = await someone()
  const { payoutMethodsByAccount, checkoutsByAccount } = app.services.rateLimits
  while ((await payoutMethodsByAccount.count(one.id)) === 0);
  while ((await checkoutsByAccount.count(one.id)) === 0);
  const { status, body } = await putPaypal(one)
  expect([status, body.code]).toEqual([429, 'TOO_MANY'])
  expect(body.message).toContain('wait an hour')
  const { cookie } = one
  const page = await app.request(`${path}/onboarding`, { method: 'POST', cookie })
  expect([page.status, page.body.code]).toEqual([429, 'TOO_MANY'])
  expect(page.body.message).toContain('wait a few minutes')
})
