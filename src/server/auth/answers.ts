/** A refusal as the library words its own: a code for programs, a message for people. */
export const refusal = (status: number, code: string, message: string) =>
  Response.json({ code, status, message }, { status })

/** The library's sentence without names of its own; some of its refusals have none. */
function inWords(message = ''): string {
  if (message === 'Unauthorized') return 'User must be authenticated'
  const sentence = message.replace(/\[(body|query)[^[\]]*\] /g, '')
  return sentence || 'This did not work. Please check what you sent.'
}

/** Session tokens are for cookies only: no script may read one. */
function withoutSessionTokens(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSessionTokens)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'token')
      .map(([name, part]) => [name, withoutSessionTokens(part)]),
  )
}

/**
 * Whom an organisation's provider did not bring in reads why on the log-in page, not where they wanted to go. Who has an
 * account already is told something else than of other services: the settings connect no organisation.
 */
function notBroughtIn(wanted: URL, error: string, appUrl: string): string {
  const logIn = new URL('/login', appUrl)
  const isHere = wanted.origin === logIn.origin
  const page = isHere && wanted.pathname === logIn.pathname ? wanted : logIn
  const isKnownHere = error.replaceAll(' ', '_') === 'account_not_linked'
  page.searchParams.set('error', isKnownHere ? 'organization_not_linked' : error)
  if (page === logIn && isHere) {
    wanted.searchParams.delete('error')
    wanted.searchParams.delete('error_description')
    const to = wanted.pathname + wanted.search + wanted.hash
    // Where log-ins lead anyway, and where the library leads who wanted nothing.
    if (to !== '/dashboard' && to !== '/') page.searchParams.set('to', to)
  }
  return page.href
}

function redirected(response: Response, path: string, appUrl: string): Response {
  const headers = new Headers(response.headers)
  // There is no body; the library says that it is JSON.
  headers.delete('content-type')
  headers.delete('content-length')
  headers.set('cache-control', 'no-store')
  const url = new URL(headers.get('location') ?? '/', appUrl)
  // The library looks at what it is given; '/.//elsewhere.example' leads away only once it is resolved.
  if (url.origin !== new URL(appUrl).origin) headers.set('location', `${appUrl}/dashboard`)
  const error = url.searchParams.get('error')
  if (path.startsWith('/auth/v1/sso/') && error !== null) {
    headers.set('location', notBroughtIn(url, error, appUrl))
  }
  return new Response(null, { status: response.status, headers })
}

/** The library's answer in our words: no session tokens, a message in every refusal. */
export async function presented(
  response: Response,
  path: string,
  appUrl: string,
): Promise<Response> {
  if (response.status >= 300 && response.status < 400) return redirected(response, path, appUrl)
  const isJson = response.headers.get('content-type')?.includes('json')
  if (!isJson && response.ok) return response
  const answer: unknown = await response.json().catch(() => null)
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  if (!isJson) headers.delete('content-type')
  headers.set('cache-control', path.endsWith('jwks.json') ? 'public, max-age=300' : 'no-store')
  const { code } = (answer ?? {}) as { code?: string }
  // A new passkey that does not fit what was asked for: the library takes it for a failure of its own.
  if (code === 'FAILED_TO_VERIFY_REGISTRATION') {
    return refusal(400, code, 'This passkey could not be added. Please try again.')
  }
  if (response.status === 502) {
    return refusal(
      422,
      'PROVIDER_UNREACHABLE',
      'The identity provider did not answer as one does. Please check its address.',
    )
  }
  if (response.status >= 500) {
    return refusal(
      500,
      'INTERNAL_SERVER_ERROR',
      'Something went wrong on our side. Please try again.',
    )
  }
  if (response.status >= 400) {
    const { message } = (answer ?? {}) as { message?: string }
    return Response.json(
      {
        code: code ?? 'BAD_REQUEST',
        status: response.status,
        message: inWords(message),
      },
      { status: response.status, headers },
    )
  }
  const told = path === '/auth/v1/token' ? answer : withoutSessionTokens(answer)
  // A passkey stands for two factors, so the device has to check its owner; the library only prefers it.
  if (path === '/auth/v1/passkey/generate-authenticate-options') {
    Object.assign(told as object, { userVerification: 'required' })
  }
  return Response.json(told, { status: response.status, headers })
}
