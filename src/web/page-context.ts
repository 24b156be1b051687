import { createContext } from 'react-router'
import type { AuthCalls } from '../domains/accounts/auth-calls-of.ts'
import type { SwitchedOff } from '../domains/administration/features.ts'
import type { ApiClient } from '../server/contract-calls.ts'

/**
 * For loaders: the API as this visitor, in-process. What the visitor may not see becomes the page for
 * it: 401 leads to /login and back, 403 and 404 go to the route's ErrorBoundary with the message.
 */
export const pageApi = createContext<ApiClient>()

/** For actions: the same calls; errors are thrown as they are, so that a form can show them (`safe`). */
export const formApi = createContext<ApiClient>()

/** What the shell needs to know about this installation and this response. */
export interface Shell {
  signedIn: boolean
  /** Signed in, but only /suspended and what it leads to is there. */
  suspended: boolean
  /** For scripts of hydrated pages. */
  nonce: string | undefined
  builtWithBadge: boolean
  /** Where 'Help Center' leads: a page of ours, or an address elsewhere. */
  helpUrl: string
  /** Whether payments are real. */
  payments: 'sandbox' | 'test' | 'live'
  /** What administrators have switched off, each with what people are told. */
  switchedOff: Readonly<SwitchedOff>
  appUrl: string
}
export const shellContext = createContext<Shell>()

/** The calls under /auth/v1 for the account pages; their cookies have to go to the browser. */
export const authApi = createContext<AuthCalls>()
