// What the log-in and sign-up pages offer follows from how this Thunder is set up.
import { expect, test } from 'vitest'
import { startTestApp } from '../../../test/app.ts'

async function waysWith(environment: Record<string, string>, statement = 'select 1') {
  const app = await startTestApp(environment)
  try {
    await app.services.pool.query(statement)
    return (await app.request('/rest/v1/sign-in-ways')).body
  } finally {
    await app.stop()
  }
}

test('nothing is set up: sign-up is open, and a password will do', async () => {
  expect(await waysWith({})).toEqual({
    signUpOpen: true,
    confirmsEmail: false,
    providers: [],
    sso: false,
  })
})

test('sign-up is not offered while it is switched off', async () => {
  const app = await startTestApp()
  try {
    await app.services.pool.query(
      `insert into settings (key, value) values ('feature:sign_up', '{"notice": null}')`,
    )
    await app.services.features.read()
    expect((await app.request('/rest/v1/sign-in-ways')).body.signUpOpen).toBe(false)
  } finally {
    await app.stop()
  }
})

test('what is set up is offered; what cannot be reached is not', async () => {
  const ways = await waysWith(
    {
      SIGNUP: 'closed',
      EMAIL_CONFIRMATION: 'on',
      GOOGLE_CLIENT_ID: 'thunder',
      GOOGLE_CLIENT_SECRET: 'a secret',
      OIDC_DISCOVERY_URL: 'http://127.0.0.1:9/.well-known/openid-configuration',
      OIDC_CLIENT_ID: 'thunder',
    },
    `insert into sso_providers (provider_id, issuer, domain) values ('corp', 'https://id.corp.example', 'corp.example')`,
  )
  expect(ways).toEqual({
    signUpOpen: false,
    confirmsEmail: true,
    providers: [{ id: 'google', name: 'Google' }],
    sso: true,
  })
})
