// Pro from the first look to a renewal that fails, and courses that are paid by the month.
import type { Locator, Page } from '@playwright/test'
import { advance, switches } from '../sandbox.ts'
import { settled } from '../settled.ts'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hold,
  hydrated,
  inDatabase,
  publishedCourse,
  signedUp,
  somebodyElse,
  stopClock,
  test as base,
} from './journey.ts'
import { bootSecondNode } from './second-node.ts'

const month = 31 * 86_400
const payPage = /\/sandbox\/stripe\/c\/pay\//
const portalPage = /\/sandbox\/stripe\/p\/session\//
const canceledWords =
  'Your subscription is canceled. You keep Pro until the end of the billing period.'

/** With the control desk of the sandbox that the server talks to. */
const test = base.extend<{ sandbox: Awaited<ReturnType<typeof bootSecondNode>> }>({
  async sandbox({ thunder }, use) {
    const sandbox = await bootSecondNode(thunder)
    await use(sandbox)
    await sandbox.stop()
  },
})

const main = (page: Page) => page.getByRole('main')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const inDialog = (page: Page, name: string) =>
  page.locator('dialog[open]').getByRole('button', { name, exact: true })

async function openUpgrade(page: Page) {
  await button(page, 'Account menu').click()
  const item = page
    .locator('.menu-panel:popover-open')
    .getByRole('link', { name: 'Upgrade to Pro' })
  await item.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Upgrade to Pro' })).toBeVisible()
}

async function fillCard(page: Page, number: string) {
  await page.getByRole('textbox', { name: 'Card number' }).fill(number)
  await page.getByLabel('Expiry (MM/YY)').fill('12/40')
  await page.getByLabel('Security code (CVC)').fill('123')
  await page.getByLabel('Name on card').fill('Pat Payer')
}

const benefits = [
  '0% fees',
  'Unlimited courses and students',
  'Advanced analytics',
  'Priority support',
  'Custom course branding',
  'Advanced community features',
  'Export of student data',
]
const benefitsIn = (within: Locator) =>
  within.getByRole('list', { name: 'What Pro brings' }).getByRole('listitem')

/** Said aloud, although the button that was pressed is gone with what it changed. */
async function expectAnnounced(page: Page, words: string) {
  const region = page.locator('section[aria-live="polite"]').filter({ hasText: words })
  await expect(region).toHaveCount(1)
}

/** Another press changes nothing. */
async function expectBusy(busy: Locator) {
  await expect(busy).toHaveAttribute('aria-disabled', 'true')
  await busy.click({ force: true })
}

async function expectFitsPhones(page: Page) {
  await page.setViewportSize({ width: 375, height: 812 })
  await expectNoSidewaysScrolling(page)
  await page.setViewportSize({ width: 1280, height: 800 })
}

