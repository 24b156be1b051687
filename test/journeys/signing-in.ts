// What the journeys about signing up and in share: what a page says, mails with links, and people at other machines.
import type { APIRequestContext, Browser, BrowserContext, Page } from '@playwright/test'
import {
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  inDatabase,
  somebodyElse,
} from './journey.ts'
import type { BuiltServer } from './server.ts'

export const main = (page: Page) => page.getByRole('main')
export const problem = (page: Page) => main(page).getByRole('alert')
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const says = (page: Page, words: string | RegExp) => expect(main(page)).toContainText(words)

/** Waits for this mail; answers the address of its link. */
export async function mailedLink(
  server: BuiltServer,
  request: APIRequestContext,
  to: string,
  subject: string,
): Promise<string> {
  let link: string | undefined
  await expect
    .poll(async () => {
      const mails = (await (await request.get(`${server.url}/outbox/mails.json`)).json()) as {
        to: string
        subject: string
        text: string
      }[]
      const mail = mails.find((caught) => caught.to === to && caught.subject === subject)
      link = mail?.text.match(/https?:\/\/\S+\?token=\S+/)?.[0]
      return link
    })
    .toBeDefined()
  return link!
}

/** Somebody at a machine of their own, at the server of the journey or at another one. */
export async function stranger(
  browser: Browser,
  server: BuiltServer,
  options: { javaScriptEnabled?: boolean } = {},
): Promise<{ context: BrowserContext; page: Page }> {
  return somebodyElse(browser, { baseURL: server.url, ...options })
}

export const sessionCookie = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === 'thunder.session_token')

/** On a phone and in both themes. */
export async function looksRight(page: Page) {
  await expectNoAxeViolations(page)
  const before = page.viewportSize()
  await page.setViewportSize({ width: 375, height: 812 })
  await expectNoSidewaysScrolling(page)
  if (before) await page.setViewportSize(before)
}

/** All journeys come from one address, which may sign up, guess and ask for mails only so often. */
export const forgetAttempts = (server: BuiltServer) => inDatabase(server, 'delete from rate_limits')
