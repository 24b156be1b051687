// What a creator does to be paid: sets up a method, sells, sees the money become available, and gets it.
import type { Browser, Locator, Page } from '@playwright/test'
import { payoutMessages } from '../../src/domains/payouts/rules.ts'
import { bookOldSale } from '../old-sale.ts'
import { arriveAtBank, failAtBank, releaseFunds } from '../sandbox.ts'
import { settled } from '../settled.ts'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hold,
  hydrated,
  inDatabase,
  signedUp,
  somebodyElse,
  stopClock,
  test as base,
} from './journey.ts'
import { buyCourse, coursePaidFor } from './paying.ts'
import { bootSecondNode } from './second-node.ts'
import type { BuiltServer } from './server.ts'

const routing = '110000000'
/** The sandbox's bank to which payouts arrive, and its debit card. */
const account = '000123456789'
const debitCard = '4000056655665556'

/** The control desk of the sandbox that this server talks to, and its database. */
async function openSandbox(thunder: BuiltServer) {
  const app = await bootSecondNode(thunder)
  const one = async (statement: string, value: string): Promise<string> => {
    const { rows } = await app.services.pool.query<{ id: string }>(statement, [value])
    return rows[0]!.id
  }
  return {
    ...app,
    chargeOf: (courseId: string) =>
      one('select charge_id as id from payments where course_id = $1', courseId),
    payoutOf: (email: string) =>
      one(
        `select provider_payout_id as id from payouts
         join ledger_accounts on ledger_accounts.id = ledger_account_id
         join users on users.id = ledger_accounts.user_id
         where email = $1 order by requested_at desc limit 1`,
        email,
      ),
    /** Tables of every schema in which this text is, in whatever column. */
    async tablesWith(text: string) {
      const { pool } = app.services
      const { rows } = await pool.query<{ name: string }>(
        `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
         where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
      )
      const found: string[] = []
      for (const { name } of rows) {
        const held = await pool.query(
          `select 1 from ${name} as held where strpos(held::text, $1) > 0 limit 1`,
          [text],
        )
        if (held.rowCount) found.push(name)
      }
      return found
    },
  }
}

/** Addresses that this text was sent to, in the address or in the body. */
function addressesThatGot(page: Page, text: string) {
  const addresses: string[] = []
  page.context().on('request', (request) => {
    const sent = [request.url(), request.postData() ?? '', JSON.stringify(request.headers())]
    if (!sent.some((part) => part.replaceAll(/\s|\+|%20/g, '').includes(text))) return
    addresses.push(new URL(request.url()).pathname)
  })
  return addresses
}

const main = (page: Page) => page.getByRole('main')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.locator('dialog[open]')
const inDialog = (page: Page, name: string) =>
  dialog(page).getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => dialog(page).getByLabel(name, { exact: true })

/** What was asked for in a dialog goes on, whoever would like to leave it. */
async function expectKeptWhileBusy(page: Page, press: string, calls: RegExp) {
  const { held, letGo } = await hold(page, calls)
  await inDialog(page, press).click()
  await expect.poll(() => held.length).toBe(1)
  await expect(inDialog(page, 'Cancel')).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(inDialog(page, 'Cancel')).toBeVisible()
  letGo()
}

/** The card that this heading is in. */
const card = (page: Page, title: string) =>
  page.locator('div.rounded-card').filter({ has: page.getByRole('heading', { name: title }) })

async function openPayments(page: Page) {
  await page.goto('/payments')
  await hydrated(page)
}

async function expectFitsPhones(page: Page) {
  await page.setViewportSize({ width: 375, height: 812 })
  await expectNoSidewaysScrolling(page)
  await page.setViewportSize({ width: 1280, height: 800 })
}

async function finishAtProvider(page: Page) {
  await expect(page.getByRole('heading', { name: 'Get paid' })).toBeVisible()
  await page.getByLabel('Date of birth').fill('1990-12-31')
  await page.getByRole('button', { name: 'Agree and submit' }).click()
  await expect(page).toHaveURL(/\/payments/)
}

const test = base.extend<{ sandbox: Awaited<ReturnType<typeof openSandbox>> }>({
  async sandbox({ thunder }, use) {
    const sandbox = await openSandbox(thunder)
    await use(sandbox)
    await sandbox.stop()
  },
})

/**
 * All journeys share one account at the provider, and refunds after payouts leave it empty: then payouts wait
 * for the operator. A sale that nobody is paid for fills it.
 */
async function fillOurBalance(
  browser: Browser,
  thunder: BuiltServer,
  sandbox: Awaited<ReturnType<typeof openSandbox>>,
) {
  const seller = await somebodyElse(browser, { baseURL: thunder.url })
  const buyer = await somebodyElse(browser, { baseURL: thunder.url })
  await signedUp(seller.context.request, 'Sal Seller')
  const course = await coursePaidFor(seller.context.request, 'Clay by the Ton', {
    pricingType: 'one_time',
    priceAmount: 50_000,
  })
  await signedUp(buyer.context.request, 'Bob Buyer')
  await buyCourse(buyer.page, course)
  await releaseFunds(sandbox, await sandbox.chargeOf(course.id))
  await seller.context.close()
  await buyer.context.close()
}

test('a bank account, a sale, its money, and a payout that arrives', async ({
  page,
  browser,
  thunder,
  sandbox,
}) => {
  const complaints = complaintsOf(page)
  const got = addressesThatGot(page, account)
  await fillOurBalance(browser, thunder, sandbox)
  const creator = await signedUp(page.request, 'Cleo Creator')
  const course = await coursePaidFor(page.request, 'Glazes', {
    pricingType: 'one_time',
    priceAmount: 4000,
  })

  await test.step('from the dashboard: nothing earned, nothing connected', async () => {
    await page.goto('/dashboard')
    await hydrated(page)
    await main(page).getByRole('link', { name: 'Payments', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Payments', exact: true })).toBeVisible()
    await expect(card(page, 'Payout Method')).toContainText('Not connected')
    for (const title of ['Total Earnings', 'This Month', 'Pending', 'Available']) {
      await expect(card(page, title)).toContainText('$0.00')
    }
    await expect(page.getByText('Test mode: no money moved.')).toBeVisible()
    const steps = card(page, 'How Payment Processing Works')
    await expect(steps).toContainText('typically 2.9% + $0.30')
    await expect(steps).toContainText('keeps 5% on your plan, and 0% with Pro')
    await expect(card(page, 'Earnings History')).toContainText('No earnings yet')
    await expectNoAxeViolations(page)
    await expectFitsPhones(page)
  })

  await test.step('by keyboard: what is wrong with the form is said, and nothing is sent', async () => {
    await button(page, 'Set Up Payout Method').press('Enter')
    await expect(page.getByRole('dialog', { name: 'Set Up Payout Method' })).toBeVisible()
    await inDialog(page, 'Connect').press('Enter')
    await expect(dialog(page)).toContainText(payoutMessages.nameMissing)
    await expect(field(page, 'First name')).toBeFocused()
    await page.keyboard.type('Cleo')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Creator')
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toContainText(payoutMessages.bankMissing)
    await expect(field(page, 'Bank name')).toBeFocused()
    await page.keyboard.type('First Bank')
    await field(page, 'Account number').fill(account)
    await field(page, 'Routing number').fill('1234')
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toContainText(payoutMessages.routingWrong)
    await expect(field(page, 'Routing number')).toBeFocused()
    await expectNoAxeViolations(page)
    await expectFitsPhones(page)
    expect(got).toEqual([])
  })

  await test.step('what the provider refuses is said at its field', async () => {
    await field(page, 'Routing number').fill('123456789')
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toContainText('You did not provide a valid routing number.')
    await expect(field(page, 'Routing number')).toBeFocused()
  })

  await test.step('connected; what the provider still asks for is told on its own pages', async () => {
    await field(page, 'Routing number').fill(routing)
    await expectKeptWhileBusy(page, 'Connect', /\/v1\/tokens$/)
    await expect(page.getByText('Payout method connected.')).toBeVisible()
    await expect(dialog(page)).toHaveCount(0)
    const method = card(page, 'Payout Method')
    await expect(method).toContainText('Information needed')
    await expect(method).toContainText('6789')
    await method.getByRole('button', { name: /^Continue/ }).click()
    await finishAtProvider(page)
    await expect(page.getByText('You are all set')).toBeVisible()
    await expect(method.getByText('Connected', { exact: true })).toBeVisible()
    expect(new Set(got)).toEqual(new Set(['/sandbox/stripe/v1/tokens']))
    expect(await sandbox.tablesWith(account)).toEqual([])
  })

  const buyer = await somebodyElse(browser, { baseURL: thunder.url })
  await test.step('a sale is there by itself: first pending, then available', async () => {
    await signedUp(buyer.page.request, 'Bo Buyer')
    await openPayments(page)
    await buyCourse(buyer.page, course)
    await expect(card(page, 'Earnings History')).toContainText('Bo Buyer')
    // $40.00, less 5 % and 2.9 % + $0.30.
    await expect(card(page, 'Pending')).toContainText('$36.54')
    await expect(card(page, 'Available')).toContainText('$0.00')
    const sale = page.getByRole('list', { name: 'Sales' }).getByRole('listitem').first()
    await expect(sale).toContainText('Available on')
    await expect(sale).toContainText('-$2.00')
    await expect(sale).toContainText('-$1.46')
    await releaseFunds(sandbox, await sandbox.chargeOf(course.id))
    await settled(sandbox)
    await page.reload()
    await expect(card(page, 'Available')).toContainText('$36.54')
    await hydrated(page)
    await expectNoAxeViolations(page)
    await expectFitsPhones(page)
  })

  await test.step('more than there is, is refused in words; the rest is paid out', async () => {
    await button(page, 'Pay Out').click()
    await field(page, 'Amount in US dollars').fill('36.55')
    await inDialog(page, 'Pay Out').click()
    await expect(dialog(page).getByRole('alert')).toBeVisible()
    await field(page, 'Amount in US dollars').fill('36.54')
    await expect(dialog(page)).toContainText('•••• 6789')
    await expectNoAxeViolations(page)
    await expectKeptWhileBusy(page, 'Pay Out', /\/payments\/pay-out\.data/)
    await expect(dialog(page)).toHaveCount(0)
    await expect(card(page, 'Available')).toContainText('$0.00')
    const payout = page.getByRole('list', { name: 'Payouts' }).getByRole('listitem').first()
    await expect(payout).toContainText('On its way')
    await arriveAtBank(sandbox, await sandbox.payoutOf(creator.email))
    await expect(payout).toContainText('Arrived on')
    const sale = page.getByRole('list', { name: 'Sales' }).getByRole('listitem').first()
    await expect(sale).toContainText('Paid out')
  })

  await test.step('the file, the filter in the address, and the schedule', async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ])
    const csv = await page.request.get(file.url())
    expect(await csv.text()).toContain('Glazes')
    await page.getByLabel('Status', { exact: true }).selectOption('refunded')
    await button(page, 'Show').click()
    await expect(page).toHaveURL(/state=refunded/)
    await expect(page.getByText('No such sales')).toBeVisible()
    await page.getByRole('link', { name: 'Show all' }).click()
    await expect(page.getByRole('list', { name: 'Sales' })).toContainText('Bo Buyer')
    await page.getByLabel('Automatic payouts').selectOption('weekly')
    await button(page, 'Save').click()
    await expect(page.getByText('You are paid every Monday (UTC).')).toBeVisible()
  })

  await test.step('refunded in part, then in full: what it does is said before', async () => {
    const sale = page.getByRole('list', { name: 'Sales' }).getByRole('listitem').first()
    const refund = sale.getByRole('button', { name: /^Refund Glazes/ })
    await refund.click()
    await field(page, 'Amount in US dollars').fill('10')
    const effect = dialog(page).getByRole('list', { name: 'What this does' })
    await expect(effect).toContainText('goes down by $9.50')
    await expect(effect).toContainText('Access to the course stays as it is.')
    await expectNoAxeViolations(page)
    // It is done, and its answer is lost: whoever tries again means the same refund.
    await page.route(
      /\/refund.*\.data/,
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await inDialog(page, 'Refund').click()
    await expect(dialog(page).getByRole('alert')).toContainText('Failed to refund this sale.')
    await expect(sale).toContainText('-$10.00')
    await expectKeptWhileBusy(page, 'Refund', /\/refund.*\.data/)
    await expect(dialog(page)).toHaveCount(0)
    await expect(sale).toContainText('-$10.00')
    await expect(card(page, 'Available')).toContainText('recovered from your next sales')
    await expect(card(page, 'Available')).toContainText('-$9.50')
    await refund.click()
    await expect(effect).toContainText('access by this payment ends at once')
    await expect(effect).toContainText('goes down by $28.50')
    await inDialog(page, 'Refund').click()
    await expect(sale.getByText('Refunded', { exact: true }).first()).toBeVisible()
    await expect(sale).toContainText('-$40.00')
    await expect(refund).toHaveCount(0)
  })
  expect(complaints).toEqual([])
  await buyer.context.close()
})

test('a payout comes back from the bank; a debit card takes its place', async ({
  page,
  browser,
  thunder,
  sandbox,
}) => {
  const complaints = complaintsOf(page)
  const got = addressesThatGot(page, debitCard)
  await fillOurBalance(browser, thunder, sandbox)
  const creator = await signedUp(page.request, 'Dee Debit')
  const course = await coursePaidFor(
    page.request,
    `Kilns${' that hold through the night'.repeat(3)}`,
    {
      pricingType: 'one_time',
      priceAmount: 2000,
    },
  )
  const buyer = await somebodyElse(browser, { baseURL: thunder.url })
  await signedUp(buyer.page.request, 'Bea Buyer')
  await buyCourse(buyer.page, course)
  await releaseFunds(sandbox, await sandbox.chargeOf(course.id))

  await test.step('as a tab of the settings', async () => {
    await page.goto('/settings')
    await hydrated(page)
    await page.getByRole('link', { name: 'Payments', exact: true }).click()
    await expect(page).toHaveURL('/settings#payments')
    await button(page, 'Set Up Payout Method').click()
    await field(page, 'First name').fill('Dee')
    await field(page, 'Last name').fill('Debit')
    await field(page, 'Bank name').fill('First Bank')
    await field(page, 'Routing number').fill(routing)
    await field(page, 'Account number').fill(account)
    await inDialog(page, 'Connect').click()
    await expect(dialog(page)).toHaveCount(0)
    await page.getByRole('button', { name: /^Continue/ }).click()
    await finishAtProvider(page)
  })

  await test.step('beside the tabs there is room for long amounts, and a long title leaves the state its place', async () => {
    await page.goto('/settings#payments')
    const boxOf = async (what: Locator) => (await what.boundingBox())!
    const first = await boxOf(card(page, 'Total Earnings'))
    expect((await boxOf(card(page, 'Pending'))).y).toBeGreaterThanOrEqual(first.y + first.height)
    const sale = page.getByRole('list', { name: 'Sales' }).getByRole('listitem').first()
    const title = await boxOf(sale.getByRole('heading'))
    const state = await boxOf(sale.getByText('Available', { exact: true }))
    expect(state.x).toBeGreaterThan(title.x + title.width)
  })

  await test.step('the bank sends it back: the money is there again, and the method is to be set up', async () => {
    await openPayments(page)
    await button(page, 'Pay Out').click()
    await inDialog(page, 'Pay Out').click()
    const payout = page.getByRole('list', { name: 'Payouts' }).getByRole('listitem').first()
    await expect(payout).toContainText('On its way')
    await failAtBank(sandbox, await sandbox.payoutOf(creator.email))
    await expect(payout).toContainText('Failed')
    await expect(card(page, 'Payout Method').getByText('Failed', { exact: true })).toBeVisible()
    await expect(card(page, 'Available')).toContainText('$18.12')
    await expect(card(page, 'Available')).toContainText('needs your attention')
    await expectNoAxeViolations(page)
  })

  await test.step('a debit card: each message, then connected and paid', async () => {
    await button(page, 'Change payout method').click()
    await dialog(page).getByRole('radio', { name: 'Debit Card' }).check()
    await inDialog(page, 'Connect').click()
    await expect(dialog(page)).toContainText(payoutMessages.cardMissing)
    await field(page, 'Card number').fill('4000 0566')
    await field(page, 'Expiry date').fill('12/20')
    await field(page, 'CVV').fill('12')
    await inDialog(page, 'Connect').click()
    await expect(dialog(page)).toContainText(payoutMessages.cardWrong)
    await expect(dialog(page)).toContainText('This card has expired')
    await expect(dialog(page)).toContainText(payoutMessages.cvvWrong)
    await field(page, 'Card number').fill('4000 0566 5566 5557')
    await field(page, 'Expiry date').fill('12/40')
    await field(page, 'CVV').fill('123')
    await inDialog(page, 'Connect').click()
    await expect(dialog(page)).toContainText('Your card number is incorrect.')
    expect(got).toEqual([])
    await field(page, 'Card number').fill('4000 0566 5566 5556')
    await page.clock.install()
    await stopClock(page)
    await inDialog(page, 'Connect').click()
    const notice = page.getByText('Payout method connected.')
    // The page needs a little time of its own until it says so.
    await expect(async () => {
      await page.clock.runFor(50)
      await expect(notice).toBeVisible({ timeout: 500 })
    }).toPass()
    await page.clock.runFor(2800)
    await expect(notice).toBeVisible()
    // It slides away for a moment: in steps, between which the page has a little time of its own.
    const time = () => page.evaluate(() => Date.now())
    const before = await time()
    await expect(async () => {
      await page.clock.runFor(50)
      await expect(notice).toHaveCount(0, { timeout: 100 })
    }).toPass({ intervals: [0] })
    expect((await time()) - before).toBeLessThanOrEqual(1000)
    await page.clock.resume()
    await expect(dialog(page)).toHaveCount(0)
    await expect(card(page, 'Payout Method').getByText('Connected', { exact: true })).toBeVisible()
    await expect(card(page, 'Payout Method')).toContainText('5556')
    expect(new Set(got)).toEqual(new Set(['/sandbox/stripe/v1/tokens']))
    expect(await sandbox.tablesWith(debitCard)).toEqual([])
  })

  await test.step('PayPal: its messages', async () => {
    await button(page, 'Change payout method').click()
    await dialog(page).getByRole('radio', { name: 'PayPal' }).check()
    await inDialog(page, 'Connect').click()
    await expect(dialog(page)).toContainText(payoutMessages.paypalMissing)
    await field(page, 'PayPal email').fill('dee')
    await inDialog(page, 'Connect').click()
    await expect(dialog(page)).toContainText(payoutMessages.emailWrong)
    await inDialog(page, 'Cancel').click()
  })

  await test.step('removed', async () => {
    await button(page, 'Remove payout method').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(card(page, 'Payout Method')).toContainText('Not connected')
    await expect(page.locator(':focus')).toContainText('Not connected')
    await expect(card(page, 'Available')).toContainText('Set up a payout method')
  })
  expect(complaints).toEqual([])
  await buyer.context.close()
})

test('without JavaScript: PayPal is set up, a sale is paid back, and numbers are not asked for', async ({
  browser,
  thunder,
}) => {
  const { context, page } = await somebodyElse(browser, {
    baseURL: thunder.url,
    javaScriptEnabled: false,
  })
  const nora = await signedUp(context.request, 'Nora Noscript')
  const course = await coursePaidFor(context.request, 'Paper', {
    pricingType: 'one_time',
    priceAmount: 1000,
  })
  const buyer = await somebodyElse(browser, { baseURL: thunder.url })
  await signedUp(buyer.page.request, 'Bill Buyer')
  await buyCourse(buyer.page, course)

  await page.goto('/payments')
  await button(page, 'Set Up Payout Method').click()
  await expect(page).toHaveURL(/\/payments\/setup/)
  // That a bank account or a card needs JavaScript; Playwright does not read the text in it.
  await expect(main(page).locator('noscript p')).toBeVisible()
  await page.getByLabel('First name').fill('Nora')
  await page.getByLabel('Account number').fill(account)
  await button(page, 'Connect').click()
  await expect(page.getByRole('alert')).toContainText(payoutMessages.failed)
  await expect(page.getByLabel('Account number')).toHaveValue('')
  await page.getByRole('radio', { name: 'PayPal' }).check()
  await page.getByLabel('PayPal email').fill('nora@example.com')
  await button(page, 'Connect').click()
  await expect(page.getByRole('alert')).toContainText('Please enter your full name')
  // What was typed is there, and only what was wrong has to be added.
  await expect(page.getByRole('radio', { name: 'PayPal' })).toBeChecked()
  await expect(page.getByLabel('First name')).toHaveValue('Nora')
  await expect(page.getByLabel('PayPal email')).toHaveValue('nora@example.com')
  await page.getByLabel('Last name').fill('Noscript')
  const proven = (when: string) =>
    inDatabase(
      thunder,
      `update sessions set proven_at = now() - interval '${when}'
        where user_id = (select id from users where email = $1)`,
      [nora.email],
    )
  await proven('20 minutes')
  await button(page, 'Connect').click()
  await expect(page.getByRole('alert')).toContainText('Please confirm that it is you')
  await expect(page.getByLabel('PayPal email')).toHaveValue('nora@example.com')
  await proven('1 minute')
  await button(page, 'Connect').click()
  await expect(main(page)).toContainText('Payout method connected.')
  await page.goto('/payments')
  await expect(card(page, 'Payout Method')).toContainText('nora@example.com')

  await expect(card(page, 'Statements')).toContainText('Ready when the month is over')

  await page.getByRole('button', { name: /^Refund Paper/ }).click()
  await expect(page).toHaveURL(/\/refund/)
  await page.getByLabel('Amount').fill('4 dollars')
  await button(page, 'Refund').click()
  await expect(page.getByRole('alert')).toBeVisible()
  // Not the whole price again: the next press would give all of it back.
  await expect(page.getByLabel('Amount')).toHaveValue('4 dollars')
  await page.getByLabel('Amount').fill('10')
  await button(page, 'Refund').click()
  await expect(main(page)).toContainText('$10.00 is on its way back to the buyer.')
  await buyer.context.close()
  await context.close()
})

test('where earnings go is changed after a proof of who one is; what was typed stays', async ({
  page,
  thunder,
  sandbox,
}) => {
  const complaints = complaintsOf(page)
  const got = addressesThatGot(page, account)
  const person = await signedUp(page.request, 'Lena Late')
  const ofPerson = 'user_id = (select id from users where email = $1)'
  const waitLong = () =>
    inDatabase(
      thunder,
      `update sessions set proven_at = now() - interval '20 minutes' where ${ofPerson}`,
      [person.email],
    )
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  const password = proof.getByLabel('Password', { exact: true })
  const setup = page.getByRole('dialog', { name: 'Set Up Payout Method' })
  const number = setup.getByLabel('Account number', { exact: true })
  await waitLong()
  await openPayments(page)
  await button(page, 'Set Up Payout Method').click()

  await test.step('canceled, nothing is changed, and the form is as it was', async () => {
    await setup.getByLabel('First name').fill('Lena')
    await setup.getByLabel('Last name').fill('Late')
    await setup.getByLabel('Bank name').fill('First Bank')
    await number.fill(account)
    await setup.getByLabel('Routing number').fill(routing)
    await setup.getByRole('button', { name: 'Connect' }).click()
    await expect(password).toBeVisible()
    await expectNoAxeViolations(page)
    await expectFitsPhones(page)
    await page.keyboard.press('Escape')
    await expect(proof).toHaveCount(0)
    await expect(setup.getByRole('alert')).toContainText('Please confirm that it is you')
    await expect(number).toHaveValue(account)
  })

  await test.step('proved, it goes on', async () => {
    await setup.getByRole('button', { name: 'Connect' }).click()
    await password.fill('not the one')
    await page.keyboard.press('Enter')
    await expect(proof).toContainText('The password is not correct')
    await password.fill(person.password)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Payout method connected.')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(card(page, 'Payout Method')).toContainText('6789')
    expect(new Set(got)).toEqual(new Set(['/sandbox/stripe/v1/tokens']))
    expect(await sandbox.tablesWith(account)).toEqual([])
  })

  await test.step('so it does to the pages of the provider', async () => {
    await waitLong()
    await card(page, 'Payout Method')
      .getByRole('button', { name: /^Continue/ })
      .click()
    await password.fill(person.password)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Get paid' })).toBeVisible()
  })

  await test.step('without a password by a new log-in, which comes back', async () => {
    await inDatabase(thunder, `delete from identities where ${ofPerson}`, [person.email])
    await waitLong()
    await page.goto('/payments/setup')
    await hydrated(page)
    await page.getByRole('radio', { name: 'PayPal' }).check()
    await page.getByLabel('PayPal email').fill('lena@example.com')
    await button(page, 'Connect').click()
    await proof.getByRole('button', { name: 'Log out and in again' }).click()
    await page.waitForURL('**/login?to=/payments/setup')
  })
  expect(complaints).toEqual([])
})

test('the statement of a month that is over is downloaded', async ({ page, sandbox }) => {
  const complaints = complaintsOf(page)
  const { email } = await signedUp(page.request, 'Stella Statement')
  const { id } = await coursePaidFor(page.request, 'Knots of old', {
    pricingType: 'one_time',
    priceAmount: 4000,
  })
  const at = new Date('2025-02-28T23:59:59.999Z')
  await bookOldSale(sandbox.services, { email, courseId: id, at })

  await openPayments(page)
  const statements = page.getByRole('list', { name: 'Statements' })
  await expect(statements.getByRole('listitem')).toHaveText([/February 2025/])
  await expect(main(page)).toContainText('$36.54')
  const downloading = page.waitForEvent('download')
  await statements.getByRole('link', { name: 'PDF statement of February 2025' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/2025-02.*\.pdf$/)
  const chunks = await (await download.createReadStream()).toArray()
  const file = Buffer.concat(chunks)
  expect(file.subarray(0, 5).toString()).toBe('%PDF-')
  expect(file.length).toBeGreaterThan(1000)
  expect(complaints).toEqual([])
})

test('after a restore a creator reads that payouts wait, and an administrator lets them go', async ({
  page,
  browser,
  baseURL,
  thunder,
  sandbox,
}) => {
  const complaints = complaintsOf(page)
  const { email } = await signedUp(page.request, 'Wanda Waits')
  const { id } = await coursePaidFor(page.request, 'Knots before the backup', {
    pricingType: 'one_time',
    priceAmount: 4000,
  })
  const { page: admin, context } = await somebodyElse(browser, { baseURL })
  const administrator = await signedUp(admin.request, 'Ada Administrator')
  await inDatabase(thunder, "update users set role = 'admin' where email = $1", [
    administrator.email,
  ])
  const at = new Date('2025-02-28T12:00:00.000Z')
  await bookOldSale(sandbox.services, { email, courseId: id, at })
  const words =
    'Paying out is switched off at the moment. We are comparing our books with the banks.'
  // As `restore` does where money is real; a node that runs is told.
  await inDatabase(
    thunder,
    `with off as (insert into settings (key, value) values ('feature:payouts', jsonb_build_object(
       'off', true, 'since', now(), 'notice', 'We are comparing our books with the banks.')))
     select pg_notify('thunder_events', '{"switched": true}')`,
  )
  try {
    await expect
      .poll(async () => {
        await page.goto('/payments')
        return card(page, 'Available').textContent()
      })
      .toContain(words)
    await hydrated(page)
    await expect(button(page, 'Pay Out')).toHaveCount(0)
    await expectNoAxeViolations(page)
    await expectFitsPhones(page)
    await page.goto('/payments/pay-out')
    await expect(main(page).getByText(words)).toBeVisible()
    await expectFitsPhones(page)

    await admin.goto('/admin/features')
    await hydrated(admin)
    const switchCard = admin.getByRole('region', { name: 'Paying out', exact: true })
    await expect(switchCard).toContainText('a restore of a backup, or a statement in the database')
    await expect(switchCard).toContainText(words)
    await expectNoAxeViolations(admin)
    await switchCard.getByText('Switch on…').press('Enter')
    await switchCard.getByLabel('Reason').fill('Compared')
    await switchCard.getByRole('button', { name: 'Switch on: Paying out' }).press('Enter')
    await expect(switchCard.getByText('On', { exact: true })).toBeVisible()
  } finally {
    await inDatabase(
      thunder,
      `with gone as (delete from settings where key = 'feature:payouts')
       select pg_notify('thunder_events', '{"switched": true}')`,
    )
  }
  await expect
    .poll(async () => {
      await page.goto('/payments')
      return card(page, 'Available').textContent()
    })
    .toContain('Set up a payout method to be paid.')
  expect(complaints).toEqual([])
  await context.close()
})

test('what becomes of a sale further down is seen there, after it was refunded', async ({
  page,
  sandbox,
}) => {
  const complaints = complaintsOf(page)
  const { email } = await signedUp(page.request, 'Mona Many')
  const { id } = await coursePaidFor(page.request, 'Knots in number', {
    pricingType: 'one_time',
    priceAmount: 4000,
  })
  for (let day = 1; day <= 28; day += 1) {
    await bookOldSale(sandbox.services, { email, courseId: id, at: new Date(2025, 1, day, 12) })
  }

  await openPayments(page)
  const sales = page.getByRole('list', { name: 'Sales' }).getByRole('listitem')
  await expect(sales).toHaveCount(25)
  await page.getByRole('button', { name: 'Load More sales' }).click()
  await expect(sales).toHaveCount(28)
  const oldest = sales.last()
  await oldest.getByRole('button', { name: /^Refund/ }).click()
  await field(page, 'Amount in US dollars').fill('10')
  await inDialog(page, 'Refund').click()
  await expect(dialog(page)).toHaveCount(0)
  // The provider does not know this sale, so that it may have refused by now.
  await expect(oldest).toContainText(/refund of \$10\.00/)
  await expect(sales).toHaveCount(28)
  expect(complaints).toEqual([])
})
