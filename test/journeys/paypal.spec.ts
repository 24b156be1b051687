// Being paid through PayPal: what it costs is said before, it arrives, and it comes back.
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  hydrated,
  inDatabase,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'
import { buyCourse, coursePaidFor } from './paying.ts'
import type { BuiltServer } from './server.ts'

/** PayPal is asked about this address' payouts now, and not in some minutes. */
async function askPayPal(thunder: BuiltServer, email: string) {
  await inDatabase(
    thunder,
    `update payouts set checked_at = now() - interval '2 hours', sent_at = now() - interval '2 hours'
     where destination = $1`,
    [email],
  )
  await inDatabase(thunder, `select graphile_worker.add_job('followPayouts')`)
}

async function chooseAddress(page: Page, email: string) {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'PayPal' }).check()
  await dialog.getByLabel('First name').fill('Pia')
  await dialog.getByLabel('Last name').fill('Payee')
  await dialog.getByLabel('PayPal email').fill(email)
  await dialog.getByRole('button', { name: 'Connect' }).click()
}

const payoutsOn = (page: Page) => page.getByRole('list', { name: 'Payouts' }).getByRole('listitem')

test('a creator is paid through PayPal; what PayPal blocks is back in the balance', async ({
  page,
  browser,
  thunder,
}) => {
  const complaints = complaintsOf(page)
  const email = `pia-${randomUUID().slice(0, 8)}@example.com`
  await signedUp(page.request, 'Pia Payee')
  const title = `Paid by PayPal ${email}`
  const price = { pricingType: 'one_time', priceAmount: 5100 } as const
  const course = await coursePaidFor(page.request, title, price)
  const buyer = await somebodyElse(browser, { baseURL: thunder.url })
  await signedUp(buyer.context.request, 'Bo Buyer')
  await buyCourse(buyer.page, course)
  await buyer.context.close()
  const operator = await page.context().newPage()
  await operator.goto('/sandbox/stripe/dashboard')
  const payment = operator.getByRole('listitem').filter({ hasText: title })
  await payment.getByRole('button', { name: /Release the money/ }).click()
  await expect(operator.getByRole('status')).toHaveText('The money of the payment can be used.')

  await page.goto('/payments')
  await hydrated(page)
  await expect(page.getByText('PayPal, whose processing fee is 2%')).toBeVisible()
  await page.getByRole('button', { name: 'Set Up Payout Method' }).click()
  const dialog = page.getByRole('dialog')
  await chooseAddress(page, '')
  await expect(dialog.getByText('Please enter your PayPal email')).toBeVisible()
  await chooseAddress(page, 'pia at example')
  await expect(dialog.getByText('Please enter a valid email address')).toBeVisible()
  await expect(dialog.getByText('2% of what it pays out')).toBeVisible()
  await chooseAddress(page, email)
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Connected', { exact: true })).toBeVisible()

  const payOut = async (amount: string) => {
    await page.getByRole('button', { name: 'Pay Out', exact: true }).click()
    await dialog.getByLabel('Amount in US dollars').fill(amount)
  }
  await payOut('10.20')
  await expect(dialog.getByText('PayPal’s fee (2%)')).toBeVisible()
  await expect(dialog.getByText('$0.20')).toBeVisible()
  await expect(dialog.getByText('$10.00')).toBeVisible()
  await expectNoAxeViolations(page)
  await dialog.getByRole('button', { name: 'Pay Out' }).click()
  await expect(dialog).toBeHidden()
  await expect(payoutsOn(page).first()).toContainText('On its way')

  await operator.setViewportSize({ width: 375, height: 800 })
  await operator.goto('/sandbox/paypal/dashboard')
  const sent = operator.getByRole('listitem').filter({ hasText: email })
  await expect(sent).toContainText('$10.00')
  await expectNoAxeViolations(operator)
  await sent.getByRole('button', { name: /Let it arrive/ }).click()
  await expect(operator.getByRole('status')).toHaveText('It has arrived.')
  await askPayPal(thunder, email)
  await expect(payoutsOn(page).first()).toContainText('Paid')
  await expect(payoutsOn(page).first()).toContainText('$0.20 of it PayPal’s fee')

  await payOut('20.40')
  await dialog.getByRole('button', { name: 'Pay Out' }).click()
  await expect(dialog).toBeHidden()
  // What arrives, without the fee.
  await expect(page.getByText(/^\$20\.00 is on its way to /).first()).toBeVisible()
  await expect(payoutsOn(page)).toHaveCount(2)
  await expect(payoutsOn(page).first()).toContainText('On its way')
  await operator.goto('/sandbox/paypal/dashboard')
  await sent
    .first()
    .getByRole('button', { name: /Block it/ })
    .click()
  await expect(operator.getByRole('status')).toHaveText('It is blocked.')
  await askPayPal(thunder, email)
  await expect(payoutsOn(page).first()).toContainText('PayPal may not pay out to this account.')
  await expect(page.getByText('Your payout method needs your attention first.')).toBeVisible()
  await page.getByRole('button', { name: 'Change payout method' }).click()
  await chooseAddress(page, `other-${email}`)
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Pay Out', exact: true })).toBeVisible()

  const mistyped = email.replace('@', '+unclaimed@')
  await page.getByRole('button', { name: 'Change payout method' }).click()
  await chooseAddress(page, mistyped)
  await expect(dialog).toBeHidden()
  await payOut('10.20')
  await dialog.getByRole('button', { name: 'Pay Out' }).click()
  await expect(dialog).toBeHidden()
  const third = payoutsOn(page).first()
  await expect(third).toContainText('On its way')
  const takeBack = third.getByRole('button', { name: 'Take Back' })
  await expect(async () => {
    await askPayPal(thunder, mistyped)
    await expect(takeBack).toBeVisible({ timeout: 5_000 })
  }).toPass()
  await expect(third).toContainText('Nobody has claimed it at PayPal')
  await expectNoAxeViolations(page)
  await takeBack.press('Enter')
  await expect(third).toContainText('It was not claimed at PayPal, so it came back.')
  await expect(takeBack).toHaveCount(0)
  await expect(page.getByText('It is in your balance again.')).toBeVisible()
  await expect(third).toBeFocused()
  expect(complaints).toEqual([])
})
