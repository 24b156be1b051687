import type { Page, Route } from '@playwright/test'

/** What the server says when it failed, in the place of the call. */
const failCall = (route: Route) =>
  route.fulfill({
    status: 500,
    json: {
      defined: false,
      code: 'INTERNAL_SERVER_ERROR',
      status: 500,
      message: 'Something went wrong on our side. Please try again.',
    },
  })

/** While the server fails at these calls. */
export async function whileFailing(
  page: Page,
  [method, calls]: readonly [method: string, calls: string],
  act: () => Promise<void>,
) {
  await page.route(calls, (route) =>
    route.request().method() === method ? failCall(route) : route.fallback(),
  )
  await act()
  await page.unroute(calls)
}