test('Pro is looked at, not paid, then bought, with its invoice', async ({ page, sandbox }) => {
  const complaints = complaintsOf(page)
  await signedUp(page.request, 'Petra Pro')

  await test.step('a page on the Free plan, and the dialog that offers more', async () => {
    await page.goto('/billing')
    await hydrated(page)
    await expect(main(page).getByRole('heading', { name: 'Free Plan', exact: true })).toBeVisible()
    await expect(main(page)).toContainText(
      'Upgrade to unlock unlimited courses and advanced features',
    )
    await expect(main(page)).toContainText("You're on the Free Plan")
    await expect(benefitsIn(main(page))).toHaveText(benefits)
    await expect(main(page)).toContainText('No billing history')
    await expect(main(page)).toContainText(
      'Your invoices appear here once you upgrade to Pro or buy a monthly course.',
    )
    await expectNoAxeViolations(page)
    await expectFitsPhones(page)
    await openUpgrade(page)
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('radio', { name: /^Annual/ })).toBeChecked()
    await expect(dialog).toContainText('Save 17%')
    await expect(dialog).toContainText('Only $16.67/month. You save $40 a year: 2 months free.')
    await expect(benefitsIn(dialog)).toHaveText(benefits)
    await expectNoAxeViolations(page)
    await expectFitsPhones(page)
    await inDialog(page, 'Cancel').click()
    await expect(dialog).toHaveCount(0)
  })

  await test.step('the provider does not answer: said in the dialog, which stays', async () => {
    await switches(sandbox, { apiStatus: 500 })
    await openUpgrade(page)
    await inDialog(page, 'Upgrade to Pro').click()
    const problem = page.getByRole('dialog').getByRole('alert')
    await expect(problem).toContainText('Failed to start checkout process. Please try again.')
    await expect(problem).toContainText('Server error occurred. Please try again later.')
    await switches(sandbox, { apiStatus: 0 })
  })

  await test.step('the payment page leads back without paying; the notice goes after its time', async () => {
    await page.getByRole('radio', { name: /^Monthly/ }).check()
    const { held, letGo } = await hold(page, /\/upgrade\.data/)
    await inDialog(page, 'Upgrade to Pro').click()
    await expectBusy(inDialog(page, 'Processing...'))
    letGo()
    await expect(page).toHaveURL(payPage)
    expect(held).toHaveLength(1)
    await page.unrouteAll({ behavior: 'wait' })
    await page.clock.install()
    await stopClock(page)
    await page.getByRole('link', { name: 'Back without paying' }).click()
    await expect(main(page)).toContainText('Your payment was canceled. You can try again anytime.')
    await hydrated(page)
    await page.clock.runFor(4900)
    await expect(main(page)).toContainText('Payment Canceled')
    await expect(page).toHaveURL(/\/billing\?canceled=true$/)
    await page.clock.runFor(200)
    await expect(page).toHaveURL(/\/billing$/)
    await expect(main(page)).not.toContainText('Payment Canceled')
    await page.clock.resume()
  })

  await test.step('paid: the page says so once Pro is real', async () => {
    await hydrated(page)
    await main(page).getByRole('link', { name: 'Upgrade to Pro' }).click()
    await page.getByRole('radio', { name: /^Monthly/ }).check()
    await inDialog(page, 'Upgrade to Pro').click()
    await expect(page).toHaveURL(payPage)
    await fillCard(page, '4242424242424242')
    await page.getByRole('button', { name: 'Subscribe' }).click()
    // In one look: it stands there for five seconds.
    await expect(main(page)).toContainText(
      /Payment Successful!\s*Your subscription has been activated\. Welcome to Thunder Pro!/,
    )
    const card = main(page).getByRole('heading', { name: 'Thunder Pro: Monthly Plan' })
    await expect(card).toBeVisible()
    await expect(main(page)).toContainText('You have access to all Pro features')
    await expect(main(page).getByText('Active', { exact: true })).toBeVisible()
    await expect(main(page)).toContainText(/Renews on \w+ \d+, \d{4}/)
    await expect(main(page)).toContainText('ending in 4242')
    await expect(main(page).getByText('Default', { exact: true })).toBeVisible()
    await expectNoAxeViolations(page)
    await expect(page).toHaveURL(/\/billing$/)
    await expect(main(page)).not.toContainText('Payment Successful!')
    await hydrated(page)
    await button(page, 'Account menu').click()
    const menu = page.locator('.menu-panel:popover-open')
    await expect(menu.getByText('PRO', { exact: true })).toBeVisible()
    await expect(menu.getByRole('link', { name: 'Upgrade to Pro' })).toHaveCount(0)
    await page.keyboard.press('Escape')
  })

  await test.step('the invoice opens as a PDF; a provider that fails is said, and asked again', async () => {
    const invoices = page.getByRole('list', { name: 'Invoices' })
    await expect(invoices.getByRole('listitem')).toHaveCount(1)
    await expect(invoices).toContainText('Paid')
    await expect(invoices).toContainText('$20.00')
    const link = invoices.getByRole('link', { name: /^Invoice/ })
    await expect(link).toHaveAttribute('target', '_blank')
    const pdf = await page.request.get((await link.getAttribute('href')) ?? '')
    expect(pdf.headers()['content-type']).toContain('application/pdf')
    await switches(sandbox, { apiStatus: 500 })
    await page.goto('/settings#billing')
    await expect(main(page).getByText('Could not load your billing history')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Invoices' })).toHaveCount(0)
    await expectNoAxeViolations(page)
    await expectFitsPhones(page)
    await switches(sandbox, { apiStatus: 0 })
    await button(page, 'Try again').click()
    await expect(page.getByRole('list', { name: 'Invoices' })).toContainText('$20.00')
  })

  await test.step('the history while it is asked for, with an open invoice, and without any', async () => {
    const history = /\/functions\/v1\/stripe-billing-history$/
    const { letGo } = await hold(page, history)
    await page.goto('/billing')
    await expect(main(page).getByText('Loading billing history...')).toBeVisible()
    letGo()
    const invoices = page.getByRole('list', { name: 'Invoices' })
    await expect(invoices).toContainText('Paid')
    await expect(main(page).getByText('Loading billing history...')).toHaveCount(0)
    await page.unrouteAll({ behavior: 'wait' })
    const open = {
      id: 'in_open',
      amount: 1234,
      currency: 'usd',
      status: 'open',
      created: 1_790_000_000,
      description: 'Monthly Plan',
      invoice_pdf: null,
    }
    await page.route(history, (route) => route.fulfill({ json: { invoices: [open] } }))
    await page.reload()
    await expect(invoices).toContainText('$12.34')
    await expect(invoices.getByText('Pending', { exact: true })).toBeVisible()
    await expect(invoices.getByText('Paid')).toHaveCount(0)
    await expect(invoices.getByRole('link')).toHaveCount(0)
    await page.route(history, (route) => route.fulfill({ json: { invoices: [] } }))
    await page.reload()
    await expect(main(page)).toContainText('No billing history')
    await expect(main(page)).toContainText('Your invoices appear here after your first payment.')
    await page.unrouteAll({ behavior: 'wait' })
  })

  expect(complaints).toEqual([])
})

