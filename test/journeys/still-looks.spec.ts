// Pages of signed-out visitors carry only the styles they need, and wait for no letters: neither may show.
import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'

const paths = [
  '/',
  '/about',
  '/pro',
  '/blog/thunder-versus-teachable',
  '/help',
  '/explore',
  '/course/thunder-bootcamp',
  '/user/thunder',
]

/** Each element with what is drawn before and after it, and how; the properties in one order for all. */
const looksOf = (page: Page) =>
  page.evaluate(() => {
    const properties = [...getComputedStyle(document.body)].filter((name) => !name.startsWith('--'))
    return [...document.body.querySelectorAll('*')].flatMap((element) =>
      ['', '::before', '::after', '::marker', '::placeholder'].flatMap((part) => {
        const style = getComputedStyle(element, part)
        if (/^::[ab]/.test(part) && style.content === 'none') return []
        if (part === '::marker' && element.localName !== 'li') return []
        if (part === '::placeholder' && !element.matches('input, textarea')) return []
        const drawn = properties.map((name) => `${name}: ${style.getPropertyValue(name)}`)
        return [`${element.localName}.${element.className}${part} ${drawn.join('; ')}`]
      }),
    )
  })

/** The whole sheet in place of the page's own part of it. */
async function giveWholeSheet(page: Page) {
  const login = await (await page.request.get('/login')).text()
  const href = /<link[^>]* rel="stylesheet" href="([^"]+)"/.exec(login)?.[1]
  expect(href).toBeTruthy()
  await page.evaluate(async (sheet) => {
    const own = [...document.querySelectorAll('style')]
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: sheet })
    const loaded = new Promise((resolve) => link.addEventListener('load', resolve))
    own[0]!.before(link)
    await loaded
    for (const style of own) style.remove()
  }, href!)
}

for (const [index, path] of paths.entries()) {
  test(`${path} looks as with all styles there are`, async ({ page }) => {
    await page.setViewportSize({ width: index % 2 === 0 ? 375 : 1280, height: 812 })
    // In the same letters with either sheet.
    await page.route('**/*.woff2', (route) => route.abort())
    await page.goto(path)
    await expect(page.locator('head > style')).toHaveCount(1)
    await expect(page.locator('link[rel=stylesheet]')).toHaveCount(0)
    const own = await looksOf(page)
    await giveWholeSheet(page)
    const whole = await looksOf(page)
    expect(own.filter((look, at) => look !== whole[at])).toEqual([])
    expect(whole).toHaveLength(own.length)
  })
}

test('letters that come after the page move nothing', async ({ page, context }) => {
  const { promise: shown, resolve: release } = Promise.withResolvers<void>()
  await context.route('**/*.woff2', async (route) => {
    await shown
    await route.continue()
  })
  await page.addInitScript(() => {
    const seen = { shifts: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      seen.shifts += list.getEntries().length
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.setViewportSize({ width: 412, height: 823 })
  await page.goto('/', { waitUntil: 'commit' })
  await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint').length > 0,
  )
  const heading = page.getByRole('heading', { level: 1 })
  const before = await heading.boundingBox()
  const came = page.waitForResponse(/bricolage-core/)
  release()
  await (await came).finished()
  await page.evaluate(() => document.fonts.ready)
  expect(await heading.boundingBox()).toEqual(before)
  const shifts = () => page.evaluate(() => (window as unknown as { seen: { shifts: number } }).seen)
  expect(await shifts()).toEqual({ shifts: 0 })
})

test('where answers are slow the first page has stand-ins, and the next one the letters', async ({
  page,
}) => {
  await page.addInitScript(() => {
    performance.now = () => 1000
  })
  const typeface = () =>
    page
      .getByRole('heading', { level: 1 })
      .evaluate((heading) => getComputedStyle(heading).fontFamily)
  const came = page.waitForResponse(/bricolage-core/)
  await page.goto('/about')
  expect(await typeface()).toMatch(/^"Bricolage Stand-in"/)
  await (await came).finished()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('letters'))).toMatch(/\.woff2$/)
  expect(await typeface()).toMatch(/^"Bricolage Stand-in"/)
  await page.goto('/pro')
  expect(await typeface()).toMatch(/^"Bricolage Grotesque"/)
})

test('the picture of a course is seen coarsely until it comes, in its place and as large', async ({
  page,
}) => {
  let come = () => {}
  const held = new Promise<void>((resolve) => {
    come = resolve
  })
  await page.route('**/storage/v1/images/**', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/course/thunder-bootcamp', { waitUntil: 'commit' })
  const picture = page.locator('main img[fetchpriority=high]')
  await expect(picture).toHaveCSS('background-image', /^url\("data:image\/webp;base64,/)
  const shown = await picture.boundingBox()
  const isThere = () => picture.evaluate((image: HTMLImageElement) => image.naturalWidth > 0)
  expect(await isThere()).toBe(false)
  come()
  await expect.poll(isThere).toBe(true)
  expect(await picture.boundingBox()).toEqual(shown)
})
