// What is wrong with a payout form, in the specification's words (2, section 5), before anything leaves the browser.
import { payoutMessages } from '../rules.ts'
import { newPayoutMethod } from '../schema.ts'
import type { PayoutFieldName, PayoutFields, PayoutProblems } from './payout-fields.ts'

const withoutSpaces = (text: string) => text.replaceAll(/\s/g, '')

const expiryForm = 'Enter the expiry date as MM/YY'

/** Month and full year of 'MM/YY'; null when it is none. */
export function expiryIn(text: string): { month: number; year: number } | null {
  const found = /^(\d{1,2})\/(\d{2}|20\d{2})$/.exec(withoutSpaces(text))
  if (!found) return null
  const month = Number(found[1])
  const year = 2000 + (Number(found[2]) % 100)
  return month >= 1 && month <= 12 ? { month, year } : null
}

/** A card works until the last day of its month. */
function expiryProblem(text: string, now: Date): string | undefined {
  const expiry = expiryIn(text)
  if (!expiry) return expiryForm
  const ends = Date.UTC(expiry.year, expiry.month, 1)
  return ends <= now.getTime() ? 'This card has expired' : undefined
}

/** The first of these that was left empty says that all are needed. */
function missing(fields: PayoutFields, names: PayoutFieldName[], message: string): PayoutProblems {
  const empty = names.find((name) => fields[name].trim() === '')
  return empty ? { [empty]: message } : {}
}

function bankProblems(fields: PayoutFields): PayoutProblems {
  const empty = missing(
    fields,
    ['bankName', 'routingNumber', 'accountNumber'],
    payoutMessages.bankMissing,
  )
  const routing = fields.routingNumber.trim()
  if (routing === '' || /^\d{9}$/.test(routing)) return empty
  return { ...empty, routingNumber: payoutMessages.routingWrong }
}

function cardProblems(fields: PayoutFields, now: Date): PayoutProblems {
  const problems = missing(fields, ['cardNumber', 'expiryDate', 'cvv'], payoutMessages.cardMissing)
  const number = withoutSpaces(fields.cardNumber)
  if (number !== '' && !/^\d{13,19}$/.test(number)) problems.cardNumber = payoutMessages.cardWrong
  if (fields.expiryDate.trim() !== '') {
    const problem = expiryProblem(fields.expiryDate, now)
    if (problem) problems.expiryDate = problem
  }
  const cvv = fields.cvv.trim()
  if (cvv !== '' && !/^\d{3,4}$/.test(cvv)) problems.cvv = payoutMessages.cvvWrong
  return problems
}

/** What the server says about the fields that it gets, with a token as the provider will give it. */
function serverProblems(fields: PayoutFields): PayoutProblems {
  const token = fields.method === 'bank_account' ? 'btok_x' : 'tok_x'
  const checked = newPayoutMethod.safeParse({ ...fields, token })
  const problems: PayoutProblems = {}
  for (const { path, message } of checked.error?.issues ?? []) {
    problems[path[0] as PayoutFieldName] ??= message
  }
  return problems
}

export function payoutProblems(fields: PayoutFields, now: Date): PayoutProblems {
  const problems = serverProblems(fields)
  // One name that is missing is enough to ask for all of it.
  if (problems.firstName === problems.lastName) delete problems.lastName
  if (fields.method === 'bank_account') return { ...problems, ...bankProblems(fields) }
  if (fields.method === 'debit_card') return { ...problems, ...cardProblems(fields, now) }
  return problems
}

/** What the provider's tokenisation endpoint is asked with; it alone gets the numbers. */
export function tokenRequest(fields: PayoutFields): Record<string, string> {
  const holder = `${fields.firstName.trim()} ${fields.lastName.trim()}`
  if (fields.method === 'bank_account') {
    return {
      'bank_account[country]': 'US',
      'bank_account[currency]': 'usd',
      'bank_account[account_holder_name]': holder,
      'bank_account[account_holder_type]':
        fields.accountType === 'business' ? 'company' : 'individual',
      'bank_account[routing_number]': fields.routingNumber.trim(),
      'bank_account[account_number]': withoutSpaces(fields.accountNumber),
    }
  }
  const expiry = expiryIn(fields.expiryDate)
  return {
    'card[number]': withoutSpaces(fields.cardNumber),
    'card[exp_month]': String(expiry?.month),
    'card[exp_year]': String(expiry?.year),
    'card[cvc]': fields.cvv.trim(),
    'card[name]': holder,
    'card[currency]': 'usd',
  }
}

/** The field that a refusal of the provider is about; null when it is about none of them. */
export function refusedField(code: string, parameter: string): PayoutFieldName | null {
  const about = `${code} ${parameter}`
  if (/routing_number/.test(about)) return 'routingNumber'
  if (/account_number|bank_account/.test(about)) return 'accountNumber'
  if (/expired_card|exp_|expiry/.test(about)) return 'expiryDate'
  if (/cvc/.test(about)) return 'cvv'
  if (/number|card/.test(about)) return 'cardNumber'
  return null
}
