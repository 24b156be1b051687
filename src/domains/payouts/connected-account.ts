// A creator's account at the payment provider: made on first need, and read.
import { createHash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import type { Transaction } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { isMissing } from '../payments/is-missing.ts'
import { hasOpenPayout, withConnectedAccount } from './hold-method.ts'
import { connectedAccounts, payouts } from './tables.ts'

/** Deleted there, or of another key of ours. */
export const isAccountGone = (error: unknown): boolean =>
  isMissing(error) ||
  (error instanceof Stripe.errors.StripePermissionError && error.code === 'account_invalid')

interface Payee {
  email: string
  accountType?: 'individual' | 'business'
  firstName?: string
  lastName?: string
}

/**
 * We are liable for this kind of account, and collect what the provider wants to know: it takes a bank account or a
 * debit card from our form at any time, and has no pages of its own at the provider.
 */
const termsFor = ({ email, accountType, firstName, lastName }: Payee) =>
  ({
    controller: {
      requirement_collection: 'application',
      losses: { payments: 'application' },
      fees: { payer: 'application' },
      stripe_dashboard: { type: 'none' },
    },
    // We sell in dollars, and the form asks for a routing number.
    country: 'US',
    email,
    business_type: accountType === 'business' ? 'company' : 'individual',
    ...(accountType === 'individual' &&
      firstName && { individual: { first_name: firstName, last_name: lastName, email } }),
    capabilities: { transfers: { requested: true } },
    settings: { payouts: { schedule: { interval: 'manual' } } },
  }) satisfies Stripe.AccountCreateParams

export const stateOf = ({
  details_submitted,
  payouts_enabled,
  capabilities,
  requirements,
}: Stripe.Account) => ({
  detailsSubmitted: details_submitted,
  payoutsEnabled: payouts_enabled && capabilities?.transfers === 'active',
  disabledReason: requirements?.disabled_reason ?? null,
  currentlyDue: requirements?.currently_due ?? [],
  checkedAt: sql`now()`,
})

async function knownAccount(transaction: Transaction, ledgerAccountId: string) {
  const [known] = await transaction
    .select({ id: connectedAccounts.id })
    .from(connectedAccounts)
    .where(eq(connectedAccounts.ledgerAccountId, ledgerAccountId))
  return known?.id ?? null
}

/** The id of the creator's account at the provider. `gone` names one that the provider does not know any more. */
async function connectedAccountOf(
  { db, payments }: Pick<Services, 'db' | 'payments'>,
  { ledgerAccountId, payee, gone }: { ledgerAccountId: string; payee: Payee; gone?: string },
): Promise<string> {
  return withConnectedAccount(db, ledgerAccountId, async (transaction) => {
    const known = await knownAccount(transaction, ledgerAccountId)
    if (known && known !== gone) return known
    const terms = { ...termsFor(payee), metadata: { ledgerAccountId } }
    // With the facts in it: the provider refuses a key that comes again with others.
    const facts = createHash('sha256')
      .update(JSON.stringify([terms, gone ?? null]))
      .digest('hex')
    const account = await payments.stripe.accounts.create(terms, {
      idempotencyKey: `account ${ledgerAccountId} ${facts}`,
    })
    await forgetAccount(transaction, ledgerAccountId)
    await transaction
      .insert(connectedAccounts)
      .values({ id: account.id, ledgerAccountId, ...stateOf(account) })
    return account.id
  })
}

/** The one that was there before, if any. What was paid out through it stays. */
async function forgetAccount(transaction: Transaction, ledgerAccountId: string): Promise<void> {
  await transaction
    .update(payouts)
    .set({ connectedAccountId: null })
    .where(and(eq(payouts.ledgerAccountId, ledgerAccountId), sql`${payouts.endedAt} is not null`))
  await transaction
    .delete(connectedAccounts)
    .where(eq(connectedAccounts.ledgerAccountId, ledgerAccountId))
}

/** No other account can take the place of one through which something is paid out. */
export class PayoutOpen extends Error {}

/**
 * Does it with the creator's account; when the provider does not know that any more, with a new one.
 * @throws {PayoutOpen} when that cannot be, because a payout is on its way
 */
export async function withAccount<Result>(
  services: Pick<Services, 'db' | 'payments'>,
  whose: { ledgerAccountId: string; payee: Payee },
  work: (accountId: string) => Promise<Result>,
): Promise<Result> {
  const accountId = await connectedAccountOf(services, whose)
  return work(accountId).catch(async (error: unknown) => {
    if (!isAccountGone(error)) throw error
    // What is on its way goes through the one that was there.
    if (await hasOpenPayout(services.db, whose.ledgerAccountId)) throw new PayoutOpen()
    return work(await connectedAccountOf(services, { ...whose, gone: accountId }))
  })
}

type External = NonNullable<Stripe.Account['external_accounts']>['data'][number]

/** Where the account is paid out to. */
export const defaultExternal = ({ external_accounts }: Stripe.Account): External | null =>
  external_accounts?.data.find(({ default_for_currency }) => default_for_currency) ??
  external_accounts?.data[0] ??
  null

/** As the provider names it; `bankName` where it does not know the bank. */
export const externalFacts = (external: External, bankName = '') =>
  external.object === 'card'
    ? ({ method: 'debit_card', label: external.brand, last4: external.last4 } as const)
    : ({
        method: 'bank_account',
        label: external.bank_name ?? bankName,
        last4: external.last4,
      } as const)
