// From the numbers that a browser sends to money in a bank, with Stripe's own SDK.
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import {
  advance,
  arriveAtBank,
  disputeAtProvider,
  failAtBank,
  finishOnboarding,
  payHere,
  releaseFunds,
  setAccount,
  switches,
  tokenize,
} from '../../../../test/sandbox.ts'

let app: TestApp
let stripe: Stripe

beforeAll(async () => {
  app = await startTestApp()
  ;({ stripe } = app.services.payments)
})
afterAll(() => app?.stop())

const home = 'http://localhost:3000'
const day = 86_400
const goodBank = { account_number: '000123456789', routing_number: '110000000' }
const bank = (other: Record<string, string> = {}) =>
  tokenize(app, { bank_account: { ...goodBank, ...other } })
const debitCard = () => tokenize(app, { card: { number: '4000 0566 5566 5556' } })

const controller = {
  fees: { payer: 'application' },
  losses: { payments: 'application' },
  requirement_collection: 'application',
  stripe_dashboard: { type: 'none' },
} as const

const newAccount = (given: Stripe.AccountCreateParams = {}) =>
  stripe.accounts.create({
    controller,
    country: 'US',
    business_type: 'individual',
    capabilities: { transfers: { requested: true } },
    settings: { payouts: { schedule: { interval: 'manual' } } },
    ...given,
  })

/** One that can be paid out. */
async function readyAccount(token?: string) {
  const { id } = await newAccount({ external_account: token ?? (await bank()) })
  return setAccount(app, id, 'enabled')
}

async function linkFor(account: string) {
  const link = await stripe.accountLinks.create({
    account,
    type: 'account_onboarding',
    refresh_url: `${home}/again`,
    return_url: `${home}/back`,
  })
  return link.url
}

async function sell(amount = 10_000, email = 'pat@example.com') {
  const customer = await stripe.customers.create({ email })
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    customer: customer.id,
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'usd', unit_amount: amount, product_data: { name: 'Pottery' } },
      },
    ],
    success_url: home,
    cancel_url: home,
  })
  await payHere(app, session.url ?? '')
  const [charge] = (await stripe.charges.list({ customer: customer.id })).data
  return charge!
}

const usd = { currency: 'usd' } as const

async function balance(stripeAccount?: string) {
  const found = await stripe.balance.retrieve({}, stripeAccount ? { stripeAccount } : undefined)
  return [found.available[0]?.amount, found.pending[0]?.amount]
}

/** The platform's money, as it changes. */
async function changeOf(work: () => Promise<unknown>) {
  const before = await balance()
  await work()
  const after = await balance()
  return after.map((amount, place) => (amount ?? 0) - (before[place] ?? 0))
}