test('Pro is canceled, kept, paid with another card, and ends with its payments', async ({
  page,
  sandbox,
  thunder,
}) => {
  const complaints = complaintsOf(page)
  const { email } = await signedUp(page.request, 'Quinn Quitter')
  const upgraded = await page.request.post('/rest/v1/billing/demo-upgrade', {
    data: { plan: 'monthly' },
  })
  expect(upgraded.status()).toBe(200)

  await test.step('canceled at the end of the period, and taken back', async () => {
    await page.goto('/billing')
    await hydrated(page)
    await button(page, 'Cancel').click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('Your subscription will not renew.')
    await expect(dialog).toContainText(/You keep Pro until the end of the period: \w+ \d+, \d{4}\./)
    await expect(dialog).toContainText('You can reactivate it at any time before it ends.')
    await expect(dialog).toContainText('Your courses and your data stay safe.')
    await expectNoAxeViolations(page)
    await inDialog(page, 'Keep Subscription').click()
    await button(page, 'Cancel').click()
    await switches(sandbox, { apiStatus: 500 })
    await inDialog(page, 'Cancel Subscription').click()
    await expect(dialog.getByRole('alert')).toContainText(
      'Failed to cancel subscription. Please try again or contact support.',
    )
    await switches(sandbox, { apiStatus: 0 })
    const { held, letGo } = await hold(page, /\/billing\/cancel\.data/)
    await inDialog(page, 'Cancel Subscription').click()
    await expectBusy(inDialog(page, 'Canceling...'))
    letGo()
    await expect(page.getByText(canceledWords)).toBeVisible()
    await expect(main(page)).toContainText(/Cancels on \w+ \d+, \d{4}/)
    expect(held).toHaveLength(1)
    await page.unrouteAll({ behavior: 'wait' })
    await expect(dialog).toHaveCount(0)
    await expect(button(page, 'Cancel')).toHaveCount(0)
    await expect(page.locator(':focus')).toContainText('Thunder Pro: Monthly Plan')
    await button(page, 'Reactivate').press('Enter')
    await expect(main(page)).toContainText(/Renews on \w+ \d+, \d{4}/)
    await expect(button(page, 'Reactivate')).toHaveCount(0)
    await expectAnnounced(page, 'You keep Pro: your subscription renews as before.')
    await expect(page.locator(':focus')).toContainText('Thunder Pro: Monthly Plan')
    await expectNoAxeViolations(page)
  })

  await test.step('without a card that is said, beside the way to one', async () => {
    const card = `update plan_subscriptions set card_brand = $1, card_last4 = $2
                   where user_id = (select id from users where email = $3)`
    // News of the provider, of what was done before, would bring the card back.
    await settled(sandbox)
    await inDatabase(thunder, card, [null, null, email])
    await page.reload()
    await hydrated(page)
    await expect(main(page)).toContainText('No payment method on file')
    await expect(main(page).getByText('Default', { exact: true })).toHaveCount(0)
    await inDatabase(thunder, card, ['visa', '4242', email])
    const update = button(page, 'Update payment method')
    await expect(update).toHaveText('Update')
    await update.click()
    await expect(page.getByRole('alertdialog')).toContainText('secure payment processor')
    await inDialog(page, 'Cancel').click()
  })

  await test.step('another card, on the provider’s own page', async () => {
    await button(page, 'Update Payment').click()
    const dialog = page.getByRole('alertdialog')
    await expect(dialog).toContainText('secure payment processor')
    await switches(sandbox, { apiStatus: 500 })
    await inDialog(page, 'Update Payment Method').click()
    await expect(dialog.getByRole('alert')).toContainText(
      'Failed to update payment method. Please try again.',
    )
    await switches(sandbox, { apiStatus: 0 })
    // Nothing comes from there, so that the page stays.
    await page.route(portalPage, (route) => route.fulfill({ status: 204 }))
    const going = page.waitForRequest(portalPage)
    await inDialog(page, 'Update Payment Method').click()
    await going
    await inDialog(page, 'Cancel').click()
    await expect(dialog).toHaveCount(0)
    await page.unroute(portalPage)
    await button(page, 'Update Payment').click()
    const { held, letGo } = await hold(page, /\/billing\/update-payment\.data/)
    await inDialog(page, 'Update Payment Method').click()
    await expectBusy(inDialog(page, 'Updating...'))
    letGo()
    await expect(page).toHaveURL(portalPage)
    expect(held).toHaveLength(1)
    await page.unrouteAll({ behavior: 'wait' })
    const updated = main(page).getByText('Payment method updated successfully!', { exact: true })
    await page.getByRole('link', { name: 'Back' }).click()
    await expect(page).toHaveURL(/\/billing$/)
    await hydrated(page)
    await expect(updated).toHaveCount(0)
    await button(page, 'Update Payment').click()
    await inDialog(page, 'Update Payment Method').click()
    await expect(page).toHaveURL(portalPage)
    await fillCard(page, '4000000000000341')
    const said = page.waitForFunction(() =>
      document.querySelector('main')?.textContent?.includes('Payment method updated successfully!'),
    )
    await page.getByRole('button', { name: 'Save this card' }).click()
    await said
    await expect(main(page)).toContainText('ending in 0341')
    await expect(page).toHaveURL(/\/billing$/)
    await expect(updated).toHaveCount(0)
  })

  await test.step('a renewal that fails: Past Due and Free, without a reload', async () => {
    await hydrated(page)
    const billing = await (await page.request.get('/rest/v1/billing')).json()
    await advance(sandbox, billing.subscription.customer_id, month)
    await expect(main(page).getByText('Past Due', { exact: true })).toBeVisible()
    await expect(main(page).getByRole('heading', { name: 'Free Plan', exact: true })).toBeVisible()
    await expect(main(page)).toContainText('Your last payment failed')
    await expect(button(page, 'Update Payment')).toBeVisible()
    await expect(main(page)).not.toContainText(/Renews on|Cancels on|Upgrade to Pro/)
    await expectNoAxeViolations(page)
  })

  expect(complaints).toEqual([])
})

