// What the nightly check finds in books that somebody spoilt by hand, and what it leaves alone.
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson } from '../../../test/factories.ts'
import { requestPayout } from '../payouts/request-payout.ts'
import { markFailed } from '../payouts/settle-payout.ts'
import { connectedAccounts, payoutMethods } from '../payouts/tables.ts'
import { creatorAccount } from './accounts.ts'
import { checkLedger, ledgerDifferences } from './check-ledger.ts'
import { type NewLedgerTransaction, postTransaction } from './post-transaction.ts'
import { type Entry, givenUpEntries } from './rules.ts'

let app: TestApp
let books: Client
beforeAll(async () => {
  app = await startTestApp({ JOBS: 'off' })
  books = new Client({ connectionString: app.databaseUrl })
  await books.connect()
})
afterAll(async () => {
  await books.end()
  await app.stop()
})
beforeEach(async () => {
  // Each test finds empty books.
  await withoutGuards(async () => {
    for (const table of ['ledger_entries', 'ledger_transactions', 'earning_days', 'payouts']) {
      await books.query(`delete from ${table}`)
    }
  })
  await books.query('alter table ledger_entries disable trigger ledger_entries_balance')
})

/** The ledger is only added to, but for this. */
async function withoutGuards(work: () => Promise<void>) {
  const guarded = ['ledger_entries', 'ledger_transactions']
  for (const table of guarded) await books.query(`alter table ${table} disable trigger user`)
  await work()
  for (const table of guarded) await books.query(`alter table ${table} enable trigger user`)
}

const db = () => app.services.db

const accountOfNewCreator = async () => {
  const { id } = await makePerson(app.services)
  return { userId: id, accountId: await db().transaction((on) => creatorAccount(on, id)) }
}

const post = (about: Partial<NewLedgerTransaction> & { entries: Entry[] }) =>
  db().transaction((transaction) =>
    postTransaction(transaction, {
      kind: 'given_up',
      source: randomUUID(),
      occurredAt: new Date(),
      currency: 'usd',
      creatorAccountId: null,
      ...about,
    }),
  )

/** Names of the checks that find something, with what. */
const found = async () =>
  Object.fromEntries(
    Object.entries(await ledgerDifferences(db())).filter(([, ids]) => ids.length > 0),
  )

const between = (amount: number): Entry[] => [
  { account: 'provider', what: 'gross', amount },
  { account: 'plan_revenue', what: 'gross', amount: -amount },
]

test('entries that do not add up, in any one currency', async () => {
  const source = randomUUID()
  await post({ source, entries: between(100).slice(0, 1) })
  const { rows } = await books.query('select id from ledger_transactions where source = $1', [
    source,
  ])
  expect(await found()).toEqual({ ledger_transactions: [rows[0].id] })
  // In two currencies that are nothing together.
  await books.query(
    `insert into ledger_entries (transaction_id, account_id, what, amount, currency)
     select transaction_id, account_id, what, -amount, 'eur' from ledger_entries`,
  )
  expect(await found()).toEqual({ ledger_transactions: [rows[0].id, rows[0].id] })
})

test('a movement for a payment or a payout that nobody knows', async () => {
  const [paymentId, payoutId] = [randomUUID(), randomUUID()]
  await post({ source: 'payment ch_unknown', kind: 'payment', paymentId, entries: between(100) })
  await post({ source: 'payout unknown', kind: 'payout', payoutId, entries: between(50) })
  await post({ source: 'given up', kind: 'given_up', entries: between(50) })
  const { ledger_sources: sources, ...others } = await found()
  expect(sources?.toSorted()).toEqual(['payment ch_unknown', 'payout unknown'])
  expect(others).toEqual({})
})

