import { useEffect } from 'react'

declare global {
  interface Window {
    /** React Router's own; its version names the build. */
    __reactRouterManifest?: { version: string }
  }
}

interface RouteFiles {
  module: string
  /** Where its `clientAction` is a file of its own. */
  clientActionModule?: string
}

/** Pages whose code is here, or on its way: of one page there may be many forms. */
const fetched = new Set<string>()

/**
 * For a form whose action is another page: fetches the code of that page when the form is shown. React Router does so
 * when the form is sent, and without a connection it then loads the whole page anew, with all that was typed.
 */
export function useActionCode(page: string): void {
  useEffect(() => {
    if (fetched.has(page)) return
    fetched.add(page)
    // The next form asks again.
    fetchCode(page).catch(() => fetched.delete(page))
  }, [page])
}

async function fetchCode(page: string): Promise<void> {
  const { pathname } = new URL(page, location.href)
  const { version = '' } = window.__reactRouterManifest ?? {}
  const answer = await fetch(`/__manifest?${new URLSearchParams({ paths: pathname, version })}`)
  const routes: Record<string, RouteFiles> = await answer.json()
  const files = Object.values(routes).flatMap((route) => [route.module, route.clientActionModule])
  await Promise.all(files.map((file) => file && import(/* @vite-ignore */ file)))
}
