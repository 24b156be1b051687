import { type ReactNode, useEffect } from 'react'
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from 'react-router'
import stillScript from 'virtual:still-script'
import type { Route } from './+types/root'
import { brand } from './domains/site/brand.ts'
import favicon from './ui/favicon.svg?url'
import bricolage from './ui/fonts/bricolage-core.woff2?url'
import figtree from './ui/fonts/figtree-core.woff2?url'
import theme from './ui/theme.css?url'
import { ButtonLink } from './ui/button.tsx'
import { ErrorState } from './ui/error-state.tsx'
import { pageApi, shellContext } from './web/page-context.ts'
import { Shell } from './web/shell.tsx'

export async function loader({ context }: Route.LoaderArgs) {
  const shell = context.get(shellContext)
  return { me: await context.get(pageApi).accounts.getMe(), shell }
}

const preloadedFont = (href: string) =>
  ({ rel: 'preload', as: 'font', type: 'font/woff2', href, crossOrigin: 'anonymous' }) as const

export const links = () => [
  preloadedFont(figtree),
  preloadedFont(bricolage),
  { rel: 'stylesheet', href: theme },
  { rel: 'icon', type: 'image/svg+xml', href: favicon },
]

export const meta = () => [{ title: brand.name }]

/** Still pages are not hydrated for signed-out visitors: they carry no JavaScript but the inline one. */
function useStill(signedIn: boolean): boolean {
  const matches = useMatches()
  return (
    !signedIn && matches.some((match) => (match.handle as { still?: boolean } | undefined)?.still)
  )
}

export function Layout({ children }: { children: ReactNode }) {
  const data = useRouteLoaderData<typeof loader>('root')
  const still = useStill(Boolean(data?.me))
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#f8f9fc" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0d0e17" media="(prefers-color-scheme: dark)" />
        <script dangerouslySetInnerHTML={{ __html: stillScript }} />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        {!still && <ScrollRestoration nonce={data?.shell.nonce} />}
        {!still && <Scripts nonce={data?.shell.nonce} />}
      </body>
    </html>
  )
}

export default function Root({ loaderData }: Route.ComponentProps) {
  // Tells tests and assistive scripts when buttons work; costs nothing otherwise.
  useEffect(() => {
    document.documentElement.dataset.hydrated = 'true'
  }, [])
  return (
    <Shell me={loaderData.me} shell={loaderData.shell}>
      <Outlet />
    </Shell>
  )
}

export function ErrorBoundary() {
  const error = useRouteError()
  const data = useRouteLoaderData<typeof loader>('root')
  const message = isRouteErrorResponse(error) ? (error.data?.message ?? error.data) : null
  return (
    <Shell me={data?.me ?? null} shell={data?.shell}>
      <div className="page-width py-16">
        <ErrorState
          level={1}
          title={
            isRouteErrorResponse(error) && error.status === 404
              ? 'Page not found'
              : 'Something went wrong'
          }
          description={
            typeof message === 'string' && message !== ''
              ? message
              : 'This is our fault, not yours. Please load the page again; if it keeps happening, write to us.'
          }
          action={<ButtonLink to="/">Back home</ButtonLink>}
        />
      </div>
    </Shell>
  )
}
