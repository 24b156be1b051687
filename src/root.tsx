import { type ReactNode, useEffect } from 'react'
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from 'react-router'
import stillScript from 'virtual:still-script'
import type { Route } from './+types/root'
import { forgetOutdatedDrafts } from './domains/courses/ui/content-local-store.ts'
import { brand, brandElement, brandText } from './domains/site/brand.ts'
import { useWorker } from './domains/offline/ui/use-worker.ts'
import favicon from './ui/favicon.svg?url'
import bricolage from './ui/fonts/bricolage-core.woff2?url'
import figtree from './ui/fonts/figtree-core.woff2?url'
import theme from './ui/theme.css?url'
import { ButtonLink } from './ui/button.tsx'
import { ErrorState } from './ui/error-state.tsx'
import { useAnotherPerson } from './web/another-person.ts'
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
  { rel: 'icon', href: brand.icon ?? favicon },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/manifest.webmanifest' },
]

export const meta = () => [{ title: brand.name }]

/** Still pages are public, and not hydrated for signed-out visitors: they carry no JavaScript but the inline one. */
function useStill(): boolean {
  return useMatches().some((match) => (match.handle as { still?: boolean } | undefined)?.still)
}

export function Layout({ children }: { children: ReactNode }) {
  const data = useRouteLoaderData<typeof loader>('root')
  const isPublic = useStill()
  const still = isPublic && !data?.me
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#f8f9fc" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0d0e17" media="(prefers-color-scheme: dark)" />
        {/* The server's has run by now: the browser's pages do without its text. */}
        <script suppressHydrationWarning dangerouslySetInnerHTML={{ __html: stillScript }} />
        {!still && (
          <script
            type="application/json"
            id={brandElement}
            dangerouslySetInnerHTML={{ __html: brandText() }}
          />
        )}
        <Meta />
        {!isPublic && <meta name="robots" content="noindex" />}
        <Links />
        {brand.style && <style dangerouslySetInnerHTML={{ __html: brand.style }} />}
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
  const userId = loaderData.me?.id
  const isAnother = useAnotherPerson(userId)
  useWorker(userId)
  useEffect(() => {
    if (userId) forgetOutdatedDrafts()
  }, [userId])
  // Tells tests and assistive scripts when buttons work; costs nothing otherwise.
  useEffect(() => {
    document.documentElement.dataset.hydrated = 'true'
  }, [])
  if (isAnother) return null
  return (
    <Shell me={loaderData.me} shell={loaderData.shell}>
      <Outlet />
    </Shell>
  )
}

/** A request that brought no answer, as without a connection, in the words of each browser. */
const isUnanswered = (error: unknown) =>
  error instanceof TypeError && /fetch|network|load failed/i.test(error.message)

function descriptionOf(error: unknown): string {
  if (isUnanswered(error)) {
    return `${brand.name} could not be reached. Please check your connection and try again.`
  }
  const message = isRouteErrorResponse(error) ? (error.data?.message ?? error.data) : null
  return typeof message === 'string' && message !== ''
    ? message
    : 'This is our fault, not yours. Please load the page again; if it keeps happening, write to us.'
}

export function ErrorBoundary() {
  const error = useRouteError()
  const data = useRouteLoaderData<typeof loader>('root')
  const { pathname, search } = useLocation()
  useEffect(() => {
    // Loaded anew the page comes from the service worker: the kept text, or the page for no connection.
    if (isUnanswered(error) && navigator.serviceWorker?.controller) location.reload()
  }, [error])
  const mayWorkNow = !isRouteErrorResponse(error) || error.status >= 500
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
          description={descriptionOf(error)}
          action={
            <>
              {mayWorkNow && (
                <ButtonLink to={pathname + search} reloadDocument>
                  Try again
                </ButtonLink>
              )}
              <ButtonLink to="/" variant={mayWorkNow ? 'secondary' : 'primary'}>
                Back home
              </ButtonLink>
            </>
          }
        />
      </div>
    </Shell>
  )
}
