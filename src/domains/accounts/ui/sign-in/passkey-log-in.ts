// Logging in with a passkey (WebAuthn). Loaded when somebody uses one.
import { passkeyRefusal, unreachable } from '../../sign-in-words.ts'

/** Says in words for people why it did not work; null when there is nothing to say. */
type Problem = { problem: string | null }

async function send(path: string, body?: object): Promise<Record<string, unknown>> {
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  const answer = await fetch(`/auth/v1/passkey/${path}`, init).catch(() => null)
  if (!answer) throw new Error(unreachable)
  const content = (await answer.json().catch(() => ({}))) as Record<string, unknown>
  if (answer.ok) return content
  // Of a proxy that reached no server: nobody looked at the passkey.
  if (answer.status >= 500 && !content.code) throw new Error(unreachable)
  throw new Error(
    passkeyRefusal({ code: String(content.code ?? ''), message: String(content.message ?? '') }),
  )
}

/**
 * Asks the browser for a passkey and the server to take it. With `autofill` the browser only offers it
 * among its suggestions, for as long as it takes. Answers 'logged in', or why not.
 */
export async function logInWithPasskey(options: {
  autofill: boolean
  /** Asked when it is chosen: the form may be changed while the browser waits. */
  remember: () => boolean
  signal: AbortSignal
}): Promise<'logged in' | Problem> {
  let credential: Credential | null
  try {
    credential = await choosePasskey(options)
  } catch (error) {
    // Where the browser was only to suggest one, nobody has asked for anything yet.
    return { problem: options.autofill ? null : problemOf(error) }
  }
  if (!(credential instanceof PublicKeyCredential)) return { problem: null }
  try {
    await send('verify-authentication', {
      response: credential.toJSON(),
      rememberMe: options.remember(),
    })
    return 'logged in'
  } catch (error) {
    return { problem: problemOf(error) }
  }
}

async function choosePasskey({ autofill, signal }: { autofill: boolean; signal: AbortSignal }) {
  const asked = await send('generate-authenticate-options')
  return navigator.credentials.get({
    // A passkey counts as two factors, so its device has to check who holds it.
    publicKey: PublicKeyCredential.parseRequestOptionsFromJSON({
      ...(asked as unknown as PublicKeyCredentialRequestOptionsJSON),
      userVerification: 'required',
    }),
    mediation: autofill ? 'conditional' : 'optional',
    signal,
  })
}

function problemOf(error: unknown): string | null {
  if (!(error instanceof DOMException)) {
    return error instanceof Error ? error.message : unreachable
  }
  switch (error.name) {
    case 'AbortError':
      return null
    case 'SecurityError':
      return 'Passkeys do not work at this address of the site. Please log in another way.'
    default:
      return 'No passkey was used. Please try again, or log in another way.'
  }
}
