import { randomUUID } from 'node:crypto'
import { and, eq, inArray, sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson } from '../../../test/factories.ts'
import { platformFeeOf } from '../billing/rules.ts'
import { counterChecks } from '../courses/tables.ts'
import { balanceNow } from '../earnings/balance-now.ts'
import { recordCharge } from '../payments/record-charge.ts'
import { paymentDisputes, paymentRefunds, payments } from '../payments/tables.ts'
import { requestPayout } from '../payouts/request-payout.ts'
import { markFailed, markPaid } from '../payouts/settle-payout.ts'
import { payoutMethods, payouts } from '../payouts/tables.ts'
import { purchases } from '../purchases/tables.ts'
import { creatorAccount, ownAccounts } from './accounts.ts'
import { balanceOf } from './balance-of.ts'
import { checkLedger, ledgerDifferences } from './check-ledger.ts'
import { postTransaction } from './post-transaction.ts'
import { earningDays, ledgerAccounts, ledgerEntries, ledgerTransactions } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const db = () => app.services.db

/** A creator's course that somebody bought, without the way there. */
async function sale() {
  const creator = await makePerson(app.services)
  const buyer = await makePerson(app.services)
  const course = await makeCourse(app.services, creator)
  return db().transaction(async (transaction) => {
    const creatorAccountId = await creatorAccount(transaction, creator.id)
    const [purchase] = await transaction
      .insert(purchases)
      .values({
        userId: buyer.id,
        courseId: course.id,
        courseTitle: 'Knots',
        creatorAccountId,
        pricingType: 'one_time',
        amount: 5000,
        currency: 'usd',
      })
      .returning({ id: purchases.id })
    return { creatorAccountId, purchaseId: purchase!.id, courseId: course.id, buyer }
  })
}

let made = 0
const seconds = () => Math.floor(Date.now() / 1000)

// What recordCharge reads of the provider's objects; the sandbox's whole ones come by test/journeys.
const chargeOf = (amount: number) =>
  ({
    id: `ch_test_${(made += 1)}`,
    paid: true,
    captured: true,
    amount_captured: amount,
    currency: 'usd',
    created: seconds(),
    receipt_url: 'https://example.com/receipt',
    balance_transaction: { id: 'txn_1', fee: 175, exchange_rate: null, available_on: seconds() },
  }) as unknown as Stripe.Charge

const refundOf = (amount: number, status: string = 'succeeded') =>
  ({ id: `re_test_${(made += 1)}`, amount, status, created: seconds() }) as Stripe.Refund

const disputeOf = (amount: number, status: string, taken = true) =>
  ({
    id: `dp_test_${(made += 1)}`,
    amount,
    status,
    created: seconds(),
    balance_transactions: taken ? [{ fee: 1500, amount: -amount }] : [],
  }) as unknown as Stripe.Dispute

function recorder(of: Awaited<ReturnType<typeof sale>>, charge: Stripe.Charge) {
  return (refunds: Stripe.Refund[] = [], disputes: Stripe.Dispute[] = []) =>
    db().transaction((transaction) =>
      recordCharge(transaction, {
        charge,
        refunds,
        disputes,
        about: { kind: 'course', feePercent: 5, ...of },
        payerId: of.buyer.id,
        description: 'Knots',
        checkoutId: null,
        invoice: null,
      }),
    )
}

const owed = async ({ creatorAccountId }: { creatorAccountId: string }) =>
  0 - ((await balanceOf(db(), creatorAccountId)).usd ?? 0)

const noDifferences = {
  ledger_transactions: [],
  ledger_payments: [],
  ledger_refunds: [],
  ledger_disputes: [],
  ledger_returned_fees: [],
  ledger_refunded: [],
  ledger_sources: [],
  ledger_payouts: [],
  ledger_earning_days: [],
  ledger_departed: [],
}

/** What the database says to a statement; drizzle has it as the cause. */
const refusalOf = (statement: Promise<unknown>) =>
  statement.then(
    () => 'nothing',
    (error: Error) => (error.cause as Error | undefined)?.message ?? error.message,
  )

/** With its fee, as the provider did until 2025. */
const wonBack = (dispute: Stripe.Dispute) => ({
  ...dispute,
  status: 'won' as const,
  balance_transactions: [
    ...dispute.balance_transactions,
    { fee: -1500 } as Stripe.BalanceTransaction,
  ],
})

