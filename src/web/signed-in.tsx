import { Outlet, replace } from 'react-router'
import type { Route } from './+types/signed-in'
import { isOpenWhileSuspended, suspendedPage } from '../domains/administration/suspension-pages.ts'
import { shellContext } from './page-context.ts'

/** Strangers go to /login, which remembers where they wanted to go, query string included; who is suspended learns why. */
export function loader({ context, url }: Route.LoaderArgs) {
  const { signedIn, suspended } = context.get(shellContext)
  if (suspended && !isOpenWhileSuspended(url.pathname)) throw replace(suspendedPage)
  if (signedIn) return null
  throw replace(`/login?to=${encodeURIComponent(url.pathname + url.search)}`)
}

/** The layout of every page that needs an account. */
export default function SignedIn() {
  return <Outlet />
}
