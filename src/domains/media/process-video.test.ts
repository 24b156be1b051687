// What is decided while a video is converted, and what is said of it: with programs that do at once what we like.
// What the real ones make of real films is shown by processing.test.ts.
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson } from '../../../test/factories.ts'
import { somebodyWaits } from '../../../test/waiting.ts'
import { personTopic } from '../../server/publish.ts'
import { derivedFolder, derivedKey } from './derived-files.ts'
import { uploadKey } from './finish-upload.ts'
import { processVideo, type ProcessingLimits, Stopped } from './process-video.ts'
import { type Claim, claimNext } from './processing-queue.ts'
import { mediaFiles, videoProcessings } from './tables.ts'
import { whyNot } from './unconvertible.ts'

let app: TestApp
let programs: string
let owner: { id: string }
let course: { id: string; instructorId: string }
let elsewhere: { id: string; instructorId: string }

beforeAll(async () => {
  app = await startTestApp({ FFMPEG_PATH: 'off' })
  programs = await mkdtemp(join(tmpdir(), 'programs-'))
  const create = { width: 16, height: 8, channels: 3, background: '#f00' } as const
  await sharp({ create }).jpeg().toFile(join(programs, 'picture.jpg'))
  owner = await makePerson(app.services)
  course = await makeCourse(app.services, owner)
  elsewhere = await makeCourse(app.services, owner)
})
afterAll(async () => {
  await app?.stop()
  await rm(programs, { recursive: true })
})
beforeEach(async () => {
  await query('delete from media_files')
  await query('delete from live_events')
})

const query = async (statement: string, ...values: unknown[]) =>
  (await app.services.pool.query(statement, values)).rows

/** A claim on a video of which nothing was made yet. */
async function claimed(
  facts: Partial<typeof mediaFiles.$inferInsert> = {},
  attempts = 1,
): Promise<Claim> {
  const { db, storage } = app.services
  const values = { purpose: 'video', status: 'ready', filename: 'a.mp4', sizeBytes: 4 } as const
  const [row] = await db
    .insert(mediaFiles)
    .values({
      ...values,
      ownerId: owner.id,
      contentType: 'video/mp4',
      courseId: course.id,
      ...facts,
    })
    .returning({ id: mediaFiles.id })
  const mediaId = row!.id
  await storage.put(uploadKey(mediaId), Buffer.from('film'))
  await db.insert(videoProcessings).values({ mediaId, attempts: attempts - 1 })
  const { claim } = await claimNext(db, 45)
  return claim!
}

interface Film {
  width?: number
  height?: number
  framesPerSecond?: number
  /** As its tracks say. */
  declared?: number | null
  /** As it is found to be. */
  found?: number
}

/** What the program does that makes the ladder: pieces and playlists, as far as is said. */
const ladder = (reached: number) => `
for step in hls/*p; do
  echo begin > $step/init.mp4; echo piece > $step/00000.m4s
  printf '#EXTM3U\\n#EXTINF:4,\\n#EXT-X-ENDLIST\\n' > $step/index.m3u8
done
echo '#EXTM3U' > hls/main.m3u8
echo out_time_us=${Math.round(reached * 1_000_000)}`
const refuses = 'exit 1'

async function written(name: string, lines: string) {
  const path = join(programs, name)
  await writeFile(path, `#!/bin/sh\nhere=${programs}\n${lines}\n`)
  await chmod(path, 0o755)
  return path
}

const limits = { leaseSeconds: 45, beatSeconds: 0.05, stallSeconds: 30, keptFree: 0 }

