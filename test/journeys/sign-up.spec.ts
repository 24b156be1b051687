// Signing up: what the form says, how an address is confirmed, and when nobody may.
import { randomUUID } from 'node:crypto'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  hydrated,
  inDatabase,
  logInHere,
  newcomer,
  signUpHere,
  stopClock,
  test,
} from './journey.ts'
import { type BuiltServer, startBuiltServer } from './server.ts'
import {
  button,
  forgetAttempts,
  looksRight,
  mailedLink,
  main,
  problem,
  says,
  sessionCookie,
  stranger,
} from './signing-in.ts'

test.beforeAll(({ thunder }) => forgetAttempts(thunder))

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
    for (const label of ['Display Name', 'Email', 'Password', 'Confirm Password']) {
      await expect(page.getByLabel(label, { exact: true })).toHaveValue('')
    }
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
    // Cut without a word, it would not be the password that somebody knows.
    await signUpHere(page, { ...newcomer('Long Winded'), password: 'x'.repeat(129) })
    await says(page, 'Password can have at most 128 characters')
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

test.describe('addresses have to be confirmed', () => {
  let server: BuiltServer
  test.beforeAll(async () => {
    server = await startBuiltServer({ FFMPEG_PATH: 'off', EMAIL_CONFIRMATION: 'on' })
  })
  test.afterAll(() => server?.stop())

  test('sign up, be reminded, confirm, log in', async ({ browser }) => {
    const person = newcomer('Con Firm')
    const { context, page } = await stranger(browser, server)
    await page.goto('/signup?to=/help')
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
    await context.setOffline(true)
    await button(page, 'Resend the confirmation email').click()
    await expect(problem(page)).toHaveText(
      'We could not reach the server. Please check your connection and try again.',
    )
    await says(page, 'click the confirmation link to activate your account.')
    await expectNoAxeViolations(page)
    await context.setOffline(false)
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

    // What programs that look through mailboxes do with a link: nothing is confirmed by it.
    expect((await page.request.get(first)).status()).toBe(200)
    const early = await page.request.post('/auth/v1/sign-in/email', { data: person })
    expect(early.status()).toBe(403)
    await page.goto(first)
    await hydrated(page)
    await looksRight(page)
    await context.setOffline(true)
    await button(page, 'Confirm my email address').click()
    await expect(problem(page)).toHaveText(
      'We could not reach the server. Please check your connection and try again.',
    )
    await context.setOffline(false)
    await button(page, 'Confirm my email address').click()
    await says(page, 'Your email address is confirmed.')
    await hydrated(page)
    await looksRight(page)
    expect(await sessionCookie(context)).toBeUndefined()
    await page.reload()
    await says(page, 'Your email address is confirmed.')
    await main(page).getByRole('link', { name: 'Login' }).click()
    await expect(page).toHaveURL(/\/login/)
    await hydrated(page)
    await logInHere(page, person)
    // The page that was wanted before there was an account.
    await expect(page).toHaveURL('/help')
    await context.close()
  })

  test('without JavaScript, and with a link that is no good', async ({ browser }) => {
    const person = newcomer('Con Plain')
    const { context, page } = await stranger(browser, server, { javaScriptEnabled: false })
    await page.goto('/signup')
    await signUpHere(page, person)
    await says(page, 'click the confirmation link to activate your account.')
    await button(page, 'Resend the confirmation email').click()
    await expect(page).toHaveURL('/confirm-email?to=%2Fdashboard')
    await says(page, 'another link is on its way')
    await page.goto('/confirm-email?token=e30.e30.e30')
    await button(page, 'Confirm my email address').click()
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
    await button(page, 'Confirm my email address').click()
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
    await button(page, 'Confirm my email address').click()
    await says(page, 'Your email address is confirmed.')
    await page.goto('/login')
    await hydrated(page)
    await logInHere(page, person)
    await expect(page).toHaveURL('/dashboard')
    const asked = await page.request.post('/auth/v1/change-email', { data: { newEmail } })
    expect(asked.status()).toBe(200)
    const allow = 'Allow a new email address for your account'
    await page.goto(await mailedLink(server, page.request, person.email, allow))
    await hydrated(page)
    await looksRight(page)
    await button(page, 'Allow the change').click()
    await says(page, 'Now confirm it from the new mailbox.')
    await hydrated(page)
    await looksRight(page)
    const confirm = await mailedLink(server, page.request, newEmail, 'Confirm your email address')
    await page.goto(confirm)
    await hydrated(page)
    await button(page, 'Confirm my email address').click()
    await says(page, 'Your new email address is confirmed.')
    await hydrated(page)
    await looksRight(page)
    await page.request.post('/logout', { form: {} })
    await page.goto('/login')
    await hydrated(page)
    await logInHere(page, { ...person, email: newEmail })
    await expect(page).toHaveURL('/dashboard')
    await page.goto(confirm)
    await hydrated(page)
    await button(page, 'Confirm my email address').click()
    await expect(problem(page)).toContainText('This link does not work any more')
    await looksRight(page)
    // Another one cannot be sent from here: the wish for another address is told anew.
    await expect(main(page).getByRole('textbox')).toHaveCount(0)
    await main(page).getByRole('link', { name: 'Go to your settings' }).click()
    await expect(page).toHaveURL('/settings#security')
    await context.close()
  })

  test('a program that looks through the old mailbox allows no change, and moves nobody to the new address', async ({
    browser,
  }) => {
    const person = newcomer('Sca Nned')
    const newEmail = `${randomUUID()}@example.com`
    const { context, page } = await stranger(browser, server)
    await page.request.post('/auth/v1/sign-up/email', { data: person })
    await inDatabase(server, 'update users set email_verified = true where email = $1', [
      person.email,
    ])
    await page.request.post('/auth/v1/sign-in/email', { data: person })
    await page.request.post('/auth/v1/change-email', { data: { newEmail } })
    const allow = 'Allow a new email address for your account'
    const link = await mailedLink(server, page.request, person.email, allow)
    expect((await page.request.get(link)).status()).toBe(200)
    await page.goto(link)
    await expect(button(page, 'Allow the change')).toBeVisible()
    // The link to the new mailbox is sent by the press that allows it, so it would be here by now.
    await page.request.post('/auth/v1/request-password-reset', { data: { email: person.email } })
    await mailedLink(server, page.request, person.email, 'Reset your password')
    const mails = await (await page.request.get(`${server.url}/outbox/mails.json`)).json()
    expect(mails.filter((mail: { to: string }) => mail.to === newEmail)).toEqual([])
    await context.close()
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
