import { gatherOn } from './ask-together.ts'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { welcomeNewcomer } from '../domains/accounts/welcome-newcomer.ts'
import { noteUnsent } from '../domains/accounts/ask-for-mail.ts'
import { postAccountMail, postText, postWarning } from '../domains/accounts/send-account-mail.ts'
import { resumeDecisions } from '../domains/applications/carry-out-decision.ts'
import { resumeImports } from '../domains/course-transfer/import-course.ts'
import { findFfmpeg } from '../domains/media/ffmpeg.ts'
import { startVideoProcessing } from '../domains/media/process-videos.ts'
import { startFinishingUploads } from '../domains/media/uploads.ts'
import { agreeOnMode } from '../domains/payments/payment-mode.ts'
import { resumePayments } from '../domains/payments/reconcile.ts'
import { openBrand } from '../domains/site/brand-pictures.ts'
import { jobs, lanes } from '../jobs.ts'
import { schedule } from '../schedule.ts'
import { startPayPalSandbox } from '../sandbox/paypal/sandbox.ts'
import { startStripeSandbox } from '../sandbox/stripe/sandbox.ts'
import { createAccessTokens } from './auth/access-tokens.ts'
import { createAuth } from './auth/create-auth.ts'
import { createAuthDoor } from './auth/door.ts'
import type { Config } from './config.ts'
import { migrateDatabase, openDatabase } from './db.ts'
import { enqueue, migrateJobs, startJobs } from './jobs.ts'
import { openFeatureSwitches } from './feature-switches.ts'
import { tellOfLaterMigrations } from './later-migrations.ts'
import { startLiveEvents } from './live-events.ts'
import type { Log } from './log.ts'
import { startMail } from './mail.ts'
import { createMeasures } from './measures.ts'
import { ownSecret } from './own-secret.ts'
import { openPayPal } from './paypal.ts'
import { startEmbeddedPostgres } from './postgres/embedded.ts'
import { endStreamsOfSession } from './publish.ts'
import { openPublicReads } from './public-reads.ts'
import { openRateLimits } from './rate-limits.ts'
import { openSms } from './sms.ts'
import type { Services } from './services.ts'
import { openStorage } from './open-storage.ts'
import { openPayments, paymentModeOf } from './stripe.ts'
import { refuseUnfinishedRestore } from './unfinished-restore.ts'

export interface Running {
  services: Services
  /** Gives jobs and videos to other nodes; a part of `stop` that may come earlier. */
  stopWork(): Promise<void>
  stop(): Promise<void>
}

/** Milliseconds that one part may take to stop; then the rest goes on. */
const partPatience = 30_000

const paymentWords = {
  sandbox: 'payments are made in the sandbox: no money moves',
  test: 'payments are made with test keys: no money moves',
  live: 'payments are made with live keys: money moves',
} as const

/** Not even loaded where nobody collects traces. */
async function openTracer({ tracing, nodeName }: Config, log: Log) {
  if (!tracing) return null
  const { startTracing } = await import('./tracing.ts')
  return startTracing({ ...tracing, node: nodeName, log })
}

/**
 * Starts everything that Thunder is made of but the web server: database, migrations, storage, mail,
 * events and jobs. What was started is stopped again when a later part cannot start.
 */