describe('a token', () => {
  test('is had by a browser with the publishable key, and keeps no number', async () => {
    const token = await stripe.tokens.retrieve(await bank())
    expect(token).toMatchObject({
      type: 'bank_account',
      used: false,
      bank_account: { last4: '6789', routing_number: '110000000', currency: 'usd' },
    })
    const card = await stripe.tokens.retrieve(await debitCard())
    expect(card.card).toMatchObject({ brand: 'Visa', last4: '5556', funding: 'debit' })
    // Of a card that is not for tests nothing is kept at all.
    await tokenize(app, { card: { number: '4111111111111111' } })
    const { rows } = await app.services.pool.query(
      `select data::text as text from stripe_sandbox.objects where object = 'token'`,
    )
    const kept = rows.map(({ text }) => text).join()
    for (const number of [
      '000123456789',
      '4000056655665556',
      '4111111111111111',
      '1111',
      '"123"',
    ]) {
      expect(kept).not.toContain(number)
    }
  })

  const ask = (body: Record<string, string>, key = app.services.payments.tokens?.publishableKey) =>
    app.request('/sandbox/stripe/v1/tokens', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(body).toString(),
    })

  test('needs the key, and forms of a decent length', async () => {
    expect(await ask({ 'bank_account[country]': 'US' }, 'pk_test_sandboxwrong')).toMatchObject({
      status: 401,
      body: { error: { type: 'invalid_request_error' } },
    })
    const { secretKey } = app.services.payments.sandbox!
    expect((await ask({}, secretKey)).status).toBe(401)
    expect((await ask({ 'card[name]': 'x'.repeat(5000) })).status).toBe(413)
    expect(await ask({})).toMatchObject({ status: 400 })
    const fetched = await app.request('/sandbox/stripe/v1/tokens', { method: 'OPTIONS' })
    expect(fetched.headers.get('access-control-allow-origin')).toBe('*')
    await switches(app, { apiStatus: 503 })
    expect((await ask({})).status).toBe(503)
    await switches(app, { apiStatus: 0 })
  })

  const cardForm = {
    'card[number]': '4000056655665556',
    'card[exp_month]': '12',
    'card[exp_year]': '2034',
    'card[cvc]': '123',
    'card[currency]': 'usd',
  }
  const bankForm = {
    'bank_account[country]': 'US',
    'bank_account[currency]': 'usd',
    'bank_account[routing_number]': '110000000',
    'bank_account[account_number]': '000123456789',
  }
  test.each([
    [{ ...cardForm, 'card[number]': '4000' }, 402, 'invalid_number'],
    [{ ...cardForm, 'card[number]': '4000056655665557' }, 402, 'incorrect_number'],
    [{ ...cardForm, 'card[exp_month]': '13' }, 402, 'invalid_expiry_month'],
    [{ ...cardForm, 'card[exp_year]': '2020' }, 402, 'invalid_expiry_year'],
    [{ ...cardForm, 'card[cvc]': '12' }, 402, 'invalid_cvc'],
    [{ ...bankForm, 'bank_account[routing_number]': '11000000' }, 400, 'routing_number_invalid'],
    [{ ...bankForm, 'bank_account[routing_number]': '110000001' }, 400, 'routing_number_invalid'],
    [{ ...bankForm, 'bank_account[account_number]': '12' }, 400, 'account_number_invalid'],
    [{ ...bankForm, 'bank_account[account_number]': '123456789' }, 400, 'account_number_invalid'],
  ])('is not had for %o', async (numbers, status, code) => {
    expect(await ask(numbers)).toMatchObject({ status, body: { error: { code } } })
  })

  test('is good for once, also when two come at the same time', async () => {
    const token = await bank()
    const made = await Promise.allSettled([
      newAccount({ external_account: token }),
      newAccount({ external_account: token }),
    ])
    expect(made.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const account = await newAccount()
    await expect(
      stripe.accounts.createExternalAccount(account.id, { external_account: token }),
    ).rejects.toMatchObject({ code: 'token_already_used' })
  })
})