test('a payout with a fee that came back is in order, and one whose row says another fee is not', async () => {
  const { accountId } = await accountOfNewCreator()
  await db().insert(payoutMethods).values({
    ledgerAccountId: accountId,
    method: 'paypal',
    accountType: 'individual',
    firstName: 'Ada',
    lastName: 'Byron',
    paypalEmail: 'ada@example.com',
  })
  await post({
    creatorAccountId: accountId,
    entries: [
      { account: 'given_up', what: 'given_up', amount: 9000 },
      { account: 'creator', what: 'given_up', amount: -9000 },
    ],
  })
  const payout = await db().transaction((transaction) =>
    requestPayout(transaction, { ledgerAccountId: accountId, amount: 8000, offersPaypal: true }),
  )
  if ('refused' in payout) throw new Error(payout.refused)
  expect(payout.fee).toBeGreaterThan(0)
  expect(await found()).toEqual({})
  await markFailed(db(), payout, { failure: 'It came back.', isDestination: false })
  expect(await found()).toEqual({})
  await books.query('update payouts set fee = fee + 1')
  expect(await found()).toEqual({ ledger_payouts: [payout.id] })
})

test('what was given up is in the sums of its day', async () => {
  const { accountId } = await accountOfNewCreator()
  await post({ creatorAccountId: accountId, entries: givenUpEntries(700) })
  expect(await found()).toEqual({})
  await books.query('update earning_days set given_up = given_up + 1')
  expect(await found()).toEqual({ ledger_earning_days: [expect.stringContaining(accountId)] })
})

test('what is left with who has gone for more than two days, unless it can still be sent', async () => {
  const { accountId, userId } = await accountOfNewCreator()
  await post({ creatorAccountId: accountId, entries: givenUpEntries(-700) })
  const indebted = await accountOfNewCreator()
  await post({ creatorAccountId: indebted.accountId, entries: givenUpEntries(700) })
  for (const gone of [userId, indebted.userId]) {
    await books.query('update ledger_accounts set user_id = null where user_id = $1', [gone])
  }
  expect(await found()).toEqual({})
  await withoutGuards(async () => {
    await books.query(`update ledger_transactions set created_at = now() - interval '49 hours'`)
    await books.query('update earning_days set day = (select max(day) from creator_entry_days)')
  })
  expect(await found()).toEqual({ ledger_departed: [accountId] })
  await db().insert(payoutMethods).values({
    ledgerAccountId: accountId,
    method: 'paypal',
    accountType: 'individual',
    firstName: '',
    lastName: '',
  })
  expect(await found()).toEqual({})
  // Nobody is there to mend it.
  await db().update(payoutMethods).set({ problem: 'It came back.' })
  expect(await found()).toEqual({ ledger_departed: [accountId] })
  // A bank account can be sent to while the provider pays out to its owner.
  await db().update(payoutMethods).set({ problem: null, method: 'bank_account' })
  expect(await found()).toEqual({ ledger_departed: [accountId] })
  const provider = (state: Partial<typeof connectedAccounts.$inferInsert>) =>
    db()
      .insert(connectedAccounts)
      .values({ id: 'acct_departed', ledgerAccountId: accountId, ...state })
      .onConflictDoUpdate({ target: connectedAccounts.id, set: state })
  await provider({ payoutsEnabled: true })
  expect(await found()).toEqual({})
  await provider({ payoutsEnabled: false, disabledReason: 'requirements.past_due' })
  expect(await found()).toEqual({ ledger_departed: [accountId] })
  await provider({ payoutsEnabled: true, disabledReason: 'rejected.fraud' })
  expect(await found()).toEqual({ ledger_departed: [accountId] })
})

test('the operator is told of what was found, and of nothing else', async () => {
  const error = vi.spyOn(app.services.log, 'error')
  await checkLedger(app.services)
  expect(error).not.toHaveBeenCalled()
  const unknown = { kind: 'payment' as const, paymentId: randomUUID() }
  await post({ ...unknown, source: 'payment ch_unknown', entries: between(100) })
  await post({ ...unknown, source: 'payment ch_other', entries: between(100).slice(0, 1) })
  await checkLedger(app.services)
  expect(error.mock.calls).toEqual([[{ differences: 3 }, 'the ledger does not add up']])
  error.mockRestore()
})
