// The production server: starts everything, serves the built files and the app, stops on a signal.
import type { Server } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { seedFlagship } from '../../seed/seed-flagship.ts'
import { createApp } from './app.ts'
import { boot } from './boot.ts'
import { builtFiles } from './built-files.ts'
import { type Config, readConfig } from './config.ts'
import { leave } from './leave.ts'
import { helpingThreadsGiveWay } from './helping-threads.ts'
import { buildFolder, keepBuildAtStart, openKeptBuilds } from './kept-builds.ts'
import { localAddress } from './local-address.ts'
import { createLog } from './log.ts'
import { outliveReaders } from './outlive-readers.ts'
import { createPages } from './pages.ts'
import { sentenceOf } from './reason-of.ts'

// While pages are rendered, much of what a request needs outlives a collection of young objects. V8 concludes that
// such objects grow old, and then makes those of every request among the old ones, where they and whatever they
// refer to wait for the next full collection.
setFlagsFromString('--no-allocation-site-pretenuring')

function fail(error: unknown): never {
  console.error(sentenceOf(error))
  process.exit(1)
}

function configOrExit(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    return fail(error)
  }
}

outliveReaders()
const config = configOrExit()
const log = createLog(config.logLevel, { node: config.nodeName })
process.on('unhandledRejection', (error) => log.error({ err: error }, 'an unhandled rejection'))
// Node itself would print all that the error knows.
process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'an error that nobody expected')
  process.exit(1)
})

// The last comes from a terminal that is closed.
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

// Whoever stops a server that is still starting leaves nothing running behind.
let askedToStop = false
const askToStop = () => void (askedToStop = true)
for (const signal of stopSignals) process.on(signal, askToStop)

const running = await boot(config, log).catch(fail)
const seeded = await seedFlagship(running.services).catch((error: unknown) => ({ error }))
const { storage } = running.services
if (!askedToStop && !seeded) {
  await helpingThreadsGiveWay()
  await keepBuildAtStart(storage, log)
}
if (askedToStop || seeded) {
  await running.stop()
  if (seeded) fail(seeded.error)
  process.exit(0)
}
// From here to the last line nothing waits: a signal meets the one or the other.
const builds = openKeptBuilds(storage)

const site = new Hono()
site.route('/', builtFiles(buildFolder, config.appUrl, builds))
site.route('/', createApp(running.services, createPages(running.services, 'production', builds)))

const server = serve(
  {
    fetch: site.fetch,
    port: config.port,
    hostname: config.host,
    // Longer than proxies keep theirs, which is about a minute: who closes first while the other one sends
    // loses a request.
    serverOptions: { keepAliveTimeout: 75_000 },
  },
  (listening) => {
    const here = localAddress(listening)
    running.services.payments.sandbox?.deliverTo(`${here}/webhooks/stripe`)
    const where = config.port === 0 ? here : config.appUrl
    log.info(`${config.brand.name} is ready at ${where}`)
  },
)
server.on('error', (error) => {
  const isBusy = 'code' in error && error.code === 'EADDRINUSE'
  const busy = `Port ${config.port} is in use by another program. Set PORT to a free one.`
  void running.stop().finally(() => fail(isBusy ? new Error(busy) : error))
})

let isStopping = false
const hurry = new AbortController()
/** Ctrl-C means that somebody waits. A second SIGTERM does not: it may come from npm beside the first. */
async function stop(signal: NodeJS.Signals) {
  if (signal === 'SIGINT') hurry.abort()
  if (isStopping) return
  isStopping = true
  await leave(
    {
      server: server as Server,
      services: running.services,
      stopWork: running.stopWork,
      drainSeconds: config.drainSeconds,
    },
    hurry.signal,
  )
  await running.stop()
  process.exit(0)
}
for (const signal of stopSignals) process.off(signal, askToStop).on(signal, stop)
