// The wrong values and their sentences are in test/bad-input.test.ts.
import { hostname } from 'node:os'
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
    directDatabaseUrl: undefined,
    preparedStatements: true,
    replicaUrls: [],
    smtpUrl: undefined,
    mailFrom: 'Thunder <hello@thunder.example>',
    brand: {
      name: 'Thunder',
      colour: undefined,
      logo: undefined,
      legalEntity: 'Thunder',
      supportEmail: 'support@thunder.example',
    },
    smsWebhookUrl: undefined,
    signUpOpen: true,
    confirmsEmail: false,
    identityProviders: { google: undefined, github: undefined, oidc: undefined },
    ssoTrustedOrigins: [],
    authSecret: undefined,
    stripe: { secretKey: undefined, publishableKey: undefined, webhookSecrets: [] },
    paypal: undefined,
    trustProxy: false,
    ffmpegPath: 'ffmpeg',
    cdn: null,
    objectStore: null,
    videoMaxMb: 50,
    streamsPerAccount: 2,
    importMaxMb: 5120,
    worksJobs: true,
    webhooksAllowPrivate: false,
    drainSeconds: 0,
    nodeName: hostname(),
    metricsToken: undefined,
    tracing: null,
    builtWithBadge: true,
    helpUrl: '/help',
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
      DATABASE_DIRECT_URL: 'postgresql://thunder@primary/thunder',
      DATABASE_PREPARED: 'on',
      DATABASE_REPLICA_URL: 'postgres://thunder@one/thunder, postgres://thunder@two/thunder',
      SMTP_URL: 'smtps://user:password@mail.example',
      MAIL_FROM: 'School <school@example.com>',
      BRAND_NAME: 'The School',
      BRAND_COLOR: '#0B6B4F',
      BRAND_LOGO: '/etc/school/logo.svg',
      BRAND_LEGAL_ENTITY: 'School Ltd.',
      SUPPORT_EMAIL: 'help@school.example',
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
      STRIPE_SECRET_KEY: 'sk_live_51Thunder',
      STRIPE_PUBLISHABLE_KEY: 'pk_live_51Thunder',
      STRIPE_WEBHOOK_SECRET: 'whsec_Thunder, whsec_Connected',
      PAYPAL_CLIENT_ID: 'paypal-id',
      PAYPAL_CLIENT_SECRET: 'paypal-secret',
      TRUST_PROXY: 'on',
      VIDEO_MAX_MB: '51200',
      STREAMS_PER_ACCOUNT: '0',
      FFMPEG_PATH: '/opt/ffmpeg/bin/ffmpeg',
      CDN_URL: 'https://cdn.thunder.example/',
      CDN_SECRET: secret,
      S3_ENDPOINT: 'https://s3.example',
      S3_BUCKET: 'files',
      S3_REGION: 'eu-central-1',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
      S3_PATH_STYLE: 'off',
      JOBS: 'off',
      WEBHOOKS_ALLOW_PRIVATE: 'on',
      DRAIN_SECONDS: '12',
      NODE_NAME: 'node-3',
      METRICS_TOKEN: 'm'.repeat(16),
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret',
      OTEL_SERVICE_NAME: 'school',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      BUILT_WITH_BADGE: 'off',
      HELP_URL: 'https://help.school.example/start',
      LOG_LEVEL: 'silent',
    }),
  ).toEqual({
    port: 8080,
    host: '0.0.0.0',
    dataDir: '/var/lib/thunder',
    appUrl: 'https://thunder.example',
    databaseUrl: 'postgresql://thunder@database/thunder',
    directDatabaseUrl: 'postgresql://thunder@primary/thunder',
    preparedStatements: true,
    replicaUrls: ['postgres://thunder@one/thunder', 'postgres://thunder@two/thunder'],
    smtpUrl: 'smtps://user:password@mail.example',
    mailFrom: 'School <school@example.com>',
    brand: {
      name: 'The School',
      colour: '#0b6b4f',
      logo: '/etc/school/logo.svg',
      legalEntity: 'School Ltd.',
      supportEmail: 'help@school.example',
    },
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
    stripe: {
      secretKey: 'sk_live_51Thunder',
      publishableKey: 'pk_live_51Thunder',
      webhookSecrets: ['whsec_Thunder', 'whsec_Connected'],
    },
    paypal: { clientId: 'paypal-id', clientSecret: 'paypal-secret' },
    trustProxy: true,
    videoMaxMb: 51_200,
    streamsPerAccount: 0,
    ffmpegPath: '/opt/ffmpeg/bin/ffmpeg',
    cdn: { origin: 'https://cdn.thunder.example', secret },
    objectStore: {
      endpoint: 'https://s3.example',
      bucket: 'files',
      region: 'eu-central-1',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
      pathStyle: false,
    },
    importMaxMb: 5120,
    worksJobs: false,
    webhooksAllowPrivate: true,
    drainSeconds: 12,
    nodeName: 'node-3',
    metricsToken: 'm'.repeat(16),
    tracing: {
      endpoint: 'https://traces.example',
      headers: { authorization: 'secret' },
      service: 'school',
      share: 0.25,
    },
    builtWithBadge: false,
    helpUrl: 'https://help.school.example/start',
    logLevel: 'silent',
  })
})

