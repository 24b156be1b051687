// A course that is paid each month: subscribed to, canceled in two clicks, kept after all, paid back.
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  hydrated,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'
import { cards, coursePaidFor, payHere } from './paying.ts'

test('subscribe, cancel in two clicks, and keep the course after all', async ({
  page,
  browser,
  thunder,
}) => {
  const creator = await somebodyElse(browser, { baseURL: thunder.url })
  const complaints = complaintsOf(page)
  await signedUp(creator.context.request, 'Mona Monthly')
  const course = await coursePaidFor(creator.context.request, 'Every Month Anew', {
    pricingType: 'monthly',
    priceAmount: 1200,
  })
  await signedUp(page.request, 'Sam Subscriber')
  await page.goto(course.page)
  await hydrated(page)
  await page.getByRole('button', { name: 'Join for $12/month' }).click()
  await payHere(page, cards.good)
  // The news and its link are there for seconds; then the page goes there by itself.
  await expect(page).toHaveURL(course.inside)

  await test.step('canceled in two clicks: open until the period ends', async () => {
    await page.goto('/billing')
    await hydrated(page)
    await page.getByRole('button', { name: 'Cancel Every Month Anew' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel Course' }).click()
    await expect(page.getByRole('button', { name: 'Keep Every Month Anew' })).toBeVisible()
    await page.goto(course.inside)
    await expect(page.getByText('Your access ends on')).toBeVisible()
    await expectNoAxeViolations(page)
  })

  await test.step('kept after all', async () => {
    await page.getByRole('link', { name: 'Keep the Course' }).click()
    await page.getByRole('button', { name: 'Keep Every Month Anew' }).click()
    await expect(page.getByRole('button', { name: 'Cancel Every Month Anew' })).toBeVisible()
    await page.goto(course.inside)
    await hydrated(page)
    await expect(page.getByText('Your access ends on')).toHaveCount(0)
  })

  await test.step('leaving says what becomes of the payment', async () => {
    await page.getByRole('button', { name: 'Leave Course' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('Your monthly payment is canceled and ends on')
    await question.getByRole('button', { name: 'Leave Course' }).click()
    await expect(page).toHaveURL(({ pathname }) => pathname === '/dashboard')
    await page.goto(course.page)
    await expect(page.getByRole('button', { name: 'Join Course' })).toBeVisible()
  })
  expect(complaints).toEqual([])
  await creator.context.close()
})
