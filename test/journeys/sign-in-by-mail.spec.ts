// Getting in by mail: another password for a forgotten one, and a link that logs in.
import { randomUUID } from 'node:crypto'
import { expect, expectNoAxeViolations, hydrated, logInHere, signedUp, test } from './journey.ts'
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
        await page.getByLabel('Confirm new password', { exact: true }).fill(fields.confirm)
        await button(page, 'Save the new password').click()
      }

      await page.goto('/login?to=/help')
      await page.getByRole('link', { name: 'Forgot your password?' }).click()
      await expect(page).toHaveURL('/forgot-password?to=%2Fhelp')
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
      // The page that was wanted before.
      await expect(page).toHaveURL('/help')
      // The reset ended the session in the other browser.
      await own.goto('/dashboard')
      await expect(own).toHaveURL('/login?to=%2Fdashboard')

      await page.goto(link)
      await ready()
      await choose()
      await expect(problem(page)).toContainText('This link does not work any more')
      if (javaScriptEnabled) await expectNoAxeViolations(page)
      await page.getByRole('link', { name: 'Ask for another link' }).click()
      await expect(page).toHaveURL('/forgot-password?to=%2Fhelp')
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
