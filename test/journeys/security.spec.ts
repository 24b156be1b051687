// Account & Security: what protects an account, and where it is open.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { Client } from 'pg'
import { runningPostgresUrl } from '../../src/server/postgres/embedded.ts'
import { type OidcProvider, startOidcProvider } from '../identity/oidc-provider.ts'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  goOffline,
  hydrated,
  logInHere,
  type Newcomer,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'
import { freePort } from './free-port.ts'
import { loseAnswer } from './lose-answer.ts'
import { type BuiltServer, startBuiltServer } from './server.ts'

const tab = '/settings#security'
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const said = (page: Page, words: string) => expect(page.getByText(words).first()).toBeVisible()

/** Signed up, on the tab. */
async function onTheTab(page: Page, name: string): Promise<Newcomer> {
  const person = await signedUp(page.request, name)
  await page.goto(tab)
  await hydrated(page)
  return person
}

/** The same person at another device. */
async function atAnotherDevice(browser: Browser, thunder: BuiltServer, person: Newcomer) {
  const device = await somebodyElse(browser, {
    baseURL: thunder.url,
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
  })
  await device.page.goto('/login?to=/dashboard')
  await hydrated(device.page)
  await logInHere(device.page, person)
  await device.page.waitForURL((url) => url.pathname === '/dashboard')
  return device
}

const isAskedToLogIn = async (page: Page) => {
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login\?to=/)
}

/** Says something to the journey's own database. */
async function inDatabase(thunder: BuiltServer, statement: string, values: unknown[]) {
  const database = new Client({
    connectionString: await runningPostgresUrl({ dataDir: thunder.dataDir }),
  })
  await database.connect()
  await database.query(statement, values)
  await database.end()
}

const ofPerson = 'user_id = (select id from users where email = $1)'

/** The address in the newest mail with this subject. */
async function mailedLink(page: Page, to: string, subject: string): Promise<string> {
  let link: string | undefined
  await expect
    .poll(async () => {
      const caught = await page.request.get('/outbox/mails.json')
      const mails = (await caught.json()) as { to: string; subject: string; text: string }[]
      const mail = mails.find((one) => one.to === to && one.subject === subject)
      link = mail?.text.match(/https?:\/\/\S+\?token=\S+/)?.[0]
      return link
    })
    .toBeDefined()
  return link!
}

async function expectFitsPhones(page: Page) {
  await page.setViewportSize({ width: 375, height: 812 })
  await expectNoSidewaysScrolling(page)
  await page.setViewportSize({ width: 1280, height: 800 })
}

