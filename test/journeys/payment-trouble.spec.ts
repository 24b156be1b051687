// What can go wrong around a payment: the provider is down, money goes back, a page is late, somebody pays twice.
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
import { cards, coursePaidFor, payHere } from './paying.ts'

test('refunded in the dashboard of the provider: the open course closes by itself', async ({
  page,
  browser,
  thunder,
}) => {
  const creator = await somebodyElse(browser, { baseURL: thunder.url })
  const complaints = complaintsOf(page)
  await signedUp(creator.context.request, 'Rhea Refunded')
  const price = { pricingType: 'one_time', priceAmount: 3100 } as const
  const course = await coursePaidFor(creator.context.request, 'Given Back', price)
  await signedUp(page.request, 'Rik Returner')
  await page.goto(course.page)
  await hydrated(page)
  await page.getByRole('button', { name: 'Join for $31' }).click()
  await payHere(page, cards.good)
  await expect(page).toHaveURL(course.inside)
  await expect(page.getByRole('link', { name: /First/ }).first()).toBeVisible()

  const operator = await page.context().newPage()
  await operator.goto('/sandbox/stripe/dashboard')
  const payment = operator.getByRole('listitem').filter({ hasText: 'Given Back' })
  await payment.getByRole('button', { name: /Refund in full/ }).click()
  await expect(operator.getByRole('status')).toHaveText('Refunded.')

  await expect(page).toHaveURL(new RegExp(`${course.page}(\\?|$)`))
  await expect(page.getByRole('button', { name: 'Join for $31' })).toBeVisible()
  await page.goto('/notifications')
  await expect(page.getByRole('link', { name: 'Your Access Has Ended' })).toBeVisible()
  expect(complaints).toEqual([])
  await creator.context.close()
})

test('the payment provider is down: said where one would pay, and over when it is back', async ({
  page,
  browser,
  thunder,
}) => {
  const creator = await somebodyElse(browser, { baseURL: thunder.url })
  await signedUp(creator.context.request, 'Dora Down')
  const price = { pricingType: 'one_time', priceAmount: 2700 } as const
  const course = await coursePaidFor(creator.context.request, 'Bad Days', price)
  await signedUp(page.request, 'Ida Impatient')
  const visitor = await somebodyElse(browser, { baseURL: thunder.url })
  const said = 'Payment system is currently unavailable. Please contact support if this persists.'
  const join = page.getByRole('button', { name: 'Join for $27' })
  /** How the connection check answers; it asks the provider anew every few seconds. */
  const connection = async () =>
    (await page.request.fetch('/functions/v1/stripe-checkout', { method: 'OPTIONS' })).status()
  const operator = await page.context().newPage()
  const apiAnswers = async (status: number) => {
    await operator.goto('/sandbox/stripe/dashboard')
    await operator.getByLabel('The API answers with status').fill(String(status))
    await operator.getByRole('button', { name: 'Set the switches' }).click()
    await expect(operator.getByRole('status')).toHaveText('The switches are set.')
  }

  await apiAnswers(500)
  try {
    await page.goto(course.page)
    await hydrated(page)
    await join.click()
    const problem = page.getByRole('main').getByRole('alert')
    await expect(problem).toHaveText('Server error occurred. Please try again later.')
    await expect(join).toBeEnabled()
    await expectNoAxeViolations(page)

    await expect.poll(connection).toBe(503)
    for (const somebody of [page, visitor.page]) {
      await somebody.goto('/explore')
      await expect(somebody.getByText(said)).toBeVisible()
    }
    await expectNoAxeViolations(page)
  } finally {
    await apiAnswers(0)
  }
  await expect.poll(connection).toBe(204)
  await page.reload()
  await hydrated(page)
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(page.getByText(said)).toHaveCount(0)
  await page.goto(course.page)
  await hydrated(page)
  await join.click()
  await expect(page).toHaveURL(/\/sandbox\/stripe\/c\/pay\//)
  await visitor.context.close()
  await creator.context.close()
})

test('whether one can pay is waited for ten seconds, and no longer', async ({ page }) => {
  await signedUp(page.request, 'Wanda Waits')
  const said = page.getByText('Payment system is currently unavailable.')
  // An answer that never comes.
  await page.route('**/functions/v1/stripe-checkout', () => {})
  // In the page's own time: this process may hear of either late.
  await page.addInitScript(() => {
    const seen = { asked: 0, said: 0 }
    Object.assign(window, { seen })
    const ask = window.fetch
    window.fetch = (...request) => {
      if (String(request[0]).endsWith('/stripe-checkout')) seen.asked ||= performance.now()
      return ask(...request)
    }
    new MutationObserver(() => {
      const words = document.querySelector('main')?.textContent ?? ''
      if (words.includes('Payment system is currently unavailable.'))
        seen.said ||= performance.now()
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/explore')
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(said).toBeVisible()
  const seen = await page.evaluate(
    () => (window as unknown as { seen: { asked: number; said: number } }).seen,
  )
  expect(seen.asked).toBeGreaterThan(0)
  expect(seen.said - seen.asked).toBeGreaterThan(9900)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('too late, and twice: what became of the payment is said', async ({
  page,
  browser,
  thunder,
}) => {
  const creator = await somebodyElse(browser, { baseURL: thunder.url })
  const complaints = complaintsOf(page)
  await signedUp(creator.context.request, 'Lars Later')
  const price = { pricingType: 'one_time', priceAmount: 3300 } as const
  const course = await coursePaidFor(creator.context.request, 'Once Is Enough', price)
  await signedUp(page.request, 'Tilly Twice')
  const join = page.getByRole('button', { name: 'Join for $33' })
  const sessionOn = (at: typeof page) => at.url().split('/').at(-1)!

  await test.step('a payment page that was open for too long', async () => {
    await page.goto(course.page)
    await hydrated(page)
    await join.click()
    await expect(page).toHaveURL(/\/sandbox\/stripe\/c\/pay\//)
    await inDatabase(
      thunder,
      "update stripe_sandbox.objects set data = jsonb_set(data, '{expires_at}', '1') where id = $1",
      [sessionOn(page)],
    )
    await page.reload()
    await expect(page.getByText('This payment page has expired')).toBeVisible()
    await page.goto(`${course.page}?success=true`)
    await expect(page.getByText('Payment not finished')).toBeVisible()
    await hydrated(page)
    await expectNoAxeViolations(page)
  })

  await test.step('two payment pages, both paid: the second payment goes back', async () => {
    await join.click()
    await expect(page).toHaveURL(/\/sandbox\/stripe\/c\/pay\//)
    // As though the provider had not heard that this page was given up for another.
    await inDatabase(thunder, "update checkouts set status = 'expired' where session_id = $1", [
      sessionOn(page),
    ])
    const second = await page.context().newPage()
    await second.goto(course.page)
    await hydrated(second)
    await second.getByRole('button', { name: 'Join for $33' }).click()
    await expect(second).toHaveURL(/\/sandbox\/stripe\/c\/pay\//)
    expect(sessionOn(second)).not.toBe(sessionOn(page))
    await payHere(page, cards.good)
    await page.goto(course.page)
    await expect(page).toHaveURL(course.inside)
    await payHere(second, cards.good)
    const answer = second.getByRole('main').getByRole('alert')
    await expect(answer).toContainText('Your payment is on its way back')
    await expect(second.getByRole('link', { name: 'Go to Course' })).toBeVisible()
    await hydrated(second)
    await expectNoAxeViolations(second)
    await second.goto('/billing')
    await expect(second.getByText('$33.00').first()).toBeVisible()
  })
  expect(complaints).toEqual([])
  await creator.context.close()
})
