// Fills the database of this installation with the demo content, also beside a running Thunder.
import { seedDemo } from '../seed/demo.ts'
import { seedFlagship } from '../seed/seed-flagship.ts'
import { openOwnDatabase } from '../src/operation/own-database.ts'
import { noteStart, runCommand } from '../src/operation/run-command.ts'
import { boot } from '../src/server/boot.ts'
import { readConfig } from '../src/server/config.ts'
import { createLog } from '../src/server/log.ts'

await runCommand(async (started) => {
  const config = readConfig(process.env)
  const databaseUrl = await openOwnDatabase(started, config, { mayBeNew: true })
  const log = createLog(config.logLevel)
  const { services } = await noteStart(started, boot({ ...config, databaseUrl }, log))
  // Connections that are cut by the end are nobody's trouble.
  started.defer(() => void (log.level = 'silent'))
  await seedFlagship(services)
  const logins = await seedDemo(services)
  console.log('The demo content is there. Log in as one of these:\n')
  for (const { email, password, shows } of logins) {
    console.log(`  ${email.padEnd(40)} ${password}   ${shows}`)
  }
  return 0
})
