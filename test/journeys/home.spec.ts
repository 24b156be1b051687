// What a visitor sees first: the home page with its pictures, prices and featured courses, and what Pro is.
import type { Page } from '@playwright/test'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  inDatabase,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'

const featured = (page: Page) =>
  page.getByRole('list', { name: 'Featured courses' }).getByRole('article')

async function expectToFit(page: Page) {
  for (const width of [375, 768, 1280]) {
    await page.setViewportSize({ width, height: 812 })
    await expectNoSidewaysScrolling(page)
  }
}

/** Everything on the page that leads somewhere on this site, also to a place on a page. */
const linksOf = (page: Page) =>
  page
    .getByRole('main')
    .locator('a[href]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))

/** Each picture of the product that this theme shows, loaded; the other theme's are not there. */
async function expectPictures(page: Page, theme: 'light' | 'dark', count: number) {
  const other = theme === 'light' ? 'dark' : 'light'
  const pictures = page.locator(`img.shot-${theme}`)
  await expect(pictures).toHaveCount(count)
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded()
    await expect(picture).toHaveAttribute('alt', /\w+ \w+ \w+/)
    await expect
      .poll(() => picture.evaluate((element) => (element as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(300)
  }
  for (const hidden of await page.locator(`img.shot-${other}`).all())
    await expect(hidden).toBeHidden()
}

test('home, without a script: pictures, both paths, prices, and links that lead somewhere', async ({
  browser,
  thunder,
  request,
}) => {
  const { page, context } = await somebodyElse(browser, {
    baseURL: thunder.url,
    javaScriptEnabled: false,
    colorScheme: 'dark',
  })
  await page.goto('/')
  await expectPictures(page, 'dark', 11)
  await expect(page.getByRole('heading', { name: 'For people who teach' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'For people who learn' })).toBeVisible()
  const prices = page.getByRole('region', { name: 'What it costs' })
  await expect(prices).toContainText('$20 a month, or $200 a year')
  await expect(prices).toContainText('1 course, with up to 25 students')
  await expect(prices).toContainText('5% of each sale')
  await expect(prices).not.toContainText('$29')
  const planOf = (name: string) =>
    prices.getByRole('heading', { name, level: 3 }).locator('xpath=..')
  await expect(planOf('Free')).toContainText('$0 Free Forever')
  await expect(planOf('Pro')).not.toContainText('Free Forever')
  await expect(page.getByText('Each course has its own discussion')).toBeVisible()
  await expectToFit(page)
  const links = await linksOf(page)
  expect(links).toEqual(expect.arrayContaining(['/signup', '/explore', '/pro', '/blog', '/about']))
  for (const href of new Set(links)) expect((await request.get(href)).status(), href).toBe(200)
  await context.close()
})

test('home follows the theme that was chosen against the system’s', async ({ page }) => {
  const complaints = complaintsOf(page)
  const fetched: string[] = []
  page.on('request', (sent) => fetched.push(sent.url()))
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  await expectPictures(page, 'light', 11)
  expect(fetched.filter((url) => /-dark-\d+/.test(url))).toEqual([])
  await page.getByRole('button', { name: 'Switch theme' }).click()
  await expectPictures(page, 'dark', 11)
  await expectNoAxeViolations(page)
  expect(complaints).toEqual([])
})

test('a course that many take is featured on the next request, and gone with the one after', async ({
  page,
  browser,
  thunder,
}) => {
  await signedUp(page.request, 'Fea Tured')
  const { id } = await publishedCourse(page.request, 'Bread That Everybody Bakes')
  const visitor = await somebodyElse(browser, { baseURL: thunder.url })
  await visitor.page.goto('/')
  await inDatabase(thunder, 'update courses set students_count = 100000 where id = $1', [id])
  await visitor.page.reload()
  await expect(featured(visitor.page).first()).toContainText('Bread That Everybody Bakes')
  await expect(featured(visitor.page).first()).toContainText('100,000 students')
  const title = 'Bread, Revised'
  await page.request.patch(`/rest/v1/courses/${id}`, { data: { title } })
  await visitor.page.reload()
  await featured(visitor.page).first().getByRole('link', { name: title }).click()
  await expect(visitor.page.getByRole('heading', { level: 1 })).toHaveText(title)
  await page.request.post(`/rest/v1/courses/${id}/unpublish`)
  await visitor.page.goto('/')
  await expect(featured(visitor.page).filter({ hasText: title })).toHaveCount(0)
  await visitor.context.close()
})

const benefits = [
  '0% fees',
  'Unlimited courses and students',
  'Advanced analytics',
  'Priority support',
  'Custom course branding',
  'Advanced community features',
  'Export of student data',
  'Monthly challenges and giveaways',
]

test('what Pro is: for strangers, on the Free plan, and with Pro', async ({
  page,
  browser,
  thunder,
}) => {
  await test.step('signed out, without a script', async () => {
    const { page: stranger, context } = await somebodyElse(browser, {
      baseURL: thunder.url,
      javaScriptEnabled: false,
    })
    await stranger.goto('/pro')
    for (const benefit of benefits) {
      const section = stranger.getByRole('region', { name: benefit, exact: true })
      await expect(section.getByText('Where you find it:')).toBeVisible()
    }
    const fees = stranger.getByRole('region', { name: '0% fees' })
    await expect(fees.getByRole('row', { name: 'Our fee -$2.45 $0.00' })).toBeVisible()
    await expect(fees.getByText('Above $400 of sales a month')).toBeVisible()
    await expect(stranger.getByRole('main')).toContainText('$20 a month, or $200 a year')
    await expectToFit(stranger)
    await stranger.getByRole('link', { name: 'Get Started Free' }).first().click()
    await expect(stranger).toHaveURL(/\/signup$/)
    await context.close()
  })

  await test.step('axe, in both themes', async () => {
    await page.goto('/pro')
    await expectNoAxeViolations(page)
    await page.goto('/accessibility')
    await expect(page.getByRole('heading', { name: 'What is not good enough yet' })).toBeVisible()
    await expectToFit(page)
    await expectNoAxeViolations(page)
  })

  await test.step('on the Free plan it leads to the upgrade, and from there back', async () => {
    await signedUp(page.request, 'Frieda Free')
    await page.goto('/pro')
    await hydrated(page)
    await page.getByRole('link', { name: 'Upgrade to Pro' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Upgrade to Pro' })
    await dialog.getByRole('link', { name: 'What Pro is, in full' }).click()
    await expect(dialog).toBeHidden()
    await expect(page).toHaveURL(/\/pro$/)
    await page.goto('/billing')
    await page.getByRole('main').getByRole('link', { name: 'What Pro is, in full' }).click()
    await expect(page).toHaveURL(/\/pro$/)
  })

  await test.step('with Pro each benefit opens its place', async () => {
    const upgrade = { data: { plan: 'monthly' } }
    await page.request.post('/rest/v1/billing/demo-upgrade', upgrade)
    await page.goto('/pro')
    await expect(page.getByText('You have access to all Pro features.').first()).toBeVisible()
    for (const benefit of benefits) {
      const place = page.getByRole('link', { name: `${benefit}: Open` })
      const href = (await place.getAttribute('href')) ?? ''
      expect((await page.request.get(href)).status(), `${benefit} at ${href}`).toBe(200)
    }
    await expectNoAxeViolations(page)
  })
})
