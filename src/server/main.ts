// The production server: starts everything, serves the built files and the app, stops on a signal.
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { seedFlagship } from '../../seed/seed-flagship.ts'
import { createApp } from './app.ts'
import { boot } from './boot.ts'
import { type Config, readConfig } from './config.ts'
import { createLog } from './log.ts'
import { createPages } from './pages.ts'

/** Milliseconds that requests under way get to finish when the server stops. */
const patience = 5000

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

function configOrExit(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    return fail(error)
  }
}

const config = configOrExit()
const log = createLog(config.logLevel)
process.on('unhandledRejection', (error) => log.error({ err: error }, 'an unhandled rejection'))

// Whoever stops a server that is still starting leaves nothing running behind.
let askedToStop = false
const askToStop = () => void (askedToStop = true)
process.on('SIGINT', askToStop)
process.on('SIGTERM', askToStop)

const running = await boot(config, log).catch(fail)
const seeded = await seedFlagship(running.services).catch((error: unknown) => ({ error }))
if (askedToStop || seeded) {
  await running.stop()
  if (seeded) fail(seeded.error)
  process.exit(0)
}
process.off('SIGINT', askToStop)
process.off('SIGTERM', askToStop)

const site = new Hono()
site.use(
  '/assets/*',
  serveStatic({
    root: 'build/client',
    precompressed: true,
    onFound: (_path, context) =>
      context.header('cache-control', 'public, max-age=31536000, immutable'),
  }),
)
site.route('/', createApp(running.services, createPages(running.services, 'production')))

const server = serve(
  {
    fetch: site.fetch,
    port: config.port,
    hostname: config.host,
    // Longer than proxies keep theirs, which is about a minute: who closes first while the other one sends
    // loses a request.
    serverOptions: { keepAliveTimeout: 75_000 },
  },
  ({ port }) => {
    running.services.payments.sandbox?.deliverTo(`http://localhost:${port}/webhooks/stripe`)
    log.info(`${config.brand.name} is ready at ${config.appUrl}`)
  },
)
server.on('error', (error) => {
  const busy = 'code' in error && error.code === 'EADDRINUSE'
  void running
    .stop()
    .finally(() =>
      fail(
        busy ? `Port ${config.port} is in use by another program. Set PORT to a free one.` : error,
      ),
    )
})

let stopping = false
async function stop() {
  if (stopping) return
  stopping = true
  log.info('stopping')
  void running.stopWork()
  const closed = new Promise((resolve) => server.close(resolve))
  const timer = setTimeout(
    () => 'closeAllConnections' in server && server.closeAllConnections(),
    patience,
  )
  if ('closeIdleConnections' in server) server.closeIdleConnections()
  await closed
  clearTimeout(timer)
  await running.stop()
  process.exit(0)
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