describe('a charge', () => {
  test('is recorded once, whoever comes with it, and its refunds move forward only', async () => {
    const of = await sale()
    const charge = chargeOf(5000)
    const record = recorder(of, charge)
    const answers = await Promise.all(Array.from({ length: 20 }, () => record()))
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(await owed(of)).toBe(5000 - 250 - 175)

    const first = refundOf(1010)
    const again = await Promise.all(Array.from({ length: 20 }, () => record([first])))
    expect(again.map(({ newlyRefunded }) => newlyRefunded).filter(Boolean)).toEqual([1010])
    expect(await owed(of)).toBe(5000 - 250 - 175 - 1010 + 51)

    const second = refundOf(3990, 'pending')
    const both = await record([second, first])
    expect(both).toMatchObject({ newlyRefunded: 3990, refundedInFull: true, isNew: false })
    // An older view, which knows of the first refund only.
    expect(await record([first])).toMatchObject({ newlyRefunded: 0, refundedInFull: true })
    // All that is left is the provider's fee, which the creator bears.
    expect(await owed(of)).toBe(-175)

    const failed = await record([first, { ...second, status: 'failed' }])
    expect(failed).toMatchObject({ newlyRefunded: 0, refundedInFull: false })
    expect(await record([first, second])).toMatchObject({ refundedInFull: false })
    expect(await owed(of)).toBe(5000 - 250 - 175 - 1010 + 51)
    expect(await ledgerDifferences(db())).toEqual(noDifferences)
  })

  test('disputed: the money is gone until it is won, and what is over stays over', async () => {
    const of = await sale()
    const record = recorder(of, chargeOf(5000))
    await record()
    const before = await owed(of)
    const inquiry = disputeOf(5000, 'warning_needs_response')
    expect(await record([], [inquiry])).toMatchObject({ dispute: null, disputeChanged: false })
    const announced = disputeOf(5000, 'needs_response', false)
    expect(await record([], [announced])).toMatchObject({ dispute: null, disputeChanged: false })

    const dispute = disputeOf(5000, 'needs_response')
    expect(await record([], [dispute])).toMatchObject({ dispute: 'open', disputeChanged: true })
    // Our fee of 250 goes back with it, as with a refund.
    expect(await owed(of)).toBe(before - 5000 - 1500 + 250)
    const won = wonBack(dispute)
    expect(await record([], [won])).toMatchObject({ dispute: 'won', disputeChanged: true })
    expect(await owed(of)).toBe(before)
    expect(await record([], [dispute])).toMatchObject({ dispute: 'won', disputeChanged: false })

    const lost = disputeOf(5000, 'lost')
    expect(await record([], [lost, won])).toMatchObject({ dispute: 'lost', disputeChanged: true })
    expect(await owed(of)).toBe(before - 5000 - 1500 + 250)
    expect(await ledgerDifferences(db())).toEqual(noDifferences)
  })

  test('disputed and refunded, in whatever order: our fee goes back once', async () => {
    const of = await sale()
    const charge = chargeOf(5000)
    const record = recorder(of, charge)
    const part = refundOf(1010)
    await record([part])
    const dispute = disputeOf(3990, 'needs_response')
    await record([part], [dispute])
    const none = 5000 - 250 - 175
    expect(await owed(of)).toBe(none - 5000 - 1500 + 250)
    // The bank took back what was on its way back anyway: there is no second fee to give.
    const rest = refundOf(3990)
    await record([part, rest], [dispute])
    expect(await owed(of)).toBe(none - 5000 - 3990 - 1500 + 250)
    expect(await ledgerDifferences(db())).toEqual(noDifferences)
    const won = wonBack(dispute)
    await record([part, rest], [won])
    expect(await owed(of)).toBe(none - 5000 + 250)
    await record([part, { ...rest, status: 'failed' }], [won])
    expect(await owed(of)).toBe(none - 1010 + 51)
    expect(await ledgerDifferences(db())).toEqual(noDifferences)
    // A row that says otherwise is found.
    const [row] = await db()
      .update(paymentDisputes)
      .set({ platformFee: sql`${paymentDisputes.platformFee} + 1` })
      .where(eq(paymentDisputes.id, dispute.id))
      .returning()
    expect(await ledgerDifferences(db())).toMatchObject({
      ledger_disputes: [dispute.id],
      ledger_returned_fees: [charge.id],
    })
    const platformFee = row!.platformFee - 1
    await db()
      .update(paymentDisputes)
      .set({ platformFee })
      .where(eq(paymentDisputes.id, dispute.id))
  })

  test('that is refused is in the books, and costs what the provider keeps', async () => {
    const charge = chargeOf(5000)
    const sums = async () => {
      const { rows } = await db().execute<{ kind: string; sum: number }>(sql`
        select a.kind, sum(e.amount)::int as sum from ledger_entries e
          join ledger_accounts a on a.id = e.account_id
          join ledger_transactions t on t.id = e.transaction_id
          join payments p on p.id = t.payment_id
         where p.charge_id = ${charge.id} group by 1 order by 1`)
      return Object.fromEntries(rows.map(({ kind, sum }) => [kind, sum]))
    }
    const buyer = await makePerson(app.services)
    const record = (refunds: Stripe.Refund[] = []) =>
      db().transaction((transaction) =>
        recordCharge(transaction, {
          charge,
          refunds,
          disputes: [],
          about: { kind: 'refused' },
          payerId: buyer.id,
          description: 'a course',
          checkoutId: null,
          invoice: null,
        }),
      )
    await record()
    expect(await sums()).toEqual({
      provider: 5000 - 175,
      refused_payments: -5000,
      provider_costs: 175,
    })
    await record([refundOf(5000)])
    expect(await sums()).toEqual({ provider: -175, refused_payments: 0, provider_costs: 175 })
    expect(await ledgerDifferences(db())).toEqual(noDifferences)
  })

  test('without its settlement is not recorded: the fee is never a guess', async () => {
    const of = await sale()
    const charge = { ...chargeOf(5000), balance_transaction: null }
    await expect(recorder(of, charge)()).rejects.toThrow('has not settled')
    expect(await owed(of)).toBe(0)
  })

  test('that settled in another currency has its fee in its own', async () => {
    const of = await sale()
    const settled = { id: 'txn_2', fee: 160, exchange_rate: 0.8, available_on: seconds() }
    const charge = { ...chargeOf(5000), balance_transaction: settled } as unknown as Stripe.Charge
    await recorder(of, charge)()
    expect(await owed(of)).toBe(5000 - 250 - 200)
  })
})

