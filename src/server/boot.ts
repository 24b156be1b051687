import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { welcomeNewcomer } from '../domains/accounts/welcome-newcomer.ts'
import { noteUnsent } from '../domains/accounts/ask-for-mail.ts'
import { postAccountMail, postText, postWarning } from '../domains/accounts/send-account-mail.ts'
import { resumeDecisions } from '../domains/applications/carry-out-decision.ts'
import { resumeImports } from '../domains/course-transfer/import-course.ts'
import { findFfmpeg } from '../domains/media/ffmpeg.ts'
import { startVideoProcessing } from '../domains/media/process-videos.ts'
import { finishInterruptedUploads } from '../domains/media/uploads.ts'
import { resumePayments } from '../domains/payments/reconcile.ts'
import { openBrand } from '../domains/site/brand-pictures.ts'
import { jobs, lanes, schedule } from '../jobs.ts'
import { startPayPalSandbox } from '../sandbox/paypal/sandbox.ts'
import { startStripeSandbox } from '../sandbox/stripe/sandbox.ts'
import { createAccessTokens } from './auth/access-tokens.ts'
import { createAuth } from './auth/create-auth.ts'
import { createAuthDoor } from './auth/door.ts'
import type { Config } from './config.ts'
import { migrateDatabase, openDatabase } from './db.ts'
import { enqueue, migrateJobs, startJobs } from './jobs.ts'
import { openFeatureSwitches } from './feature-switches.ts'
import { startLiveEvents } from './live-events.ts'
import type { Log } from './log.ts'
import { startMail } from './mail.ts'
import { openPayPal } from './paypal.ts'
import { startEmbeddedPostgres } from './postgres/embedded.ts'
import { endStreamsOfSession } from './publish.ts'
import { openRateLimits } from './rate-limits.ts'
import { openSms } from './sms.ts'
import type { Services } from './services.ts'
import { openStorage } from './open-storage.ts'
import { openPayments } from './stripe.ts'

export interface Running {
  services: Services
  /** Ends work that would take long; a part of `stop` that may come earlier. */
  stopWork(): Promise<void>
  stop(): Promise<void>
}

/** Kept in the data folder, so that sessions survive a restart. */
async function ownSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'auth-secret')
  const kept = await readFile(file, 'utf8').catch(() => null)
  if (kept) return kept
  const secret = randomBytes(48).toString('base64url')
  // 'wx': when two processes start at once, one writes and both read the same.
  await writeFile(file, secret, { mode: 0o600, flag: 'wx' }).catch(() => {})
  return readFile(file, 'utf8')
}

/**
 * Starts everything that Thunder is made of but the web server: database, migrations, storage, mail,
 * events and jobs. What was started is stopped again when a later part cannot start.
 */
export async function boot(config: Config, log: Log): Promise<Running> {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const part of stops.splice(0).toReversed()) {
      await part().catch((error: unknown) =>
        log.warn({ err: error }, 'a part did not stop cleanly'),
      )
    }
  }
  try {
    const brandPictures = await openBrand(config)
    const findingFfmpeg = findFfmpeg(config.ffmpegPath, log)
    await mkdir(config.dataDir, { recursive: true })
    let databaseUrl = config.databaseUrl
    if (!databaseUrl) {
      const postgres = await startEmbeddedPostgres({
        dataDir: config.dataDir,
        log: (line) => log.info(line),
      })
      stops.push(postgres.stop)
      databaseUrl = postgres.url
    }
    const { pool, db } = openDatabase(databaseUrl, log)
    stops.push(() => pool.end())
    await migrateDatabase(pool, 'migrations')
    await migrateJobs(pool, log)

    const storage = await openStorage(config, log)
    const mail = await startMail({ smtpUrl: config.smtpUrl, from: config.mailFrom, log })
    stops.push(mail.stop)
    const features = await openFeatureSwitches(pool)
    const events = await startLiveEvents({ url: databaseUrl, db, log, features })
    stops.push(events.stop)
    const rateLimits = openRateLimits(pool)
    const secret = config.authSecret ?? (await ownSecret(config.dataDir))
    const payments = await openPayments(config, () =>
      startStripeSandbox({ pool, secret, appUrl: config.appUrl, log }),
    )
    if (payments.sandbox) stops.push(payments.sandbox.stop)
    const paypal = await openPayPal(config, () =>
      startPayPalSandbox({ pool, secret, appUrl: config.appUrl, log }),
    )
    if (paypal?.sandbox) stops.push(paypal.sandbox.stop)
    const auth = createAuth({
      db,
      secret,
      config,
      log,
      needs: {
        // A failure here must not fail the sign-up: the next request of this person tries again.
        welcome: (userId) =>
          welcomeNewcomer(db, userId).catch((error: unknown) =>
            log.error({ err: error }, 'a newcomer was not welcomed'),
          ),
        askToConfirm: (email) =>
          enqueue(db, 'askForMail', { path: '/send-verification-email', body: { email } }),
        warn: (userId, event) => postWarning(db, secret, userId, event),
        sessionEnded: (sessionId) => endStreamsOfSession(db, sessionId),
        whySignUpIsOff: () => features.off.sign_up ?? null,
        mail: (content) => noteUnsent(postAccountMail(db, secret, content)),
        text: (message) => noteUnsent(postText(db, secret, message)),
      },
    })
    const parts = {
      config,
      log,
      pool,
      db,
      auth,
      accessTokens: createAccessTokens(auth, config.appUrl),
      events,
      features,
      mail,
      sms: openSms(config.smsWebhookUrl, log),
      rateLimits,
      storage,
      payments,
      paypal,
      brandPictures,
      ffmpeg: await findingFfmpeg,
      secret,
    }
    const services: Services = { ...parts, callAuth: createAuthDoor(parts) }
    let stopVideos: (() => Promise<void>) | null = null
    if (config.worksJobs) {
      const worker = await startJobs(jobs, services, { databaseUrl, schedule, lanes })
      stops.push(worker.stop)
      await finishInterruptedUploads(services)
      await resumeImports(services)
      await resumeDecisions(services)
      await resumePayments(services)
      stopVideos = startVideoProcessing(services).stop
      stops.push(stopVideos)
    }
    const stopWork = async () => {
      events.hangUp()
      await stopVideos?.()
    }
    return { services, stopWork, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
