// The wrong values and their sentences are in test/bad-input.test.ts.
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('nothing set is a Thunder that works on this machine', () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: undefined,
    dataDir: resolve('data'),
    appUrl: 'http://localhost:3000',
    databaseUrl: undefined,
    smtpUrl: undefined,
    mailFrom: 'Thunder <hello@thunder.example>',
    smsWebhookUrl: undefined,
    signUpOpen: true,
    confirmsEmail: false,
    identityProviders: { google: undefined, github: undefined, oidc: undefined },
    ssoTrustedOrigins: [],
    authSecret: undefined,
    trustProxy: false,
    ffmpegPath: 'ffmpeg',
    videoMaxMb: 50,
    importMaxMb: 5120,
    builtWithBadge: true,
    logLevel: 'info',
  })
})

test('everything can be set', () => {
  const secret = 's'.repeat(32)
  expect(
    readConfig({
      PORT: '8080',
      HOST: '0.0.0.0',
      DATA_DIR: '/var/lib/thunder',
      APP_URL: 'https://thunder.example/',
      DATABASE_URL: 'postgresql://thunder@database/thunder',
      SMTP_URL: 'smtps://user:password@mail.example',
      MAIL_FROM: 'School <school@example.com>',
      SMS_WEBHOOK_URL: 'https://sms.example/send',
      SIGNUP: 'closed',
      EMAIL_CONFIRMATION: 'off',
      GOOGLE_CLIENT_ID: 'google',
      GOOGLE_CLIENT_SECRET: 'google secret',
      GITHUB_CLIENT_ID: 'github',
      GITHUB_CLIENT_SECRET: 'github secret',
      OIDC_DISCOVERY_URL: 'https://id.example/.well-known/openid-configuration',
      OIDC_CLIENT_ID: 'thunder',
      OIDC_NAME: 'School account',
      SSO_TRUSTED_ORIGINS: 'https://id.school.example/login, https://saml.example',
      AUTH_SECRET: secret,
      TRUST_PROXY: 'on',
      VIDEO_MAX_MB: '51200',
      FFMPEG_PATH: '/opt/ffmpeg/bin/ffmpeg',
      BUILT_WITH_BADGE: 'off',
      LOG_LEVEL: 'silent',
    }),
  ).toEqual({
    port: 8080,
    host: '0.0.0.0',
    dataDir: '/var/lib/thunder',
    appUrl: 'https://thunder.example',
    databaseUrl: 'postgresql://thunder@database/thunder',
    smtpUrl: 'smtps://user:password@mail.example',
    mailFrom: 'School <school@example.com>',
    smsWebhookUrl: 'https://sms.example/send',
    signUpOpen: false,
    confirmsEmail: false,
    identityProviders: {
      google: { clientId: 'google', clientSecret: 'google secret' },
      github: { clientId: 'github', clientSecret: 'github secret' },
      oidc: {
        name: 'School account',
        discoveryUrl: 'https://id.example/.well-known/openid-configuration',
        clientId: 'thunder',
        clientSecret: undefined,
      },
    },
    ssoTrustedOrigins: ['https://id.school.example', 'https://saml.example'],
    authSecret: secret,
    trustProxy: true,
    videoMaxMb: 51_200,
    ffmpegPath: '/opt/ffmpeg/bin/ffmpeg',
    importMaxMb: 5120,
    builtWithBadge: false,
    logLevel: 'silent',
  })
})

test('addresses are confirmed where a mail server is set, unless said otherwise', () => {
  expect(readConfig({ SMTP_URL: 'smtp://mail.example' }).confirmsEmail).toBe(true)
  expect(readConfig({ EMAIL_CONFIRMATION: 'on' }).confirmsEmail).toBe(true)
})

test('the address follows the port', () => {
  expect(readConfig({ PORT: '4000' }).appUrl).toBe('http://localhost:4000')
})

test.each([
  [{ PORT: '-1' }, 'PORT is "-1", but it must be 0 to 65535.'],
  [{ PORT: '80.5' }, 'PORT is "80.5", but it must be a whole number.'],
  [{ VIDEO_MAX_MB: '51201' }, 'VIDEO_MAX_MB is "51201", but it must be at most 51200.'],
  [
    { APP_URL: 'ftp://thunder.example' },
    'APP_URL is "ftp://thunder.example", but it must be an address that starts with http:// or https://.',
  ],
])('%o is refused', (environment, sentence) => {
  expect(() => readConfig(environment)).toThrow(new Error(sentence))
})

test('passwords inside addresses are not repeated', () => {
  const read = () =>
    readConfig({ DATABASE_URL: 'thunder:hunter2@database', SMTP_URL: 'user:hunter2@mail' })
  expect(read).toThrow(
    new Error(
      [
        'DATABASE_URL must be an address that starts with postgres:// or postgresql://.',
        'SMTP_URL must be an address that starts with smtp:// or smtps://.',
      ].join('\n'),
    ),
  )
})
