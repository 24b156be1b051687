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
const config = readConfig(process.env)
const log = createLog(config.logLevel)
const running = await boot(config, log)
await seedFlagship(running.services)

let made
async function currentApp() {
  const { createApp } = await load('/src/server/app.ts')
  const { createPages } = await load('/src/server/pages.ts')
  if (made?.createApp !== createApp || made?.createPages !== createPages) {
    const app = createApp(running.services, createPages(running.services, 'development'))
    made = { createApp, createPages, app }
  }
  return made.app
}

const listener = getRequestListener(async (request, env) =>
  (await currentApp()).fetch(request, env),
)
const server = createHttpServer((request, response) =>
  vite.middlewares(request, response, () => listener(request, response)),
)
server.listen(config.port, config.host, () =>
  log.info(`Thunder (development) is ready at ${config.appUrl}`),
)

async function stop() {
  server.close()
  server.closeAllConnections()
  await vite.close()
  await running.stop()
  process.exit(0)
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
