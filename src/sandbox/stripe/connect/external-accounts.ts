// Where a connected account's payouts go: bank accounts and debit cards, which come as tokens.
import type Stripe from 'stripe'
import { mergedMetadata, pageFields, readParams } from '../params.ts'
import { missing, Refusal, wrong } from '../refusal.ts'
import { listOf, type Call, type Route } from '../route.ts'
import type { Unit } from '../store.ts'
import { noTestCardDigits } from '../test-cards.ts'
import { externalsOf, requireAccount, settleAccount, type Account } from './requirements.ts'
import { spendToken } from './tokens.ts'

type External = Stripe.BankAccount | Stripe.Card

const urlOf = (account: Stripe.Account) => `/v1/accounts/${account.id}/external_accounts`

export const noExternals = (account: Stripe.Account) => listOf<External>(urlOf(account), [])

function keep(account: Account, externals: External[]) {
  account.external_accounts = listOf(urlOf(account), externals)
}

/** @throws Refusal when it is no card that payouts can go to */
function checkCard(card: Stripe.Card, account: Account) {
  if (card.last4 === noTestCardDigits) {
    throw new Refusal(
      402,
      'Your card was declined. Your request was in test mode, but used a non test card.',
      { type: 'card_error', code: 'card_declined', decline_code: 'test_mode_live_card' },
    )
  }
  if (card.funding !== 'debit') {
    const message = 'The card must be a debit card. Payouts cannot go to other cards.'
    throw wrong(message, 'external_account', 'invalid_card_type')
  }
  if (!card.currency) {
    const message = 'This card has no currency: give one when the token is made.'
    throw wrong(message, 'external_account')
  }
  if (card.currency !== account.default_currency) {
    throw wrong(`Payouts in ${card.currency} cannot go to this card.`, 'external_account')
  }
}

/**
 * Adds what the token stands for. `as` says what becomes of the one that payouts go to now: it is replaced by it,
 * stays beside it, or stays where payouts go.
 */
export async function addExternal(
  unit: Unit,
  account: Account,
  token: string,
  as: 'replacement' | 'default' | 'another',
): Promise<External> {
  const stands = await spendToken(unit, token, 'external_account')
  if (stands.object === 'card') checkCard(stands, account)
  const before = externalsOf(account) as External[]
  const isDefault = as !== 'another' || before.length === 0
  const methods: Stripe.BankAccount.AvailablePayoutMethod[] =
    stands.object === 'card' ? ['standard', 'instant'] : ['standard']
  const added: External = {
    ...stands,
    account: account.id,
    available_payout_methods: methods,
    default_for_currency: isDefault,
    metadata: {},
    ...(stands.object === 'bank_account' ? { future_requirements: null, requirements: null } : {}),
  } as External
  const rest = as === 'replacement' ? before.filter((one) => !one.default_for_currency) : before
  if (isDefault) for (const other of rest) other.default_for_currency = false
  keep(account, [...rest, added])
  for (const gone of before.filter((one) => !rest.includes(one))) {
    unit.emit('account.external_account.deleted', gone, { account: account.id })
  }
  unit.emit('account.external_account.created', added, { account: account.id })
  return added
}

/** @throws Refusal resource_missing */
export function externalOf(account: Stripe.Account, id: string, param = 'id'): External {
  const found = (externalsOf(account) as External[]).find((one) => one.id === id)
  if (!found) throw missing('external account', id, param)
  return found
}

async function requireExternal({ unit, id, part }: Pick<Call, 'unit' | 'id' | 'part'>) {
  const account = await requireAccount(unit, id)
  return { account, external: externalOf(account, part) }
}

export const externalAccountRoutes: Route[] = [
  [
    'POST',
    '/v1/accounts/:id/external_accounts',
    async ({ unit, id, params }) => {
      const account = await requireAccount(unit, id)
      const given = readParams(params, {
        external_account: 'text!',
        default_for_currency: 'yesNo',
        metadata: 'metadata',
      })
      const as = given.default_for_currency ? 'default' : 'another'
      const added = await addExternal(unit, account, given.external_account, as)
      added.metadata = given.metadata ?? {}
      settleAccount(unit, account)
      return added
    },
  ],
  [
    'GET',
    '/v1/accounts/:id/external_accounts',
    async ({ unit, id, params }) => {
      const { object } = readParams(params, { ...pageFields, object: 'text' })
      const account = await requireAccount(unit, id)
      const all = externalsOf(account) as External[]
      const shown = object ? all.filter((one) => one.object === object) : all
      return listOf(urlOf(account), shown)
    },
  ],
  [
    'GET',
    '/v1/accounts/:id/external_accounts/:part',
    async (call) => (await requireExternal(call)).external,
  ],
  [
    'POST',
    '/v1/accounts/:id/external_accounts/:part',
    async (call) => {
      const { unit } = call
      const { account, external } = await requireExternal(call)
      const given = readParams(call.params, { default_for_currency: 'yesNo', metadata: 'metadata' })
      external.metadata = mergedMetadata(external.metadata ?? {}, given.metadata)
      if (given.default_for_currency) {
        for (const one of externalsOf(account)) one.default_for_currency = one === external
      }
      unit.emit('account.external_account.updated', external, { account: account.id })
      settleAccount(unit, account)
      return external
    },
  ],
  [
    'DELETE',
    '/v1/accounts/:id/external_accounts/:part',
    async (call) => {
      const { unit } = call
      const { account, external } = await requireExternal(call)
      if (external.default_for_currency) {
        throw wrong(
          'You cannot delete the default external account for your default currency. Please make another external account the default using the `default_for_currency` param, and then delete this one.',
        )
      }
      keep(
        account,
        (externalsOf(account) as External[]).filter((one) => one !== external),
      )
      unit.emit('account.external_account.deleted', external, { account: account.id })
      settleAccount(unit, account)
      return { id: external.id, object: external.object, deleted: true }
    },
  ],
]
