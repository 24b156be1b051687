// Signing up, in and back in: every way that a person can take, what it says when it does not work.
import { randomUUID } from 'node:crypto'
import type { APIRequestContext, Browser, BrowserContext, Page } from '@playwright/test'
import { TOTP, URI } from 'otpauth'
import { Client } from 'pg'
import { runningPostgresUrl } from '../../src/server/postgres/embedded.ts'
import { type OidcProvider, startOidcProvider } from '../identity/oidc-provider.ts'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  lettersAreThere,
  logInHere,
  newcomer,
  type Newcomer,
  signedUp,
  signUpHere,
  somebodyElse,
  stopClock,
  test,
} from './journey.ts'
import { freePort } from './free-port.ts'
import { type BuiltServer, startBuiltServer } from './server.ts'

const main = (page: Page) => page.getByRole('main')
const problem = (page: Page) => main(page).getByRole('alert')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const says = (page: Page, words: string | RegExp) => expect(main(page)).toContainText(words)

/** Waits for this mail; answers the address of its link. */
async function mailedLink(
  server: BuiltServer,
  request: APIRequestContext,
  to: string,
  subject: string,
): Promise<string> {
  let link: string | undefined
  await expect
    .poll(async () => {
      const mails = (await (await request.get(`${server.url}/outbox/mails.json`)).json()) as {
        to: string
        subject: string
        text: string
      }[]
      const mail = mails.find((caught) => caught.to === to && caught.subject === subject)
      link = mail?.text.match(/https?:\/\/\S+\?token=\S+/)?.[0]
      return link
    })
    .toBeDefined()
  return link!
}

/** Somebody at a machine of their own, at the server of the journey or at another one. */
async function stranger(
  browser: Browser,
  server: BuiltServer,
  options: { javaScriptEnabled?: boolean } = {},
): Promise<{ context: BrowserContext; page: Page }> {
  return somebodyElse(browser, { baseURL: server.url, ...options })
}

const sessionCookie = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === 'thunder.session_token')

/** On a phone and in both themes. */
async function looksRight(page: Page) {
  await expectNoAxeViolations(page)
  const before = page.viewportSize()
  await page.setViewportSize({ width: 375, height: 812 })
  await expectNoSidewaysScrolling(page)
  if (before) await page.setViewportSize(before)
}

async function changeDatabase(server: BuiltServer, statement: string) {
  const connectionString = await runningPostgresUrl({ dataDir: server.dataDir })
  const database = new Client({ connectionString })
  await database.connect()
  await database.query(statement)
  await database.end()
}

// All journeys come from one address, which may sign up, guess and ask for mails only so often.
test.beforeAll(({ thunder }) => changeDatabase(thunder, 'delete from rate_limits'))

