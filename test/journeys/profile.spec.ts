// Settings and profiles: what a person says about itself, and what others see of it.
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

const nameOf = (page: Page) => page.getByRole('heading', { level: 1 })
const says = (page: Page) => page.getByRole('main').getByRole('alert')
const saveChanges = (page: Page) => page.getByRole('button', { name: 'Save Changes' }).click()

/** In both themes, on a phone and on a desk, and never wider than the window. */
async function expectGoodOnEveryScreen(page: Page) {
  const before = page.viewportSize()
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 812 })
    await expectNoSidewaysScrolling(page)
    await expectNoAxeViolations(page)
  }
  if (before) await page.setViewportSize(before)
}

async function usernameOf(page: Page): Promise<string> {
  return (await (await page.request.get('/rest/v1/me')).json()).username
}

async function openSettings(page: Page, hash = '') {
  await page.goto(`/settings${hash}`)
  await hydrated(page)
}

/** Twice as wide as high: the left half is red, the right half blue. */
async function redAndBlue(): Promise<Buffer> {
  const half = { width: 300, height: 300, channels: 3 as const }
  const blue = await sharp({ create: { ...half, background: '#00f' } })
    .png()
    .toBuffer()
  return sharp({ create: { ...half, width: 600, background: '#f00' } })
    .composite([{ input: blue, left: 300, top: 0 }])
    .png()
    .toBuffer()
}

const choosePicture = (page: Page, buffer: Buffer, mimeType = 'image/png', name = 'me.png') =>
  page.getByLabel(/^Choose (a|another) picture$/).setInputFiles({ name, mimeType, buffer })