async function convert(
  claim: Claim,
  film: Film = {},
  more: {
    script?: string
    limits?: Partial<ProcessingLimits>
    signal?: AbortSignal
    services?: Partial<typeof app.services>
  } = {},
) {
  const { width = 640, height = 360, framesPerSecond = 25, declared = 10, found = 10 } = film
  const stream = { index: 0, codec_type: 'video', codec_name: 'h264', width, height }
  const says = {
    ...stream,
    avg_frame_rate: `${framesPerSecond}/1`,
    ...(declared !== null && { duration: String(declared) }),
  }
  const ffprobe = await written('ffprobe', `echo '${JSON.stringify({ streams: [says] })}'`)
  const ffmpeg = await written(
    'ffmpeg',
    `case "$*" in
*'-f null'*) echo out_time_us=${Math.round(found * 1_000_000)};;
*poster.jpg) cp $here/picture.jpg poster.jpg;;
*preview/*) cp $here/picture.jpg preview/001.jpg;;
*main.m3u8*) ${more.script ?? ladder(found)};;
esac`,
  )
  const services = { ...app.services, ...more.services }
  const signal = more.signal ?? new AbortController().signal
  await processVideo(services, { ffmpeg, ffprobe }, claim, { ...limits, ...more.limits }, signal)
  return rowOf(claim)
}

async function rowOf({ mediaId }: Claim) {
  const { db } = app.services
  const [row] = await db
    .select()
    .from(videoProcessings)
    .where(eq(videoProcessings.mediaId, mediaId))
  return row
}
async function fileOf({ mediaId }: Claim) {
  const [row] = await app.services.db.select().from(mediaFiles).where(eq(mediaFiles.id, mediaId))
  return row!
}
const madeOf = async ({ mediaId }: Claim) =>
  (await app.services.storage.files(derivedFolder(mediaId))).toSorted()

const workFolder = () => join(app.services.config.dataDir, 'work', 'videos')

/** What waits in the middle of the ladder until it is told to go on. */
const held = async (first: number, last: number) => {
  await rm(join(programs, 'go'), { force: true })
  return `echo out_time_us=${first * 1_000_000}
touch $here/waits
until [ -f $here/go ]; do sleep 0.02; done
${ladder(last)}`
}
const goOn = () => writeFile(join(programs, 'go'), '')
const waits = () => expect.poll(() => readdir(programs)).toContain('waits')
beforeEach(() => rm(join(programs, 'waits'), { force: true }))

describe('a film', () => {
  test('is there piece by piece before a playlist names it, and before its row says so', async () => {
    const claim = await claimed()
    const { storage } = app.services
    await storage.put(derivedKey(claim.mediaId, 'hls/1080p/00009.m4s'), Buffer.from('old'))
    await mkdir(join(workFolder(), 'somebody else’s'), { recursive: true })
    const stored: string[] = []
    const noting = {
      ...storage,
      put: (key: string, bytes: Uint8Array) => {
        stored.push(key)
        return storage.put(key, bytes)
      },
      adopt: (key: string, path: string) => {
        stored.push(key)
        return storage.adopt(key, path)
      },
    }
    const row = await convert(
      claim,
      { width: 1280, height: 720 },
      { services: { storage: noting } },
    )
    expect(row).toMatchObject({
      status: 'done',
      percent: 100,
      problem: null,
      attempts: 1,
      hasPoster: true,
      hasPreview: true,
      heights: [720, 480, 360],
    })
    const names = stored.map((key) => key.slice(derivedFolder(claim.mediaId).length + 1))
    expect(names.slice(0, 3)).toEqual(['poster.jpg', 'preview.jpg', 'preview.vtt'])
    const steps = ['360p', '480p', '720p']
    expect(names.slice(3, 9).toSorted()).toEqual(
      steps.flatMap((step) => [`hls/${step}/00000.m4s`, `hls/${step}/init.mp4`]),
    )
    expect(names.slice(9, 12).toSorted()).toEqual(steps.map((step) => `hls/${step}/index.m3u8`))
    expect(names.slice(12)).toEqual(['hls/main.m3u8'])
    expect(await madeOf(claim)).toEqual(names.toSorted())
    const sizes = await Promise.all(stored.map((key) => storage.size(key)))
    expect(row!.sizeBytes).toBe(sizes.reduce<number>((sum, size) => sum + size!, 0))
    expect(await readdir(workFolder())).toEqual([])
  })

  test('says how far it is, and that somebody works on it', async () => {
    const claim = await claimed()
    const work = convert(claim, { found: 10 }, { script: await held(5, 10) })
    await expect.poll(async () => (await rowOf(claim))?.percent).toBe(50)
    const told = async () =>
      (await query(`select 1 from live_events where topic = $1`, personTopic(owner.id))).length
    const before = await told()
    for (let time = 0; time < 2; time += 1) {
      await query(`update video_processings set heartbeat_at = now() - interval '1 hour'`)
      await expect
        .poll(async () => (await rowOf(claim))!.heartbeatAt!.getTime())
        .toBeGreaterThan(Date.now() - 60_000)
    }
    // A sign of life is nothing to tell.
    expect(await told()).toBe(before)
    await goOn()
    expect(await work).toMatchObject({ status: 'done', percent: 100 })
  })

  test('is never said to be ready before it is', async () => {
    const claim = await claimed()
    const work = convert(claim, { found: 10 }, { script: await held(11, 10) })
    await expect.poll(async () => (await rowOf(claim))?.percent).toBe(97)
    expect(await rowOf(claim)).toMatchObject({ status: 'running', hasPoster: true, heights: [] })
    await goOn()
    await work
  })
})

