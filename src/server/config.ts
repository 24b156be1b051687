import { hostname } from 'node:os'
import { resolve } from 'node:path'
import * as z from 'zod'
import { defaultBrand } from '../domains/site/brand.ts'

const port = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(0, 'must be 0 to 65535')
  .max(65535, 'must be 0 to 65535')
const onOff = z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on')
const address = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1)),
      `must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
    )

const bareAddress = address('http', 'https').refine(
  (value) => !URL.canParse(value) || new URL(value).href === `${new URL(value).origin}/`,
  'must have nothing behind the host',
)

/** What is asked with `fetch`, which takes no address with a password in it. */
const withoutPassword = address('http', 'https').refine(
  (value) => !URL.canParse(value) || !(new URL(value).username || new URL(value).password),
  'must have no user name and no password in it',
)

/** What stands in titles, mails and headers. */
const brandWords = (most: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(most, `can have at most ${most} characters`)
    .regex(/^[^\p{Cc}<>"]*$/u, 'must be one line without < > and quotation marks')

function isDecodable(header: string): boolean {
  try {
    decodeURIComponent(header)
    return true
  } catch {
    return false
  }
}

const environment = z.object({
  PORT: port.default(3000),
  HOST: z.string().optional(),
  DATA_DIR: z.string().default('data'),
  APP_URL: bareAddress.optional(),
  DATABASE_URL: address('postgres', 'postgresql').optional(),
  DATABASE_DIRECT_URL: address('postgres', 'postgresql').optional(),
  DATABASE_PREPARED: onOff.optional(),
  DATABASE_REPLICA_URL: z
    .string()
    .default('')
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(address('postgres', 'postgresql'))),
  SMTP_URL: address('smtp', 'smtps').optional(),
  MAIL_FROM: z
    .string()
    .regex(/[^\s@<>"]@[^\s@<>"]/, 'must have an email address, as in School <school@example.com>')
    .optional(),
  BRAND_NAME: brandWords(40).default(defaultBrand.name),
  BRAND_COLOR: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must be a colour like #4630eb')
    .optional(),
  BRAND_LOGO: z
    .string()
    .regex(/\.(svg|png)$/i, 'must be the path of an SVG or PNG file')
    .optional(),
  BRAND_LEGAL_ENTITY: brandWords(120).optional(),
  SUPPORT_EMAIL: z.email('must be an email address').default(defaultBrand.supportEmail),
  SMS_WEBHOOK_URL: withoutPassword.optional(),
  SIGNUP: z.enum(['open', 'closed'], 'must be open or closed').default('open'),
  EMAIL_CONFIRMATION: onOff.optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  OIDC_DISCOVERY_URL: address('http', 'https').optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().default('OpenID Connect'),
  SSO_TRUSTED_ORIGINS: z
    .string()
    .default('')
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .pipe(z.array(address('http', 'https'))),
  AUTH_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a secret key of Stripe (sk_… or rk_…)')
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(test|live)_\w+$/, 'must be a publishable key of Stripe (pk_…)')
    .optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .default('')
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine(
      (list) => list.every((secret) => /^whsec_\w+$/.test(secret)),
      'must be the signing secret of a webhook (whsec_…), or several of them with commas between',
    ),
  PAYPAL_CLIENT_ID: z.string().optional(),
  PAYPAL_CLIENT_SECRET: z.string().optional(),
  TRUST_PROXY: onOff.default(false),
  VIDEO_MAX_MB: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(51_200, 'must be at most 51200')
    .default(50),
  IMPORT_MAX_MB: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(102_400, 'must be at most 102400')
    .default(5120),
  STREAMS_PER_ACCOUNT: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(0, 'must be at least 0')
    .max(100, 'must be at most 100')
    .default(2),
  FFMPEG_PATH: z.string().default('ffmpeg'),
  CDN_URL: bareAddress.optional(),
  CDN_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  S3_ENDPOINT: address('http', 'https').optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_PATH_STYLE: onOff.optional(),
  DRAIN_SECONDS: z.coerce
    .number('must be a number')
    .min(0, 'must be at least 0')
    .max(300, 'must be at most 300')
    .optional(),
  NODE_NAME: z
    .string()
    .regex(/^[\w.:-]{1,80}$/, 'can have letters, digits and . : - _, at most 80')
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: withoutPassword.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .default('')
    .transform((value) => value.split(',').filter((header) => header.trim() !== ''))
    .refine((list) => list.every((header) => /^\s*[\w-]+=./.test(header)), 'must be name=value,…')
    .refine((list) => list.every(isDecodable), 'must have its percent signs written as %25'),
  OTEL_SERVICE_NAME: z.string().max(80, 'can have at most 80 characters').optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be a number')
    .min(0, 'must be at least 0')
    .max(1, 'must be at most 1')
    .default(1),
  JOBS: onOff.default(true),
  WEBHOOKS_ALLOW_PRIVATE: onOff.default(false),
  BUILT_WITH_BADGE: onOff.default(true),
  HELP_URL: address('http', 'https').optional(),
  LOG_LEVEL: z
    .enum(
      ['debug', 'info', 'warn', 'error', 'silent'],
      'must be debug, info, warn, error or silent',
    )
    .default('info'),
})

export type Config = ReturnType<typeof readConfig>

const pair = (clientId: string | undefined, clientSecret: string | undefined) =>
  clientId && clientSecret ? { clientId, clientSecret } : undefined

/** Of what is of no use alone, with what it belongs to. */
const together = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['OIDC_DISCOVERY_URL', 'OIDC_CLIENT_ID'],
] as const

/** @throws {Error} when a way to log in would be missing from the page without a word. */
function checkIdentityProviders(values: z.output<typeof environment>) {
  for (const [one, other] of together) {
    if (Boolean(values[one]) === Boolean(values[other])) continue
    const [missing, given] = values[one] ? [other, one] : [one, other]
    throw new Error(`${missing} is missing: it belongs to ${given}. Set both, or none.`)
  }
}

/** Where mails come from until somebody says it: an address for trials, at which nobody is. */
export const nobodysSender = 'hello@thunder.example'

/** Quoted where the name has a sign that means something in a header. */
function senderOf({ BRAND_NAME: name, SUPPORT_EMAIL: support }: z.output<typeof environment>) {
  const quoted = /^[\w .-]*$/.test(name) ? name : JSON.stringify(name)
  const sender = support === defaultBrand.supportEmail ? nobodysSender : support
  return `${quoted} <${sender}>`
}

/** @throws {Error} when browsers would give numbers to another account or mode than ours. */
function checkStripe(values: z.output<typeof environment>) {
  const { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable } = values
  if (!publishable) return
  if (!secret) {
    throw new Error(
      'STRIPE_PUBLISHABLE_KEY needs STRIPE_SECRET_KEY: without it there is a sandbox.',
    )
  }
  const [mode, other] = secret.includes('_live_') ? ['live', 'test'] : ['test', 'live']
  if (publishable.includes(`_${other}_`)) {
    throw new Error(
      `STRIPE_PUBLISHABLE_KEY is of the ${other} mode, but STRIPE_SECRET_KEY is of the ${mode} mode.`,
    )
  }
}

/** @throws {Error} when money could go astray. */
function checkPayPal(values: z.output<typeof environment>) {
  const { PAYPAL_CLIENT_ID: id, PAYPAL_CLIENT_SECRET: secret, STRIPE_SECRET_KEY: stripe } = values
  if (!id && !secret) return
  if (!id || !secret) {
    const [missing, given] = id
      ? ['PAYPAL_CLIENT_SECRET', 'PAYPAL_CLIENT_ID']
      : ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET']
    throw new Error(`${missing} is missing: it belongs to ${given}. Set both, or none.`)
  }
  if (!stripe) {
    throw new Error(
      'PAYPAL_CLIENT_ID needs STRIPE_SECRET_KEY: without it payments are made in the sandbox, and what was never paid must not be paid out.',
    )
  }
}

/** @throws {Error} when an address belongs to no database that was named. */
function checkDatabase(values: z.output<typeof environment>) {
  if (values.DATABASE_URL) return
  const without = [
    values.DATABASE_DIRECT_URL && 'DATABASE_DIRECT_URL',
    values.DATABASE_REPLICA_URL.length > 0 && 'DATABASE_REPLICA_URL',
  ].find(Boolean)
  if (without) throw new Error(`${without} needs DATABASE_URL: it is another way to that database.`)
}

function tracingOf(values: z.output<typeof environment>) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, BRAND_NAME: brandName } = values
  if (!endpoint) return null
  const headers = values.OTEL_EXPORTER_OTLP_HEADERS.map((header) => {
    const [name = '', ...value] = header.split('=')
    return [name.trim(), decodeURIComponent(value.join('=').trim())]
  })
  return {
    endpoint,
    headers: Object.fromEntries(headers) as Record<string, string>,
    service: values.OTEL_SERVICE_NAME ?? brandName.toLowerCase(),
    share: values.OTEL_TRACES_SAMPLER_ARG,
  }
}

/** Which CDN carries films; null where they come from here. */
function cdnOf({ CDN_URL: url, CDN_SECRET: secret }: z.output<typeof environment>) {
  if (!url && !secret) return null
  if (!url || !secret) {
    const [missing, given] = url ? ['CDN_SECRET', 'CDN_URL'] : ['CDN_URL', 'CDN_SECRET']
    throw new Error(`${missing} is missing: it belongs to ${given}. Set both, or none.`)
  }
  return { origin: new URL(url).origin, secret }
}

export type Cdn = NonNullable<ReturnType<typeof cdnOf>>

/** Where files are stored; null for the disk of this machine. */
function objectStoreOf(values: z.output<typeof environment>) {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret } = values
  const { S3_ENDPOINT: endpoint } = values
  if (!bucket && !id && !secret && !endpoint) return null
  if (!bucket || !id || !secret) {
    const missing = [!bucket && 'S3_BUCKET', !id && 'S3_ACCESS_KEY_ID']
      .concat(!secret && 'S3_SECRET_ACCESS_KEY')
      .filter(Boolean)
    throw new Error(
      `Files are stored in S3 only when all is set, but there is no ${missing.join(' and no ')}.`,
    )
  }
  return {
    /** Unset, it is Amazon's of the region. */
    endpoint,
    bucket,
    region: values.S3_REGION,
    accessKeyId: id,
    secretAccessKey: secret,
    // Amazon wants the bucket in the host's name, nearly everybody else can do without.
    pathStyle: values.S3_PATH_STYLE ?? endpoint !== undefined,
  }
}

export type ObjectStore = NonNullable<ReturnType<typeof objectStoreOf>>

/**
 * Reads the whole configuration once. Empty variables count as unset.
 * @throws {Error} with one sentence per wrong value: which variable, and why.
 */
export function readConfig(env: Record<string, string | undefined>) {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = environment.safeParse(set)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0])
      // Secrets and addresses with passwords do not belong into a log.
      if (/SECRET|TOKEN|DATABASE|SMTP|WEBHOOK|STRIPE|OTLP/.test(name))
        return `${name} ${issue.message}.`
      return `${name} is ${JSON.stringify(set[name])}, but it ${issue.message}.`
    })
    throw new Error(lines.join('\n'))
  }
  const values = parsed.data
  checkDatabase(values)
  checkIdentityProviders(values)
  checkStripe(values)
  checkPayPal(values)
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: resolve(values.DATA_DIR),
    appUrl: new URL(values.APP_URL ?? `http://localhost:${values.PORT}`).origin,
    databaseUrl: values.DATABASE_URL,
    /** Past PgBouncer, for what needs a session of its own; unset where `databaseUrl` is direct. */
    directDatabaseUrl: values.DATABASE_DIRECT_URL,
    /** Whether statements with a name are kept by PostgreSQL; PgBouncer knows them since 1.21 only. */
    preparedStatements: values.DATABASE_PREPARED ?? values.DATABASE_DIRECT_URL === undefined,
    replicaUrls: values.DATABASE_REPLICA_URL,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? senderOf(values),
    brand: {
      name: values.BRAND_NAME,
      colour: values.BRAND_COLOR?.toLowerCase(),
      logo: values.BRAND_LOGO && resolve(values.BRAND_LOGO),
      legalEntity: values.BRAND_LEGAL_ENTITY ?? values.BRAND_NAME,
      supportEmail: values.SUPPORT_EMAIL,
    },
    smsWebhookUrl: values.SMS_WEBHOOK_URL,
    signUpOpen: values.SIGNUP === 'open',
    // Without a mail server nobody could confirm anything.
    confirmsEmail: values.EMAIL_CONFIRMATION ?? values.SMTP_URL !== undefined,
    identityProviders: {
      google: pair(values.GOOGLE_CLIENT_ID, values.GOOGLE_CLIENT_SECRET),
      github: pair(values.GITHUB_CLIENT_ID, values.GITHUB_CLIENT_SECRET),
      oidc:
        values.OIDC_DISCOVERY_URL && values.OIDC_CLIENT_ID
          ? {
              name: values.OIDC_NAME,
              discoveryUrl: values.OIDC_DISCOVERY_URL,
              clientId: values.OIDC_CLIENT_ID,
              clientSecret: values.OIDC_CLIENT_SECRET,
            }
          : undefined,
    },
    ssoTrustedOrigins: values.SSO_TRUSTED_ORIGINS.map((origin) => new URL(origin).origin),
    authSecret: values.AUTH_SECRET,
    metricsToken: values.METRICS_TOKEN,
    /** Without a key, payments are made in the sandbox. */
    stripe: {
      secretKey: values.STRIPE_SECRET_KEY,
      publishableKey: values.STRIPE_PUBLISHABLE_KEY,
      webhookSecrets: values.STRIPE_WEBHOOK_SECRET,
    },
    /** Without keys PayPal is not offered, but in the sandbox. */
    paypal: pair(values.PAYPAL_CLIENT_ID, values.PAYPAL_CLIENT_SECRET),
    trustProxy: values.TRUST_PROXY,
    videoMaxMb: values.VIDEO_MAX_MB,
    importMaxMb: values.IMPORT_MAX_MB,
    /** On how many devices an account may play films at once; 0 for no limit. */
    streamsPerAccount: values.STREAMS_PER_ACCOUNT,
    ffmpegPath: values.FFMPEG_PATH,
    cdn: cdnOf(values),
    objectStore: objectStoreOf(values),
    /** Seconds in which a node that is to stop still takes requests, while balancers find others. */
    drainSeconds: values.DRAIN_SECONDS ?? (values.DATABASE_URL ? 5 : 0),
    nodeName: values.NODE_NAME ?? hostname(),
    /** Where traces go; null for none. */
    tracing: tracingOf(values),
    /** Whether this node works the jobs of the queue and converts videos; another one has to where it does not. */
    worksJobs: values.JOBS,
    /** Whether creators' webhooks may lead into the own network, and by http: for development. */
    webhooksAllowPrivate: values.WEBHOOKS_ALLOW_PRIVATE,
    builtWithBadge: values.BUILT_WITH_BADGE,
    /** Where 'Help Center' leads: our own pages, or an address elsewhere. */
    helpUrl: values.HELP_URL ?? '/help',
    logLevel: values.LOG_LEVEL,
  }
}
