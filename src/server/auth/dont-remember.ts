import { createHmac } from 'node:crypto'
import { oneFactorLogins } from './two-step.ts'

const nameOf = (secure: boolean) => `${secure ? '__Secure-' : ''}thunder.dont_remember`

const isEnded = (line: string) => /;\s*max-age=0(;|$)/i.test(line)

/**
 * After a log-in with 'remember me': the library's cookie of an earlier one without it would count for this one as well,
 * at its second step and whenever the session is extended.
 */
export function endDontRemember(sent: Headers, answered: Headers, secure: boolean): void {
  if (sent.get('cookie')?.includes(`${nameOf(secure)}=`)) end(answered, secure)
}

function end(answered: Headers, secure: boolean): void {
  const overTls = secure ? '; Secure' : ''
  answered.append(
    'set-cookie',
    `${nameOf(secure)}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${overTls}`,
  )
}

/** Who trusts a device at the second step is asked for no code there; the library takes that for 'remember me', too. */
export function keepDontRemember(answered: Headers, secure: boolean): void {
  const lines = answered.getSetCookie()
  const kept = lines.filter((line) => !(line.startsWith(`${nameOf(secure)}=`) && isEnded(line)))
  if (kept.length === lines.length) return
  answered.delete('set-cookie')
  for (const line of kept) answered.append('set-cookie', line)
}

const passkeyLogIn = '/passkey/verify-authentication'
const samlAnswer = '/sso/saml2/sp/acs/:providerId'

/** Of these the library knows what was chosen. */
const withPassword = new Set(['/sign-in/email', '/sign-in/phone-number'])

const isLastingWayIn = (path: string) =>
  path === passkeyLogIn ||
  path === '/sign-up/email' ||
  (oneFactorLogins.has(path) && !withPassword.has(path))

/**
 * Whether this way in lasts for 30 days, whatever somebody chose before, another time; null where the library knows what
 * was chosen, or nobody comes in.
 */
function lasts(path: string, body: unknown): boolean | null {
  if (!isLastingWayIn(path)) return null
  const { rememberMe } = (body ?? {}) as { rememberMe?: unknown }
  return path !== passkeyLogIn || rememberMe !== false
}

const letsIn = /^(?:__Secure-)?thunder\.(?:session_token|two_factor)=[^;]/

/**
 * What was chosen for this way in, in the library's words: with its cookie it lets in until the browser closes, without
 * for 30 days.
 */
export function dontRememberOf(
  { path, body }: { path: string; body: unknown },
  { secret, secure }: { secret: string; secure: boolean },
) {
  const chosen = lasts(path, body)
  const name = nameOf(secure)
  return {
    ask(headers: Headers): void {
      if (chosen === null) return
      const others = (headers.get('cookie') ?? '')
        .split(';')
        .filter((part) => part.split('=')[0]?.trim() !== name)
      const signature = createHmac('sha256', secret).update('true').digest('base64')
      const own = chosen ? [] : [`${name}=${encodeURIComponent(`true.${signature}`)}`]
      headers.set('cookie', [...others, ...own].join(';'))
    },
    /** Not kept for what comes later: the second step, and whenever the session is extended. */
    end(sent: Headers, answered: Headers): void {
      if (chosen !== true || !answered.getSetCookie().some((line) => letsIn.test(line))) return
      // With a form of another site the browser sends none of these cookies, so it may be there.
      if (path === samlAnswer) end(answered, secure)
      else endDontRemember(sent, answered, secure)
    },
  }
}
