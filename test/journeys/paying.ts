// What the journeys about money share: courses that cost something, and the provider's payment page.
import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { hydrated, publishedCourse } from './journey.ts'

/** Of the sandbox: each behaves as its name says. */
export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  withoutMoney: '4000000000009995',
  asksBank: '4000002760003184',
} as const

/** A published course at this price, made by whoever is signed in. */
export async function coursePaidFor(
  request: APIRequestContext,
  title: string,
  price: { pricingType: 'one_time' | 'monthly'; priceAmount: number },
) {
  const course = await publishedCourse(request, title, ['First', 'Second'])
  const priced = await request.patch(`/rest/v1/courses/${course.id}`, { data: price })
  expect(priced.status()).toBe(200)
  return { ...course, page: `/course/${course.slug}`, inside: `/course/${course.slug}/dashboard` }
}

/** On the payment page: fills the card in and sends it. */
export async function payHere(page: Page, number: string) {
  // Where the bank did not confirm, the payment page comes in its place.
  await expect(page).toHaveURL(/\/sandbox\/stripe\/c\/(pay|3ds)\//)
  await page.getByRole('textbox', { name: 'Card number' }).fill(number)
  await page.getByLabel('Expiry (MM/YY)').fill('12/34')
  await page.getByLabel('Security code (CVC)').fill('123')
  await page.getByLabel('Name on card').fill('Test Person')
  await page.locator('form button.main').click()
}

/** Whoever is signed in on this page buys a course that is paid once. */
export async function buyCourse(page: Page, course: { page: string; inside: string }) {
  await page.goto(course.page)
  await hydrated(page)
  await page.getByRole('button', { name: /^Join for/ }).click()
  await payHere(page, cards.good)
  await hasPaid(page)
}

/** What says so is there for five seconds; then the page goes on by itself, into the course. */
export const hasPaid = (page: Page) =>
  expect(
    page
      .getByText('Payment Successful!')
      .or(page.getByRole('button', { name: 'Leave Course' }))
      .first(),
  ).toBeVisible()
