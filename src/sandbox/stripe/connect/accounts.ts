// Connected accounts: who is paid out. Of the kind that Thunder makes: the platform asks for what is required and
// answers for losses, and Stripe gives no dashboard. That is the kind that takes tokens from a form of ours.
import type Stripe from 'stripe'
import { balancesOf } from '../balance-transactions.ts'
import { mergedMetadata, pageFields, readParams, type Group } from '../params.ts'
import { wrong } from '../refusal.ts'
import { pageOf, type Route } from '../route.ts'
import { wallSeconds, type Unit } from '../store.ts'
import { addExternal, noExternals } from './external-accounts.ts'
import { newPerson, requireAccount, settleAccount, type Account } from './requirements.ts'

const fields = {
  business_profile: 'group',
  business_type: 'text',
  capabilities: 'group',
  company: 'group',
  default_currency: 'text',
  email: 'text',
  external_account: 'text',
  individual: 'group',
  metadata: 'metadata',
  settings: 'group',
  tos_acceptance: 'group',
} as const

const addressFields = {
  city: 'text',
  country: 'text',
  line1: 'text',
  line2: 'text',
  postal_code: 'text',
  state: 'text',
} as const

const orNull = (text: string | undefined) => text || null

function applyPerson(unit: Unit, account: Account, given: Group) {
  if (account.business_type === 'company') {
    throw wrong('`individual` cannot be given for an account of a company.', 'individual')
  }
  const read = readParams(
    given,
    {
      address: 'group',
      dob: 'group',
      email: 'text',
      first_name: 'text',
      id_number: 'text',
      last_name: 'text',
      phone: 'text',
      ssn_last_4: 'text',
    },
    'individual',
  )
  const person = (account.individual ??= newPerson(unit, account))
  for (const field of ['email', 'first_name', 'last_name', 'phone'] as const) {
    if (read[field] !== undefined) person[field] = orNull(read[field])
  }
  if (read.dob) {
    const spec = { day: 'integer!', month: 'integer!', year: 'integer!' } as const
    person.dob = readParams(read.dob, spec, 'individual[dob]')
  }
  // What is secret is not kept, only that it was given.
  if (read.id_number) person.id_number_provided = true
  if (read.ssn_last_4) person.ssn_last_4_provided = true
  readParams(read.address ?? {}, addressFields, 'individual[address]')
}

function applyCompany(account: Account, given: Group) {
  const read = readParams(
    given,
    { address: 'group', name: 'text', phone: 'text', structure: 'text', tax_id: 'text' },
    'company',
  )
  readParams(read.address ?? {}, addressFields, 'company[address]')
  account.company = { ...account.company }
  if (read.name !== undefined) account.company.name = orNull(read.name)
  if (read.phone !== undefined) account.company.phone = orNull(read.phone)
  if (read.tax_id) account.company.tax_id_provided = true
}

function applyProfile(account: Account, given: Group) {
  const read = readParams(
    given,
    {
      mcc: 'text',
      name: 'text',
      product_description: 'text',
      support_email: 'text',
      support_phone: 'text',
      support_url: 'text',
      url: 'text',
    },
    'business_profile',
  )
  const before = account.business_profile
  const kept = (field: keyof typeof read) => orNull(read[field] ?? before?.[field] ?? undefined)
  account.business_profile = {
    mcc: kept('mcc'),
    minority_owned_business_designation: null,
    name: kept('name'),
    product_description: kept('product_description'),
    specified_commercial_transactions_act_url: null,
    support_address: null,
    support_email: kept('support_email'),
    support_phone: kept('support_phone'),
    support_url: kept('support_url'),
    url: kept('url'),
  }
}

const intervals = new Set(['manual', 'daily', 'weekly', 'monthly'])

function applySettings(account: Account, given: Group) {
  const { payouts } = readParams(given, { payouts: 'group' }, 'settings')
  if (!payouts) return
  const path = 'settings[payouts]'
  const read = readParams(
    payouts,
    { debit_negative_balances: 'yesNo', schedule: 'group', statement_descriptor: 'text' },
    path,
  )
  const { interval } = readParams(read.schedule ?? {}, { interval: 'text' }, `${path}[schedule]`)
  if (interval && !intervals.has(interval)) {
    throw wrong(`Invalid payout interval: ${interval}`, `${path}[schedule][interval]`)
  }
  const kept = account.settings?.payouts
  if (!account.settings || !kept) return
  account.settings.payouts = {
    debit_negative_balances: read.debit_negative_balances ?? kept.debit_negative_balances,
    schedule: { ...kept.schedule, ...(interval ? { interval } : {}) },
    statement_descriptor: read.statement_descriptor ?? kept.statement_descriptor,
  }
}

async function apply(unit: Unit, account: Account, params: Group) {
  const given = readParams(params, fields)
  const email = given.email?.trim()
  if (email) account.email = email
  if (given.business_type) {
    if (given.business_type !== 'individual' && given.business_type !== 'company') {
      throw wrong('The sandbox knows individuals and companies only.', 'business_type')
    }
    account.business_type = given.business_type
    if (given.business_type === 'company') delete account.individual
  }
  account.metadata = mergedMetadata(account.metadata ?? {}, given.metadata)
  for (const [name, asked] of Object.entries(given.capabilities ?? {})) {
    const path = `capabilities[${name}]`
    const { requested } = readParams(asked as Group, { requested: 'yesNo!' }, path)
    const capabilities = (account.capabilities ??= {})
    const capability = name as keyof Stripe.Account.Capabilities
    if (requested) capabilities[capability] ??= 'inactive'
    else delete capabilities[capability]
  }
  if (given.business_profile) applyProfile(account, given.business_profile)
  if (given.individual) applyPerson(unit, account, given.individual)
  if (given.company) applyCompany(account, given.company)
  if (given.settings) applySettings(account, given.settings)
  if (given.tos_acceptance) {
    account.tos_acceptance = readParams(
      given.tos_acceptance,
      { date: 'integer', ip: 'text', service_agreement: 'text', user_agent: 'text' },
      'tos_acceptance',
    )
  }
  if (given.external_account) {
    await addExternal(unit, account, given.external_account, 'replacement')
  }
  settleAccount(unit, account)
  return account
}