test('addresses are confirmed where a mail server is set, unless said otherwise', () => {
  expect(readConfig({ SMTP_URL: 'smtp://mail.example' }).confirmsEmail).toBe(true)
  expect(readConfig({ EMAIL_CONFIRMATION: 'on' }).confirmsEmail).toBe(true)
})

test('mails come from the brand, unless said otherwise', () => {
  expect(readConfig({ BRAND_NAME: 'The School' }).mailFrom).toBe(
    'The School <hello@thunder.example>',
  )
  expect(readConfig({ BRAND_NAME: 'A, B & C', SUPPORT_EMAIL: 'a@b.example' }).mailFrom).toBe(
    '"A, B & C" <a@b.example>',
  )
})

test('the address follows the port', () => {
  expect(readConfig({ PORT: '4000' }).appUrl).toBe('http://localhost:4000')
})

test.each([
  [{ PORT: '-1' }, 'PORT is "-1", but it must be 0 to 65535.'],
  [
    { STRIPE_WEBHOOK_SECRET: 'whsec_one,two' },
    'STRIPE_WEBHOOK_SECRET must be the signing secret of a webhook (whsec_…), or several of them with commas between.',
  ],
  [
    { STRIPE_PUBLISHABLE_KEY: 'pk_test_51Thunder' },
    'STRIPE_PUBLISHABLE_KEY needs STRIPE_SECRET_KEY: without it there is a sandbox.',
  ],
  [
    { STRIPE_SECRET_KEY: 'sk_live_51Thunder', STRIPE_PUBLISHABLE_KEY: 'pk_test_51Thunder' },
    'STRIPE_PUBLISHABLE_KEY is of the test mode, but STRIPE_SECRET_KEY is of the live mode.',
  ],
  [
    { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'a' },
    'Files are stored in S3 only when all is set, but there is no S3_SECRET_ACCESS_KEY.',
  ],
  [
    { S3_ENDPOINT: 'https://s3.example' },
    'Files are stored in S3 only when all is set, but there is no S3_BUCKET and no S3_ACCESS_KEY_ID and no S3_SECRET_ACCESS_KEY.',
  ],
  [
    { CDN_URL: 'https://cdn.example' },
    'CDN_SECRET is missing: it belongs to CDN_URL. Set both, or none.',
  ],
  [
    { CDN_SECRET: 's'.repeat(32) },
    'CDN_URL is missing: it belongs to CDN_SECRET. Set both, or none.',
  ],
  [
    { CDN_URL: 'https://cdn.example/films', CDN_SECRET: 's'.repeat(32) },
    'CDN_URL is "https://cdn.example/films", but it must have nothing behind the host.',
  ],
  [
    { CDN_URL: 'https://cdn.example', CDN_SECRET: 'hunter2' },
    'CDN_SECRET must have at least 32 characters.',
  ],
  [{ S3_BUCKET: 'Files!' }, 'S3_BUCKET is "Files!", but it must be the name of a bucket.'],
  [{ BRAND_COLOR: 'blue' }, 'BRAND_COLOR is "blue", but it must be a colour like #4630eb.'],
  [{ BRAND_NAME: '  ' }, 'BRAND_NAME is "  ", but it must not be empty.'],
  [
    { BRAND_NAME: '<b>' },
    'BRAND_NAME is "<b>", but it must be one line without < > and quotation marks.',
  ],
  [
    { BRAND_LOGO: 'logo.gif' },
    'BRAND_LOGO is "logo.gif", but it must be the path of an SVG or PNG file.',
  ],
  [{ SUPPORT_EMAIL: 'me' }, 'SUPPORT_EMAIL is "me", but it must be an email address.'],
  [{ PORT: '80.5' }, 'PORT is "80.5", but it must be a whole number.'],
  [{ STREAMS_PER_ACCOUNT: '101' }, 'STREAMS_PER_ACCOUNT is "101", but it must be at most 100.'],
  [{ VIDEO_MAX_MB: '51201' }, 'VIDEO_MAX_MB is "51201", but it must be at most 51200.'],
  [
    { HELP_URL: '/help' },
    'HELP_URL is "/help", but it must be an address that starts with http:// or https://.',
  ],
  [
    { APP_URL: 'ftp://thunder.example' },
    'APP_URL is "ftp://thunder.example", but it must be an address that starts with http:// or https://.',
  ],
])('%o is refused', (environment, sentence) => {
  expect(() => readConfig(environment)).toThrow(new Error(sentence))
})

