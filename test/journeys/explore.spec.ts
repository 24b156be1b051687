// The catalogue as people use it: search, filters, orders, more, and the way back.
import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import {
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
import type { BuiltServer } from './server.ts'

// Letters only, and nobody else's: what other journeys make is not found with it.
const lettersOnly = (length: number) =>
  [...randomBytes(length)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')
let word: string
let typo: string
test.beforeEach(() => {
  word = `lantern${lettersOnly(10)}`
  typo = word.slice(0, 9) + word.slice(10)
})
const count = 26

const cards = (page: Page) => page.getByRole('list', { name: 'Courses' }).getByRole('article')
const headings = (page: Page) => cards(page).getByRole('heading')
const choose = async (page: Page, label: string, option: string) => {
  await page.getByLabel(label).selectOption(option)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
}

/** Copies of one course, of which the first is the most popular and every fifth has a price. */
async function fillCatalogue(page: Page, thunder: BuiltServer) {
  await signedUp(page.request, 'Lena Lantern')
  const { id } = await publishedCourse(page.request, `The ${word} 0`)
  await inDatabase(
    thunder,
    `insert into courses (slug, title, description, description_text, instructor_id, pricing_type, price_amount,
                          category, students_count, status, published_at, application_required, rating, reviews_count)
     select '${word}-' || n, 'The ${word} ' || n, c.description, 'A light.', c.instructor_id,
            case when n % 5 = 0 then 'one_time' else 'free' end, case when n % 5 = 0 then n * 100 else 0 end,
            'Music', case when n = 1 then 500 else 100 - n end, 'published', now() - n * interval '1 hour', n = 1, 4.5, case when n = 1 then 2 else 0 end
       from courses c, generate_series(1, ${count - 1}) n where c.id = $1`,
    [id],
  )
  await inDatabase(
    thunder,
    `insert into course_slugs (slug, course_id) select slug, id from courses where slug like '${word}-%'`,
  )
}

test('signed out: search, filters, orders and more, without a script', async ({
  page,
  thunder,
  browser,
}) => {
  await fillCatalogue(page, thunder)
  const plain = await somebodyElse(browser, {
    baseURL: thunder.url,
    javaScriptEnabled: false,
    viewport: { width: 375, height: 812 },
  })
  const visitor = plain.page

  await test.step('a typing error does no harm', async () => {
    await visitor.goto('/explore')
    await visitor.getByPlaceholder('Search for anything').fill(typo)
    await visitor.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(cards(visitor)).toHaveCount(12)
    await expect(headings(visitor).first()).toHaveText(`The ${word} 1`)
    await expect(visitor.getByLabel('Sort by').locator(':checked')).toHaveText('Best Match')
    await expect(visitor.getByText('The 12 best matching courses')).toBeVisible()
  })

  await test.step('the card says what there is to know', async () => {
    const first = cards(visitor).first()
    await expect(first.getByText('Application', { exact: true })).toBeVisible()
    await expect(first.getByText('Rated 4.5 (2 reviews)')).toBeVisible()
    await expect(first.getByText('500 students')).toBeVisible()
    await expect(cards(visitor).nth(1).getByText('Application', { exact: true })).toHaveCount(0)
    await expect(cards(visitor).nth(1).getByText(/Rated/)).toHaveCount(0)
  })

  await test.step('filters and orders', async () => {
    await choose(visitor, 'Category', 'Music')
    await choose(visitor, 'Price', 'Paid')
    await choose(visitor, 'Sort by', 'Price: High to Low')
    await expect(headings(visitor)).toHaveText(
      [25, 20, 15, 10, 5].map((number) => `The ${word} ${number}`),
    )
    await expect(cards(visitor).first().getByText('$25', { exact: true })).toBeVisible()
    const at = new URL(visitor.url()).searchParams
    expect(Object.fromEntries(at)).toEqual({
      search: typo,
      category: 'Music',
      price: 'paid',
      sort: 'price_high',
    })
    await choose(visitor, 'Sort by', 'Newest')
    await choose(visitor, 'Price', 'Free')
    await expect(headings(visitor).first()).toHaveText(`The ${word} 1`)
    await expect(cards(visitor)).toHaveCount(12)
  })

  await test.step('more, until there is no more', async () => {
    const more = visitor.getByRole('link', { name: 'Load More Courses' })
    await more.click()
    await expect(cards(visitor)).toHaveCount(20)
    await expect(more).toHaveCount(0)
    await expect(visitor.getByLabel('Price').locator(':checked')).toHaveText('Free')
    await expect(visitor.getByLabel('Sort by').locator(':checked')).toHaveText('Newest')
  })

  await test.step('no sideways scrolling on a phone; nothing that axe finds', async () => {
    await expectNoSidewaysScrolling(visitor)
    await page.context().clearCookies()
    await page.goto(visitor.url())
    await expectNoAxeViolations(page)
  })

  await test.step('all the orders, by their names', async () => {
    await visitor.goto('/explore')
    await expect(visitor.getByLabel('Sort by').getByRole('option')).toHaveText([
      'Newest',
      'Popular',
      'Trending',
      'Price: Low to High',
      'Price: High to Low',
    ])
    await expect(visitor.getByLabel('Price').getByRole('option')).toHaveText([
      'All',
      'Free',
      'Paid',
    ])
    await choose(visitor, 'Sort by', 'Trending')
    await expect(visitor).toHaveURL(/sort=trending/)
    await expect(cards(visitor)).toHaveCount(12)
    const order = await headings(visitor).allTextContents()
    await visitor.getByRole('link', { name: 'Load More Courses' }).click()
    await expect(cards(visitor)).toHaveCount(24)
    expect((await headings(visitor).allTextContents()).slice(0, 12)).toEqual(order)
  })

  await test.step('nothing found, and an address that means nothing', async () => {
    await visitor.goto(`/explore?search=${word}&category=Cooking&price=paid`)
    await expect(visitor.getByRole('heading', { name: 'No courses found' })).toBeVisible()
    await visitor.getByRole('link', { name: 'Clear Filters' }).click()
    await expect(visitor).toHaveURL('/explore')
    const answer = await visitor.goto('/explore?sort=best&price=cheap&category=Alchemy&show=x')
    expect(answer?.status()).toBe(200)
    await expect(cards(visitor)).toHaveCount(12)
    const long = await visitor.goto(`/explore?search=${'x'.repeat(201)}`)
    expect(long?.status()).toBe(400)
    await expect(visitor.getByText('Search text can have at most 200 characters')).toBeVisible()
  })
  await plain.context.close()
})

test('signed in: back and forward keep the place, what is loaded and what was chosen', async ({
  page,
  thunder,
}) => {
  await fillCatalogue(page, thunder)
  await page.goto('/explore')
  await hydrated(page)
  await page.getByPlaceholder('Search for anything').fill(word)
  await choose(page, 'Sort by', 'Popular')
  await expect(headings(page).first()).toHaveText(`The ${word} 1`)
  await page.getByRole('link', { name: 'Load More Courses' }).click()
  await expect(cards(page)).toHaveCount(24)

  const far = cards(page).nth(20).getByRole('link').first()
  await far.scrollIntoViewIfNeeded()
  const place = await page.evaluate(() => window.scrollY)
  expect(place).toBeGreaterThan(500)
  await far.click()
  await expect(page).toHaveURL(/\/course\//)
  // The address changes before the page does: what is chosen on the old one would be gone with it.
  await expect(cards(page)).toHaveCount(0)
  await page.goBack()
  await expect(cards(page)).toHaveCount(24)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place)
  await expect(page.getByPlaceholder('Search for anything')).toHaveValue(word)
  await expect(page.getByLabel('Sort by').locator(':checked')).toHaveText('Popular')

  await choose(page, 'Price', 'Paid')
  await expect(cards(page)).toHaveCount(5)
  await page.goBack()
  await expect(cards(page)).toHaveCount(24)
  await expect(page.getByLabel('Price').locator(':checked')).toHaveText('All')
  await page.goForward()
  await expect(cards(page)).toHaveCount(5)
  await expect(page.getByLabel('Price').locator(':checked')).toHaveText('Paid')
  await expectNoAxeViolations(page)
})
