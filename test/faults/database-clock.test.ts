// The clock of PostgreSQL is set by a day under load: alone, as on a machine of its own, or with that of the node.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp } from '../app.ts'
import { startWithClock, whyNoDatabaseClock } from './database-clock.ts'
import { everythingWorks } from './everything-works.ts'
import { faultLimits, startLoad } from './load.ts'
import { setClock } from './set-clock.ts'
import { startPostgresOn } from './start-postgres-on.ts'

vi.setConfig(faultLimits)

const day = 24 * 60 * 60 * 1000
const whyNot = whyNoDatabaseClock()

afterEach(() => setClock(0))

describe.skipIf(whyNot !== null)(whyNot ? `skipped: ${whyNot}` : 'the clock of PostgreSQL', () => {
  test.each(['alone', 'with that of the node'])('is set by a day, %s', async (how) => {
    const folder = await mkdtemp(join(tmpdir(), 'thunder-clock-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const { dataDir, stop } = await startPostgresOn(folder)
    await stop()
    const postgres = await startWithClock(dataDir)
    const app = await startTestApp({ DATABASE_URL: postgres.url })
    const set = async (by: number) => {
      await postgres.setClock(by)
      if (how !== 'alone') setClock(by)
      const real = performance.timeOrigin + performance.now()
      const { rows } = await app.services.pool.query('select clock_timestamp() as now')
      expect(Math.abs(rows[0].now.getTime() - real - by)).toBeLessThan(60_000)
    }
    const load = await startLoad(app)
    const people = [await everythingWorks(app, [])]
    await load.acknowledges(20)
    await app.services.pool.query(`update sessions set expires_at = now() + interval '30 days'`)
    for (const by of [day, 0, -day, 0]) {
      await set(by)
      await load.acknowledges(60)
      people.push(await everythingWorks(app, people))
    }
    await load.end()
    await app.stop()
  })
})
