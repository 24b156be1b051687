import type { AuthAnswer } from '../../auth-calls-of.ts'
import { unreachable } from '../../sign-in-words.ts'

/** What a call under /auth/v1 answered; its cookies are the browser's business. */
export type AuthReply = Pick<AuthAnswer, 'ok' | 'code' | 'message' | 'body'>

/** Makes a call under /auth/v1 as the signed-in person: POST with fields, GET without. */
export type AuthCall = (path: string, fields?: object) => Promise<AuthReply>

export const refused = ({ code, message }: { code: string; message: string }): AuthReply => ({
  ok: false,
  code,
  message,
  body: {},
})

export const authCall: AuthCall = async (path, fields) => {
  const answer = await fetch(`/auth/v1${path}`, {
    ...(fields && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    }),
  }).catch(() => null)
  if (!answer) return refused({ code: '', message: unreachable })
  const body = (await answer.json().catch(() => ({}))) as Record<string, unknown>
  if (answer.ok) return { ok: true, code: '', message: '', body }
  return refused({ code: String(body.code ?? ''), message: String(body.message ?? '') })
}
