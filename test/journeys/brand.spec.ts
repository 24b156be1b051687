// A product of another name: everything that visitors see follows the configuration, in both themes.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { contrast } from '../../src/ui/accent.ts'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  hydrated,
  leaveFilmsAsTheyAre,
  publishedCourse,
  signedUp,
  test,
} from './journey.ts'
import { startBuiltServer } from './server.ts'

const colour = '#e08a00'
const title = '“Bread” & </script> 🍞'

test.use({
  // A server of its own instead of that of the other journeys.
  thunder: [
    // Playwright insists on the empty pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'thunder-logo-'))
      const logo = join(folder, 'logo.svg')
      await writeFile(
        logo,
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24"><circle cx="12" cy="12" r="12" fill="#e08a00"/></svg>',
      )
      const server = await startBuiltServer({
        BRAND_NAME: 'Birch School',
        BRAND_COLOR: colour,
        BRAND_LOGO: logo,
        BRAND_LEGAL_ENTITY: 'Birch School Ltd.',
        SUPPORT_EMAIL: 'help@birch.example',
      })
      await leaveFilmsAsTheyAre(server)
      await use(server)
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 240_000 },
  ],
})

/**
 * Around each mention of another name. The starter course is content, and called what its file says; cookies and what
 * browsers keep have technical names, which the privacy policy lists.
 */
const otherNames = (text: string) =>
  text
    .replaceAll(/thunder[ -]bootcamp[\w-]*|thunder[.-](?!example)[\w-]+/gi, '')
    .match(/.{0,60}thunder.{0,60}/gi) ?? []

async function expectOwnBrand(page: Page) {
  await expect(page).toHaveTitle(/Birch School/)
  expect(otherNames(await page.content()), page.url()).toEqual([])
  const logo = page.getByRole('banner').locator('img').first()
  await expect(logo).toHaveAttribute('src', /^\/brand\/[\da-f]{10}\/logo\.svg$/)
  await expect(logo).not.toHaveJSProperty('naturalWidth', 0)
}

const token = (page: Page, name: string) =>
  page.evaluate((property) => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = `var(${property})`
    const [red, green, blue] = getComputedStyle(probe).color.match(/\d+/g) ?? []
    probe.remove()
    return `#${[red, green, blue].map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`
  }, name)

test('public pages carry the brand, readable in both themes, and another name nowhere', async ({
  page,
}) => {
  const complaints = complaintsOf(page)
  for (const path of [
    '/',
    '/explore',
    '/login',
    '/signup',
    '/about',
    '/terms',
    '/privacy',
    '/blog',
    '/help',
  ]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(path)
      await expectOwnBrand(page)
      await expectNoAxeViolations(page)
      const [primary, on] = await Promise.all(
        ['--color-primary', '--color-on-primary'].map((name) => token(page, name)),
      )
      expect(contrast(primary!, on!), `${path} in ${colorScheme}`).toBeGreaterThanOrEqual(4.5)
      expect(primary).not.toBe('#4431ee')
    }
  }
  await page.goto('/terms')
  await expect(page.getByText('Birch School Ltd.').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'help@birch.example' }).first()).toBeVisible()
  for (const path of ['/manifest.webmanifest', '/robots.txt', '/blog/rss.xml', '/sitemap.xml']) {
    const answer = await page.request.get(path)
    expect(answer.status(), path).toBe(200)
    expect(otherNames(await answer.text()), path).toEqual([])
  }
  expect(complaints).toEqual([])
})

test('pages that run scripts, mails and messengers say the same', async ({ page, thunder }) => {
  const complaints = complaintsOf(page)
  const person = await signedUp(page.request, 'Bea Brand')
  await page.goto('/dashboard')
  await hydrated(page)
  await expectOwnBrand(page)
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  // What the browser renders by itself has the name, too.
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('link', { name: 'Settings' }).press('Enter')
  await expect(page).toHaveTitle('Settings · Birch School')

  await expect
    .poll(async () => (await (await page.request.get('/outbox/mails.json')).json())[0]?.to)
    .toBe(person.email)
  const [mail] = await (await page.request.get('/outbox/mails.json')).json()
  expect(mail.subject).toBe('Welcome to Birch School')
  expect(mail.from).toContain('help@birch.example')
  expect(otherNames(mail.html + mail.text)).toEqual([])

  const { slug } = await publishedCourse(page.request, title)
  await page.context().clearCookies()
  await page.goto(`/course/${slug}`)
  await expectOwnBrand(page)
  await expect(page.locator('meta[name=robots]')).toHaveCount(0)
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute(
    'href',
    `${thunder.url}/course/${slug}`,
  )
  const data = await page.locator('script[type="application/ld+json"]').allTextContents()
  expect(data.map((one) => JSON.parse(one)['@type'])).toEqual(['Course', 'BreadcrumbList'])
  expect(JSON.parse(data[0]!)).toMatchObject({ name: title, provider: { name: 'Birch School' } })
  const picture = await page.locator('meta[property="og:image"]').getAttribute('content')
  const drawn = await page.request.get(picture!)
  expect(drawn.headers()['content-type']).toBe('image/png')
  expect((await drawn.body()).length).toBeGreaterThan(5000)
  expect(complaints).toEqual([])
})

test('an address that is nearly right leads to the right one, and none to another site', async ({
  page,
  thunder,
}) => {
  const { request } = page
  const locationOf = async (path: string) => {
    const answer = await request.get(thunder.url + path, { maxRedirects: 0 })
    return { status: answer.status(), location: answer.headers().location }
  }
  expect(await locationOf('/EXPLORE/?search=Bread')).toEqual({
    status: 301,
    location: '/explore?search=Bread',
  })
  expect(await locationOf('//evil.example/')).toEqual({ status: 301, location: '/evil.example' })
  const long = 'a'.repeat(2000)
  for (const path of [
    `/${long}`,
    `/course/${long}`,
    `/user/${long}`,
    `/blog/${long}`,
    `/help/${long}`,
    `/course/${long}/reviews`,
    `/course/x/preview/${long}`,
    '/course/%00',
    '/user/%00',
    '/course/%E0%A4%A',
    '/%2f%2fevil.example',
    '/.%2e/.%2e/etc/passwd',
  ]) {
    const { status, location } = await locationOf(path)
    expect([400, 404, 414], `${path.slice(0, 40)} answered ${status}`).toContain(status)
    expect(location).toBeUndefined()
  }
})
