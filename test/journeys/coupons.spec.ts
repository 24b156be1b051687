// A creator makes coupons; a link with one survives the sign-up, and one for everything needs no card.
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  newcomer,
  signedUp,
  signUpHere,
  somebodyElse,
  test,
} from './journey.ts'
import { loseAnswer } from './lose-answer.ts'
import { cards, coursePaidFor, hasPaid, payHere } from './paying.ts'

test('coupons: made, shared, kept through the sign-up, redeemed, switched off', async ({
  page,
  browser,
  thunder,
}) => {
  const complaints = complaintsOf(page)
  await signedUp(page.request, 'Cora Coupon')
  const course = await coursePaidFor(page.request, 'Weaving for Less', {
    pricingType: 'one_time',
    priceAmount: 2900,
  })
  const list = page.getByRole('list', { name: 'Coupons' })

  await test.step('what is wrong is said beside what was typed; what is right is made', async () => {
    await page.goto(course.inside)
    await hydrated(page)
    await page.getByRole('link', { name: 'Coupons' }).click()
    await expect(page.getByText('No coupons yet')).toBeVisible()
    await page.getByLabel('Code').fill('abc')
    await page.getByLabel('Discount').fill('120')
    await page.getByRole('button', { name: 'Create Coupon' }).click()
    await expect(page.getByText('A code needs at least 6 characters')).toBeVisible()
    await expect(page.getByText('The percentage can be at most 100')).toBeVisible()
    await expect(page.getByLabel('Code')).toHaveValue('abc')
    await expectNoAxeViolations(page)
    await page.getByLabel('Code').fill('weaver-20')
    await page.getByLabel('Discount').fill('20')
    await page.getByLabel('Total uses').fill('5')
    await page.getByRole('button', { name: 'Create Coupon' }).click()
    await expect(page.getByText('The coupon WEAVER-20 is ready')).toBeVisible()
    await expect(list).toContainText('20% off: members pay $23.20')
    await expect(list).toContainText('Used 0 of 5 times · once per person', { ignoreCase: true })
    await page.getByLabel('Code').fill('all-free')
    await page.getByLabel('Discount').fill('100')
    await page.getByRole('button', { name: 'Create Coupon' }).click()
    await expect(page.getByText('The coupon ALL-FREE is ready')).toBeVisible()
    await expectNoAxeViolations(page)
    const size = page.viewportSize()!
    await page.setViewportSize({ width: 375, height: 800 })
    await expectNoSidewaysScrolling(page)
    await page.setViewportSize(size)
  })

  await test.step('the link of a coupon survives the sign-up; the price is less before paying', async () => {
    const { page: guest, context } = await somebodyElse(browser, { baseURL: thunder.url })
    await guest.goto(`${course.page}?coupon=weaver-20`)
    await expect(guest.getByText('WEAVER-20')).toBeVisible()
    await expectNoAxeViolations(guest)
    await guest.getByRole('link', { name: 'Sign Up to Join' }).click()
    await hydrated(guest)
    await signUpHere(guest, newcomer('Gil Guest'))
    // By itself: its link would be gone when it is pressed too late.
    await expect(guest).toHaveURL(`${course.page}?coupon=WEAVER-20`)
    await hydrated(guest)
    await expect(guest.getByText('WEAVER-20: 20% off')).toBeVisible()
    await expect(guest.getByText('instead of $29')).toBeVisible()
    await expectNoAxeViolations(guest)
    await guest.getByRole('link', { name: 'Remove the coupon' }).click()
    await expect(guest.getByRole('button', { name: 'Join for $29' })).toBeVisible()
    await guest.getByText('Have a coupon?').click()
    await guest.getByLabel('Coupon code').fill('weaver-99')
    await guest.getByRole('button', { name: 'Apply' }).click()
    await expect(guest.getByText('This coupon code is not valid for this course.')).toBeVisible()
    await guest.getByLabel('Coupon code').fill('weaver-20')
    await guest.getByRole('button', { name: 'Apply' }).click()
    await guest.getByRole('button', { name: 'Join for $23.20' }).click()
    await expect(guest.locator('.amount')).toHaveText('$23.20')
    await payHere(guest, cards.good)
    await hasPaid(guest)
    await context.close()
  })

  await test.step('one for everything: in the course without a card', async () => {
    const { page: friend, context } = await somebodyElse(browser, { baseURL: thunder.url })
    await signedUp(context.request, 'Fay Friend')
    await friend.goto(`${course.page}?coupon=ALL-FREE`)
    await hydrated(friend)
    await friend.getByRole('button', { name: 'Join Course' }).click()
    await expect(friend).toHaveURL(course.inside)
    await context.close()
  })

  await test.step('the uses are counted; switched off it is no coupon any more', async () => {
    await page.reload()
    await hydrated(page)
    await expect(list).toContainText('Used 1 of 5 times', { ignoreCase: true })
    const form = page.getByRole('region', { name: 'New coupon' })
    const create = () => form.getByRole('button', { name: 'Create Coupon' }).click()
    await page.getByLabel('Code').fill('lost-20')
    await page.getByLabel('Discount').fill('20')
    // Made by a call whose answer was lost: it is taken, and stands in the list.
    await loseAnswer(page, 'POST', create, '**/coupons.data*')
    await expect(form).toContainText('Failed to create the coupon. Please try again.')
    await create()
    await expect(form).toContainText('This course has a coupon with this code already.')
    await expect(list).toContainText('LOST-20')
    await page.getByLabel('Code').fill('half-typed')
    await page.getByRole('button', { name: 'Switch Off WEAVER-20' }).click()
    await expect(list).toContainText('Switched off')
    await expect(page.getByLabel('Code')).toHaveValue('half-typed')
    await page.route('**/coupons.data', (route) => route.abort())
    await page.getByRole('button', { name: 'Switch On WEAVER-20' }).click()
    const refused = page.getByText('Failed to change the coupon. Please try again.')
    await expect(refused).toBeVisible()
    await expect(page.getByRole('region', { name: 'New coupon' })).not.toContainText('Failed')
    await expect(page.getByLabel('Code')).toHaveValue('half-typed')
    await expectNoAxeViolations(page)
    await page.unroute('**/coupons.data')
    const { page: late, context } = await somebodyElse(browser, { baseURL: thunder.url })
    await signedUp(context.request, 'Lia Late')
    await late.goto(`${course.page}?coupon=WEAVER-20`)
    await expect(late.getByText('This coupon code is not valid for this course.')).toBeVisible()
    await expect(late.getByRole('button', { name: 'Join for $29' })).toBeVisible()
    await context.close()
    await page.getByRole('button', { name: 'Switch On WEAVER-20' }).click()
    await expect(page.getByRole('button', { name: 'Switch Off WEAVER-20' })).toBeVisible()
  })
  expect(complaints).toEqual([])
})