test.describe('changing the password', () => {
  const fields = ['Current Password', 'New Password', 'Confirm New Password'] as const
  const tooShort = 'New password must be at least 6 characters long'
  const notCorrect = 'The current password is not correct. Please try again.'
  const fill = async (page: Page, current: string, next: string, confirm = next) => {
    for (const [index, text] of [current, next, confirm].entries()) {
      await page.getByLabel(fields[index]!, { exact: true }).fill(text)
    }
  }

  test('keeps this device and logs every other one out', async ({ page, browser, thunder }) => {
    const complaints = complaintsOf(page)
    const person = await onTheTab(page, 'Petra Password')
    const other = await atAnotherDevice(browser, thunder, person)
    const submit = button(page, 'Change Password')
    const next = 'battery staple'
    let latest = next

    await test.step('each of the three can be looked at, by a button of its own', async () => {
      for (const field of fields) {
        await button(page, `Show password: ${field}`).click()
        await expect(page.getByLabel(field, { exact: true })).toHaveAttribute('type', 'text')
      }
      await expect(page.getByRole('button', { name: 'Show password' })).toHaveCount(0)
    })

    await test.step('it cannot be sent before all three are there', async () => {
      await expect(submit).toBeDisabled()
      await fill(page, person.password, next, '')
      await expect(submit).toBeDisabled()
    })

    await test.step('without a connection that is said, and what was typed stays', async () => {
      await fill(page, person.password, next)
      await goOffline(page, '/settings/password')
      await submit.click()
      await expect(page.getByRole('main').getByRole('alert')).toHaveText(
        'Failed to change password',
      )
      await expect(page.getByLabel(fields[1], { exact: true })).toHaveValue(next)
      await page.context().setOffline(false)
    })

    await test.step('what is wrong is said, and gone with the next letter', async () => {
      const trouble = page.getByRole('main').getByRole('alert')
      for (const [current, first, second, words, field] of [
        [person.password, 'one thing', 'another', 'New passwords do not match', fields[2]],
        [person.password, '12345', '12345', tooShort, fields[1]],
        ['not the one', next, next, notCorrect, fields[0]],
      ] as const) {
        await fill(page, current, first, second)
        await submit.click()
        await expect(trouble).toHaveText(words)
        await page.getByLabel(field, { exact: true }).press('End')
        await page.keyboard.type('x')
        await expect(trouble).toBeHidden()
      }
    })

    await test.step('then it is changed', async () => {
      await fill(page, person.password, next)
      await page.keyboard.press('Enter')
      await said(page, 'Password changed successfully!')
      for (const name of fields)
        await expect(page.getByLabel(name, { exact: true })).toHaveValue('')
      await expect(submit).toBeDisabled()
      await expectNoAxeViolations(page)
      await expectFitsPhones(page)
      await expect(part(page, 'Active sessions').getByRole('listitem')).toHaveCount(1)
    })

    await test.step('that it is changed is said until something is typed, wherever', async () => {
      for (const [index, name] of fields.entries()) {
        const after = `${next} ${index}`
        await fill(page, latest, after)
        await submit.click()
        const success = page.getByRole('main').getByText('Password changed successfully!')
        await expect(success).toBeVisible()
        await page.getByLabel(name, { exact: true }).fill('x')
        await expect(success).toHaveCount(0)
        latest = after
      }
    })

    await test.step('here the person is still logged in, there not', async () => {
      await page.goto('/dashboard')
      await expect(page).toHaveURL(/\/dashboard$/)
      await isAskedToLogIn(other.page)
      await hydrated(other.page)
      await logInHere(other.page, person)
      await said(other.page, 'Invalid email or password.')
      await logInHere(other.page, { ...person, password: latest })
      await other.page.waitForURL((url) => url.pathname === '/dashboard')
      await other.context.close()
    })
    expect(complaints).toEqual([])
  })

  test('works without JavaScript', async ({ browser, thunder }) => {
    const { context, page } = await somebodyElse(browser, {
      baseURL: thunder.url,
      javaScriptEnabled: false,
    })
    const person = await signedUp(context.request, 'Nora Noscript')
    await page.goto(tab)
    await fill(page, person.password, 'one thing', 'another')
    await button(page, 'Change Password').click()
    await said(page, 'New passwords do not match')
    await fill(page, person.password, 'battery staple')
    await button(page, 'Change Password').click()
    await said(page, 'Password changed successfully!')
    await page.goto('/dashboard')
    await expect(page).toHaveURL(/\/dashboard$/)
    await context.close()
  })

  test('somebody without one is sent a link to set it', async ({ page, thunder }) => {
    const person = await signedUp(page.request, 'Otto Otherwise')
    await inDatabase(thunder, `delete from identities where ${ofPerson}`, [person.email])
    await page.goto(tab)
    await hydrated(page)
    await button(page, 'Send me a link to set one').click()
    await said(page, `We sent a link to ${person.email}.`)
    await expectNoAxeViolations(page)
    expect(await mailedLink(page, person.email, 'Reset your password')).toContain(
      '/reset-password?token=',
    )
  })

  test('somebody who came another way confirms the address before one is set', async ({
    page,
    thunder,
  }) => {
    const person = await signedUp(page.request, 'Emma Employee')
    await inDatabase(
      thunder,
      `update identities set provider_id = 'acme', password = null where ${ofPerson}`,
      [person.email],
    )
    await page.goto(tab)
    await hydrated(page)
    await expect(page.getByText('Confirm your address first')).toBeVisible()
    await expect(button(page, 'Send me a link to set one')).toBeHidden()
    await button(page, 'Send me a link to confirm it').click()
    await said(page, `We sent a link to ${person.email}.`)
    await expectNoAxeViolations(page)
    expect(await mailedLink(page, person.email, 'Confirm your email address')).toContain(
      '/confirm-email?token=',
    )
    await inDatabase(thunder, 'update users set email_verified = true where email = $1', [
      person.email,
    ])
    // Confirmed elsewhere: the page that was left open finds out at the next press.
    await button(page, 'Send me a link to confirm it').click()
    await said(page, 'Your address is confirmed.')
    await expect(button(page, 'Send me a link to set one')).toBeVisible()
  })
})

