import type { Pool } from 'pg'
import type { Auth } from './auth.ts'
import type { Config } from './config.ts'
import type { Db } from './db.ts'
import type { LiveEvents } from './live-events.ts'
import type { Log } from './log.ts'
import type { Mail } from './mail.ts'
import type { RateLimits } from './rate-limits.ts'
import type { Storage } from './storage.ts'

/** What one running Thunder is made of; made once at boot, handed down, never global. */
export interface Services {
  config: Config
  log: Log
  pool: Pool
  db: Db
  auth: Auth
  events: LiveEvents
  mail: Mail
  rateLimits: RateLimits
  storage: Storage
  /** Signs session cookies. */
  secret: string
}