describe('the ledger', () => {
  test('is only added to, whoever asks', async () => {
    await recorder(await sale(), chargeOf(5000))()
    const refused = (statement: Promise<unknown>, table: string) =>
      expect(refusalOf(statement)).resolves.toBe(`${table} is append-only`)
    await refused(db().update(ledgerEntries).set({ amount: 0 }), 'ledger_entries')
    await refused(db().delete(ledgerEntries), 'ledger_entries')
    await refused(db().execute('truncate ledger_entries'), 'ledger_entries')
    await refused(db().update(ledgerTransactions).set({ kind: 'refund' }), 'ledger_transactions')
    await refused(db().delete(ledgerTransactions), 'ledger_transactions')
    await refused(
      db().execute('truncate ledger_transactions, ledger_entries'),
      'ledger_transactions',
    )
  })

  const transactionOf = (entries: Parameters<typeof postTransaction>[1]['entries']) => ({
    kind: 'payment' as const,
    source: `payment ${randomUUID()}`,
    paymentId: randomUUID(),
    occurredAt: new Date(),
    currency: 'usd',
    creatorAccountId: null,
    entries,
  })

  test('refuses what does not add up to zero, and an entry for nobody', async () => {
    const post = (entries: Parameters<typeof transactionOf>[0]) =>
      db().transaction((transaction) => postTransaction(transaction, transactionOf(entries)))
    const unbalanced = await refusalOf(
      post([
        { account: 'provider', what: 'gross', amount: 100 },
        { account: 'plan_revenue', what: 'gross', amount: -99 },
      ]),
    )
    expect(unbalanced).toMatch(/does not add up to zero/)
    await expect(post([{ account: 'creator', what: 'gross', amount: 0 }])).rejects.toThrow(
      'no account creator',
    )
  })

  test('writes a source once, also when twenty come at once', async () => {
    const fact = transactionOf([
      { account: 'provider', what: 'gross', amount: 100 },
      { account: 'plan_revenue', what: 'gross', amount: -100 },
    ])
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        db().transaction((transaction) => postTransaction(transaction, fact)),
      ),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
    const written = await db()
      .select({ id: ledgerTransactions.id })
      .from(ledgerTransactions)
      .where(eq(ledgerTransactions.source, fact.source))
    expect(written).toHaveLength(1)
  })

  test('notes what moved nothing, once', async () => {
    const fact = transactionOf([])
    const post = () => db().transaction((transaction) => postTransaction(transaction, fact))
    expect(await post()).toBe(true)
    expect(await post()).toBe(false)
  })

  test('finds the account of a creator without writing, and ours without reading creators', async () => {
    const creator = await makePerson(app.services)
    const account = () => db().transaction((on) => creatorAccount(on, creator.id))
    const first = await account()
    const readOnly = { accessMode: 'read only' } as const
    const found = db().transaction((on) => creatorAccount(on, creator.id), readOnly)
    expect(await found).toBe(first)
    const own = await ownAccounts(db())
    expect([...own.keys()]).not.toContain('creator')
    expect(own.size).toBe(7)
  })

  test('does without an account for nobody', async () => {
    const creator = await makePerson(app.services)
    await db()
      .transaction(async (transaction) => {
        await transaction.execute(sql`create function pg_temp.refuse() returns trigger
          language plpgsql as 'begin return null; end'`)
        await transaction.execute(sql`create trigger refuse before insert on ledger_accounts
          for each row execute function pg_temp.refuse()`)
        await expect(creatorAccount(transaction, creator.id)).rejects.toThrow('could not be made')
        throw new Error('undone')
      })
      .catch((error: Error) => expect(error.message).toBe('undone'))
  })

  test('has one account for each creator, also when twenty sales come at once', async () => {
    const creator = await makePerson(app.services)
    const ids = await Promise.all(
      Array.from({ length: 20 }, () =>
        db().transaction((transaction) => creatorAccount(transaction, creator.id)),
      ),
    )
    expect(new Set(ids).size).toBe(1)
    const rows = await db()
      .select()
      .from(ledgerAccounts)
      .where(eq(ledgerAccounts.userId, creator.id))
    expect(rows).toMatchObject([{ kind: 'creator' }])
  })
})