test.each([
  [
    { DATABASE_DIRECT_URL: 'postgres://thunder:hunter2@primary/thunder' },
    'DATABASE_DIRECT_URL needs DATABASE_URL: it is another way to that database.',
  ],
  [
    { DATABASE_REPLICA_URL: 'postgres://thunder:hunter2@replica/thunder' },
    'DATABASE_REPLICA_URL needs DATABASE_URL: it is another way to that database.',
  ],
  [
    { DATABASE_REPLICA_URL: 'postgres://one/thunder,two:hunter2@x' },
    'DATABASE_REPLICA_URL must be an address that starts with postgres:// or postgresql://.',
  ],
  [
    { SSO_TRUSTED_ORIGINS: 'https://id.example, idp.internal:8443' },
    'SSO_TRUSTED_ORIGINS is "https://id.example, idp.internal:8443", but it must be an address that starts with http:// or https://.',
  ],
])('%o is refused', (environment, sentence) => {
  expect(() => readConfig(environment)).toThrow(new Error(sentence))
})

test('statements are prepared where nothing stands before the database, or where it is said', () => {
  const DATABASE_URL = 'postgres://pooler/thunder'
  const pooled = { DATABASE_URL, DATABASE_DIRECT_URL: 'postgres://primary/thunder' }
  expect(readConfig({ DATABASE_URL }).preparedStatements).toBe(true)
  expect(readConfig(pooled).preparedStatements).toBe(false)
  expect(readConfig({ ...pooled, DATABASE_PREPARED: 'on' }).preparedStatements).toBe(true)
  expect(readConfig({ DATABASE_URL, DATABASE_PREPARED: 'off' }).preparedStatements).toBe(false)
})

test('files are on the disk, or where S3 is', () => {
  expect(readConfig({ S3_REGION: 'eu-central-1' }).objectStore).toBeNull()
  const keys = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }
  expect(readConfig(keys).objectStore).toEqual({
    endpoint: undefined,
    bucket: 'files',
    region: 'us-east-1',
    accessKeyId: 'a',
    secretAccessKey: 'b',
    pathStyle: false,
  })
  const own = readConfig({ ...keys, S3_ENDPOINT: 'http://store:9000' }).objectStore
  expect(own).toMatchObject({ endpoint: 'http://store:9000', pathStyle: true })
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
