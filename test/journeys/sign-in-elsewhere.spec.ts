// Getting in with the account of another service, or of an organisation.
import { randomUUID } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { type OidcProvider, startOidcProvider } from '../identity/oidc-provider.ts'
import { freePort } from './free-port.ts'
import { expect, hydrated, inDatabase, newcomer, test } from './journey.ts'
import { type BuiltServer, startBuiltServer } from './server.ts'
import { button, looksRight, problem, stranger } from './signing-in.ts'

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
    await inDatabase(
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
