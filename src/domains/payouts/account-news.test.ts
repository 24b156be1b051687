// What the provider says of a creator's account later: what becomes of it here, and who hears of it. No webhook comes.
import { and, eq, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { setUpPaypal } from '../../../test/payee.ts'
import { setAccount, switches, tokenize } from '../../../test/sandbox.ts'
import { somebodyWaits } from '../../../test/waiting.ts'
import { ledgerAccounts } from '../ledger/tables.ts'
import { liveEvents, notifications } from '../notifications/tables.ts'
import { deleteConnectedAccount } from './delete-connected-account.ts'
import { withConnectedAccount } from './hold-method.ts'
import { payoutRowsOf } from './payout-setup.ts'
import { destinationOf, readyMethodOf } from './ready-method.ts'
import { checkConnectedAccounts, syncConnectedAccount } from './sync-connected-account.ts'
import { connectedAccounts, payoutMethods } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await switches(app, { dropPercent: 100 })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await switches(app, { apiStatus: 0 })
})
afterAll(() => app?.stop())

const db = () => app.services.db
const stripe = () => app.services.payments.stripe
const path = '/rest/v1/payout-setup'

type Creator = Awaited<ReturnType<typeof creator>>
async function creator({ name = 'Cleo Creator', accountType = 'individual', isReady = true } = {}) {
  const person = await makePerson(app.services, { name })
  const cookie = await sessionCookieOf(app.services, person.id)
  const numbers = { account_number: '000123456789', routing_number: '110000000' }
  const token = await tokenize(app, { bank_account: numbers })
  const bank = { method: 'bank_account', bankName: 'A bank', token }
  const body = { ...bank, accountType, firstName: 'Cleo', lastName: 'Creator' }
  expect((await app.request(path, { method: 'PUT', body, cookie })).status).toBe(200)
  const { connected, ledgerAccountId } = await payoutRowsOf(db(), person.id)
  const made = { ...person, cookie, accountId: connected!.id, ledgerAccountId: ledgerAccountId! }
  if (isReady) await becomes(made, 'enabled')
  return made
}

const news = ({ accountId }: { accountId: string }) => syncConnectedAccount(app.services, accountId)

async function becomes(one: { accountId: string }, state: Parameters<typeof setAccount>[2]) {
  await setAccount(app, one.accountId, state)
  await news(one)
}

const setup = async ({ cookie }: Creator, query = '') => app.request(path + query, { cookie })

const note = ({ accountId }: Creator, values: Partial<typeof connectedAccounts.$inferInsert>) =>
  db().update(connectedAccounts).set(values).where(eq(connectedAccounts.id, accountId))

const rows = ({ id }: Creator) => payoutRowsOf(db(), id)

const remove = ({ cookie }: Creator) => app.request(path, { method: 'DELETE', cookie })

/** Notices about the account, the first one about the bank left out. */
async function told({ id }: Creator) {
  const found = await db()
    .select({
      kind: notifications.kind,
      title: notifications.title,
      message: notifications.message,
      href: notifications.href,
    })
    .from(notifications)
    .where(eq(notifications.userId, id))
    .orderBy(notifications.createdAt, notifications.id)
  return found.slice(1)
}

/** How often open pages of this person were told that something about earnings is new. */
const heard = (id: string | null) =>
  db().$count(
    liveEvents,
    and(eq(liveEvents.topic, `person:${id}`), sql`${liveEvents.event}->>'type' = 'earnings'`),
  )

