// Somebody buys a course: refused cards, second thoughts, the bank's question, a closed browser, and the way back.
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  hold,
  hydrated,
  signedUp,
  somebodyElse,
  stopClock,
  test,
} from './journey.ts'
import { cards, coursePaidFor, payHere } from './paying.ts'

test('second thoughts, refused cards, and then the course', async ({ page, browser, thunder }) => {
  const creator = await somebodyElse(browser, { baseURL: thunder.url })
  const complaints = complaintsOf(page)
  await signedUp(creator.context.request, 'Sela Seller')
  const price = { pricingType: 'one_time', priceAmount: 2900 } as const
  const course = await coursePaidFor(creator.context.request, 'Glazing for Money', price)
  await signedUp(page.request, 'Bea Buyer')
  const join = page.getByRole('button', { name: 'Join for $29' })

  await test.step('an address that speaks of no payment of theirs becomes the plain one', async () => {
    const leadsTo = async (request: typeof page.request, query: string) => {
      const answer = await request.get(`${course.page}?${query}`, { maxRedirects: 0 })
      return [answer.status(), answer.headers().location]
    }
    const { context: visitor } = await somebodyElse(browser, { baseURL: thunder.url })
    // Kept for visitors from here on.
    expect((await visitor.request.get(course.page)).status()).toBe(200)
    for (const flag of ['success=true', 'canceled=true']) {
      const withCoupon = `${course.page}?coupon=EARLY`
      expect(await leadsTo(visitor.request, flag)).toEqual([302, course.page])
      expect(await leadsTo(visitor.request, `${flag}&coupon=EARLY`)).toEqual([302, withCoupon])
      const preview = await leadsTo(creator.context.request, `${flag}&preview=1`)
      expect(preview).toEqual([302, `${course.page}?preview=1`])
    }
    await visitor.close()
  })

  await test.step('back from the payment page: nothing was paid, and the note goes by itself', async () => {
    await page.goto(`${course.page}?success=true`)
    await expect(page).toHaveURL(course.page)
    await hydrated(page)
    await expect(join).toBeVisible()
    await expect(page.getByText('Payment Successful!')).toHaveCount(0)
    await expect(page.getByText('Confirming your payment…')).toHaveCount(0)
    await expectNoAxeViolations(page)
    const { held, letGo } = await hold(page, new RegExp(`${course.page}\\.data`))
    await join.click()
    const busy = page.getByRole('button', { name: 'Processing...', exact: true })
    await expect(busy).toHaveAttribute('aria-disabled', 'true')
    await busy.click({ force: true })
    letGo()
    await expect(page).toHaveURL(/\/sandbox\/stripe\/c\/pay\//)
    expect(held).toHaveLength(1)
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('link', { name: 'Back without paying' }).click()
    // In one look: it stands there for five seconds.
    await expect(page.getByRole('main')).toContainText(
      /Payment Canceled\s*Your payment was canceled\. You can try again when you're ready\./,
    )
    await expect(page).toHaveURL(course.page)
    await expect(page.getByText('Payment Canceled')).toHaveCount(0)
  })

  const second = await page.context().newPage()
  await test.step('the same payment page in two tabs; refused cards say why', async () => {
    await second.goto(course.page)
    await hydrated(second)
    for (const tab of [page, second]) {
      await tab.getByRole('button', { name: 'Join for $29' }).click()
      await expect(tab).toHaveURL(/\/sandbox\/stripe\/c\/pay\//)
    }
    expect(second.url()).toBe(page.url())
    await payHere(page, cards.declined)
    await expect(page.getByRole('alert')).toContainText(/declined/i)
    await payHere(page, cards.withoutMoney)
    await expect(page.getByRole('alert')).toContainText(/insufficient funds/i)
    await second.goto(course.page)
    await hydrated(second)
  })

  await test.step('paid: said, and then the course; the other tab turns by itself', async () => {
    const said = page.waitForFunction(() =>
      document.querySelector('main')?.textContent?.includes('Payment Successful!'),
    )
    await payHere(page, cards.good)
    await said
    await expect(second).toHaveURL(course.inside)
    await expect(page).toHaveURL(course.inside)
    await expect(page.getByRole('link', { name: /First/ }).first()).toBeVisible()
    await page.goto(course.page)
    await expect(page).toHaveURL(course.inside)
  })

  await test.step('left, it is still theirs: back without paying', async () => {
    await hydrated(page)
    await page.getByRole('button', { name: 'Leave Course' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('The course stays yours: coming back costs nothing.')
    await question.getByRole('button', { name: 'Leave Course' }).click()
    await expect(page).toHaveURL(({ pathname }) => pathname === '/dashboard')
    await page.goto(course.page)
    await hydrated(page)
    await expect(page.getByText('You have paid for this course')).toBeVisible()
    await expectNoAxeViolations(page)
    await page.getByRole('button', { name: 'Join Course' }).click()
    await expect(page).toHaveURL(course.inside)
  })
  expect(complaints).toEqual([])
  await creator.context.close()
})

test('the note on the way back stays for five seconds, then the address is plain', async ({
  page,
  browser,
  thunder,
}) => {
  const creator = await somebodyElse(browser, { baseURL: thunder.url })
  await signedUp(creator.context.request, 'Sven Seller')
  const price = { pricingType: 'one_time', priceAmount: 1900 } as const
  const course = await coursePaidFor(creator.context.request, 'Five Seconds', price)
  await creator.context.close()
  await signedUp(page.request, 'Tim Timely')
  await page.clock.install()
  await page.goto(course.page)
  await stopClock(page)
  await page.goto(`${course.page}?canceled=true`)
  await hydrated(page)
  const note = page.getByText('Payment Canceled', { exact: true })
  await expect(note).toBeVisible()
  await page.clock.runFor(4900)
  await expect(note).toBeVisible()
  await expect(page).toHaveURL(`${course.page}?canceled=true`)

  // What is asked for in the last moment comes first.
  const { letGo } = await hold(page, new RegExp(`${course.page}\\.data`))
  const join = page.getByRole('button', { name: 'Join for $19' })
  await join.click()
  await expect(join).toBeHidden()
  await page.clock.runFor(5100)
  await expect(page).toHaveURL(`${course.page}?canceled=true`)
  letGo()
  await expect(page).toHaveURL(/\/sandbox\/stripe\/c\/pay\//)
  await page.unrouteAll({ behavior: 'wait' })

  await page.goto(`${course.page}?canceled=true`)
  await hydrated(page)
  await page.clock.runFor(5100)
  await expect(note).toBeHidden()
  await expect(page).toHaveURL(course.page)
})

test('the bank asks: refused, then confirmed with the browser closed before the way back', async ({
  page,
  browser,
  thunder,
}) => {
  const creator = await somebodyElse(browser, { baseURL: thunder.url })
  await signedUp(creator.context.request, 'Sid Seller')
  const price = { pricingType: 'one_time', priceAmount: 1500 } as const
  const course = await coursePaidFor(creator.context.request, 'Asked by the Bank', price)
  await signedUp(page.request, 'Thea Threed')
  await page.goto(course.page)
  await hydrated(page)
  await page.getByRole('button', { name: 'Join for $15' }).click()
  await payHere(page, cards.asksBank)
  await page.getByRole('button', { name: 'Fail' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  await payHere(page, cards.asksBank)

  const later = await page.context().newPage()
  await later.goto(course.page)
  await hydrated(later)
  await expect(later.getByRole('button', { name: 'Join for $15' })).toBeVisible()
  // The way back is never taken.
  await page.route('**/course/**', (route) => route.abort())
  await page.getByRole('button', { name: 'Complete' }).click()
  await expect(later).toHaveURL(course.inside)
  await page.close()
  await creator.context.close()
})

test('without JavaScript: a press, the payment page, and the course', async ({
  browser,
  thunder,
}) => {
  const creator = await somebodyElse(browser, { baseURL: thunder.url })
  await signedUp(creator.context.request, 'Sol Seller')
  const price = { pricingType: 'one_time', priceAmount: 900 } as const
  const course = await coursePaidFor(creator.context.request, 'Plain Forms', price)
  const { page, context } = await somebodyElse(browser, {
    baseURL: thunder.url,
    javaScriptEnabled: false,
  })
  await signedUp(context.request, 'Nora Noscript')
  await page.goto(course.page)
  await page.getByText('Have a coupon?').click()
  await page.getByLabel('Coupon code').fill('nothing-like-it')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('This coupon code is not valid for this course.')).toBeVisible()
  await page.getByRole('button', { name: 'Join for $9' }).click()
  await payHere(page, cards.good)
  await expect(page.getByText(/Payment Successful!|Confirming your payment…/)).toBeVisible()
  // The page cannot turn by itself here.
  await expect(async () => {
    await page.goto(course.page)
    await expect(page).toHaveURL(course.inside, { timeout: 500 })
  }).toPass()
  await creator.context.close()
  await context.close()
})
