// What the conversion of one video does to everybody else's requests.
import { execFile } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { uploadKey } from '../src/domains/media/finish-upload.ts'
import { checkAll } from './check-answer.ts'
import { type Burst, burst, median, waitForQuiet } from './load.ts'
import { type Row, whole } from './row.ts'
import { type Case, casesOf, type Measuring, targetOf } from './throughput.ts'

const run = promisify(execFile)

/** Noise and movement, five minutes of it: that takes longer to convert than all bursts together. */
async function makeFilm(path: string) {
  const short = `${path}.short.mp4`
  const picture = 'testsrc2=s=1920x1080:r=30:d=10,noise=alls=6:allf=t'
  const common = ['-v', 'error', '-y']
  await run('ffmpeg', [
    ...common,
    ...`-f lavfi -i ${picture} -f lavfi -i sine=d=10 -c:v libx264 -preset ultrafast -crf 30`.split(
      ' ',
    ),
    ...`-pix_fmt yuv420p -c:a aac ${short}`.split(' '),
  ])
  const again = `-stream_loop 29 -i ${short} -c copy -f mp4 ${path}`
  await run('ffmpeg', [...common, ...again.split(' ')])
  await rm(short)
}

/** Gives a creator a video, and waits until Thunder converts it. @returns how to end that */
async function convert({ database }: Measuring, folder: string): Promise<() => Promise<void>> {
  const { rows } = await database.query<{ id: string }>(
    `insert into media_files (owner_id, purpose, status, filename, content_type, size_bytes)
     select id, 'video', 'ready', 'film.mp4', 'video/mp4', 1 from users limit 1 returning id`,
  )
  const id = rows[0]!.id
  await mkdir(join(folder, 'storage/uploads'), { recursive: true })
  await makeFilm(join(folder, 'storage', uploadKey(id)))
  await database.query('insert into video_processings (media_id) values ($1)', [id])
  const percent = async () => {
    const found = await database.query<{ status: string; percent: number; problem: string | null }>(
      'select status, percent, problem from video_processings where media_id = $1',
      [id],
    )
    const [row] = found.rows
    if (row?.problem) throw new Error(row.problem)
    return row?.status === 'running' ? row.percent : 0
  }
  const deadline = Date.now() + 120_000
  // 4: the poster is there, and the ladder under way.
  while ((await percent()) < 4) {
    if (Date.now() > deadline) throw new Error('the conversion did not begin')
    await delay(100)
  }
  return async () => {
    if ((await percent()) < 4) throw new Error('the conversion ended before the measurement')
    await database.query('delete from media_files where id = $1', [id])
    await rm(join(folder, 'storage', uploadKey(id)), { force: true })
  }
}

const said = ({ perSecond, p50, p99 }: Burst) =>
  `${whole(perSecond)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`

const middle = (bursts: Burst[]): Burst => {
  const of = (key: keyof Burst) => median(bursts.map((one) => one[key]))
  const keys: (keyof Burst)[] = ['perSecond', 'p50', 'p99', 'cpu', 'databaseCpu', 'bytes']
  return Object.fromEntries(keys.map((key) => [key, of(key)])) as unknown as Burst
}

export async function measureTranscode(measuring: Measuring, folder: string): Promise<Row[]> {
  const has = await run('ffmpeg', ['-version']).catch(() => null)
  if (!has) return [{ what: 'one conversion', measured: 'no ffmpeg here', goal: '', met: null }]
  const { course, lessonCall } = casesOf(measuring)
  const cases: Case[] = [course, lessonCall]
  const results = cases.map((one) => ({ one, alone: [] as Burst[], beside: [] as Burst[] }))
  const measure = async (one: Case) => {
    await one.prepare?.()
    return burst(targetOf(one, measuring), one.expected, measuring.seconds)
  }
  for (const { one } of results) {
    await checkAll(one.server.origin, one.expected.slice(0, 50))
    await measure(one)
  }
  for (let repeat = 1; repeat <= measuring.repeats; repeat++) {
    await waitForQuiet(measuring.patience)
    for (const { one, alone } of results) alone.push(await measure(one))
    const end = await convert(measuring, folder)
    for (const { one, beside } of results) beside.push(await measure(one))
    await end()
    console.log(`  repeat ${repeat} of ${measuring.repeats}, with and without a conversion`)
  }
  return results.flatMap(({ one, alone, beside }) => {
    const [before, during] = [middle(alone), middle(beside)]
    const ratio = during.perSecond / before.perSecond
    return [
      { what: one.name, measured: said(before), goal: '', met: null },
      {
        what: `${one.name}, beside a conversion`,
        measured: `**${ratio.toFixed(2)}x**: ${said(during)}`,
        goal: '>= 0.8x without',
        met: ratio >= 0.8,
      },
    ]
  })
}