/** @throws Refusal of any other kind of account */
function readController(given: Group[string] | undefined): Stripe.Account.Controller {
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw wrong('The sandbox makes accounts by `controller` only.', 'controller')
  }
  const { requirement_collection, ...groups } = readParams(
    given,
    { fees: 'group', losses: 'group', requirement_collection: 'text', stripe_dashboard: 'group' },
    'controller',
  )
  const { payer } = readParams(groups.fees ?? {}, { payer: 'text' }, 'controller[fees]')
  const { payments } = readParams(groups.losses ?? {}, { payments: 'text' }, 'controller[losses]')
  const path = 'controller[stripe_dashboard]'
  const { type } = readParams(groups.stripe_dashboard ?? {}, { type: 'text' }, path)
  const isOurs = [requirement_collection, payer, payments].every((who) => who === 'application')
  if (!isOurs || type !== 'none') {
    throw wrong(
      'The sandbox makes accounts without a dashboard only, for which the application pays fees and losses and collects requirements.',
      'controller',
    )
  }
  return {
    fees: { payer: 'application' },
    is_controller: true,
    losses: { payments: 'application' },
    requirement_collection: 'application',
    stripe_dashboard: { type: 'none' },
    type: 'application',
  }
}

const freshSettings = (): Stripe.Account.Settings => ({
  branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
  card_payments: {
    statement_descriptor_prefix: null,
    statement_descriptor_prefix_kana: null,
    statement_descriptor_prefix_kanji: null,
  },
  dashboard: { display_name: null, timezone: 'Etc/UTC' },
  payments: {
    statement_descriptor: null,
    statement_descriptor_kana: null,
    statement_descriptor_kanji: null,
    statement_descriptor_prefix_kana: null,
    statement_descriptor_prefix_kanji: null,
  },
  payouts: {
    debit_negative_balances: false,
    schedule: { delay_days: 2, interval: 'daily' },
    statement_descriptor: null,
  },
})

export const accountRoutes: Route[] = [
  [
    'POST',
    '/v1/accounts',
    async ({ unit, params }) => {
      const { controller, country, ...rest } = params
      const account: Account = {
        id: unit.newId('acct_'),
        object: 'account',
        business_profile: null,
        business_type: null,
        capabilities: {},
        charges_enabled: false,
        controller: readController(controller),
        country: typeof country === 'string' ? country : 'US',
        created: wallSeconds(),
        default_currency: 'usd',
        details_submitted: false,
        email: null,
        metadata: {},
        payouts_enabled: false,
        settings: freshSettings(),
        tos_acceptance: {},
        type: 'none',
        _state: 'enabled',
        _representative: {},
      }
      account.external_accounts = noExternals(account)
      return apply(unit, account, rest)
    },
  ],
  [
    'GET',
    '/v1/accounts',
    async (call) => {
      readParams(call.params, pageFields)
      return pageOf(call, '/v1/accounts', 'account', { deleted: null })
    },
  ],
  ['GET', '/v1/accounts/:id', ({ unit, id }) => requireAccount(unit, id)],
  [
    'POST',
    '/v1/accounts/:id',
    async ({ unit, id, params }) => apply(unit, await requireAccount(unit, id), params),
  ],
  [
    'DELETE',
    '/v1/accounts/:id',
    async ({ unit, id }) => {
      await requireAccount(unit, id)
      const balances = await balancesOf(unit, id)
      if (balances.some(({ available, pending }) => available !== 0 || pending !== 0)) {
        throw wrong('This account cannot be deleted because its balance is not zero.')
      }
      const gone = { id, object: 'account' as const, deleted: true as const }
      unit.put(gone)
      return gone
    },
  ],
  [
    'POST',
    '/v1/account_links',
    async ({ unit, params }) => {
      const given = readParams(params, {
        account: 'text!',
        type: 'text!',
        refresh_url: 'text!',
        return_url: 'text!',
        collect: 'text',
        collection_options: 'group',
      })
      const account = await requireAccount(unit, given.account)
      if (given.type !== 'account_onboarding' && given.type !== 'account_update') {
        throw wrong('Invalid type', 'type')
      }
      for (const param of ['refresh_url', 'return_url'] as const) {
        if (!URL.canParse(given[param])) throw wrong('Not a valid URL', param, 'url_invalid')
      }
      const created = wallSeconds()
      const link = {
        id: unit.newId('acl_'),
        object: 'sandbox.account_link',
        account: account.id,
        created,
        expires_at: created + 300,
        refresh_url: given.refresh_url,
        return_url: given.return_url,
      }
      unit.put(link)
      return {
        object: 'account_link',
        created,
        expires_at: link.expires_at,
        url: unit.address(`/setup/${account.id}?link=${link.id}`),
      } satisfies Stripe.AccountLink
    },
  ],
]
