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
import type { PayPal } from './paypal.ts'
import type { RateLimits } from './rate-limits.ts'
import type { Sms } from './sms.ts'
import type { Storage } from './storage.ts'
import type { PaymentProvider } from './stripe.ts'

/** What one running Thunder is made of; made once at boot, handed down, never global. */
export interface Services {
  config: Config
  log: Log
  pool: Pool
  db: Db
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
