// npm run bench: fills a database of its own, starts what is compared, measures, prints the tables.
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, release, tmpdir, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureAnalytics } from './analytics.ts'
import { measureCommunity } from './community.ts'
import { measureEarnings } from './earnings.ts'
import { measureEditor } from './editor.ts'
import { checkEdits } from './edits.ts'
import { startFilled } from './filled-thunder.ts'
import { measureFirstRun } from './first-run.ts'
import { measureGrowth } from './growth.ts'
import { cores, usesWrk } from './load.ts'
import { measureLogins } from './login.ts'
import { measureMembers } from './members.ts'
import { measureMemory } from './memory.ts'
import { measureNotices } from './notices.ts'
import { measureWeights } from './page-weight.ts'
import { startBare } from './processes.ts'
import { measureRowSizes } from './row-sizes.ts'
import { type Row, tableOf } from './row.ts'
import { measureSearch } from './search.ts'
import type { Size } from './seed-many.ts'
import { measureStarts } from './start-up.ts'
import { measureStreams } from './streams.ts'
import { measureThroughput } from './throughput.ts'
import { measureTranscode } from './transcode.ts'
import { measureWrites } from './write.ts'

const { values } = parseArgs({
  options: {
    only: {
      type: 'string',
      default:
        'load,login,write,community,analytics,earnings,members,notifications,growth,transcode,editor,edits,weight,search,streams,memory,start,first',
    },
    seconds: { type: 'string', default: '5' },
    repeats: { type: 'string', default: '3' },
    visits: { type: 'string', default: '5' },
    courses: { type: 'string', default: '100000' },
    students: { type: 'string', default: '100000' },
    people: { type: 'string', default: '20000' },
    rows: { type: 'string', default: '1000000' },
    'load-seconds': { type: 'string', default: '30' },
    patience: { type: 'string', default: '20' },
    profile: { type: 'string' },
  },
})
const parts = new Set(values.only.split(','))
const patience = Number(values.patience)
const courses = Number(values.courses)
const taught = Math.min(2000, courses)
const people = Number(values.people)
const size: Size = { courses, taught, people, creators: people / 2 }
/** What growth is compared with. */
const littleSize: Size = { courses: 1000, taught: 1000, people: 2000, creators: 1000 }

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

const compared = ['members', 'notifications', 'growth']
const onDatabase = [
  ...compared,
  'load',
  'login',
  'write',
  'community',
  'analytics',
  'earnings',
  'transcode',
  'editor',
  'edits',
  'weight',
  'search',
  'streams',
  'sizes',
]
if (onDatabase.some((part) => parts.has(part))) {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-bench-'))
  const secret = randomBytes(32).toString('hex')
  const flags = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : []
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const start = async (where: string, ofSize: Size) => {
      const filled = await startFilled({ folder: where, secret, size: ofSize, flags })
      stops.push(() => filled.stop())
      const bare = await startBare(filled.databaseUrl)
      stops.push(() => bare.stop())
      const [seconds, repeats] = [Number(values.seconds), Number(values.repeats)]
      return { ...filled, bare, size: ofSize, secret, patience, seconds, repeats }
    }
    const measuring = await start(folder, size)
    const { thunder, bare, database, databaseUrl } = measuring
    if (parts.has('load')) report('Throughput', await measureThroughput(measuring))
    if (parts.has('login')) report('Log-ins', await measureLogins(measuring))
    if (parts.has('write')) report('Writes', await measureWrites(measuring))
    if (parts.has('community')) report('Community', await measureCommunity(measuring))
    if (parts.has('analytics')) {
      report('Analytics', await measureAnalytics(measuring, Number(values.students)))
    }
    if (parts.has('earnings')) report('Earnings', await measureEarnings(measuring))
    if (compared.some((part) => parts.has(part))) {
      const worlds = { few: await start(join(folder, 'few'), littleSize), many: measuring }
      const rows = Number(values.rows)
      // First, because the others add people and courses.
      if (parts.has('growth')) report('Growth: courses', await measureGrowth(worlds))
      if (parts.has('members')) report('Growth: members', await measureMembers(worlds, rows))
      if (parts.has('notifications')) {
        const notices = { all: rows, own: rows / 10 }
        report('Growth: notifications', await measureNotices(worlds, notices))
      }
    }
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
    if (parts.has('sizes')) report('Row sizes', await measureRowSizes(database, size))
    // Last: they change what the others look for.
    if (parts.has('search')) report('Search', await measureSearch(measuring))
    if (parts.has('edits')) report('Freshness', [await checkEdits(thunder, size, secret, 25)])
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}
if (parts.has('memory')) {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-memory-'))
  const seconds = Number(values['load-seconds'])
  const secret = randomBytes(32).toString('hex')
  const rows = await measureMemory({ folder, secret, size, seconds }).finally(() =>
    rm(folder, { recursive: true, force: true }),
  )
  report('Memory', rows)
}
if (parts.has('start')) report('Starting', await measureStarts(5, patience))
if (parts.has('first')) report('First run', await measureFirstRun(5, patience))

await mkdir('build/bench', { recursive: true })
await writeFile('build/bench/results.json', JSON.stringify({ machine, tables }, null, 2))
console.log(`${machine}\nAlso in build/bench/results.json`)
