import { and, asc, eq, lt, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import type { Transaction } from '../../server/db.ts'
import { publishToPerson } from '../../server/publish.ts'
import type { Services } from '../../server/services.ts'
import { users } from '../accounts/tables.ts'
import { notify } from '../notifications/notify.ts'
import { applied, ignored, type Outcome } from '../payments/outcome.ts'
import { requireOwnMode } from '../payments/payment-mode.ts'
import { defaultExternal, externalFacts, isAccountGone, stateOf } from './connected-account.ts'
import { holdAccount } from './hold-account.ts'
import { withConnectedAccount } from './hold-method.ts'
import { payoutRowsOf } from './payout-setup.ts'
import { destinationOf } from './ready-method.ts'
import { standingOf, type Standing } from './standing.ts'
import { connectedAccounts, payoutMethods } from './tables.ts'
import { tellOfMethod } from './tell-of-method.ts'

/** Accounts that one run of the hourly job asks about. */
const mostAtOnce = 100

const unknownToProvider =
  'Stripe does not know your account any more. Please set up how you are paid again.'

/**
 * Brings our rows in line with a creator's account at the provider, and tells the creator when that changes what is
 * paid out. `adopts`: the creator comes from the provider's pages, so a bank account that was given there is the
 * payout method if there is none.
 */
export async function syncConnectedAccount(
  services: Services,
  accountId: string,
  { adopts = false } = {},
): Promise<Outcome> {
  const { db, payments } = services
  const ledgerAccountId = await ledgerAccountOf(services, accountId)
  if (!ledgerAccountId) return ignored('An account that we do not know')
  return withConnectedAccount(db, ledgerAccountId, async (transaction) => {
    const account = await payments.stripe.accounts.retrieve(accountId).catch((error: unknown) => {
      if (isAccountGone(error)) return null
      throw error
    })
    const { userId } = await holdAccount(transaction, ledgerAccountId)
    const before = await rowsOf(transaction, accountId)
    if (!before) return ignored('An account that we do not know')
    await (account
      ? keepState(transaction, { accountId, ledgerAccountId, userId, account, adopts, before })
      : keepGone(transaction, { accountId, ledgerAccountId, before }))
    const after = (await rowsOf(transaction, accountId))!
    if (userId) await tellOfChange(transaction, { userId, before, after })
    return applied(`The account is ${after.standing.standing}`)
  })
}

async function ledgerAccountOf({ db }: Pick<Services, 'db'>, accountId: string) {
  const [found] = await db
    .select({ ledgerAccountId: connectedAccounts.ledgerAccountId })
    .from(connectedAccounts)
    .where(eq(connectedAccounts.id, accountId))
  return found?.ledgerAccountId
}

interface Rows {
  connected: typeof connectedAccounts.$inferSelect
  method: typeof payoutMethods.$inferSelect | null
  standing: Standing
}

async function rowsOf(transaction: Transaction, accountId: string): Promise<Rows | null> {
  const [found] = await transaction
    .select({ connected: connectedAccounts, method: payoutMethods })
    .from(connectedAccounts)
    .leftJoin(payoutMethods, eq(payoutMethods.ledgerAccountId, connectedAccounts.ledgerAccountId))
    .where(eq(connectedAccounts.id, accountId))
  if (!found) return null
  return { ...found, standing: standingOf(found.method, found.connected) }
}

async function keepState(
  transaction: Transaction,
  {
    accountId,
    ledgerAccountId,
    userId,
    account,
    adopts,
    before: { method, connected },
  }: {
    accountId: string
    ledgerAccountId: string
    userId: string | null
    account: Stripe.Account
    adopts: boolean
    before: Rows
  },
): Promise<void> {
  await transaction
    .update(connectedAccounts)
    .set(stateOf(account))
    .where(eq(connectedAccounts.id, accountId))
  const external = defaultExternal(account)
  if (!external || method?.method === 'paypal') return
  const facts = { ...externalFacts(external, method?.label), externalAccountId: external.id }
  if (method && method.externalAccountId !== external.id) {
    // Given on the provider's pages, or the answer to our form was lost on the way. Of who has left, what is in the
    // way may be that the account was suspended: that is for the operator to end.
    const problem = userId ? null : method.problem
    await transaction
      .update(payoutMethods)
      .set({ ...facts, problem, updatedAt: sql`now()` })
      .where(eq(payoutMethods.ledgerAccountId, ledgerAccountId))
  } else if (!method && adopts && connected.adopts && userId) {
    const payee = await payeeOf(transaction, userId, account)
    await transaction.insert(payoutMethods).values({ ledgerAccountId, ...facts, ...payee })
  }
}

/** As the provider knows them; the name of our account where it says none. */
async function payeeOf(transaction: Transaction, userId: string, account: Stripe.Account) {
  const [person] = await transaction
    .select({ name: users.name })
    .from(users)
    .where(eq(users.id, userId))
  // Who is held by this transaction is there, and has a name.
  const [first, ...rest] = person!.name.split(' ')
  return {
    accountType: account.business_type === 'company' ? ('business' as const) : 'individual',
    firstName: account.individual?.first_name ?? first!,
    lastName: account.individual?.last_name ?? rest.join(' '),
  } as const
}

async function keepGone(
  transaction: Transaction,
  {
    accountId,
    ledgerAccountId,
    before: { method },
  }: { accountId: string; ledgerAccountId: string; before: Rows },
): Promise<void> {
  await transaction
    .update(connectedAccounts)
    .set({ payoutsEnabled: false, checkedAt: sql`now()` })
    .where(eq(connectedAccounts.id, accountId))
  if (!method || method.method === 'paypal') return
  await transaction
    .update(payoutMethods)
    .set({ problem: unknownToProvider })
    .where(eq(payoutMethods.ledgerAccountId, ledgerAccountId))
}

/** Of all that an account becomes by what the provider says. */
const titles: Partial<Record<Standing['standing'], string>> = {
  ready: 'You Can Be Paid Out Again',
  information_needed: 'Payouts Need More Information',
  under_review: 'Your Payouts Are Under Review',
  paused: 'Your Payouts Are Paused',
  rejected: 'Payouts to You Were Refused',
  failed: 'Set Up Your Payout Method Again',
}

const restored = 'Stripe has all that it asked for. What is available can be paid out.'

async function tellOfChange(
  transaction: Transaction,
  { userId, before, after }: { userId: string; before: Rows; after: Rows },
): Promise<void> {
  const [from, to] = [before.standing.standing, after.standing.standing]
  const isSame =
    before.standing.explanation === after.standing.explanation &&
    before.method?.externalAccountId === after.method?.externalAccountId
  if (isSame) return
  await publishToPerson(transaction, userId, { type: 'earnings' })
  const method = after.method && after.method.method !== 'paypal' ? after.method : null
  if (method && before.method?.externalAccountId !== method.externalAccountId) {
    await tellOfMethod(transaction, userId, {
      title: before.method ? 'Your Payout Method Was Changed' : 'Your Payout Method Was Set Up',
      message: `What you earn is paid out to ${destinationOf(method)} from now on.`,
    })
  }
  // While it is set up for the first time the creator is looking at it.
  const isSettingUp = from === 'not_connected' || !before.connected.detailsSubmitted
  if (from === to || isSettingUp) return
  // What the creator has just told the provider is under review: no news.
  if (from === 'information_needed' && to === 'under_review') return
  const title = titles[to]
  // Stryker disable next-line ConditionalExpression: for types; an account that is there is not 'not_connected'
  if (!title) return
  const message = after.standing.explanation || restored
  await notify(transaction, { userId, kind: 'payout_attention', title, message, href: '/payments' })
}

/** A creator is back from the provider's pages: asks once how it is now. Says nothing when it cannot be asked. */
export async function syncAfterOnboarding(services: Services, userId: string): Promise<void> {
  const { connected } = await payoutRowsOf(services.db, userId)
  if (!connected) return
  await requireOwnMode(services)
  if ((await services.rateLimits.asksByCheckout.count(`account ${connected.id}`)) > 0) return
  await syncConnectedAccount(services, connected.id, { adopts: true }).catch((error: unknown) => {
    // What we knew before is shown; the provider's message or the hourly job brings the rest.
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    services.log.warn({ err: error }, 'the provider could not be asked about an account')
  })
}

/** A job, every hour: what no webhook told us of the accounts that were asked about longest ago. */
export async function checkConnectedAccounts(services: Services): Promise<void> {
  const { db, log } = services
  const old = await db
    .select({ id: connectedAccounts.id })
    .from(connectedAccounts)
    .innerJoin(payoutMethods, eq(payoutMethods.ledgerAccountId, connectedAccounts.ledgerAccountId))
    .where(
      and(
        lt(connectedAccounts.checkedAt, sql`now() - interval '30 minutes'`),
        sql`${payoutMethods.method} <> 'paypal'`,
      ),
    )
    .orderBy(asc(connectedAccounts.checkedAt))
    .limit(mostAtOnce)
  for (const { id } of old) {
    const isReachable = await syncConnectedAccount(services, id).then(
      () => true,
      async (error: unknown) => {
        log.warn({ err: error, accountId: id }, 'an account could not be asked about')
        if (error instanceof Stripe.errors.StripeConnectionError) return false
        // One that makes trouble does not come first each time.
        await db
          .update(connectedAccounts)
          .set({ checkedAt: sql`now()` })
          .where(eq(connectedAccounts.id, id))
        return true
      },
    )
    if (!isReachable) return
  }
}