test('the demo upgrade of test mode asks, and is real', async ({ page, sandbox, thunder }) => {
  const { email } = await signedUp(page.request, 'Dana Demo')
  await test.step('given by an administrator there is nothing to pay', async () => {
    const ofDana = 'select id from users where email = $1'
    await inDatabase(thunder, `insert into plan_grants (user_id) ${ofDana}`, [email])
    await page.goto('/billing')
    await expect(main(page)).toContainText('An administrator gave it to you: nothing to pay.')
    await expect(main(page)).toContainText('You have access to all Pro features')
    await expect(main(page)).not.toContainText(/Renews on|Upgrade to Pro|Update Payment|Cancel/)
    await inDatabase(thunder, `delete from plan_grants where user_id = (${ofDana})`, [email])
  })

  await page.goto('/dashboard')
  await hydrated(page)
  await openUpgrade(page)
  await inDialog(page, 'Try the demo upgrade').click()
  const dialog = page.getByRole('alertdialog')
  const upgrade = dialog.getByRole('button', { name: 'Upgrade', exact: true })
  await expect(dialog).toContainText('No real money moves.')
  await switches(sandbox, { apiStatus: 500 })
  await upgrade.click()
  await expect(dialog.getByRole('alert')).toContainText(
    'Failed to process upgrade. Please try again.',
  )
  await switches(sandbox, { apiStatus: 0 })
  await upgrade.click()
  await expect(page.getByText('Your subscription has been activated.')).toBeVisible()
  await expect(page.locator('dialog[open]')).toHaveCount(0)
  await page.goto('/billing')
  await expect(main(page).getByRole('heading', { name: 'Thunder Pro: Annual Plan' })).toBeVisible()
})

