import { resolve } from 'node:path'
import * as z from 'zod'

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

const environment = z.object({
  PORT: port.default(3000),
  HOST: z.string().optional(),
  DATA_DIR: z.string().default('data'),
  APP_URL: address('http', 'https').optional(),
  DATABASE_URL: address('postgres', 'postgresql').optional(),
  SMTP_URL: address('smtp', 'smtps').optional(),
  MAIL_FROM: z.string().default('Thunder <hello@thunder.example>'),
  SMS_WEBHOOK_URL: address('http', 'https').optional(),
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
    .refine((list) => list.every((origin) => URL.canParse(origin)), 'must be a list of addresses'),
  AUTH_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
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
  FFMPEG_PATH: z.string().default('ffmpeg'),
  BUILT_WITH_BADGE: onOff.default(true),
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
      if (/SECRET|TOKEN|DATABASE|SMTP|WEBHOOK/.test(name)) return `${name} ${issue.message}.`
      return `${name} is ${JSON.stringify(set[name])}, but it ${issue.message}.`
    })
    throw new Error(lines.join('\n'))
  }
  const values = parsed.data
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: resolve(values.DATA_DIR),
    appUrl: new URL(values.APP_URL ?? `http://localhost:${values.PORT}`).origin,
    databaseUrl: values.DATABASE_URL,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
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
    trustProxy: values.TRUST_PROXY,
    videoMaxMb: values.VIDEO_MAX_MB,
    importMaxMb: values.IMPORT_MAX_MB,
    ffmpegPath: values.FFMPEG_PATH,
    builtWithBadge: values.BUILT_WITH_BADGE,
    logLevel: values.LOG_LEVEL,
  }
}
