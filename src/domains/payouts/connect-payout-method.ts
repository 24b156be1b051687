import { eq, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import type { Transaction } from '../../server/db.ts'
import type { Services } from '../../server/services.ts'
import { creatorAccount } from '../ledger/accounts.ts'
import { requireOwnMode } from '../payments/payment-mode.ts'
import { defaultExternal, externalFacts, stateOf, withAccount } from './connected-account.ts'
import { holdAccount } from './hold-account.ts'
import { hasOpenPayout, withPayoutMethod } from './hold-method.ts'
import { destinationOf } from './ready-method.ts'
import { payoutMessages } from './rules.ts'
import type { NewPayoutMethod } from './schema.ts'
import { connectedAccounts, payoutMethods } from './tables.ts'
import { tellOfMethod } from './tell-of-method.ts'

export interface Creator {
  id: string
  email: string
}

type Connected =
  | 'connected'
  | { refused: 'PAYOUT_OPEN' | 'PAYPAL_NOT_OFFERED' | 'ACCOUNT_GONE' }
  | { refused: 'REFUSED'; message: string }

/** Where the creator is paid from now on. The provider's part is done first: what it refuses changes nothing here. */
export async function connectPayoutMethod(
  services: Services,
  { creator, given }: { creator: Creator; given: NewPayoutMethod },
): Promise<Connected> {
  await requireOwnMode(services)
  const { db, payments, paypal } = services
  if (given.method === 'paypal' && !paypal) return { refused: 'PAYPAL_NOT_OFFERED' }
  const ledgerAccountId = await db.transaction((transaction) =>
    creatorAccount(transaction, creator.id),
  )
  const { accountType, firstName, lastName } = given
  const keep = { creator, ledgerAccountId, payee: { accountType, firstName, lastName } }
  if (given.method === 'paypal') {
    const { method, paypalEmail } = given
    return withPayoutMethod(db, ledgerAccountId, (transaction) =>
      keepMethod(transaction, { ...keep, way: { method, paypalEmail } }),
    )
  }
  if (await hasOpenPayout(db, ledgerAccountId)) return { refused: 'PAYOUT_OPEN' }
  const payee = { accountType, firstName, lastName, email: given.email || creator.email }
  return withAccount<Connected>(services, { ledgerAccountId, payee }, (accountId) =>
    withPayoutMethod(db, ledgerAccountId, async (transaction) => {
      if (await hasOpenPayout(transaction, ledgerAccountId)) return { refused: 'PAYOUT_OPEN' }
      const taken = await attach(payments.stripe, accountId, given.token)
      if ('refused' in taken) return taken
      await transaction
        .update(connectedAccounts)
        .set(stateOf(taken))
        .where(eq(connectedAccounts.ledgerAccountId, ledgerAccountId))
      const external = defaultExternal(taken)!
      const { bankName } = { bankName: undefined, ...given }
      const way = { ...externalFacts(external, bankName), externalAccountId: external.id }
      return keepMethod(transaction, { ...keep, way })
    }),
  )
}

/** The one before is deleted at the provider by this. */
async function attach(stripe: Stripe, accountId: string, token: string) {
  return stripe.accounts
    .update(
      accountId,
      { external_account: token },
      { idempotencyKey: `payout method ${accountId} ${token}` },
    )
    .catch((error: unknown) => {
      const message = refusalOf(error)
      if (message === null) throw error
      return { refused: 'REFUSED' as const, message }
    })
}

const refusals = new Map<string | undefined, string>([
  // The token is used up, or is none: a new one comes with the next try.
  ['resource_missing', payoutMessages.failed],
  ['token_already_used', payoutMessages.failed],
  ['token_in_use', payoutMessages.failed],
  ['invalid_card_type', 'This card cannot be paid out to. Please use a debit card.'],
  ['routing_number_invalid', 'Your bank does not know this routing number.'],
  ['account_number_invalid', 'Your bank does not know this account number.'],
])

/** In words for people; null of what is no answer to what was typed. */
function refusalOf(error: unknown): string | null {
  if (error instanceof Stripe.errors.StripeCardError) return error.message
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) return null
  if (error.code === 'resource_missing' && error.param === 'account') return null
  return refusals.get(error.code) ?? error.message
}

interface Way {
  method: 'bank_account' | 'debit_card' | 'paypal'
  label?: string
  last4?: string
  externalAccountId?: string
  paypalEmail?: string
}

async function keepMethod(
  transaction: Transaction,
  {
    creator,
    ledgerAccountId,
    payee,
    way,
  }: {
    creator: Creator
    ledgerAccountId: string
    payee: { accountType: 'individual' | 'business'; firstName: string; lastName: string }
    way: Way
  },
): Promise<Connected> {
  if (!(await holdAccount(transaction, ledgerAccountId)).userId) return { refused: 'ACCOUNT_GONE' }
  if (await hasOpenPayout(transaction, ledgerAccountId)) return { refused: 'PAYOUT_OPEN' }
  const values = {
    ...payee,
    method: way.method,
    label: way.label ?? '',
    last4: way.last4 ?? '',
    externalAccountId: way.externalAccountId ?? null,
    paypalEmail: way.paypalEmail ?? null,
    problem: null,
  }
  const [kept] = await transaction
    .insert(payoutMethods)
    .values({ ledgerAccountId, ...values })
    .onConflictDoUpdate({
      target: payoutMethods.ledgerAccountId,
      set: { ...values, updatedAt: sql`now()` },
    })
    .returning({ isNew: sql<boolean>`xmax = 0` })
  const destination = destinationOf(values)
  await tellOfMethod(transaction, creator.id, {
    title: kept!.isNew ? 'Your Payout Method Was Set Up' : 'Your Payout Method Was Changed',
    message: `What you earn is paid out to ${destination} from now on.`,
  })
  return 'connected'
}