test.describe('signing up', () => {
  test('says so, in an empty form that cannot be sent again, and goes on by itself', async ({
    page,
    context,
  }) => {
    const complaints = complaintsOf(page)
    const person = newcomer('Nova Star')
    await page.clock.install()
    await page.goto('/signup?to=%2Fexplore%3Fcategory%3DTech')
    await hydrated(page)
    // The message stays for three seconds, and looking at it may take longer.
    await stopClock(page)
    await signUpHere(page, person)
    await says(page, 'Account created successfully!')
    await says(page, 'You are logged in.')
    expect(await sessionCookie(context)).toBeDefined()
    await expect(button(page, 'Account created!')).toBeDisabled()
    for (const label of ['Display Name', 'Email', 'Confirm Password']) {
      await expect(page.getByLabel(label)).toHaveValue('')
    }
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
    // Who reads with a screen reader or a keyboard is where the message is.
    await expect(page.locator(':focus')).toContainText('Account created successfully!')
    await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
    await page.clock.runFor(3000)
    await expect(page).toHaveURL('/explore?category=Tech')
    expect(complaints).toEqual([])
  })

  test('the message looks right, and its link goes on at once', async ({ page }) => {
    // The look takes longer than the message stays.
    await page.addInitScript(() => {
      const { setTimeout: later } = window
      const patient = (run: () => void, milliseconds?: number) =>
        milliseconds === 3000 ? 0 : later(run, milliseconds)
      window.setTimeout = patient as typeof setTimeout
    })
    await page.goto('/signup?to=%2Fabout')
    await hydrated(page)
    await looksRight(page)
    await signUpHere(page, newcomer('Stella Still'))
    await says(page, 'Account created successfully!')
    await expectNoAxeViolations(page)
    await page.getByRole('link', { name: 'Continue' }).click()
    await expect(page).toHaveURL('/about')
  })

  test('without an answer nothing says success, and what was typed stays', async ({ page }) => {
    await page.route(/\/(signup|login)\.data/, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    const person = newcomer('No Answer')
    await page.goto('/signup')
    await hydrated(page)
    await signUpHere(page, person)
    await says(page, 'Failed to create account. Please try again.')
    await expect(page.getByText('Account created')).toHaveCount(0)
    await expect(page.getByLabel('Email')).toHaveValue(person.email)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue(person.password)
    await page.goto('/login')
    await hydrated(page)
    await logInHere(page, person)
    await says(page, 'Login failed. Please try again.')
    await expect(page.getByLabel('Email')).toHaveValue(person.email)
    await expectNoAxeViolations(page)
  })

  test('a password is looked at as it is typed; a common one is warned about, not refused', async ({
    page,
  }) => {
    await page.clock.install()
    await page.goto('/signup')
    await hydrated(page)
    const password = page.getByLabel('Password', { exact: true })
    await password.fill('Trustno1')
    await says(page, 'This is one of the most common passwords')
    await expect(main(page).getByRole('status').filter({ hasText: 'Weak' })).toBeVisible()
    await expectNoAxeViolations(page)
    await password.fill('blue-horses')
    await expect(main(page).getByRole('status').filter({ hasText: 'Fair' })).toBeVisible()
    await expect(page.getByText('This is one of the most common passwords')).toHaveCount(0)
    await password.fill('Blue horses 4 me')
    await expect(main(page).getByRole('status').filter({ hasText: 'Strong' })).toBeVisible()
    await stopClock(page)
    await signUpHere(page, { ...newcomer('Common Place'), password: '123456' })
    await says(page, 'Account created successfully!')
  })

  test('what is typed is trimmed and taken as it is meant', async ({ page }) => {
    const person = newcomer('Plus Sign')
    const email = `Plus+${randomUUID()}@Example.COM`
    const { length } = 'Ünï Çødé 👩‍🚀'
    expect(length).toBeLessThan(80)
    await page.goto('/signup')
    await hydrated(page)
    await signUpHere(page, {
      ...person,
      name: '  Ünï   Çødé 👩‍🚀 ',
      email: `  ${email} `,
      password: '  correct horse ',
    })
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Ünï Çødé 👩‍🚀')
    const me = await (await page.request.get('/rest/v1/me')).json()
    expect(me.email).toBe(email.toLowerCase())
    await page.request.post('/logout', { form: {} })
    await page.goto('/login')
    await hydrated(page)
    await logInHere(page, { email: email.toUpperCase(), password: ' correct horse' })
    await expect(page).toHaveURL('/dashboard')
  })

  test('without JavaScript the page says the same, and a link goes on', async ({
    browser,
    thunder,
  }) => {
    const { context, page } = await stranger(browser, thunder, { javaScriptEnabled: false })
    await page.goto('/signup?to=%2Fabout')
    await signUpHere(page, newcomer('Plain Page'))
    await says(page, 'Account created successfully!')
    await says(page, 'You are logged in.')
    await expect(page.getByText('opens by itself')).toHaveCount(0)
    await expect(button(page, 'Account created!')).toBeDisabled()
    await page.getByRole('link', { name: 'Continue' }).click()
    await expect(page).toHaveURL('/about')
    await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
    await context.close()
  })
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
      { path: '/confirm-email', fields: ['email'] },
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
})

test.describe('a forgotten password', () => {
  for (const javaScriptEnabled of [true, false]) {
    test(`is replaced by mail, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({
      page: own,
      browser,
      thunder,
    }) => {
      const person = await signedUp(own.request, 'For Getful')
      const { context, page } = await stranger(browser, thunder, { javaScriptEnabled })
      const ready = async () => (javaScriptEnabled ? hydrated(page) : undefined)
      const form = { password: 'a new horse', confirm: 'a new horse' }
      const choose = async (fields = form) => {
        await page.getByLabel('New password', { exact: true }).fill(fields.password)
        await page.getByLabel('Confirm new password').fill(fields.confirm)
        await button(page, 'Save the new password').click()
      }

      await page.goto('/login')
      await page.getByRole('link', { name: 'Forgot your password?' }).click()
      await expect(page).toHaveURL('/forgot-password')
      await ready()
      if (javaScriptEnabled) await looksRight(page)
      await button(page, 'Send the link').click()
      await expect(problem(page)).toHaveText('Email address is required')
      const answers: string[] = []
      for (const email of [`${randomUUID()}@example.com`, person.email]) {
        await page.getByLabel('Email').fill(email)
        await page.getByRole('button', { name: /^Send/ }).click()
        const answer = main(page).getByRole('status').filter({ hasText: email })
        await expect(answer).toBeVisible()
        answers.push((await answer.textContent())!.replace(email, ''))
      }
      expect(answers[0]).toBe(answers[1])

      const link = await mailedLink(thunder, own.request, person.email, 'Reset your password')
      await page.goto(link)
      await ready()
      if (javaScriptEnabled) await looksRight(page)
      await choose({ password: '', confirm: '' })
      await expect(problem(page)).toHaveText('Password is required')
      await choose({ password: 'short', confirm: '' })
      await expect(problem(page)).toHaveText('Password must be at least 6 characters long')
      await choose({ password: 'a new horse', confirm: '' })
      await expect(problem(page)).toHaveText('Please confirm your password')
      await choose({ password: 'a new horse', confirm: 'another horse' })
      await expect(problem(page)).toHaveText('Passwords do not match')
      await choose()
      await says(page, 'Your password was changed.')
      await ready()
      if (javaScriptEnabled) await expectNoAxeViolations(page)
      await logInHere(page, person)
      await expect(problem(page)).toContainText('Invalid email or password.')
      await logInHere(page, { ...person, password: 'a new horse' })
      await expect(page).toHaveURL('/dashboard')
      // The reset ended the session in the other browser.
      await own.goto('/dashboard')
      await expect(own).toHaveURL('/login?to=%2Fdashboard')

      await page.goto(link)
      await ready()
      await choose()
      await expect(problem(page)).toContainText('This link does not work any more')
      if (javaScriptEnabled) await expectNoAxeViolations(page)
      await page.getByRole('link', { name: 'Ask for another link' }).click()
      await expect(page).toHaveURL('/forgot-password')
      await context.close()
    })
  }

  test('a link without its token says so at once', async ({ page }) => {
    await page.goto('/reset-password')
    await expect(problem(page)).toContainText('This link does not work any more')
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
    await expect(page.locator('meta[name=referrer]')).toHaveAttribute('content', 'same-origin')
  })
})

test.describe('a link by mail', () => {
  for (const javaScriptEnabled of [true, false]) {
    test(`logs in once, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({
      page: own,
      browser,
      thunder,
    }) => {
      const person = await signedUp(own.request, 'Linka Logger')
      const { context, page } = await stranger(browser, thunder, { javaScriptEnabled })
      const ready = async () => (javaScriptEnabled ? hydrated(page) : undefined)
      await page.goto('/login?to=%2Fcourse%2Fthunder-bootcamp%2Fdashboard%3Ftab%3Dabout')
      await page.getByRole('link', { name: 'Email me a link' }).click()
      await expect(page).toHaveURL(/\/login\/link\?to=/)
      await ready()
      if (javaScriptEnabled) await looksRight(page)
      await button(page, 'Send the link').click()
      await expect(problem(page)).toHaveText('Email address is required')
      await page.getByLabel('Email').fill(person.email)
      await button(page, 'Send the link').click()
      await says(page, 'Please check your email.')
      if (javaScriptEnabled) await expectNoAxeViolations(page)

      const link = await mailedLink(
        thunder,
        own.request,
        person.email,
        'Your log-in link for Thunder',
      )
      // What looks through a mailbox opens links, and presses nothing.
      expect((await own.request.get(link)).status()).toBe(200)
      await page.goto(link)
      await ready()
      if (javaScriptEnabled) await looksRight(page)
      await button(page, 'Log in').click()
      await expect(page).toHaveURL('/course/thunder-bootcamp/dashboard?tab=about')
      expect(await sessionCookie(context)).toBeDefined()

      await page.request.post('/logout', { form: {} })
      await page.goto(link)
      await ready()
      await button(page, 'Log in').click()
      await expect(problem(page)).toContainText('This link does not work any more')
      await expect(page.getByLabel('Email')).toBeVisible()
      await context.close()
    })
  }

  test('an unknown address is answered the same', async ({ page, thunder }) => {
    const email = `${randomUUID()}@example.com`
    await page.goto('/login/link')
    await hydrated(page)
    await page.getByLabel('Email').fill(email)
    await button(page, 'Send the link').click()
    await says(page, `We have sent a link to ${email}, if mail reaches you there.`)
    // And as it works for newcomers too, the sentence is true.
    const link = await mailedLink(thunder, page.request, email, 'Your log-in link for Thunder')
    await page.goto(link)
    await hydrated(page)
    await button(page, 'Log in').click()
    await expect(page).toHaveURL('/dashboard')
  })

  test('so many and no more', async ({ page }) => {
    await page.goto('/forgot-password')
    await hydrated(page)
    await page.getByLabel('Email').fill(`${randomUUID()}@example.com`)
    for (let times = 0; times < 5; times++) {
      const answered = page.waitForResponse(/\/forgot-password\.data/)
      await page.getByRole('button', { name: /^Send/ }).click()
      await answered
      await expect(page.getByRole('button', { name: /^Send/ })).not.toHaveAttribute('aria-busy')
    }
    await page.getByRole('button', { name: /^Send/ }).click()
    await expect(problem(page)).toHaveText(/^Too many attempts\. Please try again in \d+ minutes/)
  })
})

test.describe('a passkey', () => {
  /** A device of this browser that knows its owner and answers by itself. */
  async function deviceOf(page: Page) {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return {
      forget: () => devtools.send('WebAuthn.clearCredentials', { authenticatorId }),
      knowsOwner: (isUserVerified: boolean) =>
        devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    }
  }

  async function registerPasskey(page: Page) {
    const status = await page.evaluate(async () => {
      const options = await fetch('/auth/v1/passkey/generate-register-options')
      const credential = await navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(await options.json()),
      })
      const answer = await fetch('/auth/v1/passkey/verify-registration', {
        method: 'POST',
        body: JSON.stringify({ response: (credential as PublicKeyCredential).toJSON() }),
      })
      return answer.status
    })
    expect(status).toBe(200)
    await page.request.post('/logout', { form: {} })
  }

  test('logs in, by its button and by what the browser suggests', async ({ page }) => {
    const complaints = complaintsOf(page)
    await signedUp(page.request, 'Pass Key')
    await page.goto('/about')
    const device = await deviceOf(page)
    await registerPasskey(page)

    await page.goto('/login?to=%2Fterms')
    await hydrated(page)
    await button(page, 'Log in with a passkey').click()
    await expect(page).toHaveURL('/terms')
    await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
    const session = await (await page.request.get('/auth/v1/get-session')).json()
    expect(session.session.aal).toBe('aal2')

    await page.request.post('/logout', { form: {} })
    await page.goto('/login?to=%2Fprivacy')
    await hydrated(page)
    await page.getByLabel('Email').focus()
    await expect(page).toHaveURL('/privacy')
    await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()

    await page.request.post('/logout', { form: {} })
    await device.forget()
    await page.goto('/login')
    await hydrated(page)
    await button(page, 'Log in with a passkey').click()
    await expect(problem(page)).toHaveText(
      'No passkey was used. Please try again, or log in another way.',
    )
    await expectNoAxeViolations(page)
    await expect(button(page, 'Log in with a passkey')).toBeVisible()
    expect(complaints).toEqual([])
  })

  test('that was removed, or is used without the network, says why', async ({ page, thunder }) => {
    await signedUp(page.request, 'Lost Key')
    await page.goto('/about')
    await deviceOf(page)
    await registerPasskey(page)
    await page.goto('/login')
    await hydrated(page)
    const press = button(page, 'Log in with a passkey')
    await page.route('**/auth/v1/passkey/**', (route) => route.abort())
    await press.click()
    await expect(problem(page)).toContainText('We could not reach the server.')
    await page.unroute('**/auth/v1/passkey/**')
    await page.route('**/passkey/verify-authentication', (route) => {
      const sent = route.request().postDataJSON()
      sent.response.id = sent.response.rawId = Buffer.from('another passkey').toString('base64url')
      return route.continue({ postData: JSON.stringify(sent) })
    })
    await press.click()
    await expect(problem(page)).toHaveText(
      'This passkey is not known here. It may have been removed from your account.',
    )
    await page.unroute('**/passkey/verify-authentication')
    await press.click()
    await expect(page).toHaveURL(`${thunder.url}/dashboard`)
  })
})

