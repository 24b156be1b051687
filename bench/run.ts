// npm run bench: fills a database of its own, starts what is compared, measures, prints the tables.
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, release, tmpdir, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { runningPostgresUrl } from '../src/server/postgres/embedded.ts'
import { readPostmasterFile } from '../src/server/postgres/processes.ts'
import { measureAnalytics } from './analytics.ts'
import { measureCommunity } from './community.ts'
import { measureEarnings } from './earnings.ts'
import { measureEditor } from './editor.ts'
import { checkEdits } from './edits.ts'
import { cores, usesWrk } from './load.ts'
import { measureWeights } from './page-weight.ts'
import { startBare, startThunder } from './processes.ts'
import { type Row, tableOf } from './row.ts'
import { measureSearch } from './search.ts'
import { seedMany, type Size } from './seed-many.ts'
import { measureStarts } from './start-up.ts'
import { measureStreams } from './streams.ts'
import { measureThroughput } from './throughput.ts'
import { measureTranscode } from './transcode.ts'

const { values } = parseArgs({
  options: {
    only: {
      type: 'string',
      default:
        'load,community,analytics,earnings,transcode,editor,edits,weight,search,streams,start',
    },
    seconds: { type: 'string', default: '5' },
    repeats: { type: 'string', default: '3' },
    visits: { type: 'string', default: '5' },
    courses: { type: 'string', default: '100000' },
    students: { type: 'string', default: '100000' },
    patience: { type: 'string', default: '20' },
    profile: { type: 'string' },
  },
})
const parts = new Set(values.only.split(','))
const patience = Number(values.patience)
const courses = Number(values.courses)
const taught = Math.min(2000, courses)
const size: Size = { courses, taught, people: 20_000, creators: 10_000 }

const machine = [
  `${cores} cores of ${cpus()[0]?.model ?? 'an unknown processor'}`,
  `${Math.round(totalmem() / 2 ** 30)} GB`,
  `${type()} ${release()}`,
  `Node ${process.versions.node}`,
  usesWrk ? 'wrk' : 'the loader in Node',
  new Date().toISOString().slice(0, 10),
].join(', ')

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const tables: { title: string; rows: Row[] }[] = []
function report(title: string, rows: Row[]) {
  tables.push({ title, rows })
  console.log(`\n${tableOf(title, rows)}`)
}

const onDatabase = [
  'load',
  'community',
  'analytics',
  'earnings',
  'transcode',
  'editor',
  'edits',
  'weight',
  'search',
  'streams',
]
if (onDatabase.some((part) => parts.has(part))) {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-bench-'))
  const secret = randomBytes(32).toString('hex')
  const flags = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : []
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const thunder = await startThunder({ DATA_DIR: folder, AUTH_SECRET: secret }, flags)
    stops.push(() => thunder.stop())
    const databaseUrl = await runningPostgresUrl({ dataDir: folder })
    const postmaster = await readPostmasterFile(join(folder, 'postgres'))
    if (!databaseUrl || !postmaster)
      throw new Error('the database of the measured Thunder was not found')
    const database = new Client({ connectionString: databaseUrl })
    await database.connect()
    stops.push(() => database.end())
    console.log(`Filling a database with ${size.courses} courses and ${size.people} people...`)
    await seedMany(database, size)
    const bare = await startBare(databaseUrl)
    stops.push(() => bare.stop())
    const measuring = {
      thunder,
      bare,
      database,
      size,
      secret,
      patience,
      databasePid: postmaster.pid,
      seconds: Number(values.seconds),
      repeats: Number(values.repeats),
    }
    if (parts.has('load')) report('Throughput', await measureThroughput(measuring))
    if (parts.has('community')) report('Community', await measureCommunity(measuring))
    if (parts.has('analytics')) {
      report('Analytics', await measureAnalytics(measuring, Number(values.students)))
    }
    if (parts.has('earnings')) report('Earnings', await measureEarnings(measuring))
    if (parts.has('transcode')) {
      report('Beside a conversion', await measureTranscode(measuring, folder))
    }
    if (parts.has('weight')) {
      const repeats = Number(values.visits)
      report(
        'Page weight and web vitals',
        await measureWeights({ thunder, bare, database, size, secret, repeats }),
      )
    }
    if (parts.has('editor')) report('Content editor', await measureEditor(thunder, size, secret, 9))
    if (parts.has('streams')) {
      const env = { DATA_DIR: join(folder, 'second'), AUTH_SECRET: secret }
      report('Event streams', await measureStreams({ databaseUrl, env }))
    }
    // Last: they change what the others look for.
    if (parts.has('search')) report('Search', await measureSearch(measuring))
    if (parts.has('edits')) report('Freshness', [await checkEdits(thunder, size, secret, 25)])
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}
if (parts.has('start')) report('Starting', await measureStarts(5, patience))

await mkdir('build/bench', { recursive: true })
await writeFile('build/bench/results.json', JSON.stringify({ machine, tables }, null, 2))
console.log(`${machine}\nAlso in build/bench/results.json`)
