// As when somebody looks at another tab: a browser without a window never hides a page by itself.
import type { Page } from '@playwright/test'

export const hidePage = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)

/** The page follows anew what is told to it, and finds out who is logged in. */
export async function lookAwayAndBack(page: Page): Promise<void> {
  await hidePage(page, true)
  await hidePage(page, false)
}