test('a monthly course is canceled in two clicks, kept, left, and come back to', async ({
  page,
  browser,
  sandbox,
  thunder,
}) => {
  const creator = await somebodyElse(browser, { baseURL: thunder.url })
  await signedUp(creator.page.request, 'Carl Creator')
  const course = await publishedCourse(creator.page.request, 'Sourdough by the Month')
  const priced = await creator.page.request.patch(`/rest/v1/courses/${course.id}`, {
    data: { pricingType: 'monthly', priceAmount: 900 },
  })
  expect(priced.status()).toBe(200)
  await signedUp(page.request, 'Bea Buyer')
  const started = await page.request.post('/functions/v1/course-checkout', {
    data: { course_id: course.id, success_url: '/billing' },
  })
  expect(started.status(), await started.text()).toBe(200)
  await page.goto((await started.json()).url)
  await fillCard(page, '4242424242424242')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await expect(page).toHaveURL(/\/billing$/)
  await hydrated(page)
  // Perhaps before the payment is known here: then the page turns by itself.
  const bought = page.getByRole('list', { name: 'Courses you bought' })
  await expect(bought).toContainText('$9.00/month')
  await expect(bought).toContainText(/Next payment on \w+ \d+, \d{4}/)
  await bought.locator('summary').filter({ hasText: 'Receipt for' }).click()
  const receipt = bought.getByRole('link', { name: /^(Invoice|Receipt) for/ })
  await expect(receipt).toBeVisible()
  await test.step('its receipt leads to where the provider has it now, and to nobody else’s', async () => {
    const address = (await receipt.getAttribute('href')) ?? ''
    const ask = (of: Page) => of.request.get(address, { maxRedirects: 0 })
    const led = await ask(page)
    expect([led.status(), led.headers()['cache-control']]).toEqual([303, 'private, no-store'])
    expect(led.headers().location).toMatch(/\/sandbox\/stripe\/i\/in_\w+\/pdf\?until=\d+$/)
    const others = await ask(creator.page)
    expect([others.status(), await others.text()]).toEqual([
      404,
      expect.stringContaining('Receipt not found'),
    ])
    const stranger = await somebodyElse(browser, { baseURL: thunder.url })
    const asked = await ask(stranger.page)
    expect(asked.headers().location).toBe(`/login?to=${encodeURIComponent(address)}`)
    await stranger.context.close()
    await switches(sandbox, { apiStatus: 500 })
    const down = await ask(page)
    await switches(sandbox, { apiStatus: 0 })
    expect([down.status(), await down.text()]).toEqual([
      503,
      expect.stringContaining('Could not open this receipt'),
    ])
  })
  await expectNoAxeViolations(page)
  await expectFitsPhones(page)
  await test.step('every receipt is on a page of its own', async () => {
    await main(page).getByRole('link', { name: 'All receipts' }).click()
    await expect(page).toHaveURL(/\/billing\/receipts$/)
    const receipts = page.getByRole('list', { name: 'Receipts' }).getByRole('listitem')
    await expect(receipts).toHaveCount(1)
    await expect(receipts).toContainText('Sourdough by the Month')
    await expect(receipts).toContainText('$9.00')
    await expect(receipts.getByRole('link', { name: /^Invoice for/ })).toBeVisible()
    await expectNoAxeViolations(page)
    await expectFitsPhones(page)
    await page.getByRole('link', { name: 'Back to Billing' }).click()
    await hydrated(page)
  })
  await test.step('the card of a monthly course is changed before a payment fails', async () => {
    await button(page, 'Update card').click()
    await inDialog(page, 'Update Payment Method').click()
    await expect(page).toHaveURL(portalPage)
    await page.getByRole('link', { name: 'Back' }).click()
    await expect(page).toHaveURL(/\/billing$/)
    await hydrated(page)
  })
  await button(page, 'Cancel Sourdough by the Month').click()
  await expect(page.getByRole('alertdialog')).toContainText(/You have access until \w+ \d+, \d{4}/)
  await inDialog(page, 'Cancel Course').click()
  await expect(bought).toContainText(/Canceled: access until \w+ \d+, \d{4}/)
  const row = bought.getByRole('listitem').filter({ hasText: '$9.00/month' })
  await expect(row).toBeFocused()
  await button(page, 'Keep Sourdough by the Month').press('Enter')
  await expect(bought).toContainText('Next payment on')
  await expectAnnounced(page, 'You keep the course: it renews as before.')
  await expect(row).toBeFocused()
  await expectNoAxeViolations(page)

  await test.step('who paid comes back after leaving, also when nobody new may join', async () => {
    const left = await page.request.delete(`/rest/v1/enrollments/${course.id}`)
    expect(left.status()).toBe(200)
    const closed = await creator.page.request.post(`/rest/v1/courses/${course.id}/unpublish`)
    expect(closed.status()).toBe(200)
    await creator.context.close()
    await page.goto('/billing')
    await hydrated(page)
    await expect(bought).toContainText('You left it, and can come back without paying again.')
    await expect(bought.getByRole('link', { name: 'Sourdough by the Month' })).toHaveCount(0)
    await button(page, 'Return to the course Sourdough by the Month').click()
    await expect(page).toHaveURL(`/course/${course.slug}/dashboard`)
    await expect(
      page.getByRole('heading', { name: 'Sourdough by the Month', level: 1 }),
    ).toBeVisible()
  })
})