describe('news', () => {
  test('of an account that nobody here has, or that is replaced at this moment, are ignored', async () => {
    const asked = vi.spyOn(app.services.payments.stripe.accounts, 'retrieve')
    expect(await news({ accountId: 'acct_unknown' })).toMatchObject({ status: 'ignored' })
    expect(asked).not.toHaveBeenCalled()
    const one = await creator()
    let late: ReturnType<typeof news> | undefined
    await withConnectedAccount(db(), one.ledgerAccountId, async (transaction) => {
      late = news(one)
      await somebodyWaits(app)
      await transaction.delete(connectedAccounts).where(eq(connectedAccounts.id, one.accountId))
    })
    expect(await late).toMatchObject({ status: 'ignored' })
  })

  test('that are none: nobody hears of it, and what came back stays wrong', async () => {
    const one = await creator()
    const problem = 'It came back.'
    const own = eq(payoutMethods.ledgerAccountId, one.ledgerAccountId)
    await db().update(payoutMethods).set({ problem }).where(own)
    const before = await heard(one.id)
    expect(await news(one)).toMatchObject({ status: 'applied' })
    expect(await heard(one.id)).toBe(before)
    expect((await rows(one)).method).toMatchObject({ problem })
  })

  test('are told in words, with the page that helps', async () => {
    const one = await creator()
    const about = { kind: 'payout_attention', href: '/payments' }
    await becomes(one, 'under review')
    await becomes(one, 'information needed')
    const notices = [
      {
        ...about,
        title: 'Your Payouts Are Under Review',
        message: expect.stringContaining('is checking what you told it'),
      },
      {
        ...about,
        title: 'Payouts Need More Information',
        message: expect.stringContaining('a photo of a document'),
      },
    ]
    expect(await told(one)).toEqual(notices)
    // Something else is asked for: the open page says so, and nothing is sent.
    await note(one, { currentlyDue: ['individual.phone'] })
    const before = await heard(one.id)
    await news(one)
    expect(await heard(one.id)).toBe(before + 1)
    expect(await told(one)).toEqual(notices)
    await becomes(one, 'enabled')
    expect((await told(one)).slice(2)).toEqual([
      {
        ...about,
        title: 'You Can Be Paid Out Again',
        message: 'Stripe has all that it asked for. What is available can be paid out.',
      },
    ])
  })

  test('of another bank account, given there, reach the open page', async () => {
    const one = await creator()
    const before = await heard(one.id)
    await stripe().accounts.update(one.accountId, {
      external_account: 'btok_us_verified_noAccount',
    })
    await news(one)
    const { method } = await rows(one)
    expect(method).toMatchObject({ last4: '1116' })
    expect(await heard(one.id)).toBeGreaterThan(before)
    // By mail, too, as of one that is given here: whoever got into the account could have done it.
    expect(await told(one)).toMatchObject([
      {
        title: 'Your Payout Method Was Changed',
        message: `What you earn is paid out to ${destinationOf(method!)} from now on. If this was not you, change your password and look at how you are paid.`,
      },
    ])
  })

  test('change nothing for who is paid by PayPal now, also that it is gone', async () => {
    const one = await creator()
    await setUpPaypal(app, { ...one, course: null! }, 'cleo@example.com')
    const [{ method }, notices] = [await rows(one), await told(one)]
    await becomes(one, 'paused')
    expect((await rows(one)).method).toEqual(method)
    const way = await db().transaction((on) => readyMethodOf(on, one.ledgerAccountId))
    expect(way).toEqual({
      method: 'paypal',
      destination: 'cleo@example.com',
      connectedAccountId: null,
    })
    await note(one, { payoutsEnabled: true })
    await stripe().accounts.del(one.accountId)
    await news(one)
    expect(await rows(one)).toMatchObject({ method, connected: { payoutsEnabled: false } })
    expect(await told(one)).toEqual(notices)
  })

  test('bring no method back that the creator has removed', async () => {
    const one = await creator()
    await remove(one)
    await becomes(one, 'under review')
    expect((await rows(one)).method).toBeNull()
    await stripe().accounts.del(one.accountId)
    expect(await news(one)).toMatchObject({ status: 'applied' })
    expect((await rows(one)).method).toBeNull()
  })

  test('of an account that has no bank yet are only written down', async () => {
    const person = await makePerson(app.services)
    const cookie = await sessionCookieOf(app.services, person.id)
    await app.request(`${path}/onboarding`, { method: 'POST', cookie })
    const { connected } = await payoutRowsOf(db(), person.id)
    expect(await news({ accountId: connected!.id })).toMatchObject({ status: 'applied' })
  })

  test('of somebody who has left reach nobody', async () => {
    const one = await creator()
    const own = eq(ledgerAccounts.id, one.ledgerAccountId)
    await db().update(ledgerAccounts).set({ userId: null }).where(own)
    const before = await heard(one.id)
    await becomes(one, 'paused')
    expect([await heard(null), await heard(one.id)]).toEqual([0, before])
    expect(await told(one)).toEqual([])
  })
})

