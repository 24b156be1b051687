import { createServer as createHttpServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createServer as createViteServer } from 'vite'

const vite = await createViteServer({ server: { middlewareMode: true }, appType: 'custom' })
const load = (path) => vite.ssrLoadModule(path)

// The machinery starts once; the app on top of it is made anew whenever its code changes.
const { readConfig } = await load('/src/server/config.ts')
const { createLog } = await load('/src/server/log.ts')
const { boot } = await load('/src/server/boot.ts')
const { seedFlagship } = await load('/seed/seed-flagship.ts')
const { sentenceOf } = await load('/src/server/reason-of.ts')
const { outliveReaders } = await load('/src/server/outlive-readers.ts')

outliveReaders()

let booting
let server
let isStopping = false
/** Ctrl-C comes from npm as well as from the terminal: the second must not cut the end short. */
async function stop(code) {
  if (isStopping) return
  isStopping = true
  server?.close()
  server?.closeAllConnections()
  // Also one that is still starting.
  const running = await booting?.catch(() => null)
  await running?.stop()
  await vite.close()
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0))

function fail(error) {
  // What fails because it is being stopped is nobody's trouble.
  if (!isStopping) console.error(sentenceOf(error))
  return stop(1)
}

function serve(services) {
  const { config, log } = services
  let made
  async function currentApp() {
    const { createApp } = await load('/src/server/app.ts')
    const { createPages } = await load('/src/server/pages.ts')
    if (made?.createApp !== createApp || made?.createPages !== createPages) {
      const app = createApp(services, createPages(services, 'development'))
      made = { createApp, createPages, app }
    }
    return made.app
  }
  const listener = getRequestListener(async (request, env) =>
    (await currentApp()).fetch(request, env),
  )
  server = createHttpServer((request, response) =>
    vite.middlewares(request, response, () => listener(request, response)),
  )
  server.on('error', fail)
  server.listen(config.port, config.host, () =>
    log.info(`Thunder (development) is ready at ${config.appUrl}`),
  )
}

try {
  const config = readConfig(process.env)
  booting = boot(config, createLog(config.logLevel))
  const { services } = await booting
  await seedFlagship(services)
  if (!isStopping) serve(services)
} catch (error) {
  await fail(error)
}
