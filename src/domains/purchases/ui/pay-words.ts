// What is said when a payment page cannot be opened (spec 1, section 8).
import { ORPCError } from '@orpc/client'

const checkoutFailed = 'Failed to create checkout session'
const serverFailed = 'Server error occurred. Please try again later.'
export const noAddress = 'No checkout URL received'
export const unreachable =
  'Unable to connect to the payment service. Please check your internet connection and try again.'

/** Our server's words where it refused or knows what the provider's trouble is. */
export function payProblem(error: unknown): { problem: string; status: number } {
  if (!(error instanceof ORPCError)) return { problem: checkoutFailed, status: 500 }
  const { status, code, message } = error
  const isExplained = status < 500 || code.startsWith('PAYMENT_')
  return { problem: isExplained ? message : serverFailed, status }
}
