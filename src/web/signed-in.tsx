import { Outlet, replace } from 'react-router'
import type { Route } from './+types/signed-in'
import { shellContext } from './page-context.ts'

/** Strangers go to /login, which remembers where they wanted to go, query string included. */
export function loader({ context, url }: Route.LoaderArgs) {
  if (context.get(shellContext).signedIn) return null
  throw replace(`/login?to=${encodeURIComponent(url.pathname + url.search)}`)
}

/** The layout of every page that needs an account. */
export default function SignedIn() {
  return <Outlet />
}