describe('a connected account', () => {
  test('has to tell what is missing on the hosted page, and nothing else', async () => {
    const account = await newAccount({ external_account: await bank() })
    expect(account).toMatchObject({
      type: 'none',
      payouts_enabled: false,
      details_submitted: false,
      settings: { payouts: { schedule: { interval: 'manual' } } },
    })
    expect(account.requirements?.currently_due).toEqual([
      'individual.first_name',
      'individual.last_name',
      'individual.dob.day',
      'individual.dob.month',
      'individual.dob.year',
      'tos_acceptance.date',
      'tos_acceptance.ip',
    ])
    const url = await linkFor(account.id)
    const { pathname, search } = new URL(url)
    const page = await (await fetch(app.url + pathname + search)).text()
    expect(page).toContain('TEST MODE: no money moves')
    expect(page).toContain('Date of birth')
    expect(page).not.toContain('Account number')
    const wrong = await finishOnboarding(app, url, { dob: '2034-02-31' })
    expect(wrong.status).toBe(422)
    expect(wrong.html).toContain('Write your date of birth.')
    expect(await finishOnboarding(app, url)).toMatchObject({ location: `${home}/back` })
    expect(await stripe.accounts.retrieve(account.id)).toMatchObject({
      payouts_enabled: true,
      details_submitted: true,
      capabilities: { transfers: 'active' },
      individual: { first_name: 'Cleo', dob: { day: 31, month: 12, year: 1990 } },
      requirements: { currently_due: [], disabled_reason: null },
    })
  })

  test('of a company gives the bank on the hosted page when there was no form for it', async () => {
    const account = await newAccount({ business_type: 'company' })
    await expect(
      stripe.accounts.update(account.id, { individual: { first_name: 'Cleo' } }),
    ).rejects.toMatchObject({ param: 'individual' })
    expect(account.requirements?.currently_due).toEqual(
      expect.arrayContaining(['external_account', 'company.name', 'representative.dob.day']),
    )
    const url = await linkFor(account.id)
    const wrong = await finishOnboarding(app, url, { routing: '123' })
    expect(wrong).toMatchObject({ status: 422 })
    await finishOnboarding(app, url)
    expect(await stripe.accounts.retrieve(account.id)).toMatchObject({
      payouts_enabled: true,
      company: { name: 'Pottery Inc' },
    })
  })

  test('is paused, rejected or asked for a document by its provider', async () => {
    const { id } = await readyAccount()
    const states = [
      ['paused', 'platform_paused', [], 'active'],
      ['rejected', 'rejected.fraud', [], 'inactive'],
      ['under review', 'under_review', [], 'inactive'],
      [
        'information needed',
        'requirements.past_due',
        ['individual.verification.document'],
        'inactive',
      ],
    ] as const
    for (const [state, disabled_reason, currently_due, transfers] of states) {
      await setAccount(app, id, state)
      expect(await stripe.accounts.retrieve(id)).toMatchObject({
        payouts_enabled: false,
        capabilities: { transfers },
        requirements: { disabled_reason, currently_due },
      })
    }
    await finishOnboarding(app, await linkFor(id))
    expect((await stripe.accounts.retrieve(id)).payouts_enabled).toBe(true)
  })

  test('keeps several destinations, of which one is where payouts go', async () => {
    const { id } = await readyAccount()
    const add = (external_account: string, isDefault = false) =>
      stripe.accounts.createExternalAccount(id, {
        external_account,
        default_for_currency: isDefault,
      })
    const card = await add(await debitCard())
    expect(card).toMatchObject({ object: 'card', default_for_currency: false })
    const other = await add(await bank({ account_number: '000111111116' }), true)
    const [first] = (await stripe.accounts.listExternalAccounts(id, { object: 'bank_account' }))
      .data
    expect(first).toMatchObject({ default_for_currency: false, last4: '6789' })
    await expect(stripe.accounts.deleteExternalAccount(id, other.id)).rejects.toThrow('default')
    await stripe.accounts.updateExternalAccount(id, card.id, { default_for_currency: true })
    await stripe.accounts.deleteExternalAccount(id, other.id)
    // What comes with the account takes the place of where payouts went.
    await stripe.accounts.update(id, { external_account: await bank() })
    const { data } = await stripe.accounts.listExternalAccounts(id)
    expect(data.map(({ object, default_for_currency: is }) => [object, is])).toEqual([
      ['bank_account', false],
      ['bank_account', true],
    ])
    await expect(stripe.accounts.retrieveExternalAccount(id, card.id)).rejects.toMatchObject({
      code: 'resource_missing',
    })
  })

  test.each([
    ['4242424242424242', 'invalid_card_type'],
    ['4111111111111111', 'card_declined'],
  ])('takes no other card than a debit card of the tests: %s', async (number, code) => {
    const external_account = await tokenize(app, { card: { number } })
    await expect(newAccount({ external_account })).rejects.toMatchObject({ code })
  })

  test('can be deleted when nothing is in it', async () => {
    const { id } = await readyAccount()
    await releaseFunds(app, (await sell()).id)
    const transfer = await stripe.transfers.create({ ...usd, amount: 100, destination: id })
    await expect(stripe.accounts.del(id)).rejects.toThrow('balance')
    await stripe.transfers.createReversal(transfer.id)
    expect(await stripe.accounts.del(id)).toMatchObject({ deleted: true })
    await expect(stripe.accounts.retrieve(id)).rejects.toMatchObject({
      statusCode: 403,
      code: 'account_invalid',
    })
  })
})

