// A Pro creator gives a course a look of its own; visitors see it on their next request. Then what the check before
// publishing finds in texts.
import type { Page } from '@playwright/test'
import sharp from 'sharp'
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

const picture = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

async function looksRight(page: Page) {
  await expectNoAxeViolations(page)
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 375, height: 800 })
  await expectNoSidewaysScrolling(page)
  await page.setViewportSize(size)
}

/** The page is opened anew on a phone: its scripts, which come later, move nothing above this button. */
async function staysWhereItIs(page: Page, button: string) {
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 412, height: 823 })
  const { promise: looked, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    await looked
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint').length > 0,
  )
  const placeOf = () => page.getByRole('button', { name: button }).boundingBox()
  const before = await placeOf()
  release()
  await hydrated(page)
  expect(await placeOf()).toEqual(before)
  await page.unroute('**/*.js')
  await page.setViewportSize(size)
}

async function choosePicture(page: Page, label: 'logo' | 'cover', bytes: Buffer) {
  const choosing = page.waitForEvent('filechooser')
  await page.getByText(`Choose a ${label}`).click()
  await (
    await choosing
  ).setFiles({
    name: `${label}.png`,
    mimeType: 'image/png',
    buffer: bytes,
  })
  await page.getByRole('button', { name: 'Save picture' }).click()
  await expect(page.getByRole('img', { name: `The ${label} of this course` })).toBeVisible()
}

const grantPro = `insert into plan_grants (user_id, reason) select id, 'A test' from users where email = $1`

test('a course gets a look of its own, which visitors see on the next request', async ({
  page,
  browser,
  thunder,
}) => {
  const complaints = complaintsOf(page)
  const bea = await signedUp(page.request, 'Bea Brand')
  const course = await publishedCourse(page.request, 'Throwing Clay')
  const visitor = await somebodyElse(browser, { baseURL: thunder.url, javaScriptEnabled: false })
  const primary = (on: Page) =>
    on
      .getByRole('heading', { level: 1 })
      .evaluate((heading) => getComputedStyle(heading).getPropertyValue('--color-primary'))

  await test.step('without Pro: what it would be', async () => {
    await page.goto(`/course/${course.slug}/dashboard`)
    await hydrated(page)
    await page.getByRole('link', { name: 'Branding' }).click()
    await expect(page.getByText('Course branding is a Pro benefit')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'An example' })).toBeVisible()
    await expect(page.getByText('Well done')).toBeVisible()
    await expect(
      page.getByRole('main').getByRole('link', { name: 'Upgrade to Pro' }),
    ).toHaveAttribute('href', '/upgrade')
    await looksRight(page)
    await visitor.page.goto(`/course/${course.slug}`)
    await expect.poll(() => primary(visitor.page)).not.toContain('#0b6b4f')
  })

  await test.step('with Pro: colour, pictures and certificate, shown while they are typed', async () => {
    await inDatabase(thunder, grantPro, [bea.email])
    await page.reload()
    await hydrated(page)
    await staysWhereItIs(page, 'Save Branding')
    await page.getByLabel('Color', { exact: false }).first().fill('green')
    await page.getByRole('button', { name: 'Save Branding' }).click()
    await expect(page.getByText('A color is a # and six of')).toBeVisible()
    await page.getByLabel('Heading').fill('Made with these hands')
    await page.getByLabel('Who signs').fill('The Studio')
    const certificate = page.getByRole('figure').filter({ hasText: 'Its certificate' })
    await expect(certificate).toContainText('Made with these hands')
    await expect(certificate).toContainText('The Studio')
    await page.getByLabel('Color', { exact: false }).first().fill('#0b6b4f')
    await expect(page.getByLabel('Pick the color')).toHaveValue('#0b6b4f')
    await choosePicture(page, 'logo', await picture(300, 300, '#0b6b4f'))
    await choosePicture(page, 'cover', await picture(900, 300, '#d9c7a0'))
    await looksRight(page)
    await page.getByRole('button', { name: 'Save Branding' }).click()
    await expect(page.getByText('Visitors and members see it from now on.')).toBeVisible()
    await looksRight(page)
  })

  await test.step('what is changed after that is not called saved, and not lost without a question', async () => {
    const saved = page.getByText('Visitors and members see it from now on.')
    await page.getByLabel('Heading').fill('Made with both hands')
    await expect(saved).toHaveCount(0)
    await expect(page).toHaveURL(`/course/${course.slug}/branding`)
    await page.getByRole('link', { name: 'Back to Course' }).click()
    const asked = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await expect(asked).toContainText('What you changed in the branding is not saved yet.')
    await asked.getByRole('button', { name: 'Stay on this page' }).click()
    const heading = page.getByLabel('Heading')
    await expect(heading).toHaveValue('Made with both hands')
    const save = page.getByRole('button', { name: 'Save Branding' })
    await page.context().setOffline(true)
    await save.click()
    await expect(page.getByText('Failed to save the branding. Please try again.')).toBeVisible()
    await expect(save).not.toHaveAttribute('aria-busy', 'true')
    await expect(heading).toHaveValue('Made with both hands')
    await page.context().setOffline(false)
    await save.click()
    await expect(saved).toBeVisible()
  })

  await test.step('after a lost answer the former value is meant, too, when it is typed again', async () => {
    const address = `/rest/v1/courses/${course.id}/branding`
    const stored = async () =>
      (await (await page.request.get(address)).json()).branding.certificateHeading
    const heading = page.getByLabel('Heading')
    const save = page.getByRole('button', { name: 'Save Branding' })
    await page.route('**/branding.data*', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      await route.abort()
    })
    await heading.fill('Second thoughts')
    await save.click()
    await expect(page.getByText('Failed to save the branding. Please try again.')).toBeVisible()
    expect(await stored()).toBe('Second thoughts')
    await page.unroute('**/branding.data*')
    await heading.fill('Made with both hands')
    await save.click()
    await expect(page.getByText('Visitors and members see it from now on.')).toBeVisible()
    expect(await stored()).toBe('Made with both hands')
  })

  await test.step('what another tab saved meanwhile stays where it was not changed here', async () => {
    const address = `/rest/v1/courses/${course.id}/branding`
    const stored = async () => (await (await page.request.get(address)).json()).branding
    const before = await stored()
    const data = { ...before, logoId: null, certificateWords: 'From another tab' }
    expect((await page.request.put(address, { data })).status()).toBe(200)
    const saved = page.getByText('Visitors and members see it from now on.')
    for (const heading of ['Made with one hand', 'Made with both hands']) {
      await page.getByLabel('Heading').fill(heading)
      await expect(saved).toHaveCount(0)
      await page.getByRole('button', { name: 'Save Branding' }).click()
      await expect(saved).toBeVisible()
      expect(await stored()).toEqual({ ...data, certificateHeading: heading })
    }
    expect((await page.request.put(address, { data: before })).status()).toBe(200)
  })

  await test.step('a visitor without an account and without JavaScript', async () => {
    await visitor.page.goto(`/course/${course.slug}`)
    await expect.poll(() => primary(visitor.page)).toContain('#0b6b4f')
    const shown = visitor.page.locator('main img[src*="/storage/v1/images/"]')
    await expect(shown).toHaveCount(2)
    for (const image of await shown.all()) {
      await expect(image).not.toHaveJSProperty('naturalWidth', 0)
    }
  })

  await test.step('the same page in both themes and on a phone; the member page, and a lesson', async () => {
    const reader = await somebodyElse(browser, { baseURL: thunder.url })
    await signedUp(reader.page.request, 'Rita Reader')
    await reader.page.goto(`/course/${course.slug}`)
    await looksRight(reader.page)
    await hydrated(reader.page)
    await reader.page.getByRole('button', { name: 'Join Course' }).click()
    await expect(reader.page).toHaveURL(`/course/${course.slug}/dashboard`)
    await expect.poll(() => primary(reader.page)).toContain('#0b6b4f')
    await looksRight(reader.page)
    await reader.page.goto(`/course/${course.slug}/lesson/first-lesson`)
    await expect.poll(() => primary(reader.page)).toContain('#0b6b4f')
    await looksRight(reader.page)
    await reader.context.close()
  })

  await test.step('Pro has ended: what is there stays, and goes without JavaScript', async () => {
    await inDatabase(
      thunder,
      'delete from plan_grants where user_id = (select id from users where email = $1)',
      [bea.email],
    )
    const plain = await somebodyElse(browser, {
      baseURL: thunder.url,
      javaScriptEnabled: false,
      storageState: await page.context().storageState(),
    })
    await plain.page.goto(`/course/${course.slug}/branding`)
    await expect(plain.page.getByText('It stays as it is without Pro.')).toBeVisible()
    await plain.page.getByRole('button', { name: 'Remove: The color' }).click()
    await expect(plain.page.getByText('Visitors and members see it from now on.')).toBeVisible()
    await expect(plain.page.getByRole('button', { name: 'Remove: The color' })).toHaveCount(0)
    await visitor.page.goto(`/course/${course.slug}`)
    await expect.poll(() => primary(visitor.page)).not.toContain('#0b6b4f')
    await plain.context.close()
  })
  await visitor.context.close()
  expect(complaints).toEqual([])
})