describe('its length', () => {
  // Two programs are enough for it: a strip of a film is refused after that.
  const strip = { width: 640, height: 20 }

  test.each([
    ['what its tracks say', 10.9, 10, 25, 10.9],
    ['also when that is less', 9.5, 10, 25, 9.5],
    ['not when it is more than a second away', 11.1, 10, 25, 10],
    ['nor when it is less by that', 8.9, 10, 25, 10],
    ['two in a hundred of a long one', 102, 100, 25, 102],
    ['no more than that', 102.1, 100, 25, 100],
    ['four pictures of a slow one', 12, 10, 2, 12],
    ['no more than four', 12.1, 10, 2, 10],
    ['what was found and its last picture', null, 10, 25, 10.04],
  ])('is %s', async (_what, declared, found, framesPerSecond, kept) => {
    const claim = await claimed()
    const row = await convert(claim, { ...strip, declared, found, framesPerSecond })
    expect(row).toMatchObject({ status: 'failed', problem: whyNot.wrongShape, hasPoster: false })
    expect(await fileOf(claim)).toMatchObject({
      ...strip,
      durationSeconds: expect.closeTo(kept, 3),
    })
  })

  test.each([
    [null, 0],
    [5, 0],
  ])('is none with %d declared and %d found', async (declared, found) => {
    const claim = await claimed({ durationSeconds: 7 })
    const row = await convert(claim, { declared, found })
    expect(row).toMatchObject({ status: 'failed', problem: whyNot.noLength })
    expect(await fileOf(claim)).toMatchObject({ durationSeconds: 7, width: 640, height: 360 })
  })

  test('is news for the pages of its course when it differs by more than half a second', async () => {
    const versions = () =>
      query('select version, updated_at from courses where id = any($1) order by id', [
        course.id,
        elsewhere.id,
      ])
    const [ours, theirs] = course.id < elsewhere.id ? [0, 1] : [1, 0]
    for (const [known, kept, isNews] of [
      [10.5, 10.5, false],
      [9.5, 9.5, false],
      [10.6, 10, true],
      [9.4, 10, true],
    ] as const) {
      const before = await versions()
      const claim = await claimed({ durationSeconds: known })
      const other = await query(
        `insert into media_files (owner_id, purpose, status, filename, size_bytes, duration_seconds)
         values ($1, 'video', 'ready', 'b.mp4', 1, 3) returning id`,
        owner.id,
      )
      await convert(claim, strip)
      expect((await fileOf(claim)).durationSeconds).toBeCloseTo(kept, 3)
      const after = await versions()
      expect([known, after[ours].version !== before[ours].version]).toEqual([known, isNews])
      expect(after[theirs]).toEqual(before[theirs])
      expect(after.map((one) => one.updated_at)).toEqual(before.map((one) => one.updated_at))
      expect(await fileOf({ ...claim, mediaId: other[0].id })).toMatchObject({
        durationSeconds: 3,
        width: null,
      })
    }
    const loose = await claimed({ courseId: null, purpose: 'video' })
    await convert(loose, strip)
    expect(await fileOf(loose)).toMatchObject({ durationSeconds: 10, height: 20 })
  })

  test('and whoever deletes the course with the film at this moment do not wait for each other', async () => {
    const claim = await claimed({ durationSeconds: 7 })
    const [deleted, row] = await app.services.db.transaction(async (transaction) => {
      await transaction.execute(sql`set local lock_timeout = '200ms'`)
      await transaction.execute(
        sql`select id from courses where id = ${course.id} for no key update`,
      )
      // Its signs of life change a row that goes with the film, too, and are not what is waited for here.
      const converted = convert(claim, strip, { limits: { beatSeconds: 60 } })
      await somebodyWaits(app)
      const { rowCount } = await transaction.execute(
        sql`delete from media_files where course_id = ${course.id}`,
      )
      return [rowCount, converted]
    })
    expect([deleted, await row]).toEqual([1, undefined])
  })

  test('has to be nearly all there', async () => {
    const known = (found: number) => ({ declared: 100, found })
    const short = await claimed()
    expect(await convert(short, known(88.83))).toMatchObject({
      status: 'failed',
      problem: whyNot.incomplete(88.83, 100),
      hasPoster: true,
      percent: 4,
    })
    expect(await madeOf(short)).toEqual(['poster.jpg'])
    const enough = await convert(await claimed(), known(88.85), { script: refuses })
    expect(enough).toMatchObject({ status: 'failed', problem: whyNot.unreadable })
  })

  test('is six hours at most', async () => {
    const lasting = async (seconds: number) =>
      convert(await claimed(), { declared: seconds, found: seconds }, { script: refuses })
    expect(await lasting(21_601)).toMatchObject({ problem: whyNot.tooLong, hasPoster: true })
    expect(await lasting(21_600)).toMatchObject({ problem: whyNot.unreadable })
  })

  test('has to be reached by what is made of it', async () => {
    const reaching = async (seconds: number) => {
      const claim = await claimed()
      return { claim, row: await convert(claim, {}, { script: ladder(seconds) }) }
    }
    const { claim, row } = await reaching(7.83)
    expect(row).toMatchObject({ status: 'failed', problem: whyNot.unreadable, heights: [] })
    expect(await madeOf(claim)).toEqual(['poster.jpg'])
    expect((await reaching(7.85)).row).toMatchObject({ status: 'done', heights: [360] })
  })
})