describe('money of a payment', () => {
  const net = 10_000 - 320

  test('is pending for two days of its customer, and what is taken back of it, too', async () => {
    let charge!: Stripe.Charge
    expect(await changeOf(async () => (charge = await sell()))).toEqual([0, net])
    const settled = await stripe.balanceTransactions.retrieve(String(charge.balance_transaction))
    expect(settled).toMatchObject({ status: 'pending', available_on: charge.created + 2 * day })
    expect(
      await changeOf(() => stripe.refunds.create({ charge: charge.id, amount: 1000 })),
    ).toEqual([0, -1000])
    const pass = (seconds: number) => advance(app, String(charge.customer), seconds)
    expect(await changeOf(() => pass(2 * day - 60))).toEqual([0, 0])
    expect(await changeOf(() => pass(120))).toEqual([net - 1000, 1000 - net])
    const now = await stripe.balanceTransactions.retrieve(settled.id)
    expect(now.status).toBe('available')
    // Everybody but the customer goes by the wall's clock.
    expect(now.available_on).toBeLessThanOrEqual(Date.now() / 1000)
  })

  test('is released by hand, which is told; a dispute of it takes what is there', async () => {
    const charge = await sell()
    expect(await changeOf(() => releaseFunds(app, charge.id))).toEqual([net, -net])
    const told = await stripe.events.list({ type: 'charge.updated', limit: 1 })
    expect(told.data[0]?.data.object).toMatchObject({ id: charge.id })
    expect(await changeOf(() => disputeAtProvider(app, charge.id))).toEqual([-11_500, 0])
  })
})