test('before publishing it is said what keeps people from using a course', async ({ page }) => {
  await signedUp(page.request, 'Otto Author')
  const text = (words: string, href?: string) => ({
    type: 'text',
    text: words,
    ...(href && { marks: [{ type: 'link', attrs: { href } }] }),
  })
  const doc = (...content: object[]) => ({ type: 'doc', content })
  const made = await page.request.post('/rest/v1/courses', {
    data: {
      title: 'Knots',
      description: doc({ type: 'paragraph', content: [text('Knots.')] }),
      category: 'Tech',
    },
  })
  const { id } = await made.json()
  const { contentVersion } = await (await page.request.get(`/rest/v1/courses/${id}/content`)).json()
  const content = (words: string) =>
    doc({ type: 'paragraph', content: [text('Read '), text(words, 'https://example.com')] })
  const save = (version: number, words: string) =>
    page.request.put(`/rest/v1/courses/${id}/content`, {
      data: {
        contentVersion: version,
        chapters: [{ title: 'One', lessons: [{ title: 'Bowline', content: content(words) }] }],
      },
    })
  const saved = await save(contentVersion, 'here')
  expect(saved.status()).toBe(200)
  await page.goto(`/create-lessons/${id}`)
  await hydrated(page)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish this course?' })
  const found = dialog.getByRole('list', { name: 'So that everybody can use it' })
  await expect(found.getByRole('listitem')).toHaveCount(1)
  await expect(found).toContainText('Links that say where they lead')
  await looksRight(page)
  await found.getByRole('button', { name: 'Bowline' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByLabel('Lesson title')).toHaveValue('Bowline')

  const { contentVersion: next } = await saved.json()
  expect((await save(next, 'about the bowline')).status()).toBe(200)
  await page.goto(`/create-lessons/${id}`)
  await hydrated(page)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(dialog).toContainText('We found nothing in its texts and videos')
  await dialog.getByRole('button', { name: 'Publish course' }).click()
  await expect(dialog).toHaveCount(0)
})
