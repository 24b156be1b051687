// node bench/payment-histories.ts [10000] [first seed] [at once]: payment histories, each against two nodes of
// Thunder, see test/payment-histories. A part of them in each of several processes, one for each core.
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startEmbeddedPostgres } from '../src/server/postgres/embedded.ts'
import { startTestApp } from '../test/app.ts'
import { runHistories } from '../test/payment-histories/run-histories.ts'

/** Compared after each, and played in a database of its own; what went wrong is told at once. */
const batchSize = 200

interface Batch {
  firstSeed: number
  histories: number
}

interface Result {
  steps: number
  events: number
  deliveries: number
  wrong: string[]
}

if (process.send) await playBatches()
else await shareOut()

/** Hands out batches until all are played. */
async function shareOut(): Promise<void> {
  const histories = Number(process.argv[2] ?? 10_000)
  const firstSeed = Number(process.argv[3] ?? Math.floor(Math.random() * 1_000_000_000))
  const players = Number(process.argv[4] ?? availableParallelism())
  const size = Math.min(batchSize, Math.ceil(histories / players))
  const batches: Batch[] = []
  for (let from = 0; from < histories; from += size) {
    batches.push({ firstSeed: firstSeed + from, histories: Math.min(size, histories - from) })
  }
  const sums = { histories: 0, steps: 0, events: 0, deliveries: 0, wrong: 0 }
  const started = Date.now()
  console.log(`${histories} payment histories from seed ${firstSeed}, ${players} processes`)

  const play = () =>
    new Promise<void>((done, failed) => {
      const player = fork(import.meta.filename)
      let batch: Batch | undefined
      const next = () => {
        batch = batches.shift()
        if (batch) player.send(batch)
        else player.disconnect()
      }
      player.on('message', ({ wrong, ...counts }: Result) => {
        for (const difference of wrong) console.error(difference)
        sums.histories += batch!.histories
        sums.steps += counts.steps
        sums.events += counts.events
        sums.deliveries += counts.deliveries
        sums.wrong += wrong.length
        const seconds = Math.round((Date.now() - started) / 1000)
        console.log(`${seconds} s: ${JSON.stringify(sums)}`)
        next()
      })
      player.on('exit', (code) => {
        if (code === 0) done()
        else failed(new Error(`a process ended with ${code}, at ${JSON.stringify(batch)}`))
      })
      next()
    })

  await Promise.all(Array.from({ length: players }, play))
  process.exitCode = sums.wrong === 0 ? 0 : 1
}

async function playBatches(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-histories-'))
  const postgres = await startEmbeddedPostgres({ dataDir: folder })
  const admin = new Client({ connectionString: postgres.url })
  await admin.connect()
  process.once('disconnect', () => void leave())
  process.on('message', (batch: Batch) => void playBatch(batch))
  if (!process.connected) await leave()

  async function leave() {
    await admin.end()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
    process.exit(0)
  }

  async function playBatch({ firstSeed, histories }: Batch): Promise<void> {
    const name = `histories_${firstSeed}`
    await admin.query(`create database ${name}`)
    // Nobody pulls a plug here.
    await admin.query(`alter database ${name} set synchronous_commit = off`)
    const url = new URL(postgres.url)
    url.pathname = `/${name}`
    const shared = { AUTH_SECRET: randomBytes(32).toString('hex'), DATABASE_URL: url.href }
    const one = await startTestApp(shared)
    const other = await startTestApp(shared)
    const result = await runHistories({ processes: [one, other], firstSeed, histories, atOnce: 12 })
    await other.stop()
    await one.stop()
    await admin.query(`drop database ${name} with (force)`)
    process.send!(result satisfies Result)
  }
}