test.describe('two steps', () => {
  interface TwoStepPerson extends Newcomer {
    /** The code that the app shows in so many periods of 30 seconds; each one counts once. */
    code(periods: number): string
    backupCodes: string[]
  }

  async function withTwoSteps(request: APIRequestContext, name: string): Promise<TwoStepPerson> {
    const person = await signedUp(request, name)
    const enabled = await request.post('/auth/v1/two-factor/enable', {
      data: { password: person.password },
    })
    expect(enabled.status()).toBe(200)
    const { totpURI, backupCodes } = await enabled.json()
    const totp = URI.parse(totpURI) as TOTP
    const code = (periods: number) => totp.generate({ timestamp: Date.now() + periods * 30_000 })
    const verified = await request.post('/auth/v1/two-factor/verify-totp', {
      data: { code: code(0) },
    })
    expect(verified.status()).toBe(200)
    return { ...person, code, backupCodes }
  }

  test('an app’s code, and on a trusted device none', async ({ page: own, browser, thunder }) => {
    const person = await withTwoSteps(own.request, 'Two Step')
    const { context, page } = await stranger(browser, thunder)
    await page.goto('/login?to=%2Fexplore%3Fsearch%3Dthunder')
    await hydrated(page)
    await logInHere(page, person)
    await expect(page).toHaveURL(/\/login\/two-step\?to=/)
    expect(await sessionCookie(context)).toBeUndefined()
    await hydrated(page)
    await looksRight(page)
    const code = page.getByLabel('6-digit code')
    await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
    await expect(code).toHaveAttribute('inputmode', 'numeric')
    await button(page, 'Verify').click()
    await expect(problem(page)).toHaveText('Code is required')
    await code.fill('12345')
    await button(page, 'Verify').click()
    await expect(problem(page)).toHaveText('The code has 6 digits')
    await code.fill(person.code(1) === '000000' ? '000001' : '000000')
    await button(page, 'Verify').click()
    await expect(problem(page)).toContainText('Invalid code.')
    await expectNoAxeViolations(page)
    // Apps show it in two groups.
    await code.fill(person.code(1).replace(/^.../, '$& '))
    await page.getByRole('checkbox', { name: 'Trust this device for 30 days' }).check()
    await button(page, 'Verify').click()
    await expect(page).toHaveURL('/explore?search=thunder')

    await page.request.post('/logout', { form: {} })
    await page.goto('/login')
    await hydrated(page)
    await logInHere(page, person)
    await expect(page).toHaveURL('/dashboard')
    await context.close()
  })

  test('a backup code, without JavaScript', async ({ page: own, browser, thunder }) => {
    const person = await withTwoSteps(own.request, 'Backup Coder')
    const { context, page } = await stranger(browser, thunder, { javaScriptEnabled: false })
    for (const expected of ['logged in', 'used already']) {
      await page.goto('/login?to=%2Fabout')
      await logInHere(page, person)
      await page.getByRole('link', { name: 'Use a backup code instead' }).click()
      await page.getByLabel('Backup code').fill(person.backupCodes[0]!)
      await button(page, 'Verify').click()
      if (expected === 'logged in') {
        await expect(page).toHaveURL('/about')
        await page.request.post('/logout', { form: {} })
      } else {
        await expect(problem(page)).toHaveText(
          'Invalid backup code. Please check it; each one works once.',
        )
        await page.getByRole('link', { name: 'Use the authenticator app instead' }).click()
        await page.getByLabel('6-digit code').fill(person.code(1))
        await button(page, 'Verify').click()
        await expect(page).toHaveURL('/about')
      }
    }
    await context.close()
  })

  test('also after a mailed link; a log-in that took too long starts anew', async ({
    page: own,
    browser,
    thunder,
  }) => {
    const person = await withTwoSteps(own.request, 'Link And Step')
    const { context, page } = await stranger(browser, thunder)
    await page.request.post('/login/link?to=%2Fterms', { form: { email: person.email } })
    await page.goto(
      await mailedLink(thunder, own.request, person.email, 'Your log-in link for Thunder'),
    )
    await hydrated(page)
    await button(page, 'Log in').click()
    await expect(page).toHaveURL('/login/two-step?to=%2Fterms')
    expect(await sessionCookie(context)).toBeUndefined()
    await hydrated(page)
    await context.clearCookies({ name: 'thunder.two_factor' })
    await page.getByLabel('6-digit code').fill(person.code(1))
    await button(page, 'Verify').click()
    await expect(page).toHaveURL(/\/login\?error=two-step-ended&to=%2Fterms$/)
    await expect(problem(page)).toContainText('Please log in again.')
    await page.goto('/login/two-step')
    await expect(page).toHaveURL(/\/login\?error=two-step-ended/)
    await context.close()
  })

  test('five wrong codes, and the log-in starts anew', async ({ page: own, browser, thunder }) => {
    const person = await withTwoSteps(own.request, 'Guess Work')
    const { context, page } = await stranger(browser, thunder)
    await page.goto('/login')
    await hydrated(page)
    await logInHere(page, person)
    await expect(page).toHaveURL(/\/login\/two-step/)
    await hydrated(page)
    const wrong = ['000000', '111111', '222222', '333333', '444444', '555555']
    for (const guess of wrong) {
      await page.getByLabel('6-digit code').fill(guess)
      const answered = page.waitForResponse(/\/login\/two-step\.data/)
      await button(page, 'Verify').click()
      await answered
    }
    await expect(page).toHaveURL(/\/login\?error=two-step-ended/)
    await expect(problem(page)).toContainText('too many wrong codes')
    await context.close()
  })
})

