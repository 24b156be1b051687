import type { Pool } from 'pg'
import type { Ffmpeg } from '../domains/media/ffmpeg.ts'
import type { BrandPictures } from '../domains/site/brand-pictures.ts'
import type { Auth } from './auth/create-auth.ts'
import type { AuthDoor } from './auth/door.ts'
import type { AccessTokens } from './auth/access-tokens.ts'
import type { Config } from './config.ts'
import type { Db } from './db.ts'
import type { LiveEvents } from './live-events.ts'
import type { FeatureSwitches } from './feature-switches.ts'
import type { Log } from './log.ts'
import type { Mail } from './mail.ts'
import type { Measures } from './measures.ts'
import type { PayPal } from './paypal.ts'
import type { PublicReads } from './public-reads.ts'
import type { RateLimits } from './rate-limits.ts'
import type { Sms } from './sms.ts'
import type { Storage } from './storage.ts'
import type { PaymentProvider } from './stripe.ts'
import type { Tracer } from './tracing.ts'

/** What one running Thunder is made of; made once at boot, handed down, never global. */
export interface Services {
  config: Config
  log: Log
  measures: Measures
  /** Null where no collector of traces is set. */
  tracer: Tracer | null
  /** Whether balancers are told to send nobody here any more. */
  readiness: { isLeaving: boolean }
  pool: Pool
  /** Past PgBouncer, where there is one: for locks that outlive a transaction. */
  directPool: Pool
  db: Db
  /** What signed-out visitors read, from replicas where there are any. */
  publicReads: PublicReads
  /** The library itself; requests go through `callAuth`. */
  auth: Auth
  callAuth: AuthDoor
  accessTokens: AccessTokens
  events: LiveEvents
  /** What administrators have switched off. */
  features: FeatureSwitches
  mail: Mail
  sms: Sms
  rateLimits: RateLimits
  storage: Storage
  payments: PaymentProvider
  /** Null where PayPal is not offered. */
  paypal: PayPal | null
  brandPictures: BrandPictures
  /** Null where videos play as they were uploaded. */
  ffmpeg: Ffmpeg | null
  /** Signs session cookies. */
  secret: string
}
