// How a creator is paid: set up, changed, removed; what the provider makes of the account.
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { finishOnboarding, setAccount, switches, tokenize } from '../../../test/sandbox.ts'
import { settled } from '../../../test/settled.ts'
import { notifications } from '../notifications/tables.ts'
import { withPayoutMethod } from './hold-method.ts'
import { payoutRowsOf } from './payout-setup.ts'
import { readyMethodOf } from './ready-method.ts'
import { checkConnectedAccounts } from './sync-connected-account.ts'
import { connectedAccounts, payoutMethods, payouts } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone() {
  const person = await makePerson(app.services)
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const path = '/rest/v1/payout-setup'
const payee = { accountType: 'individual', firstName: 'Cleo', lastName: 'Creator' }
const aBank = { bank_account: { account_number: '000123456789', routing_number: '110000000' } }

async function connectBank({ cookie }: Someone, token?: string) {
  const body = {
    ...payee,
    method: 'bank_account',
    bankName: 'My bank',
    token: token ?? (await tokenize(app, aBank)),
  }
  return app.request(path, { method: 'PUT', body, cookie })
}

async function connectCard({ cookie }: Someone, number: string) {
  const body = { ...payee, method: 'debit_card', token: await tokenize(app, { card: { number } }) }
  return app.request(path, { method: 'PUT', body, cookie })
}

const setupOf = async ({ cookie }: Someone, query = '') =>
  (await app.request(path + query, { cookie })).body

const rowsOf = ({ id }: Someone) => payoutRowsOf(app.services.db, id)

/** With a bank account, and nothing in the way. */
async function ready() {
  const creator = await someone()
  expect((await connectBank(creator)).status).toBe(200)
  await inState(creator, 'enabled')
  expect((await setupOf(creator)).standing).toBe('ready')
  return creator
}

async function inState(creator: Someone, state: Parameters<typeof setAccount>[2]) {
  const { connected } = await rowsOf(creator)
  await setAccount(app, connected!.id, state)
  await settled(app)
}

const told = async ({ id }: Someone) => {
  const rows = await app.services.db
    .select({ title: notifications.title })
    .from(notifications)
    .where(eq(notifications.userId, id))
    .orderBy(notifications.createdAt, notifications.id)
  return rows.map(({ title }) => title)
}

const late = ({ id }: Someone) =>
  app.services.pool.query(
    `update sessions set proven_at = now() - interval '16 minutes' where user_id = $1`,
    [id],
  )

describe('where the money goes is changed by who proved lately to be its owner', () => {
  const onboarding = ({ cookie }: Someone) =>
    app.request(`${path}/onboarding`, { method: 'POST', cookie })
  const code = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

  test('in our form and on the pages of the provider; a refusal uses nothing up', async () => {
    const creator = await ready()
    const before = await rowsOf(creator)
    await late(creator)
    const token = await tokenize(app, aBank)
    const unproven = [403, 'PROOF_NEEDED']
    expect(code(await connectBank(creator, token))).toEqual(unproven)
    expect(code(await onboarding(creator))).toEqual(unproven)
    expect(await rowsOf(creator)).toEqual(before)
    expect(await told(creator)).not.toContain('Your Payout Method Was Changed')
    const proof = { body: { password: creator.password }, cookie: creator.cookie }
    expect((await app.request('/auth/v1/verify-password', proof)).status).toBe(200)
    expect((await connectBank(creator, token)).status).toBe(200)
    expect((await onboarding(creator)).status).toBe(200)
  })

  test('not by a token of a session, either; to look and to stop takes no proof', async () => {
    const creator = await ready()
    const { body } = await app.request('/auth/v1/token', { cookie: creator.cookie })
    const byToken = await app.request(`${path}/onboarding`, {
      method: 'POST',
      headers: { authorization: `Bearer ${body.token}` },
    })
    expect(code(byToken)).toEqual([403, 'FORBIDDEN'])
    await late(creator)
    expect((await setupOf(creator)).standing).toBe('ready')
    const removed = await app.request(path, { method: 'DELETE', cookie: creator.cookie })
    expect([removed.status, removed.body.standing]).toEqual([200, 'not_connected'])
  })
})

const externals = async (creator: Someone) => {
  const { connected } = await rowsOf(creator)
  const { external_accounts } = await app.services.payments.stripe.accounts.retrieve(connected!.id)
  return external_accounts!.data.map(({ id, last4 }) => ({ id, last4 }))
}

describe('setting up how one is paid', () => {
  test('nothing is set up at first, and nothing can be scheduled', async () => {
    const creator = await someone()
    expect(await setupOf(creator)).toEqual({
      method: null,
      standing: 'not_connected',
      explanation: '',
      tokens: app.services.payments.tokens,
      offersPaypal: app.services.paypal !== null,
      isTestMode: true,
    })
    const { cookie } = creator
    const scheduled = await app.request(`${path}/schedule`, {
      method: 'PATCH',
      body: { schedule: 'weekly' },
      cookie,
    })
    expect([scheduled.status, scheduled.body.message]).toEqual([
      409,
      'Set up a payout method first.',
    ])
    expect((await app.request(path, { method: 'DELETE', cookie })).status).toBe(200)
  })

  test('where PayPal is not offered, that is told', async () => {
    const creator = await someone()
    const { paypal } = app.services
    app.services.paypal = null
    try {
      expect((await setupOf(creator)).offersPaypal).toBe(false)
    } finally {
      app.services.paypal = paypal
    }
  })

  test('a bank account: kept as the provider names it, and the creator is told', async () => {
    const creator = await someone()
    const { status, body } = await connectBank(creator)
    expect(status).toBe(200)
    expect(body.method).toEqual({
      ...payee,
      method: 'bank_account',
      label: 'STRIPE TEST BANK',
      last4: '6789',
      paypalEmail: null,
      schedule: 'manual',
    })
    // The provider does not know yet who it is.
    expect(body.standing).toBe('information_needed')
    expect(body.explanation).toContain('your date of birth and your agreement to its terms')
    expect(await told(creator)).toEqual(['Your Payout Method Was Set Up'])
    const { method, connected, ledgerAccountId } = await rowsOf(creator)
    const account = await app.services.payments.stripe.accounts.retrieve(connected!.id)
    expect(account).toMatchObject({
      email: creator.email,
      business_type: 'individual',
      individual: { first_name: 'Cleo', last_name: 'Creator' },
      controller: { requirement_collection: 'application', stripe_dashboard: { type: 'none' } },
      settings: { payouts: { schedule: { interval: 'manual' } } },
      metadata: { ledgerAccountId },
    })
    expect(await externals(creator)).toEqual([{ id: method!.externalAccountId, last4: '6789' }])
    // No number reached us, and the token is worth nothing any more.
    expect(JSON.stringify(method)).not.toContain('000123456789')
  })

  test('a debit card replaces the bank account, also at the provider; the schedule stays', async () => {
    const creator = await ready()
    const { cookie } = creator
    const weekly = { method: 'PATCH', body: { schedule: 'weekly' }, cookie }
    expect((await app.request(`${path}/schedule`, weekly)).body.method.schedule).toBe('weekly')
    const { status, body } = await connectCard(creator, '4000 0566 5566 5556')
    expect(status).toBe(200)
    expect(body.method).toMatchObject({
      method: 'debit_card',
      label: 'Visa',
      last4: '5556',
      schedule: 'weekly',
    })
    expect(body.standing).toBe('ready')
    const { method } = await rowsOf(creator)
    expect(await externals(creator)).toEqual([{ id: method!.externalAccountId, last4: '5556' }])
    expect((await told(creator)).at(-1)).toBe('Your Payout Method Was Changed')
  })

  test('what the provider refuses is said in its words, and leaves everything as it was', async () => {
    const creator = await ready()
    const before = await rowsOf(creator)
    const credit = await connectCard(creator, '4242 4242 4242 4242')
    expect([credit.status, credit.body.code, credit.body.message]).toEqual([
      422,
      'REFUSED',
      'This card cannot be paid out to. Please use a debit card.',
    ])
    const unknown = await connectBank(creator, 'btok_unknown')
    expect([unknown.status, unknown.body.message]).toEqual([
      422,
      'Failed to set up payout method. Please try again.',
    ])
    const numbers = await connectBank(creator, '000123456789')
    expect([numbers.status, numbers.body.code]).toEqual([422, 'BAD_REQUEST'])
    expect(await rowsOf(creator)).toEqual(before)
    expect(await externals(creator)).toHaveLength(1)
    const stranger = await app.request(path)
    expect(stranger.status).toBe(401)
  })

  test('a token is good once', async () => {
    const token = await tokenize(app, aBank)
    expect((await connectBank(await someone(), token)).status).toBe(200)
    const second = await connectBank(await someone(), token)
    expect([second.status, second.body.code]).toEqual([422, 'REFUSED'])
  })

  test('two at once make one account', async () => {
    const creator = await someone()
    const answers = await Promise.all([connectBank(creator), connectBank(creator)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await externals(creator)).toHaveLength(1)
    const { method } = await rowsOf(creator)
    expect((await externals(creator))[0]!.id).toBe(method!.externalAccountId)
  })

  test('ten times an hour, no more', async () => {
    const creator = await someone()
    for (let count = 0; count < 10; count += 1) {
      await app.services.rateLimits.payoutMethodsByAccount.count(creator.id)
    }
    const { status, body } = await connectBank(creator, 'btok_any')
    expect([status, body.code]).toEqual([429, 'TOO_MANY'])
  })

  test('PayPal needs no account at the provider', async () => {
    const creator = await someone()
    const body = { ...payee, method: 'paypal', paypalEmail: 'cleo@example.com' }
    const paypal = app.services.paypal
    app.services.paypal = null
    const refused = await app.request(path, { method: 'PUT', body, cookie: creator.cookie })
    expect([refused.status, refused.body.message]).toEqual([422, 'PayPal is not offered here.'])
    // Stored only: it is not called here.
    app.services.paypal = paypal ?? ({} as NonNullable<typeof paypal>)
    const taken = await app.request(path, { method: 'PUT', body, cookie: creator.cookie })
    expect(taken.body).toMatchObject({
      standing: 'ready',
      method: { method: 'paypal', paypalEmail: 'cleo@example.com', label: '', last4: '' },
    })
    const { connected, ledgerAccountId } = await rowsOf(creator)
    expect(connected).toBeNull()
    const way = await app.services.db.transaction((transaction) =>
      readyMethodOf(transaction, ledgerAccountId!),
    )
    expect(way).toEqual({
      method: 'paypal',
      destination: 'cleo@example.com',
      connectedAccountId: null,
    })
    app.services.paypal = null
    expect((await setupOf(creator)).standing).toBe('paused')
    app.services.paypal = paypal
  })

  test('not while a payout is on its way; removed when it has arrived', async () => {
    const creator = await ready()
    const { cookie } = creator
    const { ledgerAccountId } = await rowsOf(creator)
    const [open] = await app.services.db
      .insert(payouts)
      .values({
        ledgerAccountId: ledgerAccountId!,
        method: 'bank_account',
        destination: 'A bank',
        amount: 100,
        currency: 'usd',
      })
      .returning({ id: payouts.id })
    const [before] = await externals(creator)
    const changed = await connectBank(creator)
    expect([changed.status, changed.body.code]).toEqual([409, 'PAYOUT_OPEN'])
    const removed = await app.request(path, { method: 'DELETE', cookie })
    expect([removed.status, removed.body.code]).toEqual([409, 'PAYOUT_OPEN'])
    expect(await externals(creator)).toEqual([before])
    await app.services.db.delete(payouts).where(eq(payouts.id, open!.id))
    expect((await app.request(path, { method: 'DELETE', cookie })).body).toMatchObject({
      method: null,
      standing: 'not_connected',
    })
    expect((await told(creator)).at(-1)).toBe('Your Payout Method Was Removed')
    const gone = await app.services.db.transaction((transaction) =>
      readyMethodOf(transaction, ledgerAccountId!),
    )
    expect(gone).toBeNull()
    // The account there is used again.
    const again = await connectBank(creator)
    expect(again.body.standing).toBe('ready')
  })

  test('an account that the provider does not know any more is replaced', async () => {
    const creator = await ready()
    const { connected } = await rowsOf(creator)
    await app.services.payments.stripe.accounts.del(connected!.id)
    await app.services.db
      .update(connectedAccounts)
      .set({ checkedAt: new Date(0) })
      .where(eq(connectedAccounts.id, connected!.id))
    await checkConnectedAccounts(app.services)
    const lost = await setupOf(creator)
    expect(lost.standing).toBe('failed')
    expect(lost.explanation).toContain('Please set up how you are paid again.')
    expect((await told(creator)).at(-1)).toBe('Set Up Your Payout Method Again')
    // What is on its way through it has to come to an end first.
    const [open] = await app.services.db
      .insert(payouts)
      .values({
        ledgerAccountId: connected!.ledgerAccountId,
        method: 'bank_account',
        destination: 'A bank',
        amount: 100,
        currency: 'usd',
        connectedAccountId: connected!.id,
      })
      .returning()
    const { cookie } = creator
    const page = await app.request(`${path}/onboarding`, { method: 'POST', cookie })
    expect([page.status, page.body.code]).toEqual([409, 'PAYOUT_OPEN'])
    await app.services.db.delete(payouts).where(eq(payouts.id, open!.id))
    expect((await connectBank(creator)).status).toBe(200)
    expect((await rowsOf(creator)).connected!.id).not.toBe(connected!.id)
  })
})

describe('the provider is down', () => {
  afterEach(() => switches(app, { apiStatus: 0, dropPercent: 0 }))

  test('nothing half done, and the next try works', async () => {
    const creator = await someone()
    const token = await tokenize(app, aBank)
    await switches(app, { apiStatus: 500 })
    const down = await connectBank(creator, token)
    expect(down.status).toBe(503)
    expect(await rowsOf(creator)).toMatchObject({ method: null, connected: null })
    const page = await app.request(`${path}/onboarding`, {
      method: 'POST',
      cookie: creator.cookie,
    })
    expect(page.status).toBe(503)
    // Coming back from its pages shows what we knew.
    expect((await setupOf(creator, '?fresh=true')).standing).toBe('not_connected')
    await switches(app, { apiStatus: 0 })
    expect((await connectBank(creator, token)).status).toBe(200)
  })
})

describe('what the provider makes of the account', () => {
  test('paused, under review, rejected: told once each, nothing is paid, and again when it is over', async () => {
    const creator = await ready()
    const { ledgerAccountId } = await rowsOf(creator)
    const way = () =>
      app.services.db.transaction((transaction) => readyMethodOf(transaction, ledgerAccountId!))
    expect(await way()).toMatchObject({ destination: 'STRIPE TEST BANK •••• 6789' })
    const first = await told(creator)
    await inState(creator, 'paused')
    await inState(creator, 'paused')
    expect(await setupOf(creator)).toMatchObject({ standing: 'paused' })
    expect(await way()).toEqual({ problem: expect.stringContaining('paused') })
    await inState(creator, 'enabled')
    await inState(creator, 'information needed')
    expect((await setupOf(creator)).explanation).toContain('still needs a photo of a document')
    await inState(creator, 'under review')
    await inState(creator, 'rejected')
    const rejected = await setupOf(creator)
    expect(rejected.standing).toBe('rejected')
    expect(rejected.explanation).toContain('Your earnings stay in your balance.')
    expect((await told(creator)).slice(first.length)).toEqual([
      'Your Payouts Are Paused',
      'You Can Be Paid Out Again',
      'Payouts Need More Information',
      'Payouts to You Were Refused',
    ])
  })

  test('without a webhook the hourly job finds out', async () => {
    const creator = await ready()
    const { connected } = await rowsOf(creator)
    const note = (values: Partial<typeof connectedAccounts.$inferInsert>) =>
      app.services.db
        .update(connectedAccounts)
        .set(values)
        .where(eq(connectedAccounts.id, connected!.id))
    await note({ payoutsEnabled: false, disabledReason: 'platform_paused', checkedAt: new Date() })
    // Asked a moment ago: not yet.
    await checkConnectedAccounts(app.services)
    expect((await setupOf(creator)).standing).toBe('paused')
    await note({ checkedAt: new Date(Date.now() - 3_600_000) })
    await checkConnectedAccounts(app.services)
    expect((await setupOf(creator)).standing).toBe('ready')
  })

  test('while a method is being changed nothing is sent', async () => {
    const creator = await ready()
    const { ledgerAccountId } = await rowsOf(creator)
    const { db } = app.services
    const problem = await withPayoutMethod(db, ledgerAccountId!, () =>
      db.transaction((transaction) => readyMethodOf(transaction, ledgerAccountId!)),
    )
    expect(problem).toEqual({
      problem: expect.stringContaining('being changed'),
      isPassing: true,
    })
  })
})

/** As if the provider had not been asked a moment ago. */
async function unasked(creator: Someone) {
  const { connected } = await rowsOf(creator)
  await app.services.pool.query('delete from rate_limits where key = $1', [
    app.services.rateLimits.asksByCheckout.nameOf(`account ${connected!.id}`),
  ])
}

describe('the provider’s own pages', () => {
  const onboard = async ({ cookie }: Someone) => {
    const { status, body } = await app.request(`${path}/onboarding`, { method: 'POST', cookie })
    expect(status).toBe(200)
    return body.url as string
  }

  test('ask for what is missing, and lead back to a page that knows it at once', async () => {
    const creator = await someone()
    await connectBank(creator)
    const { location } = await finishOnboarding(app, await onboard(creator))
    expect(location).toBe('http://localhost:3000/payments?onboarding=done')
    expect((await setupOf(creator, '?fresh=true')).standing).toBe('ready')
    await settled(app)
    // The creator was looking: no notice beside the one about the bank account.
    expect(await told(creator)).toEqual(['Your Payout Method Was Set Up'])
    // Later they show what is known.
    expect(await onboard(creator)).toContain('/setup/')
  })

  test('without our form they take the bank account, too', async () => {
    const creator = await someone()
    await finishOnboarding(app, await onboard(creator))
    await settled(app)
    const setup = await setupOf(creator, '?fresh=true')
    expect(setup).toMatchObject({
      standing: 'ready',
      method: { method: 'bank_account', label: 'STRIPE TEST BANK', last4: '6789' },
    })
    expect(setup.method.firstName).toBe('Cleo')
  })

  test('what was removed comes back only after they were opened once more', async () => {
    const creator = await someone()
    await finishOnboarding(app, await onboard(creator))
    expect((await setupOf(creator, '?fresh=true')).standing).toBe('ready')
    const remove = { method: 'DELETE', cookie: creator.cookie }
    expect((await app.request(path, remove)).status).toBe(200)
    await unasked(creator)
    expect((await setupOf(creator, '?fresh=true')).standing).toBe('not_connected')
    expect((await told(creator)).at(-1)).toBe('Your Payout Method Was Removed')
    await onboard(creator)
    await unasked(creator)
    expect((await setupOf(creator, '?fresh=true')).method).toMatchObject({ last4: '6789' })
  })

  test('a bank account that was changed there is ours, too, and ends what was wrong with the old one', async () => {
    const creator = await ready()
    const { connected, method } = await rowsOf(creator)
    await app.services.db
      .update(payoutMethods)
      .set({ problem: 'It came back.' })
      .where(eq(payoutMethods.ledgerAccountId, method!.ledgerAccountId))
    expect((await setupOf(creator)).standing).toBe('failed')
    await app.services.payments.stripe.accounts.update(connected!.id, {
      external_account: 'btok_us_verified_noAccount',
    })
    await settled(app)
    expect(await setupOf(creator)).toMatchObject({ standing: 'ready', method: { last4: '1116' } })
  })
})
