// A sale of a month that is over, as the books have it: nothing that happens in a test is older than the test.
import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { creatorAccount, ownAccounts } from '../src/domains/ledger/accounts.ts'
import { paymentEntries } from '../src/domains/ledger/rules.ts'
import { ledgerEntries, ledgerTransactions } from '../src/domains/ledger/tables.ts'
import { payments } from '../src/domains/payments/tables.ts'
import { users } from '../src/domains/accounts/tables.ts'
import type { Services } from '../src/server/services.ts'

/** Books a sale of this creator at that moment: 40 USD, of which 36.54 are left. */
export async function bookOldSale(
  { db }: Pick<Services, 'db'>,
  { email, courseId, at }: { email: string; courseId: string; at: Date },
): Promise<void> {
  await db.transaction(async (transaction) => {
    const [creator] = await transaction
      .select({ id: users.id })
      .from(users)
      .where(eq(users.email, email))
    const creatorAccountId = await creatorAccount(transaction, creator!.id)
    const chargeId = `ch_${randomUUID().replaceAll('-', '')}`
    const amounts = { gross: 4000, platformFee: 200, providerFee: 146 }
    const [payment] = await transaction
      .insert(payments)
      .values({
        chargeId,
        kind: 'course',
        creatorAccountId,
        courseId,
        description: 'Knots of old',
        currency: 'usd',
        feePercent: 5,
        ...amounts,
        paidAt: at,
        availableAt: at,
      })
      .returning({ id: payments.id })
    // Their ids carry the time, too.
    const then = sql`uuidv7(${at.toISOString()}::timestamptz - clock_timestamp())`
    const [booked] = await transaction
      .insert(ledgerTransactions)
      .values({
        id: then,
        kind: 'payment',
        source: `payment ${chargeId}`,
        paymentId: payment!.id,
        occurredAt: at,
        createdAt: at,
      })
      .returning({ id: ledgerTransactions.id })
    const own = await ownAccounts(transaction)
    await transaction.insert(ledgerEntries).values(
      paymentEntries('course', amounts).map(({ account, what, amount }) => ({
        id: then,
        transactionId: booked!.id,
        accountId: account === 'creator' ? creatorAccountId : own.get(account)!,
        what,
        amount,
        currency: 'usd',
      })),
    )
  })
}
