import { useEffect, useRef, useState } from 'react'
import { cannotLoad } from '../../../../ui/cannot-load.ts'
import { useHydrated } from '../../../../ui/use-hydrated.ts'

/** Whether this browser has all that logging in with a passkey takes; older ones do not show the button. */
const isAbleToUsePasskeys = () =>
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
  typeof PublicKeyCredential.prototype.toJSON === 'function'

/** Logging in with a passkey: by a button, and among what the browser suggests for the email field. */
export function usePasskey(to: string, remember: () => boolean) {
  const hydrated = useHydrated()
  /** Undefined until the browser can be asked. */
  const available = hydrated ? isAbleToUsePasskeys() : undefined
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const asking = useRef<AbortController>(undefined)
  useEffect(() => () => asking.current?.abort(), [])

  async function ask(autofill: boolean) {
    // A browser can be asked for one thing at a time.
    asking.current?.abort()
    const attempt = (asking.current = new AbortController())
    const answer = await import('./passkey-log-in.ts').then(
      ({ logInWithPasskey }) => logInWithPasskey({ autofill, remember, signal: attempt.signal }),
      () => ({ problem: cannotLoad }),
    )
    if (attempt.signal.aborted) return
    if (answer === 'logged in') location.replace(to)
    else {
      setProblem(answer.problem)
      setBusy(false)
    }
  }

  async function logIn() {
    if (busy) return
    setProblem(null)
    setBusy(true)
    await ask(false)
  }

  /** For the first time that the email field has the focus: nobody else is asked for anything. */
  async function suggest() {
    if (!available || asking.current) return
    if (await PublicKeyCredential.isConditionalMediationAvailable?.()) await ask(true)
  }

  return { available, busy, problem, logIn, suggest }
}
