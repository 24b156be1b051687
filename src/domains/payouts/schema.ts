// What crosses the wire about being paid. Numbers of accounts and cards never do: the browser gives them to the
// payment provider, and we see what it gave for them.
import * as z from 'zod'
import {
  inMinorUnits,
  line,
  minorUnits,
  optionalLine,
  placeInList,
  timestamp,
} from '../../fields.ts'
import { payoutMessages } from './rules.ts'

const payee = {
  accountType: z.enum(['individual', 'business'], 'Choose individual or business'),
  firstName: line('First name', 80, payoutMessages.nameMissing),
  lastName: line('Last name', 80, payoutMessages.nameMissing),
  /** For the provider's questions; the account's own address when left out. */
  email: optionalLine('Email', 254).refine(
    (value) => value === '' || z.email().safeParse(value).success,
    payoutMessages.emailWrong,
  ),
}

/** One time, from the provider's tokenisation endpoint. */
const token = (kind: 'btok' | 'tok') =>
  z
    .string(payoutMessages.failed)
    .regex(new RegExp(`^${kind}_[A-Za-z0-9_]{1,100}$`), payoutMessages.failed)

export const newPayoutMethod = z.discriminatedUnion(
  'method',
  [
    z.object({
      method: z.literal('bank_account'),
      ...payee,
      bankName: line('Bank name', 80, payoutMessages.bankMissing),
      token: token('btok'),
    }),
    z.object({ method: z.literal('debit_card'), ...payee, token: token('tok') }),
    z.object({
      method: z.literal('paypal'),
      ...payee,
      paypalEmail: line('PayPal email', 254, payoutMessages.paypalMissing).pipe(
        z.email(payoutMessages.emailWrong),
      ),
    }),
  ],
  'Choose how you are paid',
)
export type NewPayoutMethod = z.output<typeof newPayoutMethod>

export const payoutSetupQuery = z.object({
  /** Back from the provider's pages: it is asked how it stands now. */
  fresh: z.boolean().optional(),
})

const method = z.enum(['bank_account', 'debit_card', 'paypal'])
const schedule = z.enum(['manual', 'weekly', 'monthly'], 'Choose manual, weekly or monthly')

export const payoutSetup = z.object({
  method: z
    .object({
      method,
      accountType: z.enum(['individual', 'business']),
      firstName: z.string(),
      lastName: z.string(),
      /** The bank's name, or the card's brand; empty with PayPal. */
      label: z.string(),
      last4: z.string(),
      paypalEmail: z.string().nullable(),
      schedule,
    })
    .nullable(),
  standing: z.enum([
    'not_connected',
    'ready',
    /** The provider asks for more: `startOnboarding` leads there. */
    'information_needed',
    'under_review',
    'paused',
    'rejected',
    /** The last payout came back; it has to be set up again. */
    'failed',
  ]),
  /** What that means and what to do, in words; empty when nothing is to be done. */
  explanation: z.string(),
  /** Where the browser takes numbers to; null when only the provider's own pages may ask for them. */
  tokens: z.object({ url: z.string(), publishableKey: z.string() }).nullable(),
  offersPaypal: z.boolean(),
  isTestMode: z.boolean(),
})
export type PayoutSetup = z.output<typeof payoutSetup>

export const payoutSchedule = z.object({ schedule })

/** Of the provider's own pages. */
export const onboardingAddress = z.object({ url: z.string() })

export const newPayout = z.object({
  amount: inMinorUnits(
    z
      .number('Enter an amount')
      .int('The amount must be a whole number of cents')
      .min(1, 'Enter an amount')
      .max(2_000_000_000, 'This amount is too large'),
  ),
})

export const payout = z.object({
  id: z.uuid(),
  method,
  /** 'STRIPE TEST BANK •••• 6789' */
  destination: z.string(),
  /** Taken from the balance; `fee` of it is PayPal's. */
  amount: minorUnits,
  fee: minorUnits,
  currency: z.string(),
  status: z.enum(['requested', 'in_transit', 'paid', 'failed']),
  isAutomatic: z.boolean(),
  requestedAt: timestamp,
  arrivesAt: timestamp.nullable(),
  endedAt: timestamp.nullable(),
  failure: z.string().nullable(),
})
export type Payout = z.output<typeof payout>

export const byPayout = z.object({ payoutId: z.uuid() })

export const payoutsQuery = z.object({
  cursor: placeInList.optional(),
})

/** Newest first. */
export const payoutPage = z.object({
  payouts: z.array(payout),
  nextCursor: z.string().nullable(),
})
export type PayoutPage = z.output<typeof payoutPage>
