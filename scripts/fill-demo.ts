// Fills the database of this installation with the demo content, also beside a running Thunder.
import { seedDemo } from '../seed/demo.ts'
import { seedFlagship } from '../seed/seed-flagship.ts'
import { boot } from '../src/server/boot.ts'
import { readConfig } from '../src/server/config.ts'
import { createLog } from '../src/server/log.ts'
import { runningPostgresUrl } from '../src/server/postgres/embedded.ts'

const config = readConfig(process.env)
// A data folder has one server: that of a running Thunder, or one for the moment.
const databaseUrl = config.databaseUrl ?? (await runningPostgresUrl({ dataDir: config.dataDir }))
const running = await boot({ ...config, databaseUrl }, createLog(config.logLevel))
await seedFlagship(running.services)
const logins = await seedDemo(running.services)
await running.stop()

console.log('The demo content is there. Log in as one of these:\n')
for (const { email, password, shows } of logins) {
  console.log(`  ${email.padEnd(40)} ${password}   ${shows}`)
}
process.exit(0)
