import { expect, type Page } from '@playwright/test'

/** Until everything that a page shows is there: its scripts, what is done to it first, pictures and letters. */
export async function waitForScreen(page: Page, prepare?: (page: Page) => Promise<unknown>) {
  const isHydrated = (await page.locator('script[type=module]').count()) > 0
  if (isHydrated) await expect(page.locator('html')).toHaveAttribute('data-hydrated')
  await prepare?.(page)
  // Lazy pictures load when they come into sight.
  for (const image of await page.locator('img').all()) {
    await image.evaluate((element) => {
      const picture = element as HTMLImageElement
      picture.loading = 'eager'
      return picture.decode().catch(() => {})
    })
  }
  await page.evaluate(() => document.fonts.ready)
}