test('two-step verification: on, in with a code and with a backup code, and off', async ({
  page,
  browser,
  thunder,
}) => {
  const complaints = complaintsOf(page)
  const person = await onTheTab(page, 'Tara Twostep')
  let backupCodes: string[] = []
  let app!: TOTP

  await test.step('the password is asked for', async () => {
    await button(page, 'Turn on two-step verification').click()
    await dialog(page).getByLabel('Password', { exact: true }).fill('not the one')
    await button(page, 'Continue').click()
    await said(page, 'The password is not correct. Please try again.')
    await dialog(page).getByLabel('Password', { exact: true }).fill(person.password)
    await button(page, 'Continue').click()
  })

  await test.step('the app is set up by its key, and a wrong code does not count', async () => {
    await expect(
      page.getByRole('img', { name: 'QR code for your authenticator app' }),
    ).toBeVisible()
    await expectNoAxeViolations(page)
    await expectFitsPhones(page)
    const key = await dialog(page)
      .getByText(/^([A-Z2-7]{1,4} )+[A-Z2-7]{1,4}$/)
      .textContent()
    app = new TOTP({ secret: (key ?? '').replaceAll(' ', '') })
    const code = page.getByLabel('Code from your app')
    await code.fill('12 34')
    await button(page, 'Turn on').click()
    await said(page, 'Please type the 6 digits that your app shows')
    const right = app.generate()
    await code.fill(right === '000000' ? '000001' : '000000')
    await button(page, 'Turn on').click()
    await said(page, 'This code is not correct.')
    await code.fill(app.generate())
    await button(page, 'Turn on').click()
  })

  await test.step('the backup codes are shown once, to copy or download', async () => {
    const list = page.getByRole('list', { name: 'Backup codes' })
    await expect(list.getByRole('listitem')).toHaveCount(10)
    backupCodes = await list.getByRole('listitem').allTextContents()
    await expectNoAxeViolations(page)
    // A browser closes with the second one whatever the page says to it.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveJSProperty('open', true)
    await page.keyboard.press('Escape')
    await expect(list).toBeVisible()
    const downloading = page.waitForEvent('download')
    await button(page, 'Download').click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('thunder-backup-codes.txt')
    expect((await readFile(await download.path(), 'utf8')).trim().split('\n')).toEqual(backupCodes)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await button(page, 'Copy').click()
    await said(page, 'Copied.')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.split('\n')).toEqual(backupCodes)
    await button(page, 'I have stored them').click()
    await said(page, 'Two-step verification is on')
    await expect(button(page, 'New backup codes')).toBeVisible()
    await expect(part(page, 'Active sessions').getByText('Two steps')).toBeVisible()
  })

  const there = await somebodyElse(browser, { baseURL: thunder.url })
  const askedForCode = async () => {
    await there.context.clearCookies()
    await there.page.goto(`/login?to=${encodeURIComponent('/dashboard')}`)
    await hydrated(there.page)
    await logInHere(there.page, person)
    await there.page.waitForURL('**/login/two-step**')
  }
  const verify = async (label: string, code: string) => {
    await there.page.getByLabel(label).fill(code)
    await button(there.page, 'Verify').click()
  }

  await test.step('a log-in asks for a code', async () => {
    await askedForCode()
    // The next one already: each counts once, and the one of this half minute may be used up.
    await verify('6-digit code', app.generate({ timestamp: Date.now() + 30_000 }))
    await there.page.waitForURL((url) => url.pathname === '/dashboard')
  })

  await test.step('a backup code does as well, once', async () => {
    await askedForCode()
    await there.page.getByRole('link', { name: 'Use a backup code instead' }).click()
    await verify('Backup code', backupCodes[0]!)
    await there.page.waitForURL((url) => url.pathname === '/dashboard')
    await askedForCode()
    await there.page.getByRole('link', { name: 'Use a backup code instead' }).click()
    await verify('Backup code', backupCodes[0]!)
    await said(there.page, 'Invalid backup code.')
  })

  await test.step('new backup codes end the old ones', async () => {
    await button(page, 'New backup codes').click()
    await dialog(page).getByLabel('Password', { exact: true }).fill(person.password)
    await button(page, 'Make new codes').click()
    const list = page.getByRole('list', { name: 'Backup codes' })
    await expect(list.getByRole('listitem')).toHaveCount(10)
    const fresh = await list.getByRole('listitem').allTextContents()
    await button(page, 'I have stored them').click()
    // The same sentence stands there already.
    const answered = there.page.waitForResponse(/\/login\/two-step\.data/)
    await verify('Backup code', backupCodes[1]!)
    await answered
    await said(there.page, 'Invalid backup code.')
    await verify('Backup code', fresh[0]!)
    await there.page.waitForURL((url) => url.pathname === '/dashboard')
  })

  await test.step('off, the password is enough again', async () => {
    await button(page, 'Turn off two-step verification').click()
    await dialog(page).getByLabel('Password', { exact: true }).fill(person.password)
    await button(page, 'Turn off').click()
    await said(page, 'Two-step verification is off')
    await expect(button(page, 'Turn on two-step verification')).toBeVisible()
    await there.context.clearCookies()
    await there.page.goto('/login?to=/dashboard')
    await hydrated(there.page)
    await logInHere(there.page, person)
    await there.page.waitForURL((url) => url.pathname === '/dashboard')
  })
  await there.context.close()
  expect(complaints).toEqual([])
})

