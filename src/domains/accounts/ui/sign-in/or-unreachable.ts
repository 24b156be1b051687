import { unreached } from '../../../../web/unreached.ts'
import { unreachable } from '../../sign-in-words.ts'

/** For a `clientAction`: without an answer the form stays as it is, and says so. */
export const orUnreachable =
  <Rest extends object>(rest: Rest) =>
  (error: unknown) => {
    if (error instanceof Response) throw error
    return unreached({ ...rest, problem: unreachable })
  }