describe('what goes wrong', () => {
  test('is told to the creator for good, and to the log with its reason', async () => {
    const claim = await claimed()
    const warn = vi.spyOn(app.services.log, 'warn')
    onTestFinished(() => warn.mockRestore())
    await convert(claim, {}, { script: 'echo Broken >&2; exit 1' })
    expect(warn.mock.calls).toEqual([
      [
        {
          mediaId: claim.mediaId,
          reason: whyNot.unreadable,
          err: expect.objectContaining({ message: 'refused: Broken' }),
        },
        expect.any(String),
      ],
    ])
    expect(await rowOf(claim)).toMatchObject({ status: 'failed', problem: whyNot.unreadable })
    expect(await readdir(workFolder())).toEqual([])
  })

  test('by no fault of the film is tried three times', async () => {
    const warn = vi.spyOn(app.services.log, 'warn')
    onTestFinished(() => warn.mockRestore())
    const killed = { script: 'kill -9 $$' }
    for (const attempts of [1, 2]) {
      const claim = await claimed({}, attempts)
      expect(await convert(claim, {}, killed)).toMatchObject({
        status: 'queued',
        percent: 0,
        problem: null,
        attempts,
      })
      const why = { mediaId: claim.mediaId, attempts, err: expect.any(Error) }
      expect(warn).toHaveBeenLastCalledWith(why, expect.any(String))
      await query('delete from media_files')
    }
    expect(await convert(await claimed({}, 3), {}, killed)).toMatchObject({
      status: 'failed',
      problem: whyNot.gaveUp,
      attempts: 3,
    })
  })

  test('for want of room is said so, whoever finds it', async () => {
    const full = async (what: Parameters<typeof convert>[2]) => convert(await claimed(), {}, what)
    const problem = { status: 'failed', problem: whyNot.diskFull, attempts: 1 }
    expect(await full({ limits: { keptFree: 2 ** 60 } })).toMatchObject(problem)
    expect(await full({ script: 'echo No space left on device >&2; exit 1' })).toMatchObject(
      problem,
    )
    const { storage } = app.services
    const adopt = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }))
    expect(await full({ services: { storage: { ...storage, adopt } } })).toMatchObject(problem)
    const other = () => Promise.reject(Object.assign(new Error('broken'), { code: 'EIO' }))
    expect(await full({ services: { storage: { ...storage, adopt: other } } })).toMatchObject({
      status: 'queued',
      problem: null,
    })
  })

  test('by what becomes larger than it can be is ended', async () => {
    const real = setInterval
    const often = vi
      .spyOn(globalThis, 'setInterval')
      .mockImplementation(((work: () => void, every: number) =>
        real(work, Math.min(every, 50))) as typeof setInterval)
    onTestFinished(() => often.mockRestore())
    const writes = (megabytes: number) =>
      `head -c ${megabytes * 1024 * 1024} /dev/zero > hls/360p/00001.m4s; ${megabytes > 9 ? 'sleep 30' : `sleep 0.3; ${ladder(1)}`}`
    const short = { declared: 1, found: 1 }
    const claim = await claimed()
    expect(await convert(claim, short, { script: writes(10) })).toMatchObject({
      status: 'failed',
      problem: whyNot.tooMuch,
    })
    expect(await madeOf(claim)).toEqual(['poster.jpg'])
    expect(await convert(await claimed(), short, { script: writes(8) })).toMatchObject({
      status: 'done',
    })
  })
})

