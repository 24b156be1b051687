// The app without pages as a process of its own, which can be killed: nothing of it has to be built.
import { registerHooks } from 'node:module'
import { serve } from '@hono/node-server'

// What is made at the build (articles, the worker of the browser) is empty here.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('virtual:')
      ? { url: 'data:text/javascript,export default []', shortCircuit: true }
      : next(specifier, context),
})
const { createApp } = await import('../../src/server/app.ts')
const { boot } = await import('../../src/server/boot.ts')
const { readConfig } = await import('../../src/server/config.ts')
const { createLog } = await import('../../src/server/log.ts')

const config = readConfig(process.env)
const { services } = await boot(config, createLog(config.logLevel))
serve({ fetch: createApp(services).fetch, port: config.port, hostname: '127.0.0.1' }, () =>
  console.log('ready'),
)
