// What a journey does to the server's database and payment sandbox from its own process.
import { boot } from '../../src/server/boot.ts'
import { readConfig } from '../../src/server/config.ts'
import { createLog } from '../../src/server/log.ts'
import { runningPostgresUrl } from '../../src/server/postgres/embedded.ts'
import type { BuiltServer } from './server.ts'

/** A second node on the data of this server, for what it stores and asks: jobs are left to the server. */
export async function bootSecondNode({
  dataDir,
  url,
  environment,
}: Pick<BuiltServer, 'dataDir' | 'url' | 'environment'>) {
  return boot(
    readConfig({
      ...environment,
      DATABASE_URL: await runningPostgresUrl({ dataDir }),
      DATA_DIR: dataDir,
      APP_URL: url,
      JOBS: 'off',
      LOG_LEVEL: 'silent',
    }),
    createLog('silent'),
  )
}