test('all of it works without JavaScript', async ({ browser, sandbox, thunder }) => {
  const { context, page } = await somebodyElse(browser, {
    baseURL: thunder.url,
    javaScriptEnabled: false,
  })
  await signedUp(page.request, 'Norma Noscript')
  await page.goto('/billing')
  await main(page).getByRole('link', { name: 'Upgrade to Pro' }).click()
  await expect(page).toHaveURL(/\/upgrade$/)
  await test.step('what was chosen is still chosen where the payment page could not be opened', async () => {
    await page.getByRole('radio', { name: /Monthly/ }).check()
    await switches(sandbox, { apiStatus: 500 })
    await button(page, 'Upgrade to Pro').click()
    await expect(main(page)).toContainText('Failed to start checkout process. Please try again.')
    await switches(sandbox, { apiStatus: 0 })
    await expect(page.getByRole('radio', { name: /Monthly/ })).toBeChecked()
    await page.getByRole('radio', { name: /Annual/ }).check()
  })
  await button(page, 'Upgrade to Pro').click()
  await expect(page).toHaveURL(payPage)
  await fillCard(page, '4242424242424242')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await expect(page).toHaveURL(/\/billing\?success=true&plan=annual$/)
  // The page cannot turn by itself here.
  await expect(async () => {
    await page.reload()
    await expect(main(page)).toContainText('Payment Successful!', { timeout: 500 })
  }).toPass()
  await page.getByRole('link', { name: 'Show billing history' }).click()
  await expect(page.getByRole('list', { name: 'Invoices' })).toContainText('$200.00')
  await button(page, 'Cancel').click()
  await expect(page).toHaveURL(/\/billing\/cancel\??$/)
  await button(page, 'Cancel Subscription').click()
  await expect(main(page)).toContainText(canceledWords)
  await page.getByRole('link', { name: 'Billing', exact: true }).click()
  await expect(main(page)).toContainText('Cancels on')
  await button(page, 'Reactivate').click()
  await expect(main(page)).toContainText('You keep Pro')
  await context.close()
})
