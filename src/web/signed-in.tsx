import { Outlet, redirect, replace } from 'react-router'
import type { Route } from './+types/signed-in'
import { isOpenWhileSuspended, suspendedPage } from '../domains/administration/suspension-pages.ts'
import { shellContext } from './page-context.ts'

/** Strangers go to /login, which remembers where they wanted to go, query string included; who is suspended learns why. */
export function loader({ request, context, url }: Route.LoaderArgs) {
  const { signedIn, suspended } = context.get(shellContext)
  const send = isShown(url, request) ? replace : redirect
  if (suspended && !isOpenWhileSuspended(url.pathname)) throw send(suspendedPage)
  if (signedIn) return null
  throw send(`/login?to=${encodeURIComponent(url.pathname + url.search)}`)
}

/**
 * Whether the page stands in the browser's address already. Then it makes way, or Back would lead into it again and
 * again; the page with the link that was followed stays where Back finds it.
 */
function isShown(url: URL, request: Request): boolean {
  const referer = request.headers.get('referer') ?? ''
  if (!URL.canParse(referer)) return true
  const { pathname, search } = new URL(referer)
  return pathname + search === url.pathname + url.search
}

/** The layout of every page that needs an account. */
export default function SignedIn() {
  return <Outlet />
}
