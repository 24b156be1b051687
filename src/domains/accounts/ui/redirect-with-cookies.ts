import { redirect } from 'react-router'

/** What a response needs to carry cookies to the browser. */
export function withCookies(cookies: string[]): { headers: Headers } {
  const headers = new Headers()
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return { headers }
}

/** Leaves for another page with the session's cookies; the whole document loads anew. */
export function redirectWithCookies(to: string, cookies: string[]): Response {
  const { headers } = withCookies(cookies)
  // A full load: what was shown or fetched as somebody else must not linger in this tab.
  headers.set('x-remix-reload-document', 'true')
  return redirect(to, { headers })
}