export async function boot(config: Config, log: Log): Promise<Running> {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const part of stops.splice(0).toReversed()) {
      const tooLate = AbortSignal.timeout(partPatience)
      const isSlow = once(tooLate, 'abort').then(() => {
        throw new Error('it takes too long')
      })
      await Promise.race([part(), isSlow]).catch((error: unknown) =>
        log.warn({ err: error }, 'a part did not stop cleanly'),
      )
    }
  }
  try {
    const brandPictures = await openBrand(config)
    const findingFfmpeg = findFfmpeg(config.ffmpegPath, log)
    await mkdir(config.dataDir, { recursive: true })
    await refuseUnfinishedRestore(config.dataDir)
    let databaseUrl = config.databaseUrl
    if (!databaseUrl) {
      const postgres = await startEmbeddedPostgres({
        dataDir: config.dataDir,
        log: (line) => log.info(line),
      })
      stops.push(postgres.stop)
      databaseUrl = postgres.url
    }
    const measures = createMeasures()
    const onError = (code: string) => measures.databaseErrors.add({ code })
    const tracer = await openTracer(config, log)
    if (tracer) stops.push(tracer.stop)
    const { pool, db } = openDatabase(databaseUrl, log, {
      prepared: config.preparedStatements,
      isDirect: !config.directDatabaseUrl,
      onError,
    })
    stops.push(() => pool.end())
    gatherOn(pool)
    const directUrl = config.directDatabaseUrl ?? databaseUrl
    const directPool = config.directDatabaseUrl
      ? openDatabase(directUrl, log, { max: 4, isDirect: true, onError }).pool
      : pool
    if (directPool !== pool) stops.push(() => directPool.end())
    await migrateDatabase(directPool, 'migrations')
    await tellOfLaterMigrations(directPool, 'migrations', log)
    await migrateJobs(directPool, log)
    await agreeOnMode(db, paymentModeOf(config))

    const storage = await openStorage(config, log)
    const mail = await startMail({
      smtpUrl: config.smtpUrl,
      from: config.mailFrom,
      log,
      pool,
      measures,
    })
    stops.push(mail.stop)
    const features = await openFeatureSwitches(pool)
    const events = await startLiveEvents({ url: directUrl, db, log, features })
    stops.push(events.stop)
    const rateLimits = openRateLimits(pool)
    const secret = config.authSecret ?? (await ownSecret(config.dataDir))
    const payments = await openPayments(config, () =>
      startStripeSandbox({ pool, secret, appUrl: config.appUrl, log }),
    )
    if (payments.sandbox) stops.push(payments.sandbox.stop)
    log.info({ mode: payments.mode }, paymentWords[payments.mode])
    const paypal = await openPayPal(config, () =>
      startPayPalSandbox({ pool, secret, appUrl: config.appUrl, log }),
    )
    if (paypal?.sandbox) stops.push(paypal.sandbox.stop)
    const auth = createAuth({
      db,
      pool,
      secret,
      config,
      log,
      needs: {
        // A failure here must not fail the sign-up: the next request of this person tries again.
        welcome: (userId) =>
          welcomeNewcomer(db, userId).catch((error: unknown) =>
            log.error({ err: error }, 'a newcomer was not welcomed'),
          ),
        askToConfirm: (email, callbackURL) =>
          enqueue(db, 'askForMail', {
            path: '/send-verification-email',
            body: { email, callbackURL },
          }),
        warn: (userId, event, executor = db) => postWarning(executor, secret, userId, event),
        addressChanged: (former) =>
          postAccountMail(db, secret, { kind: 'address-changed', ...former }),
        sessionEnded: (sessionId) => endStreamsOfSession(db, sessionId),
        whySignUpIsOff: () => features.off.sign_up ?? null,
        mail: (content) => noteUnsent(postAccountMail(db, secret, content)),
        text: (message) => noteUnsent(postText(db, secret, message)),
      },
    })
    const parts = {
      config,
      log,
      measures,
      tracer,
      readiness: { isLeaving: false },
      pool,
      directPool,
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
    const publicReads = await openPublicReads(
      { ...parts, callAuth: createAuthDoor(parts) },
      config.replicaUrls,
    )
    stops.push(publicReads.stop)
    const services: Services = { ...publicReads.base, publicReads }
    const works: (() => Promise<void>)[] = []
    if (config.worksJobs) {
      const worker = await startJobs(jobs, services, {
        databaseUrl: directUrl,
        schedule,
        lanes,
      })
      stops.push(worker.stop)
      works.push(worker.stop)
      const uploads = startFinishingUploads(services)
      stops.push(uploads.stop)
      works.push(uploads.stop)
      await resumeImports(services)
      await resumeDecisions(services)
      await resumePayments(services)
      const videos = startVideoProcessing(services)
      stops.push(videos.stop)
      works.push(videos.stop)
    }
    const stopWork = async () => {
      await Promise.all(works.map((stopOne) => stopOne()))
    }
    return { services, stopWork, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
