import type { Page } from '@playwright/test'

/** What `act` asks the server is done there, and its answer never comes back. */
export async function loseAnswer(
  page: Page,
  method: string,
  act: () => Promise<unknown>,
  calls = '**/rest/v1/**',
): Promise<void> {
  const lost = Promise.withResolvers<void>()
  await page.route(calls, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    await route.fetch()
    await route.abort()
    lost.resolve()
  })
  await act()
  await lost.promise
  await page.unroute(calls)
}
