// Whether somebody can be paid, and what is in the way. Pure.
import type { PayoutSetup } from './schema.ts'
import type { connectedAccounts, payoutMethods } from './tables.ts'

export type ConnectedState = Pick<
  typeof connectedAccounts.$inferSelect,
  'detailsSubmitted' | 'payoutsEnabled' | 'disabledReason' | 'currentlyDue'
>

type MethodState = Pick<typeof payoutMethods.$inferSelect, 'method' | 'problem'>

export interface Standing {
  standing: PayoutSetup['standing']
  /** What that means and what to do; empty when nothing is to be done. */
  explanation: string
}

/** What the provider asks for, by the beginning of its word; the first one that fits. */
const askedFor: [RegExp, string][] = [
  [/^external_account/, 'a bank account or debit card'],
  [/^tos_acceptance/, 'your agreement to its terms'],
  [/^(individual|company|representative|person_\w+)\.verification\./, 'a photo of a document'],
  [/\.(first_name|last_name|name)$/, 'your name'],
  [/\.dob(\.|$)/, 'your date of birth'],
  [/\.address(\.|$)/, 'your address'],
  [/\.(id_number|ssn_last_4|tax_id)/, 'your tax number'],
  [/\.(phone|email)$/, 'how to reach you'],
  [/^(business_profile|business_type|company)/, 'details of your business'],
  [/^(owners|directors|executives|representative|person_\w)/, 'who stands behind your business'],
]

const list = new Intl.ListFormat('en-US')

function askedForWords(currentlyDue: string[]): string {
  const words = currentlyDue.map(
    (due) => askedFor.find(([form]) => form.test(due))?.[1] ?? 'more details',
  )
  // "more details" says nothing beside what does.
  const telling = [...new Set(words)].filter((word, _, all) =>
    word === 'more details' ? all.length === 1 : true,
  )
  return list.format(telling)
}

const kept = 'Your earnings stay in your balance until then.'

const ready: Standing = { standing: 'ready', explanation: '' }

const informationNeeded = (currentlyDue: string[]): Standing => ({
  standing: 'information_needed',
  explanation:
    currentlyDue.length === 0
      ? `Stripe, which pays you out, needs to know more about you. ${kept}`
      : `Stripe, which pays you out, still needs ${askedForWords(currentlyDue)}. ${kept}`,
})

const underReview: Standing = {
  standing: 'under_review',
  explanation: `Stripe is checking what you told it. There is nothing to do; it can take some days. ${kept}`,
}

const paused: Standing = {
  standing: 'paused',
  explanation: `Stripe has paused payouts to you. Look at its pages for what it asks, or contact us. ${kept}`,
}

const rejected: Standing = {
  standing: 'rejected',
  explanation:
    'Stripe does not pay out to this account. Your earnings stay in your balance. Contact us, and we will find another way.',
}

function ofAccount(connected: ConnectedState): Standing {
  const { disabledReason: reason, currentlyDue, payoutsEnabled } = connected
  if (reason?.startsWith('rejected')) return rejected
  if (payoutsEnabled) return ready
  if (reason === 'platform_paused' || reason === 'other') return paused
  if (reason === 'listed' || reason === 'under_review') return underReview
  if (reason === 'requirements.pending_verification') return underReview
  if (currentlyDue.length > 0 || !connected.detailsSubmitted) return informationNeeded(currentlyDue)
  return reason === 'requirements.past_due' ? informationNeeded([]) : underReview
}

/** `connected` is the account at the provider, which PayPal needs none of. */
export function standingOf(method: MethodState | null, connected: ConnectedState | null): Standing {
  if (!method) return { standing: 'not_connected', explanation: '' }
  if (method.problem) return { standing: 'failed', explanation: method.problem }
  if (method.method === 'paypal') return ready
  return connected ? ofAccount(connected) : informationNeeded([])
}
