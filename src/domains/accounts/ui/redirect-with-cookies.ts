import { redirect } from 'react-router'

/** Leaves for another page with the session's cookies; the whole document loads anew. */
export function redirectWithCookies(to: string, cookies: string[]): Response {
  const headers = new Headers()
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  // A full load: what was shown or fetched as somebody else must not linger in this tab.
  headers.set('x-remix-reload-document', 'true')
  return redirect(to, { headers })
}
