// Getting in with what one has at hand: a passkey, and a code as the second step.
import type { APIRequestContext, Page } from '@playwright/test'
import { TOTP, URI } from 'otpauth'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  hydrated,
  logInHere,
  type Newcomer,
  signedUp,
  test,
} from './journey.ts'
import {
  button,
  forgetAttempts,
  looksRight,
  mailedLink,
  problem,
  sessionCookie,
  stranger,
} from './signing-in.ts'

test.beforeAll(({ thunder }) => forgetAttempts(thunder))

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

  const expiryOf = async (page: Page) => (await sessionCookie(page.context()))?.expires

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
    // 'Remember me' was not ticked: with the browser it is over.
    expect(await expiryOf(page)).toBe(-1)

    await page.request.post('/logout', { form: {} })
    await page.goto('/login?to=%2Fprivacy')
    await hydrated(page)
    await page.getByRole('checkbox', { name: 'Remember me' }).check()
    await page.getByLabel('Email').focus()
    await expect(page).toHaveURL('/privacy')
    await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
    expect(await expiryOf(page)).toBeGreaterThan(Date.now() / 1000 + 29 * 86_400)

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