test('a second step whose answer was lost is on, and shows its backup codes', async ({ page }) => {
  const person = await onTheTab(page, 'Lea Lost')
  await button(page, 'Turn on two-step verification').click()
  await dialog(page).getByLabel('Password', { exact: true }).fill(person.password)
  await button(page, 'Continue').click()
  const key = await dialog(page)
    .getByText(/^([A-Z2-7]{1,4} )+[A-Z2-7]{1,4}$/)
    .textContent()
  const app = new TOTP({ secret: (key ?? '').replaceAll(' ', '') })
  await page.getByLabel('Code from your app').fill(app.generate())
  const turnOn = () => button(page, 'Turn on').click()
  await loseAnswer(page, 'POST', turnOn, '**/two-factor/verify-totp')
  await said(page, 'We could not reach the server')
  // The session that asked is over, and the cookie of the new one was lost with the answer.
  await page.context().clearCookies()
  await turnOn()
  const list = page.getByRole('list', { name: 'Backup codes' })
  await expect(list.getByRole('listitem')).toHaveCount(10)
})

test('passkeys: made, named, used, and removed; what the device refuses is said', async ({
  page,
}) => {
  const complaints = complaintsOf(page)
  await onTheTab(page, 'Pia Passkey')
  const network = await page.context().newCDPSession(page)
  await network.send('WebAuthn.enable')
  const { authenticatorId } = await network.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: false,
      automaticPresenceSimulation: true,
    },
  })
  const unlocks = (isUserVerified: boolean) =>
    network.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  const list = part(page, 'Passkeys')
  const name = page.getByLabel('Name', { exact: true })

  await test.step('a device that does not unlock makes none', async () => {
    await button(page, 'Add a passkey').click()
    await expect(name).toHaveValue(/^Chrome on /)
    await name.fill('  ')
    await button(page, 'Continue').click()
    await said(page, 'Name is required')
    await name.fill('My laptop')
    await button(page, 'Continue').click()
    await said(page, 'No passkey was made: it was canceled, or it took too long.')
    await expectNoAxeViolations(page)
  })

  await test.step('unlocked it makes one, but not two', async () => {
    await unlocks(true)
    await button(page, 'Continue').click()
    await said(page, 'The passkey is added')
    await expect(list.getByRole('listitem')).toContainText(['My laptop'])
    await button(page, 'Add a passkey').click()
    await button(page, 'Continue').click()
    await said(page, 'This device has a passkey for your account already.')
    await button(page, 'Cancel').click()
  })

  await test.step('it gets another name', async () => {
    await button(page, 'Rename My laptop').click()
    await expect(name).toHaveValue('My laptop')
    await name.fill('Old laptop')
    await page.keyboard.press('Enter')
    await expect(list.getByRole('listitem')).toContainText(['Old laptop'])
    await expectNoAxeViolations(page)
    await expectFitsPhones(page)
  })

  await test.step('it logs in, and counts as two steps', async () => {
    await page.context().clearCookies()
    await page.goto(`/login?to=${encodeURIComponent(tab)}`)
    await hydrated(page)
    await button(page, 'Log in with a passkey').click()
    await page.waitForURL('**/settings#security')
    await hydrated(page)
    const here = part(page, 'Active sessions').getByRole('listitem').first()
    await expect(here).toContainText('This device')
    await expect(here).toContainText('Two steps')
  })

  await test.step('removed, it is gone', async () => {
    await button(page, 'Remove Old laptop').click()
    await button(page, 'Remove').click()
    await said(page, 'The passkey is removed')
    await expect(list.getByRole('listitem')).toHaveCount(0)
  })
  expect(complaints).toEqual([])
})

