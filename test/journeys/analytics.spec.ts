// A creator reads how the courses are doing: what people did is what the figures say.
import { readFile } from 'node:fs/promises'
import { type APIRequestContext, expect, type Page } from '@playwright/test'
import {
  complaintsOf,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  inDatabase,
  lettersAreThere,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'
import { cards, coursePaidFor } from './paying.ts'

const phone = { width: 375, height: 812 }

const day = 86_400_000
/** Milliseconds that are enough for one of these journeys. */
const longEnough = 480_000

/** Figures are by days (UTC): what happens in one must not be read in the next. */
async function untilTheDayIsLongEnough() {
  const left = day - (Date.now() % day)
  if (left < longEnough) await new Promise((resolve) => setTimeout(resolve, left))
}

/** Bought through the API and the payment page's form. */
async function buy(request: APIRequestContext, course: { id: string; slug: string }) {
  const order = await request.post('/functions/v1/course-checkout', {
    data: { course_id: course.id },
  })
  expect(order.status()).toBe(200)
  const { url } = await order.json()
  const paid = await request.post(url, {
    form: {
      email: 'payer@example.com',
      number: cards.good,
      expiry: '12/40',
      cvc: '123',
      name: 'Pat Payer',
    },
    maxRedirects: 0,
  })
  expect(paid.status()).toBe(303)
  // As the page does to which one returns: it asks the provider.
  expect((await request.get(`/rest/v1/courses/${course.slug}/checkout`)).status()).toBe(200)
}

async function completeFirst(request: APIRequestContext, slug: string, count: number) {
  const { chapters } = await (await request.get(`/rest/v1/courses/${slug}/dashboard`)).json()
  const lessons = chapters.flatMap((chapter: { lessons: { id: string }[] }) => chapter.lessons)
  for (const { id } of lessons.slice(0, count)) {
    expect((await request.put(`/rest/v1/lessons/${id}/completion`)).status()).toBe(200)
  }
}

/** What the four cards say. */
async function expectSummary(page: Page, figures: [string, string, string, string]) {
  const names = ['Total Students', 'Total Revenue', 'Active Courses', 'Average Rating']
  for (const [at, name] of names.entries()) {
    const card = page.getByRole('term').filter({ hasText: name }).locator('..')
    await expect(card.getByRole('definition').first()).toHaveText(figures[at] ?? '')
  }
}

const figure = (page: Page, title: string) => page.getByRole('figure', { name: title, exact: true })

/** Charts come when somebody comes near them. */
const goNear = (page: Page, title: string) => figure(page, title).scrollIntoViewIfNeeded()

test('a creator on Pro reads what two students did', async ({ page, browser, thunder }) => {
  test.setTimeout(2 * longEnough)
  await untilTheDayIsLongEnough()
  const complaints = complaintsOf(page)
  const { request } = page
  await signedUp(request, 'Cora Creator')
  await request.post('/rest/v1/billing/demo-upgrade', { data: { plan: 'monthly' } })
  const price = { pricingType: 'one_time', priceAmount: 2000 } as const
  const bread = await coursePaidFor(request, 'Bread in Figures', price)
  const rolls = await publishedCourse(request, 'Rolls in Figures')
  const ana = await somebodyElse(browser, { baseURL: thunder.url })
  const ben = await somebodyElse(browser, { baseURL: thunder.url })
  const [first, second] = [ana.context.request, ben.context.request]

  await test.step('what happens: one buys long ago, one today; they learn, write and review', async () => {
    await signedUp(first, 'Ana Ahead')
    await buy(first, bread)
    await completeFirst(first, bread.slug, 2)
    const reviewed = await first.put(`/rest/v1/courses/${bread.id}/review`, {
      data: { rating: 4, reviewText: 'It rises.' },
    })
    expect(reviewed.status()).toBe(200)
    const days = ['course_day_changes', 'course_days', 'learner_days', 'earning_days']
    await inDatabase(
      thunder,
      // At once, as the changes are folded into days every minute.
      [
        'begin',
        'lock table course_day_changes in exclusive mode',
        ...days.map(
          (table) => `update ${table} set day = day - 40 where course_id = '${bread.id}'`,
        ),
        'commit',
      ].join(';'),
    )
    await signedUp(second, 'Ben Behind')
    await buy(second, bread)
    await completeFirst(second, bread.slug, 1)
    const post = await second.post('/rest/v1/posts', {
      data: { courseId: bread.id, content: 'Mine is flat' },
    })
    expect(post.status()).toBe(200)
    const { id: postId } = await post.json()
    const comment = await second.post('/rest/v1/comments', {
      data: { postId, content: 'And hard' },
    })
    expect(comment.status()).toBe(200)
    const joined = await second.post('/rest/v1/enrollments', {
      data: { courseId: rolls.id },
    })
    expect(joined.status(), await joined.text()).toBe(200)
  })

  await test.step('from the account menu: the figures, each course, and what happened', async () => {
    await page.goto('/dashboard')
    await hydrated(page)
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('link', { name: 'Creator Analytics' }).press('Enter')
    await expect(page).toHaveURL('/analytics')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Creator Analytics')
    const ranges = page.getByRole('navigation', { name: 'Time range' }).getByRole('link')
    await expect(ranges).toHaveText([
      'All Time',
      'Last 7 days',
      'Last 30 days',
      'Last 90 days',
      'Last year',
    ])
    await expectSummary(page, ['3', '$40.00', '2', '4.0'])
    const performance = page.getByRole('region', { name: 'Course Performance' })
    const rows = performance.getByRole('listitem')
    await expect(rows).toHaveCount(2)
    // The pictures that are drawn for courses without one.
    for (const row of await rows.all()) {
      await expect(row.locator('svg').first()).toHaveCSS('width', '128px')
    }
    await expect(rows.first()).toContainText(/Bread in Figures.*Tech/)
    await expect(rows.first()).toContainText(/Students2.*4\.0.*Price\$20.*Revenue\$40\.00/)
    await expect(rows.last()).toContainText(/Students1.*None yet.*Free.*\$0\.00/)
    await expect(performance.getByRole('link', { name: 'Bread in Figures' })).toHaveAttribute(
      'href',
      bread.inside,
    )
    const activity = page.getByRole('region', { name: 'Recent Activity' }).getByRole('listitem')
    await expect(activity.filter({ hasText: 'First student joined' }).first()).toContainText(
      /Ben Behind · Rolls in Figures · (Just now|\dm ago)/,
    )
    await expect(activity.filter({ hasText: 'Lesson completed: Second' })).toContainText(
      'Ana Ahead',
    )
  })

  await test.step('the time range is in the address; Back and reload keep it; nothing moves', async () => {
    const card = page.getByText('Total Revenue', { exact: true }).locator('../..')
    await lettersAreThere(page)
    const before = await card.boundingBox()
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route('**/analytics.data**', async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('link', { name: 'Last 30 days' }).click()
    await expect(page.getByText('Loading the figures…')).toBeAttached()
    expect((await card.boundingBox())?.height).toBe(before?.height)
    letGo()
    await expect(page).toHaveURL('/analytics?days=30')
    await expect(page.getByText('Today and the 29 days before it (UTC)')).toBeVisible()
    await expectSummary(page, ['2', '$20.00', '2', '4.0'])
    await page.unroute('**/analytics.data**')
    await page.reload()
    // Before that, Back is heard by nobody.
    await hydrated(page)
    await expectSummary(page, ['2', '$20.00', '2', '4.0'])
    await expect(page.getByRole('link', { name: 'Last 30 days' })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await page.goBack()
    await expectSummary(page, ['3', '$40.00', '2', '4.0'])
    await page.goto('/analytics?days=31&course=nonsense')
    await expect(page.getByRole('link', { name: 'All Time' })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await expectSummary(page, ['3', '$40.00', '2', '4.0'])
  })

  await test.step('charts say the same as their tables, also by keyboard', async () => {
    await hydrated(page)
    for (const [title, summary, total] of [
      ['Revenue over time', /^Total: \$40\.00\. Highest: \$20\.00 on .+\.$/, 40],
      ['Enrollments', /^Total: 3\. Highest: 2 on .+\.$/, 3],
      ['Active learners', /^Total: 2\. Highest: 1 on .+\.$/, 2],
      ['Lesson completions', /^Total: 3\. Highest: 2 on .+\.$/, 3],
      ['Community activity', /^Total: 2\. Highest: 2 on .+\.$/, 2],
    ] as const) {
      const chart = figure(page, title)
      await expect(chart.getByText(summary)).toBeVisible()
      await chart.getByText('Show as table').click()
      const table = chart.getByRole('table')
      await expect(table.getByRole('row')).toHaveCount(42)
      const cells = await table.getByRole('cell').allTextContents()
      const sum = cells.reduce((before, text) => before + Number(text.replace('$', '')), 0)
      expect(sum, title).toBe(total)
      await goNear(page, title)
      await expect(chart.locator('.recharts-bar-rectangle path').first()).toBeVisible()
      await chart.getByText('Show as table').click()
    }
    const revenue = figure(page, 'Revenue over time')
    const told = revenue.locator('.recharts-tooltip-wrapper')
    // Where the mouse lies, it points at a bar, too.
    await page.mouse.move(0, 0)
    await revenue.getByRole('application').focus()
    await page.keyboard.press('ArrowRight')
    await expect(told).toContainText(/\w+ \d+, \d{4}Revenue: \$/)
    const before = (await told.textContent()) ?? ''
    await page.keyboard.press('ArrowRight')
    await expect(told).not.toHaveText(before)
    await expectNoAxeViolations(page)
  })

  await test.step('of one course: where people stop, and the files', async () => {
    await expect(page.getByText('Choose a course above')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Revenue by course' })).toContainText('$40.00')
    await page.getByLabel('Course', { exact: true }).selectOption('Bread in Figures')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(page).toHaveURL(`/analytics?course=${bread.id}`)
    const funnel = page.getByRole('region', { name: 'Where people stop' })
    await expect(funnel).toContainText(
      'The biggest drop is at “Second”: 2 people completed the lesson before, 1 completed this one.',
    )
    await expect(funnel.getByRole('row').nth(1)).toContainText(/First.*Chapter 1.*2/)
    await expect(funnel.getByRole('row').nth(2)).toContainText(/Second.*Chapter 1.*1/)
    await expect(page.getByRole('region', { name: 'Revenue by course' })).toHaveCount(0)
    await page.getByRole('link', { name: 'Last 7 days' }).click()
    await expect(page).toHaveURL(`/analytics?days=7&course=${bread.id}`)
    await expect(figure(page, 'Enrollments').getByText(/^Total: 1\./)).toBeVisible()

    const fileOf = async (name: string) => {
      const downloading = page.waitForEvent('download')
      await page.getByRole('link', { name, exact: true }).click()
      const download = await downloading
      const text = await readFile(await download.path(), 'utf8')
      return { name: download.suggestedFilename(), lines: text.trim().split('\r\n') }
    }
    const days = await fileOf('Export CSV')
    expect(days.name).toBe(`${bread.slug}-analytics.csv`)
    expect(days.lines).toHaveLength(2)
    expect(days.lines[1]).toMatch(/Bread in Figures.*,1,1,1,1,1,1,20\.00$/)
    const students = await fileOf('Export students')
    expect(students.name).toBe(`${bread.slug}-students.csv`)
    expect(students.lines).toHaveLength(3)
    expect(students.lines.join()).toMatch(/Ana Ahead.*100.*Ben Behind.*50/)
  })

  await test.step('a phone, less motion: everything fits', async () => {
    await page.setViewportSize(phone)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const fetched: string[] = []
    page.on('request', (asked) => fetched.push(asked.url()))
    await page.goto(`/analytics?course=${bread.id}`)
    await hydrated(page)
    expect(fetched.filter((url) => url.includes('time-chart'))).toEqual([])
    await goNear(page, 'Revenue over time')
    await expect(figure(page, 'Revenue over time').getByRole('application')).toBeVisible()
    await expectNoSidewaysScrolling(page)
    await expectNoAxeViolations(page)
  })

  await test.step('bad days: charts that do not come, and no connection', async () => {
    await page.route('**/assets/time-chart-*.js', (route) => route.abort())
    await page.reload()
    const revenue = figure(page, 'Revenue over time')
    await goNear(page, 'Revenue over time')
    await expect(revenue.getByText('The chart could not be loaded.')).toBeVisible()
    await expect(revenue.getByText('Total: $40.00.')).toBeVisible()
    await page.unroute('**/assets/time-chart-*.js')
    // Only this way there: the page may read itself anew at any moment.
    const lastYear = /\/analytics\.data\?.*days=365/
    await page.route(lastYear, (route) => route.abort())
    await page.getByRole('link', { name: 'Last year' }).click()
    await expect(page.getByRole('alert')).toContainText('Please check your connection')
    await page.unroute(lastYear)
    // With the key: while the page still scrolls to its top, a pointer lets go beside what it pressed.
    await page.getByRole('link', { name: 'Try again' }).press('Enter')
    await expect(page).toHaveURL(`/analytics?days=365&course=${bread.id}`)
    await expectSummary(page, ['3', '$40.00', '2', '4.0'])
  })

  await test.step('a sale while it is open', async () => {
    await hydrated(page)
    const cleo = await somebodyElse(browser, { baseURL: thunder.url })
    await signedUp(cleo.context.request, 'Cleo Comes')
    await buy(cleo.context.request, bread)
    await expectSummary(page, ['4', '$60.00', '2', '4.0'])
    await cleo.context.close()
  })

  await test.step('without JavaScript: the range, the course and the tables', async () => {
    const plain = await somebodyElse(browser, {
      baseURL: thunder.url,
      javaScriptEnabled: false,
      storageState: await page.context().storageState(),
    })
    await plain.page.goto('/analytics')
    await plain.page.getByRole('link', { name: 'Last 30 days' }).click()
    await plain.page.getByLabel('Course', { exact: true }).selectOption('Bread in Figures')
    await plain.page.getByRole('button', { name: 'Show', exact: true }).click()
    await expect(plain.page).toHaveURL(`/analytics?days=30&course=${bread.id}`)
    const revenue = figure(plain.page, 'Revenue over time')
    await expect(revenue.getByText('Total: $40.00.')).toBeVisible()
    await revenue.getByText('Show as table').click()
    await expect(revenue.getByRole('row')).toHaveCount(31)
    await plain.context.close()
  })

  expect(complaints).toEqual([])
  await ana.context.close()
  await ben.context.close()
})

test('without Pro an honest panel, without courses a beginning', async ({ page }) => {
  const complaints = complaintsOf(page)
  const { request } = page
  await signedUp(request, 'Fred Free')

  await test.step('nothing to show yet', async () => {
    await page.goto('/analytics')
    await hydrated(page)
    await expectSummary(page, ['0', '$0.00', '0', 'None yet'])
    await expect(page.getByRole('heading', { name: 'Create a course' })).toBeVisible()
    await expect(page.getByText('Nothing has happened here yet.')).toBeVisible()
    await expectNoAxeViolations(page)
  })

  await test.step('a course on the free plan: what Pro adds, and no chart', async () => {
    await publishedCourse(request, 'Free in Figures')
    const fetched: string[] = []
    page.on('request', (asked) => fetched.push(asked.url()))
    await page.goto('/analytics?days=90')
    await hydrated(page)
    await expectSummary(page, ['0', '$0.00', '1', 'None yet'])
    const panel = page.getByRole('region', { name: 'See how it goes over time, with Pro' })
    await expect(panel).toContainText('Where people stop')
    await expect(page.getByRole('figure')).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Export CSV' })).toHaveCount(0)
    expect(fetched.filter((url) => url.includes('time-chart'))).toEqual([])
    await page.setViewportSize(phone)
    await expectNoSidewaysScrolling(page)
    await expectNoAxeViolations(page)
    await panel.getByRole('link', { name: 'Upgrade to Pro' }).press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
  })

  await test.step('the server refuses the same', async () => {
    for (const path of ['analytics/advanced', 'analytics/export', 'students/export']) {
      expect((await request.get(`/rest/v1/${path}`)).status(), path).toBe(403)
    }
  })
  expect(complaints).toEqual([])
})