describe('back from the provider’s pages', () => {
  test('the bank account there is the method of who has none, in the names that are known', async () => {
    const one = await creator()
    const company = await creator({ name: 'Ada Augusta Lovelace', accountType: 'business' })
    expect(await stripe().accounts.retrieve(company.accountId)).toMatchObject({
      business_type: 'company',
      country: 'US',
    })
    for (const each of [one, company]) {
      await remove(each)
      await app.request(`${path}/onboarding`, { method: 'POST', cookie: each.cookie })
    }
    const before = await told(one)
    const cleo = { accountType: 'individual', firstName: 'Cleo', lastName: 'Creator' }
    expect((await setup(one, '?fresh=true')).body.method).toMatchObject(cleo)
    const ada = { accountType: 'business', firstName: 'Ada', lastName: 'Augusta Lovelace' }
    expect((await setup(company, '?fresh=true')).body.method).toMatchObject(ada)
    expect((await told(one)).slice(before.length)).toMatchObject([
      { title: 'Your Payout Method Was Set Up' },
    ])
  })

  test('each is asked about once, however often the page is looked at', async () => {
    const [one, other] = [await creator(), await creator()]
    for (const each of [one, other]) {
      await note(each, { payoutsEnabled: false, disabledReason: 'platform_paused' })
      expect((await setup(each, '?fresh=true')).body.standing).toBe('ready')
    }
    // Two seconds may be over before a busy machine comes to it.
    await db().execute(sql`
      update rate_limits set expire = extract(epoch from now()) * 1000 + 60000
       where key like 'checkout-asked:%'`)
    await note(one, { payoutsEnabled: false, disabledReason: 'platform_paused' })
    expect((await setup(one, '?fresh=true')).body.standing).toBe('paused')
  })

  test('what was known is shown while the provider does not answer', async () => {
    const one = await creator()
    const warn = vi.spyOn(app.services.log, 'warn')
    await switches(app, { apiStatus: 500 })
    const { status, body } = await setup(one, '?fresh=true')
    expect([status, body.standing]).toEqual([200, 'ready'])
    const err = expect.any(Stripe.errors.StripeError)
    expect(warn.mock.calls).toContainEqual([{ err }, expect.any(String)])
  })

  test('a fault of ours is not taken for one of the provider', async () => {
    const one = await creator()
    vi.spyOn(stripe().accounts, 'retrieve').mockRejectedValueOnce(new Error('a fault'))
    expect((await setup(one, '?fresh=true')).status).toBe(500)
  })
})

describe('every hour', () => {
  const wrong = { payoutsEnabled: false, disabledReason: 'platform_paused' }
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  const fault = (kind: typeof Stripe.errors.StripeAPIError) =>
    vi.spyOn(stripe().accounts, 'retrieve').mockRejectedValueOnce(new kind({ type: 'api_error' }))

  test('an account that makes trouble does not keep others from being asked about', async () => {
    const [first, second] = [await creator(), await creator()]
    await note(first, { ...wrong, checkedAt: hoursAgo(3) })
    await note(second, { ...wrong, checkedAt: hoursAgo(2) })
    const warn = vi.spyOn(app.services.log, 'warn')
    fault(Stripe.errors.StripeAPIError)
    await checkConnectedAccounts(app.services)
    const about = { err: expect.any(Error), accountId: first.accountId }
    expect(warn.mock.calls).toContainEqual([about, expect.any(String)])
    const { connected } = await rows(first)
    expect(connected).toMatchObject({ payoutsEnabled: false })
    expect(connected!.checkedAt.getTime()).toBeGreaterThan(hoursAgo(1).getTime())
    expect((await rows(second)).connected).toMatchObject({ payoutsEnabled: true })
    // All are asked about, not only the first.
    await note(first, { ...wrong, checkedAt: hoursAgo(3) })
    await note(second, { ...wrong, checkedAt: hoursAgo(2) })
    await checkConnectedAccounts(app.services)
    expect((await rows(second)).connected).toMatchObject({ payoutsEnabled: true })
  })

  test('nobody is asked about any more when the provider cannot be reached', async () => {
    const [first, second] = [await creator(), await creator()]
    await note(first, { ...wrong, checkedAt: hoursAgo(3) })
    await note(second, { ...wrong, checkedAt: hoursAgo(2) })
    fault(Stripe.errors.StripeConnectionError)
    await checkConnectedAccounts(app.services)
    for (const each of [first, second]) {
      const { connected } = await rows(each)
      expect(connected).toMatchObject({ payoutsEnabled: false })
      expect(connected!.checkedAt.getTime()).toBeLessThan(hoursAgo(1).getTime())
    }
  })
})

test('an account is deleted there once, and again until the provider has answered', async () => {
  const { accountId } = await creator()
  await switches(app, { apiStatus: 500 })
  await expect(deleteConnectedAccount({ accountId }, app.services)).rejects.toThrow()
  await switches(app, { apiStatus: 0 })
  await deleteConnectedAccount({ accountId }, app.services)
  await deleteConnectedAccount({ accountId }, app.services)
  await expect(stripe().accounts.retrieve(accountId)).rejects.toThrow()
})