test('sessions: seen, ended one by one and all at once', async ({ page, browser, thunder }) => {
  const person = await onTheTab(page, 'Sara Sessions')
  const list = part(page, 'Active sessions')
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(button(page, 'Log out everywhere else')).toHaveCount(0)
  const first = await atAnotherDevice(browser, thunder, person)
  await page.reload()
  await hydrated(page)
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await expect(list.getByRole('listitem').first()).toContainText('This device')
  await expect(list).toContainText('Firefox on Windows')
  await expect(list).toContainText('Used within the last hour')
  await expectNoAxeViolations(page)

  await test.step('one is ended; the page that is open there finds out', async () => {
    await first.page.goto('/course/thunder-bootcamp/dashboard')
    await hydrated(first.page)
    await button(page, 'Log out on Firefox on Windows').focus()
    await page.keyboard.press('Enter')
    await expect(list.getByRole('listitem')).toHaveCount(1)
    await expect(list).toBeFocused()
    await expect(first.page).toHaveURL(/\/login\?to=/)
    await first.context.close()
  })

  await test.step('all others are ended', async () => {
    const devices = [
      await atAnotherDevice(browser, thunder, person),
      await atAnotherDevice(browser, thunder, person),
    ]
    await page.reload()
    await hydrated(page)
    await expect(list.getByRole('listitem')).toHaveCount(3)
    await button(page, 'Log out everywhere else').click()
    await expectNoAxeViolations(page)
    const asks = page.getByRole('alertdialog')
    const confirm = asks.getByRole('button', { name: 'Log out everywhere else' })
    await page.context().setOffline(true)
    await confirm.click()
    await expect(asks.getByRole('alert')).toContainText('We could not reach the server')
    await expect(asks.getByRole('button', { name: 'Cancel' })).toBeEnabled()
    await page.context().setOffline(false)
    await confirm.click()
    await expect(list.getByRole('listitem')).toHaveCount(1)
    for (const device of devices) {
      await isAskedToLogIn(device.page)
      await device.context.close()
    }
  })
})