describe('transfers', () => {
  /** The platform's balance is what the other tests left: here it has this much. */
  async function have(amount: number) {
    const [available = 0] = await balance()
    const missing = amount - available
    if (missing > 0) {
      const charge = await sell(Math.ceil((missing + 30) / 0.971) + 1)
      await releaseFunds(app, charge.id)
    }
    return (await balance())[0] ?? 0
  }

  test('that come at once never exceed what is available', async () => {
    const { id: destination } = await readyAccount()
    const available = await have(5000)
    const amount = Math.floor(available / 3)
    await sell(1_000_000)
    const made = await Promise.allSettled(
      Array.from({ length: 6 }, () => stripe.transfers.create({ ...usd, amount, destination })),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const one of made) {
      if (one.status === 'rejected') expect(one.reason.code).toBe('balance_insufficient')
    }
    expect((await balance(destination))[0]).toBe(3 * amount)
  })

  test('of a payment itself wait for its money', async () => {
    const { id: destination } = await readyAccount()
    const { id: source_transaction } = await sell()
    const pass = (amount: number) =>
      stripe.transfers.create({ ...usd, amount, destination, source_transaction })
    await pass(9000)
    await expect(pass(1001)).rejects.toMatchObject({ param: 'amount' })
    expect(await balance(destination)).toEqual([0, 9000])
    await releaseFunds(app, source_transaction)
    expect(await balance(destination)).toEqual([9000, 0])
  })

  test('are taken back as far as the money is there', async () => {
    const { id: destination } = await readyAccount()
    await have(1000)
    const { id } = await stripe.transfers.create({ ...usd, amount: 1000, destination })
    const on = { stripeAccount: destination }
    const payout = await stripe.payouts.create({ ...usd, amount: 600 }, on)
    await expect(stripe.transfers.createReversal(id)).rejects.toMatchObject({
      code: 'balance_insufficient',
    })
    const part = () =>
      stripe.transfers.createReversal(id, { amount: 300 }, { idempotencyKey: `${id} part` })
    expect(await part()).toEqual(await part())
    await stripe.payouts.cancel(payout.id, {}, on)
    await stripe.transfers.createReversal(id)
    expect(await stripe.transfers.retrieve(id)).toMatchObject({
      amount_reversed: 1000,
      reversed: true,
    })
    const { data } = await stripe.transfers.listReversals(id)
    expect(data.map(({ amount }) => amount)).toEqual([700, 300])
    expect(await balance(destination)).toEqual([0, 0])
    await expect(stripe.transfers.createReversal(id)).rejects.toThrow('already fully reversed')
  })

  describe('and payouts', () => {
    async function funded(amount: number, token?: string) {
      const { id: destination } = await readyAccount(token)
      await have(amount)
      await stripe.transfers.create({ ...usd, amount, destination })
      return { id: destination, on: { stripeAccount: destination } }
    }

    test('arrive, and each step is told with its account', async () => {
      const { id, on } = await funded(1000)
      await expect(stripe.payouts.create({ ...usd, amount: 1001 }, on)).rejects.toMatchObject({
        code: 'balance_insufficient',
      })
      await expect(
        stripe.payouts.create({ ...usd, amount: 100, method: 'instant' }, on),
      ).rejects.toMatchObject({ code: 'instant_payouts_unsupported' })
      const payout = await stripe.payouts.create({ ...usd, amount: 400 }, on)
      expect(payout).toMatchObject({ status: 'pending', type: 'bank_account', method: 'standard' })
      expect(await arriveAtBank(app, payout.id)).toMatchObject({ status: 'paid' })
      await expect(stripe.payouts.cancel(payout.id, {}, on)).rejects.toThrow('paid')
      const { data } = await stripe.events.list({}, on)
      const told = data.filter(({ type }) => type.startsWith('payout.'))
      expect(told.map(({ type, account }) => [type, account])).toEqual([
        ['payout.paid', id],
        ['payout.updated', id],
        ['payout.created', id],
      ])
      expect((await balance(id))[0]).toBe(600)
    })

    test('go to debit cards, also at once', async () => {
      const { on } = await funded(500, await debitCard())
      const payout = await stripe.payouts.create({ ...usd, amount: 500, method: 'instant' }, on)
      expect(payout).toMatchObject({ type: 'card', method: 'instant' })
      expect(payout.arrival_date - payout.created).toBeLessThan(day)
    })

    test('come back from banks that do not know the account, which is not tried again', async () => {
      const { id, on } = await funded(700, await bank({ account_number: '000111111116' }))
      const payout = await stripe.payouts.create({ ...usd, amount: 700 }, on)
      expect(await arriveAtBank(app, payout.id)).toMatchObject({
        status: 'failed',
        failure_code: 'no_account',
      })
      expect((await balance(id))[0]).toBe(700)
      await expect(stripe.payouts.create({ ...usd, amount: 700 }, on)).rejects.toMatchObject({
        code: 'bank_account_unusable',
      })
    })

    test('may come back after they had arrived', async () => {
      const { id, on } = await funded(300)
      const payout = await stripe.payouts.create({ ...usd, amount: 300 }, on)
      await arriveAtBank(app, payout.id)
      expect(await failAtBank(app, payout.id, 'could_not_process')).toMatchObject({
        status: 'failed',
        failure_code: 'could_not_process',
      })
      await expect(failAtBank(app, payout.id)).rejects.toThrow('failed already')
      expect((await balance(id))[0]).toBe(300)
      // It was not the destination's fault.
      expect(await stripe.payouts.create({ ...usd, amount: 300 }, on)).toMatchObject({
        status: 'pending',
      })
    })

    test('are not made for an account that is paused', async () => {
      const { id, on } = await funded(100)
      await setAccount(app, id, 'paused')
      await expect(stripe.payouts.create({ ...usd, amount: 100 }, on)).rejects.toMatchObject({
        code: 'payouts_not_allowed',
      })
      await setAccount(app, id, 'rejected')
      await expect(
        stripe.transfers.create({ ...usd, amount: 100, destination: id }),
      ).rejects.toMatchObject({ code: 'insufficient_capabilities_for_transfer' })
    })
  })
})
