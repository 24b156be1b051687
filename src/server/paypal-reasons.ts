// Why PayPal does not pay somebody, in words for the person who is to be paid. Pure.

/** Reasons that lie with who is to be paid; any other name is between PayPal and us. */
const words: Record<string, string> = {
  CURRENCY_COMPLIANCE: 'PayPal does not pay US dollars to this account.',
  CURRENCY_NOT_SUPPORTED_FOR_RECEIVER: 'The PayPal account does not take US dollars.',
  NON_HOLDING_CURRENCY: 'The PayPal account does not take US dollars.',
  RECEIVER_ACCOUNT_LIMITATION: 'PayPal has limited this account.',
  RECEIVER_ACCOUNT_LOCKED: 'PayPal has locked the account of this address.',
  RECEIVER_COUNTRY_NOT_ALLOWED: 'PayPal cannot pay people in the country of this account.',
  RECEIVER_REFUSED: 'It was declined at PayPal.',
  RECEIVER_STATE_RESTRICTED: 'PayPal cannot pay people in the state of this account.',
  RECEIVER_UNCONFIRMED: 'This address has not been confirmed at PayPal.',
  RECEIVER_UNREGISTERED: 'There is no PayPal account with this address.',
  RECEIVER_YOUTH_ACCOUNT: 'PayPal does not pay out to accounts of young people.',
  RECEIVING_LIMIT_EXCEEDED: 'The PayPal account cannot receive that much.',
  REGULATORY_BLOCKED: 'PayPal may not pay out to this account.',
  RISK_DECLINE: 'PayPal declined it for safety.',
  SELF_PAY_NOT_ALLOWED: 'This is the address that payouts come from.',
  TRANSACTION_DECLINED_BY_TRAVEL_RULE: 'PayPal may not pay out to this account.',
}

/** Null when it is not about who is to be paid. */
export const receiverReason = (name: string | undefined): string | null =>
  (name && Object.hasOwn(words, name) && words[name]) || null

export const addressRefused = 'PayPal does not take this address. Check it for mistakes.'

export const itemStatuses = [
  'NEW',
  'PENDING',
  'PROCESSING',
  'UNCLAIMED',
  'ONHOLD',
  'SUCCESS',
  'FAILED',
  'RETURNED',
  'BLOCKED',
  'DENIED',
  'REFUNDED',
  'REVERSED',
  'CANCELED',
] as const

export interface PayPalState {
  status: 'pending' | 'paid' | 'failed'
  /** Why it failed, or why it does not arrive, in words for people. */
  reason: string | null
  /** It failed, and nothing is wrong with where it should go: the next one may arrive there. */
  isOurs: boolean
}

const pending: PayPalState = { status: 'pending', reason: null, isOurs: false }

const unclaimed =
  'Nobody has claimed it at PayPal: the address may be wrong, or have no account there yet. What is not claimed comes back after 30 days.'

const failed = (reason: string, isOurs = false): PayPalState => ({
  status: 'failed',
  reason,
  isOurs,
})

/** What an item's status means; `problem` is the name of its error. */
export function stateOf(
  status: (typeof itemStatuses)[number],
  problem: string | undefined,
): PayPalState {
  switch (status) {
    case 'SUCCESS':
      return { ...pending, status: 'paid' }
    case 'NEW':
    case 'PENDING':
    case 'PROCESSING':
    case 'ONHOLD':
      return pending
    case 'UNCLAIMED':
      return { ...pending, reason: unclaimed }
    case 'RETURNED':
      return failed('It was not claimed at PayPal, so it came back.')
    case 'REFUNDED':
      return failed('It was sent back at PayPal.')
    case 'REVERSED':
      return failed('PayPal took it back.')
    case 'BLOCKED':
      return failed(receiverReason(problem) ?? 'PayPal has blocked it.')
    case 'FAILED':
    case 'DENIED':
    case 'CANCELED': {
      const reason = receiverReason(problem)
      return reason
        ? failed(reason)
        : failed('PayPal could not send it. That was not your fault: ask for it again later.', true)
    }
  }
}