test.describe('addresses have to be confirmed', () => {
  let server: BuiltServer
  let provider: OidcProvider
  test.beforeAll(async () => {
    const port = await freePort()
    provider = await startOidcProvider({
      redirectUris: ['callback/oidc', 'sso/callback/acme'].map(
        (path) => `http://localhost:${port}/auth/v1/${path}`,
      ),
      clientAuthentication: 'client_secret_post',
    })
    server = await startBuiltServer({
      FFMPEG_PATH: 'off',
      PORT: String(port),
      EMAIL_CONFIRMATION: 'on',
      OIDC_NAME: 'Example ID',
      OIDC_DISCOVERY_URL: provider.discoveryUrl,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
      SSO_TRUSTED_ORIGINS: provider.issuer,
    })
  })
  test.afterAll(async () => {
    await server?.stop()
    await provider?.stop()
  })

  test('sign up, be reminded, confirm, log in', async ({ browser }) => {
    const person = newcomer('Con Firm')
    const { context, page } = await stranger(browser, server)
    await page.goto('/signup')
    await hydrated(page)
    await signUpHere(page, person)
    await says(page, 'Account created successfully!')
    await says(
      page,
      'Please check your email and click the confirmation link to activate your account.',
    )
    await expect(button(page, 'Account created!')).toBeDisabled()
    expect(await sessionCookie(context)).toBeUndefined()
    await looksRight(page)
    const first = await mailedLink(server, page.request, person.email, 'Confirm your email address')
    await button(page, 'Resend the confirmation email').click()
    await expect(button(page, 'Sent')).toBeDisabled()
    await says(page, 'another link is on its way')

    await page.goto('/login')
    await hydrated(page)
    await logInHere(page, { ...person, password: 'wrong horse' })
    await expect(problem(page)).toContainText('Invalid email or password.')
    await expect(button(page, 'Resend the confirmation email')).toHaveCount(0)
    await logInHere(page, person)
    await expect(problem(page)).toHaveText(
      'Please check your email and click the confirmation link before signing in.',
    )
    await expectNoAxeViolations(page)
    await button(page, 'Resend the confirmation email').click()
    await expect(button(page, 'Sent')).toBeVisible()

    await page.goto(first)
    await says(page, 'Your email address is confirmed.')
    await hydrated(page)
    await looksRight(page)
    expect(await sessionCookie(context)).toBeUndefined()
    await main(page).getByRole('link', { name: 'Login' }).click()
    await expect(page).toHaveURL(/\/login/)
    await hydrated(page)
    await logInHere(page, person)
    await expect(page).toHaveURL('/dashboard')
    await context.close()
  })

  test('without JavaScript, and with a link that is no good', async ({ browser }) => {
    const person = newcomer('Con Plain')
    const { context, page } = await stranger(browser, server, { javaScriptEnabled: false })
    await page.goto('/signup')
    await signUpHere(page, person)
    await says(page, 'click the confirmation link to activate your account.')
    await button(page, 'Resend the confirmation email').click()
    await expect(page).toHaveURL('/confirm-email')
    await says(page, 'another link is on its way')
    await page.goto('/confirm-email?token=e30.e30.e30')
    await expect(problem(page)).toContainText('This link does not work any more')
    await page.getByLabel('Email').fill('not an address')
    await button(page, 'Send another link').click()
    await expect(problem(page)).toHaveText('Please enter a valid email address')
    await page.getByLabel('Email').fill(`${randomUUID()}@example.com`)
    await button(page, 'Send another link').click()
    await says(page, 'another link is on its way')
    await page.goto(
      await mailedLink(server, page.request, person.email, 'Confirm your email address'),
    )
    await says(page, 'Your email address is confirmed.')
    await context.close()
  })

  test('a changed address is allowed from the old mailbox and confirmed from the new', async ({
    browser,
  }) => {
    const person = newcomer('Chan Ged')
    const newEmail = `${randomUUID()}@example.com`
    const { context, page } = await stranger(browser, server)
    await page.request.post('/auth/v1/sign-up/email', { data: person })
    await page.goto(
      await mailedLink(server, page.request, person.email, 'Confirm your email address'),
    )
    await says(page, 'Your email address is confirmed.')
    await page.goto('/login')
    await hydrated(page)
    await logInHere(page, person)
    await expect(page).toHaveURL('/dashboard')
    const asked = await page.request.post('/auth/v1/change-email', { data: { newEmail } })
    expect(asked.status()).toBe(200)
    const allow = 'Allow a new email address for your account'
    await page.goto(await mailedLink(server, page.request, person.email, allow))
    await says(page, 'Now confirm it from the new mailbox.')
    await hydrated(page)
    await looksRight(page)
    const confirm = await mailedLink(server, page.request, newEmail, 'Confirm your email address')
    await page.goto(confirm)
    await says(page, 'Your new email address is confirmed.')
    await hydrated(page)
    await looksRight(page)
    await page.request.post('/logout', { form: {} })
    await page.goto('/login')
    await hydrated(page)
    await logInHere(page, { ...person, email: newEmail })
    await expect(page).toHaveURL('/dashboard')
    await page.goto(confirm)
    await expect(problem(page)).toContainText('This link does not work any more')
    await context.close()
  })

  for (const javaScriptEnabled of [true, false]) {
    test(`another service, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({
      browser,
    }) => {
      const { context, page } = await stranger(browser, server, { javaScriptEnabled })
      await page.goto('/login?to=%2Fexplore%3Fsearch%3Da%2520b')
      if (javaScriptEnabled) {
        await hydrated(page)
        await looksRight(page)
      }
      provider.person = null
      await page.getByRole('link', { name: 'Continue with Example ID' }).click()
      await expect(problem(page)).toHaveText('The log-in was cancelled at the other service.')
      const sub = randomUUID()
      const email = `${sub}@example.com`
      provider.person = { sub, email, email_verified: true, name: 'Out Side' }
      await page.getByRole('link', { name: 'Continue with Example ID' }).click()
      await expect(page).toHaveURL('/explore?search=a%20b')
      await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
      await context.close()
    })
  }

  /** An administrator of the server lets an organisation log in with its own accounts. */
  async function registerOrganisation(request: APIRequestContext) {
    const admin = newcomer('Ad Min')
    await request.post('/auth/v1/sign-up/email', { data: admin })
    await changeDatabase(
      server,
      `update users set role = 'admin', email_verified = true where email = '${admin.email}'`,
    )
    expect((await request.post('/auth/v1/sign-in/email', { data: admin })).status()).toBe(200)
    const registered = await request.post('/auth/v1/sso/register', {
      data: {
        providerId: 'acme',
        issuer: provider.issuer,
        domain: 'acme.example',
        oidcConfig: {
          clientId: provider.clientId,
          clientSecret: provider.clientSecret,
          tokenEndpointAuthentication: 'client_secret_post',
        },
      },
    })
    expect(registered.status(), await registered.text()).toBe(200)
  }

  test('the log-in of an organisation, with JavaScript and without', async ({ browser }) => {
    const admin = await stranger(browser, server)
    await registerOrganisation(admin.context.request)
    await admin.context.close()
    for (const javaScriptEnabled of [true, false]) {
      const { context, page } = await stranger(browser, server, { javaScriptEnabled })
      const sub = randomUUID()
      const email = `${sub}@acme.example`
      provider.person = { sub, email, email_verified: true, name: 'Em Ployee' }
      await page.goto('/login?to=%2Fterms')
      await page.getByRole('link', { name: 'Log in with SSO' }).click()
      await expect(page).toHaveURL('/login/sso?to=%2Fterms')
      if (javaScriptEnabled) {
        await hydrated(page)
        await looksRight(page)
      }
      await page.getByLabel('Work email').fill('somebody@elsewhere.example')
      await button(page, 'Continue').click()
      await expect(problem(page)).toHaveText(
        'No organization with this email address logs in here. Is it your work email?',
      )
      await page.getByLabel('Work email').fill(email)
      await button(page, 'Continue').click()
      if (!javaScriptEnabled)
        await page.getByRole('link', { name: 'Continue to 127.0.0.1' }).click()
      await expect(page).toHaveURL('/terms')
      await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
      await context.close()
    }
  })
})

test.describe('sign-up is closed', () => {
  let server: BuiltServer
  test.beforeAll(async () => {
    server = await startBuiltServer({ SIGNUP: 'closed', FFMPEG_PATH: 'off' })
  })
  test.afterAll(() => server?.stop())

  test('the page says so and has no form; the calls refuse', async ({ browser }) => {
    const words = 'Account creation is currently restricted. Please contact support.'
    const { context, page } = await stranger(browser, server)
    await page.goto('/signup')
    await says(page, words)
    await hydrated(page)
    await looksRight(page)
    await expect(main(page).getByRole('textbox')).toHaveCount(0)
    const person = newcomer('Shut Out')
    const call = await page.request.post('/auth/v1/sign-up/email', { data: person })
    expect([call.status(), (await call.json()).message]).toEqual([403, words])
    const sent = await page.request.post('/signup', {
      form: { ...person, confirmPassword: person.password, terms: 'on' },
    })
    expect(sent.status()).toBe(403)
    // A link for an address without an account is asked for, and leads to the same words.
    await page.goto('/login/link')
    await hydrated(page)
    await page.getByLabel('Email').fill(person.email)
    await button(page, 'Send the link').click()
    await page.goto(
      await mailedLink(server, page.request, person.email, 'Your log-in link for Thunder'),
    )
    await hydrated(page)
    await button(page, 'Log in').click()
    await expect(problem(page)).toHaveText(words)
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
