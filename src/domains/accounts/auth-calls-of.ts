import { databaseProblemOf } from '../../server/database-problem.ts'
import type { Caller } from '../../server/auth/door.ts'
import type { Services } from '../../server/services.ts'

/** What a call under /auth/v1 answered. */
export interface AuthAnswer {
  ok: boolean
  status: number
  /** Of a refusal; empty otherwise. */
  code: string
  message: string
  body: Record<string, unknown>
  /** For the browser. */
  cookies: string[]
  /** Where a redirect leads. */
  location: string | null
}

/** Makes a call under /auth/v1 as this visitor: POST with fields, GET without. */
export type AuthCalls = (path: string, fields?: object) => Promise<AuthAnswer>

/** For pages whose forms work without JavaScript: the same door that other programs come through. */
export function authCallsOf(services: Services, caller: Caller): AuthCalls {
  return async (path, fields) => {
    const request = new Request(new URL(`/auth/v1${path}`, services.config.appUrl), {
      method: fields ? 'POST' : 'GET',
      ...(fields ? { body: JSON.stringify(fields) } : {}),
    })
    const response = await services.callAuth(request, caller).catch((error: unknown) => {
      const message = databaseProblemOf(error)
      if (message === null) throw error
      services.log.error({ err: error, path: `/auth/v1${path}` }, 'a call of a page failed')
      // Said beside the form, in which what was typed stays.
      return Response.json({ code: 'SERVICE_UNAVAILABLE', message }, { status: 503 })
    })
    const json = response.headers.get('content-type')?.includes('json')
    const found = json ? ((await response.json()) as Record<string, unknown> | null) : null
    // Some answers are only `null`, such as the session of nobody.
    const body = found ?? {}
    return {
      ok: response.ok,
      status: response.status,
      code: typeof body.code === 'string' ? body.code : '',
      message: typeof body.message === 'string' ? body.message : '',
      body,
      cookies: response.headers.getSetCookie(),
      location: response.headers.get('location'),
    }
  }
}
