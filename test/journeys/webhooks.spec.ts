// Webhooks: a creator's own server is told who joined, fails once, is told again, and asks for it once more.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import type { Page } from '@playwright/test'
import { Webhook } from 'standardwebhooks'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hold,
  hydrated,
  publishedCourse,
  signedUp,
  somebodyElse,
  test as base,
} from './journey.ts'
import { type BuiltServer, startBuiltServer } from './server.ts'

const test = base.extend<object, { thunder: BuiltServer }>({
  thunder: [
    // Playwright insists on the empty pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      // The receiver is on this machine.
      const server = await startBuiltServer({ WEBHOOKS_ALLOW_PRIVATE: 'on', FFMPEG_PATH: 'off' })
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 240_000 },
  ],
})

async function receiver() {
  const received: { headers: Record<string, string>; text: string }[] = []
  const answers: number[] = []
  const server = createServer(async (request, response) => {
    const text = await readText(request)
    received.push({ headers: request.headers as Record<string, string>, text })
    const status = answers.shift() ?? 200
    response.writeHead(status).end(status === 200 ? 'thank you' : 'our database is away')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hooks`, received, answers, server }
}

async function expectGoodOnEveryScreen(page: Page) {
  const before = page.viewportSize()
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 812 })
    await expectNoSidewaysScrolling(page)
  }
  await expectNoAxeViolations(page)
  if (before) await page.setViewportSize(before)
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const items = (page: Page) =>
  page.getByRole('list', { name: 'Deliveries', exact: true }).locator('details')

test('a server is told who joined, signed; it fails, is told again, and asks once more', async ({
  page,
  browser,
  baseURL,
}) => {
  const there = await receiver()
  await signedUp(page.request, 'Wanda Webhook')
  const complaints = complaintsOf(page)
  await page.goto('/settings#developers')
  await hydrated(page)
  await expect(page.getByText('Webhooks are for creators')).toBeVisible()

  const course = await publishedCourse(page.request, 'Told of knots')
  await page.reload()
  await hydrated(page)
  await expect(page.getByText('No webhooks yet')).toBeVisible()
  await expectGoodOnEveryScreen(page)
  await button(page, 'Add Webhook').click()
  const dialog = page.getByRole('dialog', { name: 'Add a webhook' })
  await dialog.getByLabel('Address').fill('ftp://example.com/')
  await dialog.getByRole('button', { name: 'Add Webhook' }).click()
  await expect(dialog.getByText('Choose at least one event')).toBeVisible()
  await dialog.getByLabel('Somebody joined a course').check()
  await dialog.getByRole('button', { name: 'Add Webhook' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('The address must begin with https://')
  await expectGoodOnEveryScreen(page)
  await dialog.getByLabel('Address').fill(there.url)
  await dialog.getByLabel('Description').fill('Our newsletter')
  const { held, letGo } = await hold(page, /\/webhooks\/[^/]+\.data/, 'GET')
  await dialog.getByRole('button', { name: 'Add Webhook' }).click()
  await expect.poll(() => held).toHaveLength(1)
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  letGo()
  await expect(page.getByRole('heading', { level: 1, name: there.url })).toBeVisible()
  await expect(page.getByText('Nothing was sent yet')).toBeVisible()
  await button(page, 'Show Secret').click()
  const field = page.getByLabel('Signing secret')
  await expect(field).toHaveValue(/^whsec_[\w+/]{43}=$/)
  const verifier = new Webhook(await field.inputValue())

  // Somebody joins; the page of the creator follows by itself.
  there.answers.push(500)
  const guest = await somebodyElse(browser, { baseURL })
  await signedUp(guest.page.request, 'Ada Joins')
  const joined = await guest.page.request.post('/rest/v1/enrollments', {
    data: { courseId: course.id },
  })
  expect(joined.status()).toBe(200)
  await expect.poll(() => there.received).toHaveLength(2)
  const [first, second] = there.received
  expect(verifier.verify(first!.text, first!.headers)).toMatchObject({
    type: 'enrollment.created',
    data: { course: { id: course.id, title: 'Told of knots' }, person: { name: 'Ada Joins' } },
  })
  expect(verifier.verify(second!.text, second!.headers)).toBeTruthy()
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
  await expect(items(page)).toHaveCount(1)
  await expect(items(page).locator('summary')).toContainText('Delivered')
  await expect(items(page).locator('summary')).toContainText('2 attempts')

  await items(page).locator('summary').click()
  const attempts = page.getByRole('list', { name: 'Attempts' }).getByRole('listitem')
  await expect(attempts).toContainText(['thank you', 'our database is away'])
  await expect(page.locator('pre').last()).toContainText('Ada Joins')
  await expectGoodOnEveryScreen(page)

  await button(page, 'Send Again').click()
  await expect.poll(() => there.received).toHaveLength(3)
  expect(there.received[2]!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
  await expect(attempts).toHaveCount(3)

  await button(page, 'Send Test Event').click()
  await expect(items(page)).toHaveCount(2)
  await expect(items(page).first().locator('summary')).toContainText('webhook.test')
  await expect(items(page).first().locator('summary')).toContainText('Delivered')

  await button(page, 'Pause').click()
  await expect(page.getByText('This webhook is paused.')).toBeVisible()
  await expect(button(page, 'Send Test Event')).toBeDisabled()
  await page.goto('/settings#developers')
  await hydrated(page)
  const list = page.getByRole('list', { name: 'Your webhooks' })
  await expect(list).toContainText('Our newsletter · All your courses · 1 event')
  await expect(list).toContainText('Paused')
  await expectGoodOnEveryScreen(page)
  await list.getByRole('link', { name: there.url }).click()
  await button(page, 'Delete').click()
  const asks = page.getByRole('alertdialog')
  await page.unrouteAll({ behavior: 'wait' })
  await page.route('**/webhook-calls-*.js', (route) => route.abort())
  await asks.getByRole('button', { name: 'Delete' }).click()
  await expect(asks.getByRole('alert')).toContainText('This could not be loaded.')
  await page.unrouteAll()
  await asks.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No webhooks yet')).toBeVisible()
  expect(complaints).toEqual([])
  await guest.context.close()
  there.server.closeAllConnections()
  there.server.close()
})
