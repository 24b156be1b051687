import { unreached } from '../../../web/unreached.ts'

/** What a form about billing is answered with: said aloud when done, else why not. */
export type BillingAnswer =
  | { done: string }
  | {
      problem: string
      /** What the server knows about it. */
      detail?: string
      /** A proof of who one is is wanted first, and this is how the person can give one. */
      proof?: 'password' | 'logIn'
      /** As it was sent, for where no script keeps it. */
      typed?: Record<string, string>
    }

export const typedBefore = (answer: BillingAnswer | undefined): Record<string, string> =>
  (answer && 'problem' in answer && answer.typed) || {}

/** For a `clientAction`: without a connection the form stays as it is, and says so. */
export const orUnreached = (problem: string) => (error: unknown) => {
  if (error instanceof Response) throw error
  return unreached<BillingAnswer>({ problem, detail: 'Please check your connection.' })
}