describe('the work', () => {
  test('waits again when the server stops, and that was no attempt', async () => {
    const stop = new AbortController()
    const claim = await claimed({}, 2)
    const work = convert(claim, {}, { script: await held(1, 10), signal: stop.signal })
    await waits()
    stop.abort(new Stopped())
    expect(await work).toMatchObject({ status: 'queued', percent: 0, attempts: 1, problem: null })
    expect(await madeOf(claim)).toEqual(['poster.jpg'])
  })

  test('is left to whoever took it over, with all that is there', async () => {
    const claim = await claimed()
    const work = convert(claim, {}, { script: await held(1, 10) })
    await waits()
    await app.services.storage.put(derivedKey(claim.mediaId, 'hls/theirs.m4s'), Buffer.from('x'))
    await query('update video_processings set attempts = 2, percent = 7')
    expect(await work).toMatchObject({ status: 'running', attempts: 2, percent: 7 })
    expect(await madeOf(claim)).toEqual(['hls/theirs.m4s', 'poster.jpg'])
  })

  test('is left by whoever cannot say that it goes on, before others take it for dead', async () => {
    const { db, log } = app.services
    let isCut = false
    const cut = new Proxy(db, {
      get(target, name) {
        if (name === 'transaction' && isCut) return () => Promise.reject(new Error('no connection'))
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const warn = vi.spyOn(log, 'warn')
    onTestFinished(() => warn.mockRestore())
    const claim = await claimed()
    const work = convert(
      claim,
      {},
      {
        script: await held(1, 10),
        limits: { leaseSeconds: 1 },
        services: { db: cut },
      },
    )
    await waits()
    isCut = true
    expect(await work).toMatchObject({ status: 'running', attempts: 1 })
    expect(await madeOf(claim)).toEqual(['poster.jpg'])
    const err: unknown = expect.objectContaining({ message: 'no connection' })
    expect(warn).toHaveBeenCalledWith({ err }, expect.any(String))
  })

  test('ends with its video, of which nothing stays', async () => {
    const claim = await claimed()
    const work = convert(claim, {}, { script: await held(1, 10) })
    await waits()
    await query('delete from media_files')
    expect(await work).toBeUndefined()
    expect(await madeOf(claim)).toEqual([])
  })
})