test('the email address: confirmed elsewhere, the page that was left open finds out at the next press', async ({
  page,
  thunder,
}) => {
  const person = await onTheTab(page, 'Ella Elsewhere')
  await said(page, 'Not confirmed')
  await inDatabase(thunder, 'update users set email_verified = true where email = $1', [
    person.email,
  ])
  await button(page, 'Send me a link').click()
  await said(page, 'Your address is confirmed.')
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible()
  await expect(button(page, 'Send me a link')).toBeHidden()
  await expect(page.getByText('We sent a link')).toBeHidden()
})

test('the email address: confirmed, then changed through both mailboxes', async ({
  page,
  request,
}) => {
  const person = await onTheTab(page, 'Emma Email')
  const newEmail = `new-${person.email}`

  await test.step('the present one is confirmed', async () => {
    await said(page, 'Not confirmed')
    await button(page, 'Send me a link').click()
    await said(page, `We sent a link to ${person.email}.`)
    await page.goto(await mailedLink(page, person.email, 'Confirm your email address'))
    await button(page, 'Confirm my email address').click()
    await said(page, 'Your email address is confirmed.')
    await page.goto(tab)
    await hydrated(page)
    await expect(page.getByText('Confirmed', { exact: true })).toBeVisible()
  })

  const field = page.getByLabel('New email address')
  const ask = async (email: string) => {
    await field.fill(email)
    await button(page, 'Change email address').click()
  }

  await test.step('what cannot be an address is refused', async () => {
    for (const [typed, words] of [
      ['   ', 'Email address is required'],
      ['no address', 'Please enter a valid email address'],
      [person.email.toUpperCase(), 'This is your email address already.'],
    ] as const) {
      await ask(typed)
      await said(page, words)
    }
    await expectNoAxeViolations(page)
  })

  await test.step('the same is said of an address that is taken and of a free one', async () => {
    const { email: taken } = await signedUp(request, 'Somebody There')
    await ask(taken)
    await said(page, `Unless ${taken} belongs to another account, a link is on its way`)
    await ask(newEmail)
    await said(page, `Unless ${newEmail} belongs to another account, a link is on its way`)
  })

  await test.step('the old mailbox allows it, the new one confirms it', async () => {
    const address = page.locator('#security').getByText(/^\S+@example\.com$/)
    const subject = 'Allow a new email address for your account'
    await page.goto(await mailedLink(page, person.email, subject))
    await button(page, 'Allow the change').click()
    await said(page, 'Now confirm it from the new mailbox.')
    await page.goto(tab)
    await expect(address).toHaveText(person.email)
    await page.goto(await mailedLink(page, newEmail, 'Confirm your email address'))
    await button(page, 'Confirm my email address').click()
    await said(page, 'Your new email address is confirmed.')
    await page.goto(tab)
    await expect(address).toHaveText(newEmail)
  })
})