describe('the nightly check', () => {
  test('finds what does not agree, and notes how much', async () => {
    const of = await sale()
    const charge = chargeOf(5000)
    const record = recorder(of, charge)
    const refund = refundOf(1000)
    const { paymentId } = await record([refund])
    const orphan = chargeOf(5000)
    await db().insert(payments).values({
      chargeId: orphan.id,
      kind: 'plan',
      description: 'Monthly Plan',
      currency: 'usd',
      gross: 2000,
      feePercent: 0,
      platformFee: 0,
      providerFee: 88,
      paidAt: new Date(),
      availableAt: new Date(),
    })
    await db().update(payments).set({ refunded: 999 }).where(eq(payments.id, paymentId))
    await db().update(paymentRefunds).set({ amount: 1001 }).where(eq(paymentRefunds.id, refund.id))
    expect(await ledgerDifferences(db())).toMatchObject({
      ledger_transactions: [],
      ledger_payments: [orphan.id],
      ledger_refunds: [refund.id],
      ledger_refunded: [charge.id],
    })
    await checkLedger(app.services)
    const noted = await db()
      .select({ differences: counterChecks.differences })
      .from(counterChecks)
      .where(eq(counterChecks.counter, 'ledger_payments'))
    expect(noted).toEqual([{ differences: 1 }])
  })
})

type Sold = Awaited<ReturnType<typeof sale>>

