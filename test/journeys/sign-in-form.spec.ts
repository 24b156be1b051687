// The form to log in and all others on the way in: where they lead, and what they say to bad input.
import {
  expect,
  expectNoAxeViolations,
  hydrated,
  inDatabase,
  lettersAreThere,
  logInHere,
  signedUp,
  test,
} from './journey.ts'
import { button, forgetAttempts, looksRight, problem, stranger } from './signing-in.ts'

test.beforeEach(({ thunder }) => forgetAttempts(thunder))

test.describe('logging in', () => {
  test('nobody comes back to the form with the back button', async ({ page, browser, thunder }) => {
    const person = await signedUp(page.request, 'Back Button')
    const { context, page: other } = await stranger(browser, thunder)
    await other.goto('/about')
    await other.goto('/login?to=%2Fterms')
    await hydrated(other)
    await looksRight(other)
    await logInHere(other, person)
    await expect(other).toHaveURL('/terms')
    await other.goBack()
    await expect(other).toHaveURL('/about')
    await context.close()
  })

  test('ways that are not set up are not there', async ({ page }) => {
    await page.goto('/login')
    await hydrated(page)
    await expect(button(page, 'Log in with a passkey')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Email me a link' })).toBeVisible()
    await expect(page.getByText('Continue with')).toHaveCount(0)
    await expect(page.getByText('SSO')).toHaveCount(0)
    await page.goto('/login/with/google')
    await expect(page).toHaveURL(/\/login\?error=/)
    await expect(problem(page)).toContainText('This way to log in is not available.')
  })

  test('no link moves away under a finger while the scripts arrive', async ({ page }) => {
    const link = page.getByRole('link', { name: 'Email me a link' })
    await page.route('**/*.js', (route) => route.abort())
    await page.goto('/login')
    await expect(link).toBeVisible()
    await lettersAreThere(page)
    const before = await link.boundingBox()
    await page.unroute('**/*.js')
    await page.goto('/login')
    await hydrated(page)
    await expect(button(page, 'Log in with a passkey')).toBeVisible()
    await lettersAreThere(page)
    expect(await link.boundingBox()).toEqual(before)
  })

  test('without JavaScript there is no button that would do nothing', async ({
    browser,
    thunder,
  }) => {
    const { context, page } = await stranger(browser, thunder, { javaScriptEnabled: false })
    await page.goto('/login')
    await expect(page.getByRole('link', { name: 'Email me a link' })).toBeVisible()
    await expect(page.getByText('passkey')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Show password' })).toHaveCount(0)
    await context.close()
  })

  test('without JavaScript what was chosen stays when the password is wrong', async ({
    browser,
    thunder,
  }) => {
    const { context, page } = await stranger(browser, thunder, { javaScriptEnabled: false })
    await page.goto('/login')
    await page.getByLabel('Email').fill('nobody@example.com')
    await page.getByLabel('Password', { exact: true }).fill('wrong horse')
    await page.getByRole('checkbox', { name: 'Remember me' }).check()
    await button(page, 'Login').click()
    await expect(page.getByRole('alert')).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue('nobody@example.com')
    await expect(page.getByRole('checkbox', { name: 'Remember me' })).toBeChecked()
    await context.close()
  })
})

test('protected pages say that they check who comes, while that takes a moment', async ({
  page,
}) => {
  await signedUp(page.request, 'Che Cked')
  await page.goto('/about')
  await hydrated(page)
  const gate = Promise.withResolvers<void>()
  await page.route(/\/dashboard\.data|_root\.data/, async (route) => {
    await gate.promise
    return route.continue()
  })
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('link', { name: 'Dashboard' }).press('Enter')
  await expect(page.getByText('Checking authentication...')).toBeVisible()
  await expectNoAxeViolations(page)
  gate.resolve()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByText('Checking authentication...')).toHaveCount(0)
})

test.describe('without a connection', () => {
  const address = 'typed@example.com'
  const forms = [
    { at: '/forgot-password', typed: { Email: address }, press: 'Send the link' },
    { at: '/confirm-email', typed: { Email: address }, press: 'Send another link' },
    { at: '/login/link', typed: { Email: address }, press: 'Send the link' },
    { at: '/login/link?token=pressed', typed: {}, press: 'Log in' },
    { at: '/confirm-email?token=pressed', typed: {}, press: 'Confirm my email address' },
    { at: '/login/sso', typed: { 'Work email': address }, press: 'Continue' },
    {
      at: '/reset-password?token=followed',
      typed: { 'New password': 'a new horse', 'Confirm new password': 'a new horse' },
      press: 'Save the new password',
    },
    { at: '/login/two-step', typed: { '6-digit code': '123 456' }, press: 'Verify' },
    {
      at: '/login/two-step?with=backup-code',
      typed: { 'Backup code': 'abcde-fghij' },
      press: 'Verify',
    },
  ]
  for (const { at, typed, press } of forms) {
    test(`${at} says so, keeps what was typed, and works when it is back`, async ({
      page,
      context,
      thunder,
    }) => {
      // All that the page of the second step looks for before anything is sent.
      await context.addCookies([{ name: 'thunder.two_factor', value: 'begun', url: thunder.url }])
      await page.goto(at)
      await hydrated(page)
      const field = (label: string) => page.getByLabel(label, { exact: true })
      for (const [label, text] of Object.entries(typed)) await field(label).fill(text)
      await context.setOffline(true)
      await button(page, press).click()
      await expect(problem(page)).toHaveText(
        'We could not reach the server. Please check your connection and try again.',
      )
      for (const [label, text] of Object.entries(typed)) {
        await expect(field(label)).toHaveValue(text)
      }
      await expectNoAxeViolations(page)
      await context.setOffline(false)
      const answered = page.waitForResponse(
        (response) => response.request().method() === 'POST' && response.url().includes('.data'),
      )
      await button(page, press).click()
      expect((await answered).status()).toBeLessThan(500)
      await expect(page.getByText('We could not reach the server.')).toHaveCount(0)
    })
  }
})

test('too many who begin a way elsewhere at once read that, and not that the other side failed', async ({
  page,
  thunder,
}) => {
  await page.goto('/login/sso')
  await hydrated(page)
  await page.getByLabel('Work email').fill('somebody@example.com')
  await button(page, 'Continue').click()
  await expect(problem(page)).toContainText('No organization with this email address')
  await inDatabase(
    thunder,
    "update rate_limits set points = 600 where key like 'login-begin:%' or key like 'code-address:%'",
  )
  await button(page, 'Continue').click()
  await expect(problem(page)).toHaveText(/^Too many attempts\. Please try again in \d+ minutes\.$/)
  await page.goto('/login/with/google')
  await expect(page).toHaveURL(/\/login\?/)
  await expect(problem(page)).toHaveText(
    'There were too many attempts from here. Please wait a few minutes, then try again.',
  )
})

test.describe('bad input', () => {
  const long = 'x'.repeat(10_000)
  const odd = ['', '   ', long, '👾', '\u202Efdsa\u202C', '\0', '%00', '<b>']

  test('of any kind is answered with a sentence by every form', async ({ request }) => {
    const forms = [
      { path: '/login', fields: ['email', 'password', 'remember'] },
      { path: '/signup', fields: ['name', 'email', 'password', 'confirmPassword', 'terms'] },
      { path: '/forgot-password', fields: ['email'] },
      { path: '/reset-password?token=nonsense', fields: ['password', 'confirmPassword'] },
      { path: '/login/link', fields: ['email', 'token'] },
      { path: '/login/sso', fields: ['email'] },
      { path: '/login/two-step', fields: ['code', 'trust'] },
      { path: '/confirm-email', fields: ['email', 'token'] },
    ]
    for (const { path, fields } of forms) {
      for (const value of odd) {
        const form = Object.fromEntries(fields.map((field) => [field, value]))
        const answer = await request.post(path, { form, maxRedirects: 0 })
        const what = `${path} with ${JSON.stringify(value.slice(0, 9))}`
        expect(answer.status(), what).toBeLessThan(500)
        expect(await answer.text(), what).not.toContain('Something went wrong')
      }
      const noForm = await request.post(path, {
        data: '{"email":',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
        maxRedirects: 0,
      })
      expect(noForm.status(), path).toBeLessThan(500)
    }
  })

  test('in addresses is no trouble either', async ({ request }) => {
    for (const value of [...odd, '//evil.example', 'https://evil.example', 'a'.repeat(3000)]) {
      for (const path of [
        '/login?to=',
        '/login?error=',
        '/login/link?token=',
        '/login/two-step?to=',
        '/login/with/google?to=',
        '/confirm-email?token=',
        '/reset-password?token=',
        '/signup?to=',
      ]) {
        const answer = await request.get(path + encodeURIComponent(value), { maxRedirects: 0 })
        expect(answer.status(), path + value.slice(0, 9)).toBeLessThan(500)
        expect(answer.headers().location ?? '').not.toContain('://evil')
      }
    }
    expect((await request.get('/login/with/%00', { maxRedirects: 0 })).status()).toBeLessThan(500)
  })
})