test.describe('connected accounts', () => {
  let server: BuiltServer
  let provider: OidcProvider
  test.beforeAll(async () => {
    const port = await freePort()
    provider = await startOidcProvider({
      redirectUris: [`http://localhost:${port}/auth/v1/callback/oidc`],
    })
    server = await startBuiltServer({
      FFMPEG_PATH: 'off',
      PORT: String(port),
      OIDC_NAME: 'Example ID',
      OIDC_DISCOVERY_URL: provider.discoveryUrl,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
    })
  })
  test.afterAll(async () => {
    await server?.stop()
    await provider?.stop()
  })

  test('are connected and disconnected; the only way in stays', async ({ browser }) => {
    const { context, page } = await somebodyElse(browser, { baseURL: server.url })
    const person = await signedUp(context.request, 'Cora Connected')
    await page.goto(tab)
    await hydrated(page)
    const list = part(page, 'Connected accounts')

    await test.step('not when the other service says no', async () => {
      provider.person = null
      await button(page, 'Connect Example ID').click()
      await expect(list.getByRole('alert')).toHaveText(
        'You canceled at the other service, so nothing was connected.',
      )
      await expectNoAxeViolations(page)
      await hydrated(page)
    })

    const sub = randomUUID()
    provider.person = { sub, email: `${sub}@example.com`, email_verified: true, name: 'Cora' }
    const connect = async () => {
      await button(page, 'Connect Example ID').click()
      await expect(list.getByRole('listitem')).toContainText(['Example ID'])
      await expect(page).toHaveURL(/\/settings#security$/)
      await hydrated(page)
    }
    const disconnect = async () => {
      await button(page, 'Disconnect Example ID').click()
      await button(page, 'Disconnect').click()
    }

    await test.step('connected, it is listed', async () => {
      await connect()
      await expectNoAxeViolations(page)
      await disconnect()
      await said(page, 'Example ID is disconnected')
      await expect(list.getByRole('listitem')).toHaveCount(0)
    })

    await test.step('as the only way to log in it stays', async () => {
      await connect()
      await inDatabase(
        server,
        `delete from identities where provider_id = 'credential' and ${ofPerson}`,
        [person.email],
      )
      await disconnect()
      await said(page, 'This is your only way to log in, so it stays.')
      await button(page, 'Cancel').click()
      await expect(list.getByRole('listitem')).toHaveCount(1)
    })
    await context.close()
  })
})

test('the telephone: shown, removed with a proof, and kept while it is the only way in', async ({
  page,
  thunder,
}) => {
  const person = await signedUp(page.request, 'Tess Telephone')
  const phoneNumber = '+4915155501234'
  await inDatabase(
    thunder,
    'update users set phone_number = $2, phone_number_verified = true where email = $1',
    [person.email, phoneNumber],
  )
  await page.goto(tab)
  await hydrated(page)
  const list = part(page, 'Connected accounts')
  await expect(list.getByRole('listitem')).toContainText([phoneNumber])
  await expectNoAxeViolations(page)
  await expectFitsPhones(page)

  await test.step('the only way in stays', async () => {
    const mailbox = 'update users set email = $2 where email = $1'
    const standIn = `${randomUUID()}@phone.invalid`
    await inDatabase(thunder, mailbox, [person.email, standIn])
    await button(page, `Remove telephone ${phoneNumber}`).click()
    await button(page, 'Remove').click()
    await said(page, 'This is your only way to log in, so it stays.')
    await expectNoAxeViolations(page)
    await button(page, 'Cancel').click()
    await inDatabase(thunder, mailbox, [standIn, person.email])
  })

  await test.step('removed, once the password was typed again', async () => {
    await inDatabase(
      thunder,
      `update sessions set proven_at = now() - interval '20 minutes' where ${ofPerson}`,
      [person.email],
    )
    await button(page, `Remove telephone ${phoneNumber}`).click()
    await button(page, 'Remove').click()
    await expect(page.getByText('Confirm that it is you')).toBeVisible()
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await button(page, 'Confirm').click()
    await said(page, 'The telephone number is removed')
    await expect(page.getByText(phoneNumber)).toHaveCount(0)
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  })
})

test.describe('long after the log-in', () => {
  const makeOld = (thunder: BuiltServer, person: Newcomer) =>
    inDatabase(
      thunder,
      `update sessions set proven_at = now() - interval '20 minutes' where ${ofPerson}`,
      [person.email],
    )

  test('the password is asked for, and what was wanted is done', async ({ page, thunder }) => {
    const person = await onTheTab(page, 'Lena Late')
    await makeOld(thunder, person)
    const field = page.getByLabel('New email address')
    const newEmail = `new-${person.email}`
    await field.fill(newEmail)
    await button(page, 'Change email address').click()
    await expect(dialog(page)).toContainText('Confirm that it is you')
    await expectNoAxeViolations(page)

    await test.step('unless it is canceled', async () => {
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toHaveCount(0)
      await expect(field).toHaveValue(newEmail)
      await expect(page.getByText(`Unless ${newEmail}`)).toHaveCount(0)
    })

    await button(page, 'Change email address').click()
    const password = dialog(page).getByLabel('Password', { exact: true })
    await password.fill('not the one')
    await button(page, 'Confirm').click()
    await said(page, 'The password is not correct. Please try again.')
    await password.fill(person.password)
    await page.keyboard.press('Enter')
    await said(page, `Unless ${newEmail} belongs to another account, a link is on its way there.`)

    await test.step('where the password is asked for anyway, it is the proof', async () => {
      await makeOld(thunder, person)
      await button(page, 'Turn on two-step verification').click()
      await dialog(page).getByLabel('Password', { exact: true }).fill(person.password)
      await button(page, 'Continue').click()
      await expect(page.getByLabel('Code from your app')).toBeVisible()
    })
  })

  test('somebody without a password logs in again, and comes back', async ({ page, thunder }) => {
    const person = await signedUp(page.request, 'Nils Nopassword')
    await inDatabase(thunder, `delete from identities where ${ofPerson}`, [person.email])
    await makeOld(thunder, person)
    await page.goto(tab)
    await hydrated(page)
    await button(page, 'Turn on two-step verification').click()
    await button(page, 'Continue').click()
    await expect(page.getByText('your account has no password to type again')).toBeVisible()
    await expectNoAxeViolations(page)
    await button(page, 'Log out and in again').click()
    await page.waitForURL('**/login?to=/settings%23security')
    expect((await page.request.get('/rest/v1/me')).ok()).toBe(true)
    expect(await (await page.request.get('/rest/v1/me')).text()).toBe('null')
  })

  test('who stays for something unsaved is told of the log-out, and can copy it', async ({
    page,
    thunder,
  }) => {
    const person = await signedUp(page.request, 'Nora Nopassword')
    await inDatabase(thunder, `delete from identities where ${ofPerson}`, [person.email])
    await makeOld(thunder, person)
    await page.goto('/settings')
    await hydrated(page)
    await page.getByLabel('Bio').fill('Not saved yet')
    const tabs = page.getByRole('navigation', { name: 'Settings' })
    await tabs.getByRole('link', { name: 'Account & Security' }).click()
    await button(page, 'Turn on two-step verification').click()
    await button(page, 'Continue').click()
    let questions = 0
    page.on('dialog', (question) => {
      questions += 1
      void question.dismiss()
    })
    await button(page, 'Log out and in again').click()
    await said(page, 'You are logged out')
    await expect.poll(() => questions).toBe(1)
    await expectNoAxeViolations(page)

    await test.step('the way to log in asks once more', async () => {
      // The rest of the page learns of the log-out by itself, a moment later.
      await expect(page.getByText('You are no longer signed in')).not.toHaveCount(0)
      const loggedOut = page.getByRole('dialog', { name: 'You are logged out' })
      await expect(loggedOut.getByText('You are no longer signed in')).toHaveCount(0)
      await loggedOut.getByRole('link', { name: 'Log in' }).click()
      await expect.poll(() => questions).toBe(2)
      await said(page, 'You are logged out')
    })

    await page.keyboard.press('Escape')
    await expect(page.getByText('You are logged out')).toHaveCount(0)
    await button(page, 'Cancel').click()
    await tabs.getByRole('link', { name: 'Profile' }).click()
    await expect(page.getByLabel('Bio')).toHaveValue('Not saved yet')
  })
})