/** What may happen to one creator's money, in any order; numbers choose which sale, and how much. */
const step = fc.oneof(
  fc.record({ what: fc.constant('sell' as const), amount: fc.integer({ min: 500, max: 9000 }) }),
  fc.record({ what: fc.constant('refund' as const), which: fc.nat(), part: fc.nat() }),
  fc.record({ what: fc.constant('release' as const), which: fc.nat() }),
  fc.record({ what: fc.constant('ask' as const), part: fc.integer({ min: 1, max: 130 }) }),
  fc.record({ what: fc.constant('end' as const), isPaid: fc.boolean() }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

class Money {
  readonly #of: Sold
  readonly #sales: { charge: Stripe.Charge; refunds: Stripe.Refund[]; isReleased: boolean }[] = []
  /** Taken from the balance by payouts that did not fail. */
  #taken = 0

  constructor(of: Sold) {
    this.#of = of
  }

  async #record({ charge, refunds }: { charge: Stripe.Charge; refunds: Stripe.Refund[] }) {
    await recorder(this.#of, charge)(refunds)
  }

  /** Reckoned from what was done, beside the books. */
  expected() {
    const net = this.#sales.map(({ charge, refunds, isReleased }) => {
      const back = refunds.reduce((sum, { amount }) => sum + amount, 0)
      const fee = platformFeeOf(charge.amount_captured, 5)
      const returned = Math.round((fee * back) / charge.amount_captured)
      return { amount: charge.amount_captured - fee - 175 - back + returned, isReleased }
    })
    const balance = net.reduce((sum, { amount }) => sum + amount, 0) - this.#taken
    const pending = net
      .filter(({ isReleased }) => !isReleased)
      .reduce((sum, { amount }) => sum + Math.max(0, amount), 0)
    return { balance, pending, available: balance - pending }
  }

  async do(given: Step): Promise<void> {
    const ledgerAccountId = this.#of.creatorAccountId
    const sold = 'which' in given ? this.#sales[given.which % this.#sales.length] : undefined
    if (given.what === 'sell') {
      const charge = chargeOf(given.amount)
      const tomorrow = seconds() + 24 * 60 * 60
      Object.assign(charge.balance_transaction!, { available_on: tomorrow })
      this.#sales.push({ charge, refunds: [], isReleased: false })
      await this.#record(this.#sales.at(-1)!)
    } else if (given.what === 'refund' && sold) {
      const back = sold.refunds.reduce((sum, { amount }) => sum + amount, 0)
      const left = sold.charge.amount_captured - back
      if (left === 0) return
      sold.refunds.push(refundOf(1 + (given.part % left)))
      await this.#record(sold)
    } else if (given.what === 'release' && sold) {
      sold.isReleased = true
      await db()
        .update(payments)
        .set({ availableAt: sql`now()` })
        .where(eq(payments.chargeId, sold.charge.id))
      Object.assign(sold.charge.balance_transaction!, { available_on: seconds() - 1 })
    } else if (given.what === 'ask') {
      const { available } = this.expected()
      const amount = Math.max(1, Math.round((available * given.part) / 100))
      const isOpen = await this.#open()
      const payout = await db().transaction((transaction) =>
        requestPayout(transaction, { ledgerAccountId, amount, offersPaypal: true }),
      )
      expect('id' in payout).toBe(!isOpen && amount >= 100 && amount <= available)
      if ('id' in payout) this.#taken += amount
    } else if (given.what === 'end') {
      const open = await this.#open()
      if (!open) return
      if (given.isPaid) await markPaid(db(), open)
      else {
        const why = { failure: 'The bank is closed.', isDestination: false }
        await Promise.all([markFailed(db(), open, why), markFailed(db(), open, why)])
        this.#taken -= open.amount
      }
    }
  }

  async #open() {
    const [open] = await db()
      .select()
      .from(payouts)
      .where(
        and(
          eq(payouts.ledgerAccountId, this.#of.creatorAccountId),
          inArray(payouts.status, ['requested', 'in_transit']),
        ),
      )
    return open
  }
}

describe('whatever happens to sales and payouts', () => {
  test('what is available is paid out once, and the books add up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        const of = await sale()
        await db().insert(payoutMethods).values({
          ledgerAccountId: of.creatorAccountId,
          method: 'paypal',
          accountType: 'individual',
          firstName: 'Cleo',
          lastName: 'Creator',
          paypalEmail: 'cleo@example.com',
        })
        const money = new Money(of)
        for (const one of [{ what: 'sell', amount: 3000 }, ...steps] as Step[]) {
          await money.do(one)
          expect(await balanceNow(db(), of.creatorAccountId)).toEqual(money.expected())
        }
      }),
      // Each run is a creator with books of their own: shrinking would take minutes.
      { numRuns: 6, endOnFailure: true },
    )
    const { ledger_earning_days, ledger_payouts, ledger_sources, ledger_transactions } =
      await ledgerDifferences(db())
    expect([ledger_earning_days, ledger_payouts, ledger_transactions]).toEqual([[], [], []])
    // Those of this file's own made-up payments.
    expect(ledger_sources.filter((source) => source.startsWith('payout'))).toEqual([])
  })

  test('a payout without its transaction, and a day that says something else, are found', async () => {
    const of = await sale()
    await recorder(of, chargeOf(5000))()
    const [payout] = await db()
      .insert(payouts)
      .values({
        ledgerAccountId: of.creatorAccountId,
        method: 'bank_account',
        destination: 'A bank',
        amount: 100,
        currency: 'usd',
        status: 'paid',
      })
      .returning({ id: payouts.id })
    await db()
      .update(earningDays)
      .set({ gross: sql`${earningDays.gross} + 1` })
      .where(eq(earningDays.accountId, of.creatorAccountId))
    const differences = await ledgerDifferences(db())
    expect(differences.ledger_payouts).toEqual([payout!.id])
    expect(differences.ledger_earning_days).toEqual([expect.stringContaining(of.creatorAccountId)])
    await db().delete(payouts).where(eq(payouts.id, payout!.id))
    await db()
      .update(earningDays)
      .set({ gross: sql`${earningDays.gross} - 1` })
      .where(eq(earningDays.accountId, of.creatorAccountId))
  })
})