test('a profile is written, pictured, and there for others on the next request', async ({
  page,
  browser,
  thunder,
}) => {
  const person = await signedUp(page.request, 'Paula Profile')
  const username = await usernameOf(page)
  const { slug } = await publishedCourse(page.request, 'Paula teaches')
  const complaints = complaintsOf(page)
  const visitor = await somebodyElse(browser, { baseURL: thunder.url })
  const seen = async (path: string) => (await visitor.context.request.get(path)).text()
  expect(await seen(`/user/${username}`)).toContain('Paula Profile')

  await page.goto('/dashboard')
  await hydrated(page)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(nameOf(page)).toHaveText('Settings')
  await expect(page.getByText('Manage your account preferences')).toBeVisible()
  await expect(page.getByText('JPG, PNG up to 5MB')).toBeVisible()
  const email = page.getByRole('textbox', { name: 'Email Address', exact: true })
  await expect(email).toHaveValue(person.email)
  await expect(email).not.toBeEditable()

  // By keyboard alone: the right half, then a part of it.
  await choosePicture(page, await redAndBlue())
  const dialog = page.getByRole('dialog', { name: 'Crop your picture' })
  await dialog.getByLabel('Left to right').press('End')
  await expect(dialog.getByLabel('Top to bottom')).toBeDisabled()
  await dialog.getByLabel('Zoom').press('PageUp')
  await expect(dialog.getByLabel('Top to bottom')).toBeEnabled()
  await expectGoodOnEveryScreen(page)
  await dialog.getByRole('button', { name: 'Save picture' }).press('Enter')
  const inHeader = page.getByRole('button', { name: 'Account menu' }).locator('img')
  await expect(inHeader).toHaveAttribute('src', /\/96\.webp$/)
  const stored = await page.request.get((await inHeader.getAttribute('src'))!)
  const { dominant } = await sharp(await stored.body()).stats()
  expect([dominant.r < 60, dominant.b > 190]).toEqual([true, true])

  await page.getByLabel('Display Name').fill('Paula P. Profile')
  await page.getByLabel('Bio').fill('I draw.\n<b>Every</b> day.')
  await page.getByLabel('Website').fill('https://www.paula.example/art/')
  await page.getByLabel('YouTube').fill('@paula')
  await page.getByRole('textbox', { name: 'X', exact: true }).fill('https://x.com/paula?lang=en')
  await saveChanges(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(nameOf(page)).toContainText('Paula P. Profile')

  const html = await seen(`/user/${username}`)
  expect(html).toContain('Paula P. Profile')
  expect(html).toContain('&lt;b&gt;Every&lt;/b&gt; day.')
  expect(await seen(`/course/${slug}`)).toContain('Paula P. Profile')
  for (const path of [
    `/user/${username}`,
    `/user/${username}?tab=created`,
    `/course/${slug}`,
    '/explore',
  ]) {
    expect(await seen(path), path).not.toContain(person.email)
  }

  await visitor.page.goto(`/course/${slug}`)
  await visitor.page.getByRole('link', { name: 'Paula P. Profile' }).click()
  await expect(visitor.page).toHaveURL(`${thunder.url}/user/${username}`)
  await expect(nameOf(visitor.page)).toHaveText('Paula P. Profile')
  const link = (name: string) => visitor.page.getByRole('link', { name, exact: true })
  await expect(link('paula.example/art')).toHaveAttribute('href', 'https://www.paula.example/art/')
  await expect(link('YouTube')).toHaveAttribute('href', 'https://www.youtube.com/@paula')
  await expect(link('X')).toHaveAttribute('href', 'https://x.com/paula?lang=en')
  await expect(link('Twitch')).toHaveCount(0)
  await expect(visitor.page.getByRole('main').locator('img[src$="/256.webp"]')).toBeVisible()
  await expect(visitor.page).toHaveTitle('Paula P. Profile · Thunder')
  await expect(visitor.page.locator('meta[name=description]')).toHaveAttribute(
    'content',
    'I draw. <b>Every</b> day.',
  )
  await expect(visitor.page.locator('link[rel=canonical]')).toHaveAttribute(
    'href',
    `${thunder.url}/user/${username}`,
  )
  expect(complaints).toEqual([])
  await visitor.context.close()
})

test('settings and profile are good on every screen; a picture can be removed', async ({
  page,
}) => {
  await signedUp(page.request, 'Sina Screens')
  const username = await usernameOf(page)
  await openSettings(page)
  await expectGoodOnEveryScreen(page)
  await choosePicture(page, await redAndBlue())
  await page.getByRole('button', { name: 'Save picture' }).click()
  const inHeader = page.getByRole('button', { name: 'Account menu' }).locator('img')
  await expect(inHeader).toHaveCount(1)
  await page.getByLabel('Website').fill('https://sina.example')
  await page.getByLabel('LinkedIn').fill('sina')
  await page.getByRole('textbox', { name: 'X', exact: true }).fill('sina')
  await saveChanges(page)
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto(`/user/${username}`)
  await hydrated(page)
  await expect(page.getByRole('link', { name: 'LinkedIn' })).toBeVisible()
  await expectGoodOnEveryScreen(page)

  await openSettings(page)
  await page.getByRole('button', { name: 'Remove picture' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Remove picture' }).click()
  await expect(inHeader).toHaveCount(0)
  await page.goto(`/user/${username}`)
  await expect(page.getByRole('main').locator('img[src$="/256.webp"]')).toHaveCount(0)
})

test.describe('the profile form', () => {
  test('says what is wrong at the field and keeps what was typed', async ({ page }) => {
    await signedUp(page.request, 'Frieda Former')
    await openSettings(page)
    await page.getByLabel('Display Name').fill('F')
    await page.getByLabel('Username').fill('Not A Username')
    await page.getByLabel('Bio').fill('x'.repeat(1001))
    await page.getByLabel('Website').fill('frieda.example')
    await page.getByLabel('Twitch').fill('javascript:alert(1)')
    await saveChanges(page)
    await expect(says(page)).toContainText('Not saved')
    await expect(page).toHaveURL(/\/settings$/)
    for (const words of [
      'Username can have lower-case letters (a to z), digits, and single hyphens between them',
      'Bio can have at most 1,000 characters',
      'Website must be an address that starts with http:// or https://',
      'Twitch must be a handle, or an address that starts with http:// or https://',
    ]) {
      // At the field, and among all that keeps the profile from being saved.
      await expect(page.getByText(words)).toHaveCount(2)
      await expect(says(page)).toContainText(words)
    }
    await expect(page.getByLabel('Display Name')).toBeFocused()
    await expect(page.getByLabel('Display Name')).toHaveAccessibleDescription(
      'Display name must be at least 2 characters long',
    )
    await expect(page.getByLabel('Twitch')).toHaveValue('javascript:alert(1)')
    await expect(page.getByLabel('Bio')).toHaveValue('x'.repeat(1001))
    await expectGoodOnEveryScreen(page)

    // Each can be put right, one after the other; a taken username is said at its field.
    await page.getByLabel('Display Name').fill('Frieda F.')
    await page.getByLabel('Username').fill('thunder')
    await page.getByLabel('Bio').fill('Short')
    await page.getByLabel('Website').fill('')
    await page.getByLabel('Twitch').fill('frieda')
    await saveChanges(page)
    await expect(page.getByLabel('Username')).toBeFocused()
    await expect(page.getByLabel('Username')).toHaveAccessibleDescription(
      /This username is taken\. Please choose another one\./,
    )
    await page.getByLabel('Username').fill(`frieda-${Date.now()}`)
    await saveChanges(page)
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  test('keeps what was typed without a connection', async ({ page, context }) => {
    await signedUp(page.request, 'Olga Offline')
    await openSettings(page)
    await page.getByLabel('Bio').fill('Written on a train')
    await context.setOffline(true)
    await saveChanges(page)
    await expect(says(page)).toContainText('Please check your connection and try again.')
    await expect(page.getByLabel('Bio')).toHaveValue('Written on a train')
    await context.setOffline(false)
    await saveChanges(page)
    await expect(page).toHaveURL(/\/dashboard$/)
    await openSettings(page)
    await expect(page.getByLabel('Bio')).toHaveValue('Written on a train')
  })

  test('does not write over what another tab saved', async ({ page, context }) => {
    await signedUp(page.request, 'Theo Twotabs')
    const other = await context.newPage()
    await openSettings(page)
    await openSettings(other)
    await page.getByLabel('Bio').fill('First')
    await saveChanges(page)
    await expect(page).toHaveURL(/\/dashboard$/)
    await other.getByLabel('Bio').fill('Second')
    await saveChanges(other)
    await expect(says(other)).toContainText('changed in another tab')
    await expect(other.getByLabel('Bio')).toHaveValue('Second')
    // Typed, but meant to be thrown away: the question about that is answered with yes.
    other.on('dialog', (question) => void question.accept())
    await other.getByRole('link', { name: 'Load it again' }).click()
    await expect(other.getByLabel('Bio')).toHaveValue('First')
  })

  test('asks before what was typed is left', async ({ page }) => {
    await signedUp(page.request, 'Lena Leaver')
    await openSettings(page)
    await page.getByLabel('Bio').fill('Not saved')
    await page.getByRole('link', { name: 'Color Theme' }).click()
    await page.getByRole('link', { name: 'Profile', exact: true }).first().click()
    await expect(page.getByLabel('Bio')).toHaveValue('Not saved')
    await page.getByRole('link', { name: 'Cancel' }).click()
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Stay on this page' }).click()
    await expect(page.getByLabel('Bio')).toHaveValue('Not saved')
    await page.getByRole('link', { name: 'Back to Dashboard' }).click()
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  test('keeps what was typed before its scripts came', async ({ page, thunder }) => {
    const { email } = await signedUp(page.request, 'Ella Early')
    await inDatabase(thunder, `update users set bio = 'What I wrote long ago.' where email = $1`, [
      email,
    ])
    const gate = Promise.withResolvers<void>()
    await page.route(/\/assets\/.*\.js/, async (route) => {
      await gate.promise
      return route.continue()
    })
    await page.goto('/settings', { waitUntil: 'commit' })
    await page.getByLabel('Display Name').fill('Ella E.')
    await expect(page.getByLabel('Bio')).toHaveValue('What I wrote long ago.')
    await page.getByLabel('Bio').fill('What I write now.')
    await page.getByLabel('Bio').press('ArrowLeft')
    gate.resolve()
    await hydrated(page)
    await expect(page.getByLabel('Display Name')).toHaveValue('Ella E.')
    await expect(page.getByLabel('Bio')).toHaveValue('What I write now.')
    await page.getByLabel('Bio').press('!')
    await expect(page.getByLabel('Bio')).toHaveValue('What I write now!.')
  })

  test('works without JavaScript', async ({ browser, thunder, page }) => {
    await signedUp(page.request, 'Nora Noscript')
    const storageState = await page.context().storageState()
    const { context, page: plain } = await somebodyElse(browser, {
      baseURL: thunder.url,
      javaScriptEnabled: false,
      storageState,
    })
    await plain.goto('/settings')
    await expect(plain.getByLabel('Display Name')).toBeVisible()
    await expect(plain.getByRole('group', { name: 'Color Theme' })).toBeHidden()
    await plain.getByRole('link', { name: 'Color Theme' }).click()
    await expect(plain.getByRole('group', { name: 'Color Theme' })).toBeVisible()
    await expect(plain.getByLabel('Display Name')).toBeHidden()
    await plain.goto('/settings')
    await plain.getByLabel('Display Name').fill('N')
    await plain.getByLabel('Bio').fill('Plain\ntext')
    await plain.getByRole('button', { name: 'Save Changes' }).click()
    await expect(
      plain.getByText('Display name must be at least 2 characters long').first(),
    ).toBeVisible()
    await expect(plain.getByLabel('Bio')).toHaveValue('Plain\ntext')
    await plain.getByLabel('Display Name').fill('Nora N.')
    await plain.getByRole('button', { name: 'Save Changes' }).click()
    await expect(plain).toHaveURL(/\/dashboard$/)
    await expect(nameOf(plain)).toContainText('Nora N.')
    await context.close()
  })
})

test('a picture that is none, too large or damaged is refused with words', async ({ page }) => {
  await signedUp(page.request, 'Pia Picture')
  await openSettings(page)
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')
  await choosePicture(page, svg, 'image/svg+xml', 'me.svg')
  await expect(says(page)).toHaveText('Please upload an image file (PNG, JPG, GIF or WebP)')
  await choosePicture(page, Buffer.alloc(6 * 1024 * 1024), 'image/jpeg', 'me.jpg')
  await expect(says(page)).toHaveText(
    'Image file is too large. Please upload a file smaller than 5MB.',
  )
  const dialog = page.getByRole('dialog', { name: 'Crop your picture' })
  for (const bytes of [svg, (await redAndBlue()).subarray(0, 60)]) {
    await choosePicture(page, bytes)
    await expect(dialog.getByRole('alert')).toHaveText(
      'This image file is damaged. Please save it again and upload the new file.',
    )
    await expect(dialog.getByRole('button', { name: 'Save picture' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
  // What can be dragged is dragged: the left half, by mouse.
  await choosePicture(page, await redAndBlue())
  const area = dialog.locator('img')
  const box = (await area.boundingBox())!
  const middle = { x: 640, y: box.y + box.height / 2 }
  await page.mouse.move(middle.x, middle.y)
  await page.mouse.down()
  await page.mouse.move(middle.x + 400, middle.y, { steps: 4 })
  await page.mouse.up()
  await expect(dialog.getByLabel('Left to right')).toHaveValue('0')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Remove picture' })).toHaveCount(0)
})

test('the tabs of the settings live in the address', async ({ page }) => {
  await signedUp(page.request, 'Tara Tabs')
  const tabs = page.getByRole('navigation', { name: 'Settings' })
  const current = tabs.locator('[aria-current=page]')
  const expectTab = async (name: string) => {
    await expect(current).toHaveText(name)
    await expect(page.getByRole('region', { name, exact: true })).toBeVisible()
    await expect(page.locator('#profile, #security, #theme').filter({ visible: true })).toHaveCount(
      1,
    )
  }
  await page.setViewportSize({ width: 375, height: 812 })
  await openSettings(page)
  await expectTab('Profile')
  await expect(tabs.getByRole('link')).toHaveText([
    'Profile',
    'Account & Security',
    'Color Theme',
    'Notifications',
    'Payments',
    'Billing',
    'Developers',
  ])
  const ofProfile = page.getByRole('region', { name: 'Profile' })
  await expect(ofProfile.getByRole('heading', { name: 'Social Links', level: 2 })).toBeVisible()
  await ofProfile.getByText('Account & Security').click()
  await expectTab('Account & Security')
  await page.goBack()
  await tabs.getByRole('link', { name: 'Color Theme' }).click()
  await expect(page).toHaveURL(/\/settings#theme$/)
  await expectTab('Color Theme')
  await expect(tabs.getByRole('link', { name: 'Color Theme' })).toBeFocused()
  await expectGoodOnEveryScreen(page)
  await page.goBack()
  await expectTab('Profile')
  await page.goForward()
  await expectTab('Color Theme')
  await page.reload()
  await hydrated(page)
  await expectTab('Color Theme')
  // The way to the content leads to the content, not to another tab.
  await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
  await expectTab('Color Theme')
  await tabs.getByRole('link', { name: 'Billing' }).click()
  const history = page.getByRole('heading', { name: 'Billing History', exact: true })
  await expect(history).toBeVisible()
  await page.getByRole('link', { name: 'Skip to content' }).press('Enter')
  await expect(page).toHaveURL(/#main$/)
  await expect(history).toBeVisible()
  await openSettings(page, '#no-such-tab')
  await expectTab('Profile')
})

test('the theme is chosen in the settings, and the switch in the header follows', async ({
  page,
}) => {
  await signedUp(page.request, 'Thea Theme')
  await page.emulateMedia({ colorScheme: 'light' })
  await openSettings(page, '#theme')
  const html = page.locator('html')
  const choice = (name: string) => page.getByRole('radio', { name })
  await expect(choice('System')).toBeChecked()
  await choice('Dark').check()
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await page.reload()
  await hydrated(page)
  await expect(choice('Dark')).toBeChecked()
  await page.getByRole('button', { name: 'Switch theme' }).click()
  await expect(choice('Light')).toBeChecked()
  await choice('Light').press('ArrowRight')
  await expect(choice('Dark')).toBeChecked()
  await choice('System').check()
  await expect(html).not.toHaveAttribute('data-theme')
  await page.reload()
  await hydrated(page)
  await expect(choice('System')).toBeChecked()
})

test.describe('a public profile', () => {
  test('shows courses on two tabs, for readers without JavaScript too', async ({
    page,
    browser,
    thunder,
  }) => {
    await signedUp(page.request, 'Carla Creator')
    const username = await usernameOf(page)
    const { id } = await publishedCourse(page.request, 'Carla’s course')
    const { context, page: plain } = await somebodyElse(browser, {
      baseURL: thunder.url,
      javaScriptEnabled: false,
    })
    await plain.goto(`/user/${username}`)
    const main = plain.getByRole('main')
    const tabs = plain.getByRole('navigation', { name: 'Courses' })
    await expect(tabs.locator('[aria-current=page]')).toHaveText('Enrolled Courses (2)')
    await expect(main.getByRole('heading', { name: 'Thunder Bootcamp' })).toBeVisible()
    await tabs.getByRole('link', { name: 'Created Courses (1)' }).click()
    await expect(plain).toHaveURL(new RegExp(`/user/${username}\\?tab=created$`))
    const card = main.getByRole('article')
    await expect(card).toHaveCount(1)
    await expect(card).toContainText('Carla’s course')
    await expect(card).toContainText('Tech')
    await expect(card).toContainText('Free')
    await expect(card).toContainText('0 students')
    await expect(main.getByRole('term')).toHaveText(['Courses Created', 'Courses Enrolled'])
    await expect(main.getByRole('definition')).toHaveText(['1', '2'])

    // A draft again, and nothing of it is left on the very next request.
    await page.request.post(`/rest/v1/courses/${id}/unpublish`)
    await plain.reload()
    await expect(main.getByRole('heading', { name: 'No courses created yet' })).toBeVisible()
    await expect(main.getByText("Carla Creator hasn't created any courses yet.")).toBeVisible()
    await expect(tabs.getByRole('link', { name: 'Created Courses (0)' })).toBeVisible()
    await context.close()
  })

  test('is edited from itself by its person only', async ({ page }) => {
    await signedUp(page.request, 'Edda Editor')
    await page.goto('/dashboard')
    await hydrated(page)
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('link', { name: 'Profile', exact: true }).click()
    await expect(nameOf(page)).toHaveText('Edda Editor')
    await expectGoodOnEveryScreen(page)
    await page.getByRole('link', { name: 'Edit Profile' }).click()
    await expect(nameOf(page)).toHaveText('Settings')
    await page.goto('/user/thunder')
    await hydrated(page)
    await expect(nameOf(page)).toHaveText('Thunder')
    await expect(page.getByRole('link', { name: 'Edit Profile' })).toHaveCount(0)
  })

  test('is found by a name that one person has', async ({ page, browser, thunder }) => {
    await signedUp(page.request, 'Ümit Ünique')
    const username = await usernameOf(page)
    const visitor = await somebodyElse(browser, { baseURL: thunder.url })
    await visitor.page.goto(`/user/${encodeURIComponent('ümit-ünique')}`)
    await expect(visitor.page).toHaveURL(`${thunder.url}/user/${username}`)
    await visitor.context.close()
  })

  test('that does not exist says so, with a way home', async ({ page }) => {
    const answer = await page.goto('/user/there-is-no-such-person')
    expect(answer?.status()).toBe(404)
    await expect(nameOf(page)).toHaveText('User not found')
    await expect(page.getByText("The user profile you're looking for doesn't exist.")).toBeVisible()
    await expectGoodOnEveryScreen(page)
    await page.getByRole('link', { name: 'Back home' }).click()
    await expect(page).toHaveURL(/\/$/)
  })

  test('with courses of nobody says what is missing', async ({ page }) => {
    await signedUp(page.request, 'Emil Empty')
    const username = await usernameOf(page)
    const { enrolled } = await (await page.request.get('/rest/v1/dashboard')).json()
    expect(enrolled).toHaveLength(1)
    await page.goto(`/user/${username}?tab=created`)
    await expect(page.getByText("Emil Empty hasn't created any courses yet.")).toBeVisible()
    await expectGoodOnEveryScreen(page)
  })
})

test('the code of a tab comes when it is shown, and what was typed before stays', async ({
  page,
}) => {
  await signedUp(page.request, 'Tabea Tab')
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const securityCode = /^\/assets\/security-tab-.+\.js$/
  const hasSecurity = () => asked.some((path) => securityCode.test(path))

  await test.step('not with the first tab', async () => {
    await openSettings(page)
    await expect(page.getByLabel('Display Name')).toBeVisible()
    expect(hasSecurity()).toBe(false)
  })

  await test.step('with its own; where that fails, it can be tried again', async () => {
    await page.getByLabel('Bio').fill('I bake.')
    await page.route(/\/assets\/security-tab-/, (route) => route.abort())
    const settings = page.getByRole('navigation', { name: 'Settings' })
    await settings.getByRole('link', { name: 'Account & Security' }).click()
    await expect(says(page)).toContainText('These settings could not be loaded.')
    await page.unroute(/\/assets\/security-tab-/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'Change password' })).toBeVisible()
    await page.route(/\/assets\/set-up-two-step-/, (route) => route.abort())
    await page.getByRole('button', { name: 'Turn on two-step verification' }).click()
    await expect(page.getByText('could not be loaded', { exact: false })).toBeVisible()
    await page.unroute(/\/assets\/set-up-two-step-/)
    await settings.getByRole('link', { name: 'Profile' }).click()
    await expect(page.getByLabel('Bio')).toHaveValue('I bake.')
    await saveChanges(page)
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  await test.step('one that the address names is there with the page', async () => {
    const ready = Promise.withResolvers<void>()
    await page.route(/\/assets\/framework-/, async (route) => {
      await ready.promise
      await route.continue()
    })
    await page.goto('/settings#notifications', { waitUntil: 'commit' })
    const box = page.getByRole('checkbox').first()
    const before = await box.isChecked()
    await box.setChecked(!before)
    ready.resolve()
    await hydrated(page)
    await expect(box).toBeChecked({ checked: !before })
  })
})
