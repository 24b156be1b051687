// What a connected account may do, which follows from what is known of it and from what the provider made of that.
import type Stripe from 'stripe'
import { missing, Refusal } from '../refusal.ts'
import type { Unit } from '../store.ts'

/** How the provider regards an account, whatever was submitted. */
export const accountStates = [
  'enabled',
  'paused',
  'rejected',
  'information needed',
  'under review',
] as const
export type AccountState = (typeof accountStates)[number]

type Named = Pick<Stripe.Person, 'first_name' | 'last_name' | 'dob'>

/** With what the API does not show. */
export interface Account extends Stripe.Account {
  _state: AccountState
  /** Of a company; Stripe has persons for that. */
  _representative: Named
}

/** @throws Refusal account_invalid, as Stripe answers about accounts that are not ours or not there */
export async function requireAccount(unit: Unit, id: string): Promise<Account> {
  const account = await unit.get<Account | Stripe.DeletedAccount>(id)
  if (account?.object === 'account' && !account.deleted) return account
  throw new Refusal(
    403,
    `The provided key does not have access to account '${id}' (or that account does not exist).`,
    { type: 'invalid_request_error', code: 'account_invalid' },
  )
}

/** One that another object names. @throws Refusal resource_missing */
export async function requireDestination(unit: Unit, id: string): Promise<Account> {
  const account = await unit.get<Account | Stripe.DeletedAccount>(id)
  if (account?.object !== 'account' || account.deleted)
    throw missing('destination', id, 'destination')
  return account
}

export const externalsOf = (account: Stripe.Account) => account.external_accounts?.data ?? []

function missingOf(account: Account): string[] {
  const isCompany = account.business_type === 'company'
  const who = isCompany ? 'representative' : 'individual'
  const person: Named | undefined = isCompany ? account._representative : account.individual
  const parts: [string, unknown][] = [
    ['business_type', account.business_type],
    ['company.name', !isCompany || account.company?.name],
    [`${who}.first_name`, person?.first_name],
    [`${who}.last_name`, person?.last_name],
    [`${who}.dob.day`, person?.dob?.day],
    [`${who}.dob.month`, person?.dob?.month],
    [`${who}.dob.year`, person?.dob?.year],
    ['tos_acceptance.date', account.tos_acceptance?.date],
    ['tos_acceptance.ip', account.tos_acceptance?.ip],
    [`${who}.verification.document`, account._state !== 'information needed'],
  ]
  return parts.filter(([, given]) => !given).map(([part]) => part)
}

function disabledReason({ _state }: Account, isIncomplete: boolean) {
  if (_state === 'rejected') return 'rejected.fraud'
  if (_state === 'paused') return 'platform_paused'
  if (_state === 'under review') return 'under_review'
  return isIncomplete ? 'requirements.past_due' : null
}

/** To be called after each change: what is allowed is found anew, and told. */
export function settleAccount(unit: Unit, account: Account) {
  const isRejected = account._state === 'rejected'
  const unknown = isRejected ? [] : missingOf(account)
  const hasDestination = externalsOf(account).length > 0
  const due = hasDestination || isRejected ? unknown : ['external_account', ...unknown]
  const isKnown = missingOf(account).length === 0
  const mayReceive = isKnown && !isRejected && account._state !== 'under review'
  const reason = disabledReason(account, due.length > 0)
  account.details_submitted = isKnown || account._state === 'information needed'
  account.payouts_enabled = mayReceive && hasDestination && account._state !== 'paused'
  const capabilities = (account.capabilities ??= {})
  for (const name of Object.keys(capabilities) as (keyof Stripe.Account.Capabilities)[]) {
    capabilities[name] = mayReceive ? 'active' : 'inactive'
  }
  account.charges_enabled = capabilities.card_payments === 'active'
  account.requirements = {
    alternatives: [],
    current_deadline: null,
    currently_due: due,
    disabled_reason: reason,
    errors: [],
    eventually_due: due,
    past_due: due,
    pending_verification: [],
  }
  unit.put(account)
  unit.emit('account.updated', account, { account: account.id })
}

/** What somebody tells on the provider's own page. */
interface Told {
  company?: string
  firstName?: string
  lastName?: string
  dob?: { day: number; month: number; year: number }
  acceptsTerms?: boolean
  hasDocument?: boolean
}

export type Asked = keyof Told | 'bank'

/** What the provider's own page has to ask for. */
export function askedOf(account: Account): Set<Asked> {
  const asked = new Set<Asked>()
  for (const part of account.requirements?.currently_due ?? []) {
    if (part === 'external_account') asked.add('bank')
    if (part === 'company.name') asked.add('company')
    if (part.endsWith('.first_name')) asked.add('firstName')
    if (part.endsWith('.last_name')) asked.add('lastName')
    if (part.includes('.dob.')) asked.add('dob')
    if (part.startsWith('tos_acceptance')) asked.add('acceptsTerms')
    if (part.endsWith('.document')) asked.add('hasDocument')
  }
  return asked
}

/** A person, of whom nothing is known yet. */
export const newPerson = (unit: Unit, account: Account): Stripe.Person => ({
  id: unit.newId('person_'),
  object: 'person',
  account: account.id,
  created: account.created ?? 0,
})

/** Puts down what was told; `settleAccount` finds what follows from it. */
export function tell(unit: Unit, account: Account, told: Told, now: number) {
  account.business_type ??= 'individual'
  if (told.company) account.company = { ...account.company, name: told.company }
  const person: Named =
    account.business_type === 'company'
      ? account._representative
      : (account.individual ??= newPerson(unit, account))
  if (told.firstName) person.first_name = told.firstName
  if (told.lastName) person.last_name = told.lastName
  if (told.dob) person.dob = told.dob
  if (told.acceptsTerms) account.tos_acceptance = { date: now, ip: '127.0.0.1', user_agent: null }
  if (told.hasDocument && account._state === 'information needed') account._state = 'enabled'
}

/** What an operator of the provider does to an account. 'enabled' also fills in what nobody told. */
export function setState(unit: Unit, account: Account, state: AccountState, now: number) {
  account._state = state
  if (state === 'enabled') {
    const asked = askedOf(account)
    tell(
      unit,
      account,
      {
        ...(asked.has('company') ? { company: 'Test Company' } : {}),
        ...(asked.has('firstName') ? { firstName: 'Test' } : {}),
        ...(asked.has('lastName') ? { lastName: 'Person' } : {}),
        ...(asked.has('dob') ? { dob: { day: 1, month: 1, year: 1990 } } : {}),
        acceptsTerms: asked.has('acceptsTerms'),
      },
      now,
    )
  }
  settleAccount(unit, account)
}
