import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Outlet, redirect } from 'react-router'
import type { Route } from './+types/signed-in'
import { shellContext } from './page-context.ts'

/** Strangers go to /login, which remembers where they wanted to go, query string included. */
export function loader({ context, url }: Route.LoaderArgs) {
  if (!context.get(shellContext).signedIn)
    throw redirect(`/login?to=${encodeURIComponent(url.pathname + url.search)}`)
  return null
}

/** The signed-in area has the query cache; public pages do not download it. */
export default function SignedIn() {
  const [queryClient] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: 30_000 } } }),
  )
  return (
    <QueryClientProvider client={queryClient}>
      <Outlet />
    </QueryClientProvider>
  )
}
