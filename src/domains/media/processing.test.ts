// Real films, made and converted by the real ffmpeg; where that would take long or has to fail, a script
// stands in its place.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson } from '../../../test/factories.ts'
import { eventsOf } from '../../../test/events-of.ts'
import { patience } from '../../../test/patience.ts'
import { localFolder, storedBytes, storedLongAgo } from '../../../test/stored-files.ts'
import type { Services } from '../../server/services.ts'
import { duplicateCourse } from '../course-transfer/duplicate-course.ts'
import { lessons } from '../lessons/tables.ts'
import { removeFiles } from './delete-files.ts'
import { derivedFolder, derivedKey } from './derived-files.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import { uploadKey } from './finish-upload.ts'
import { startVideoProcessing } from './process-videos.ts'
import { claimNext, note, queueProcessing } from './processing-queue.ts'
import { mediaFiles, videoProcessings } from './tables.ts'
import { whyNot } from './unconvertible.ts'
import { removeStaleUploads } from './uploads.ts'

const run = promisify(execFile)
const real: Ffmpeg = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }

let folder: string
let app: TestApp
/** Converts nothing unless a test does it by hand. */
let quiet: TestApp
let owner: Person
let courseId: string
let clip: string
let fetched: string[]
const listener = createServer((request, response) => {
  fetched.push(request.url ?? '')
  response.end()
})
let bait: string

/** `args` as one would type them. */
const film = async (name: string, args: string) => {
  const path = join(folder, name)
  await run('ffmpeg', ['-v', 'error', '-y', ...args.split(' '), path], { cwd: folder })
  return path
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thunder-processing-'))
  app = await startTestApp({ FFMPEG_PATH: 'ffmpeg' })
  quiet = await startTestApp()
  owner = await app.signUp()
  courseId = (await makeCourse(app.services, owner)).id
  fetched = []
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  bait = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  clip = await film(
    'clip.mp4',
    '-f lavfi -i testsrc2=s=320x180:r=25:d=2 -f lavfi -i sine=d=2 -c:v libx264 -preset ultrafast ' +
      '-pix_fmt yuv420p -c:a aac -movflags +faststart',
  )
})
afterAll(async () => {
  listener.close()
  await app.stop()
  await quiet.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A video whose bytes are stored and which waits for its turn. */
async function queued(on: Services, path: string, contentType = 'video/mp4', ownerId = owner.id) {
  const bytes = await readFile(path)
  const id = await on.db.transaction(async (transaction) => {
    const [row] = await transaction
      .insert(mediaFiles)
      .values({
        ownerId,
        courseId: ownerId === owner.id ? courseId : null,
        purpose: 'video',
        status: 'ready',
        filename: 'a.mp4',
        contentType,
        sizeBytes: bytes.length,
      })
      .returning({ id: mediaFiles.id })
    // Before anybody can know of it.
    await on.storage.put(uploadKey(row!.id), bytes)
    await queueProcessing(transaction, [row!.id])
    return row!.id
  })
  return id
}

async function stateOf({ db }: Services, id: string) {
  const [row] = await db.select().from(videoProcessings).where(eq(videoProcessings.mediaId, id))
  return row ?? null
}

const ended = (on: Services, id: string) =>
  vi.waitFor(
    async () => {
      const row = await stateOf(on, id)
      if (row?.status !== 'done' && row?.status !== 'failed') throw new Error(`${row?.status}`)
      return row
    },
    // Programs at the lowest priority: a busy machine lets them wait.
    { timeout: 150_000, interval: 50 },
  )

const madeOf = async ({ storage }: Services, id: string) =>
  (await storage.files(derivedFolder(id))).toSorted()

const textOf = async ({ storage }: Services, id: string, name: string) =>
  String(await storedBytes(storage, derivedKey(id, name)))

const pictureOf = async ({ storage }: Services, id: string, name: string) =>
  sharp(await storedBytes(storage, derivedKey(id, name)))

async function probed(path: string, entries: string) {
  const args = `-v error -allowed_extensions ALL -of csv=p=0 -show_entries ${entries} ${path}`
  const { stdout } = await run('ffprobe', args.split(' '))
  return stdout.trim().split('\n')
}

const worker = (
  services: Services,
  programs: Ffmpeg,
  limits: Parameters<typeof startVideoProcessing>[1] = {},
) =>
  startVideoProcessing(
    { ...services, ffmpeg: programs },
    { lookSeconds: 0.05, beatSeconds: 0.1, ...limits },
  )

describe('an uploaded video', () => {
  test('becomes a poster, a preview and a ladder, and its owner hears of it', async () => {
    const { services } = app
    const heard: string[] = []
    const listening = new AbortController()
    const events = await eventsOf(services, owner.id, listening.signal)
    const hearing = (async () => {
      for await (const event of events) heard.push(JSON.stringify(event))
    })().catch(() => {})

    const bytes = await readFile(clip)
    const of = (text: string) => Buffer.from(text).toString('base64')
    const response = await fetch(`${app.url}/storage/v1/uploads`, {
      method: 'POST',
      headers: {
        cookie: owner.cookie,
        'tus-resumable': '1.0.0',
        'upload-length': String(bytes.length),
        'upload-metadata': `purpose ${of('video')},courseId ${of(courseId)},filename ${of('a.mp4')},filetype ${of('video/mp4')}`,
        'content-type': 'application/offset+octet-stream',
      },
      body: bytes,
    })
    expect(response.status).toBe(201)
    const id = response.headers.get('location')!.split('/').at(-1)!
    const row = await ended(services, id)
    expect(row).toMatchObject({
      status: 'done',
      percent: 100,
      problem: null,
      attempts: 1,
      hasPoster: true,
      hasPreview: true,
      heights: [180],
    })

    expect(await madeOf(services, id)).toEqual([
      'hls/180p/00000.m4s',
      'hls/180p/index.m3u8',
      'hls/180p/init.mp4',
      'hls/main.m3u8',
      'poster.jpg',
      'preview.jpg',
      'preview.vtt',
    ])
    const sizes = await Promise.all(
      (await madeOf(services, id)).map((name) => services.storage.size(derivedKey(id, name))),
    )
    expect(row.sizeBytes).toBe(sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0))
    expect(await textOf(services, id, 'hls/main.m3u8')).toMatch(
      /^#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-STREAM-INF:BANDWIDTH=\d+,RESOLUTION=320x180,CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2"\n180p\/index\.m3u8\n/,
    )
    expect(await textOf(services, id, 'hls/180p/index.m3u8')).toContain('#EXT-X-ENDLIST')
    const streams = await probed(
      join(await localFolder(services.storage, derivedFolder(id)), 'hls/main.m3u8'),
      'stream=codec_name,width',
    )
    expect(streams).toEqual(expect.arrayContaining(['h264,320', 'aac']))
    const picture = async (name: string) => (await pictureOf(services, id, name)).metadata()
    expect(await picture('poster.jpg')).toMatchObject({ format: 'jpeg', width: 320, height: 180 })
    expect(await picture('preview.jpg')).toMatchObject({ format: 'jpeg', width: 320, height: 90 })
    expect(await textOf(services, id, 'preview.vtt')).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\npreview.jpg#xywh=0,0,160,90\n\n' +
        '00:00:01.000 --> 00:00:02.000\npreview.jpg#xywh=160,0,160,90\n',
    )
    const { body } = await app.request(`/rest/v1/media/${id}`, { cookie: owner.cookie })
    expect(body.processing).toEqual({ status: 'done', percent: 100, problem: null })
    const [file] = await services.db.select().from(mediaFiles).where(eq(mediaFiles.id, id))
    expect(file).toMatchObject({ width: 320, height: 180 })
    expect(file!.durationSeconds).toBeCloseTo(2, 1)

    const news = JSON.stringify({ type: 'video', mediaId: id, courseId })
    // Begun, with a poster, done: each time.
    await expect.poll(() => heard.filter((one) => one === news).length).toBeGreaterThanOrEqual(3)
    listening.abort()
    await hearing
    expect(readdirSync(join(services.config.dataDir, 'work', 'videos'))).toEqual([])

    // And it goes with its video.
    await removeFiles({ mediaIds: [id] }, services)
    expect(await madeOf(services, id)).toEqual([])
  })

  test('says how far it is all the while', async () => {
    const { services } = app
    const long = await film(
      'long.mp4',
      '-f lavfi -i testsrc2=size=1280x720:rate=30:duration=4 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 300',
    )
    const id = await queued(services, long)
    const percents = new Set<number>()
    await vi.waitFor(
      async () => {
        const row = await stateOf(services, id)
        percents.add(row?.percent ?? 0)
        expect(row?.status).toBe('done')
      },
      { timeout: 50_000, interval: 50 },
    )
    expect([...percents].filter((percent) => percent > 5 && percent < 95)).not.toEqual([])
    // One picture that stands for itself is enough for the preview of four seconds.
    const sheet = await (await pictureOf(services, id, 'preview.jpg')).metadata()
    expect(sheet).toMatchObject({ width: 640, height: 90 })
  })

  test('that failed is converted again when its owner asks, and only then', async () => {
    const { services, request } = app
    const id = await queued(services, clip)
    await ended(services, id)
    const path = `/rest/v1/media/${id}/processing`
    const failed = { status: 'failed' as const, problem: 'No.', percent: 40, attempts: 3 }
    await services.db.update(videoProcessings).set(failed).where(eq(videoProcessings.mediaId, id))
    const stranger = await app.signUp()
    expect(await request(path, { method: 'POST', cookie: stranger.cookie })).toMatchObject({
      status: 404,
    })
    expect(await stateOf(services, id)).toMatchObject(failed)
    const { status, body } = await request(path, { method: 'POST', cookie: owner.cookie })
    expect([status, body.processing.problem]).toEqual([200, null])
    expect(await ended(services, id)).toMatchObject({ status: 'done', attempts: 1 })
    const again = await request(path, { method: 'POST', cookie: owner.cookie })
    expect(again.body.processing).toEqual({ status: 'done', percent: 100, problem: null })
  })

  test('of a copied course needs no second conversion', async () => {
    const { services } = app
    const { db } = services
    const id = await queued(services, clip)
    await ended(services, id)
    await db.update(lessons).set({ videoId: id }).where(eq(lessons.courseId, courseId))
    const own = { courseId, instructorId: owner.id }
    const copy = await duplicateCourse(services, own, async () => undefined, [])
    const [lesson] = await db.select().from(lessons).where(eq(lessons.courseId, copy!.id))
    const other = lesson!.videoId!
    expect(other).not.toBe(id)
    const same = { status: 'done', attempts: 0, heights: [180], hasPreview: true }
    expect(await stateOf(services, other)).toMatchObject(same)
    const made = await madeOf(services, id)
    expect(made).toHaveLength(7)
    await removeFiles({ mediaIds: [id] }, services)
    expect(await madeOf(services, other)).toEqual(made)
  })
})

type Box = { type: string; body: Buffer }

/** The boxes of an MP4, to write them again with other bodies. */
function boxesOf(bytes: Buffer): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at < bytes.length;) {
    const size = bytes.readUInt32BE(at)
    boxes.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      body: bytes.subarray(at + 8, at + size),
    })
    at += size
  }
  return boxes
}

function bytesOf(boxes: Box[]): Buffer {
  return Buffer.concat(
    boxes.flatMap(({ type, body }) => {
      const head = Buffer.alloc(8)
      head.writeUInt32BE(body.length + 8)
      head.write(type, 4, 'latin1')
      return [head, body]
    }),
  )
}

const within = (
  bytes: Buffer,
  [type, ...deeper]: string[],
  change: (body: Buffer) => Buffer,
): Buffer =>
  bytesOf(
    boxesOf(bytes).map((box) =>
      box.type === type
        ? { type, body: deeper.length > 0 ? within(box.body, deeper, change) : change(box.body) }
        : box,
    ),
  )

const reference = ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref']

/** A data reference: 'these bytes lie elsewhere'. */
function referenceTo(kind: 'alis' | 'url ', target: string): Buffer {
  const count = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1])
  if (kind === 'url ')
    return Buffer.concat([
      count,
      bytesOf([{ type: kind, body: Buffer.concat([Buffer.alloc(4), Buffer.from(`${target}\0`)]) }]),
    ])
  const path = Buffer.from(target.length % 2 === 1 ? `${target}\0` : target)
  const record = Buffer.alloc(150)
  record[10] = 1
  record.write('/', 11)
  record.write('film', 51)
  record[50] = 4
  record.writeUInt16BE(1, 130)
  record.writeUInt16BE(1, 132)
  const tail = Buffer.alloc(8)
  tail.writeInt16BE(2, 0)
  tail.writeUInt16BE(path.length, 2)
  const end = Buffer.from([0xff, 0xff, 0, 0])
  const alias = Buffer.concat([Buffer.alloc(4), record, tail.subarray(0, 4), path, end])
  return Buffer.concat([count, bytesOf([{ type: kind, body: alias }])])
}

describe('a file', () => {
  let creator: string
  let working: ReturnType<typeof worker>
  beforeAll(async () => {
    creator = (await makePerson(quiet.services, {})).id
    working = worker(quiet.services, real)
  })
  afterAll(() => working.stop())

  test('may be of any accepted kind, and gets the length that its file did not say', async () => {
    const kinds = {
      'film.webm': 'video/webm',
      'film.avi': 'video/x-msvideo',
      'film.mov': 'video/quicktime',
      'film.3gp': 'video/3gpp',
      'film.wmv': 'video/x-ms-wmv',
    }
    const ids = await Promise.all(
      Object.entries(kinds).map(([name, type]) =>
        queued(quiet.services, `test/fixtures/kinds/${name}`, type, creator),
      ),
    )
    for (const id of ids) {
      expect(await ended(quiet.services, id)).toMatchObject({ status: 'done', problem: null })
      const [file] = await quiet.services.db.select().from(mediaFiles).where(eq(mediaFiles.id, id))
      expect(file!.durationSeconds).toBeCloseTo(0.4, 0)
    }
  })

  test('that a phone filmed upright stands upright', async () => {
    const bytes = await readFile(clip)
    // The matrix of the first track, which is the film: a quarter turn.
    const matrix = bytes.indexOf('tkhd') + 4 + 40
    const turn = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000]
    turn.forEach((value, at) => bytes.writeInt32BE(value, matrix + 4 * at))
    const path = join(folder, 'upright.mp4')
    await writeFile(path, bytes)
    const id = await queued(quiet.services, path, 'video/mp4', creator)
    expect(await ended(quiet.services, id)).toMatchObject({ status: 'done', heights: [180] })
    expect(await textOf(quiet.services, id, 'hls/main.m3u8')).toContain('RESOLUTION=180x320')
    const poster = await pictureOf(quiet.services, id, 'poster.jpg')
    expect(await poster.metadata()).toMatchObject({ width: 180, height: 320 })
  })

  const outcome = async (path: string, contentType = 'video/mp4') => {
    const id = await queued(quiet.services, path, contentType, creator)
    const row = await ended(quiet.services, id)
    const isLadderThere = (await madeOf(quiet.services, id)).some((name) => name.startsWith('hls'))
    return { id, ...row, isLadderThere }
  }

  async function written(name: string, bytes: string | Buffer) {
    const path = join(folder, name)
    await writeFile(path, bytes)
    return path
  }

  test('that names other files is never taken at its word', async () => {
    const texts = {
      'list.mp4': `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${bait}/playlist\n#EXT-X-ENDLIST\n`,
      'concat.mp4': `ffconcat version 1.0\nfile '${bait}/concat'\nfile '${clip}'\n`,
      'dash.mp4': `<?xml version="1.0"?><MPD><BaseURL>${bait}/dash</BaseURL></MPD>`,
    }
    // Even if the sniffer had taken them for films.
    for (const [name, text] of Object.entries(texts)) {
      const path = await written(name, text)
      for (const type of ['video/mp4', 'video/webm']) {
        expect(await outcome(path, type), `${name} as ${type}`).toMatchObject({
          status: 'failed',
          problem: whyNot.unreadable,
          isLadderThere: false,
        })
      }
    }
    expect(fetched).toEqual([])
  })

  test('that refers to data elsewhere gets none of it', async () => {
    // moov behind mdat, so that its size may change.
    const plain = await film('plain.mov', '-i clip.mp4 -c copy -an')
    const secret = await film(
      'secret.mov',
      '-f lavfi -i color=red:s=320x180:d=2 -c:v libx264 -preset ultrafast',
    )
    const bytes = await readFile(plain)
    const away = within(bytes, reference, () => referenceTo('url ', `${bait}/data`))
    const elsewhere = within(bytes, reference, () => referenceTo('alis', secret))
    for (const [name, made] of Object.entries({ 'url.mov': away, 'alias.mov': elsewhere })) {
      const { id, status } = await outcome(await written(name, made), 'video/quicktime')
      if (status === 'failed') continue
      const poster = await pictureOf(quiet.services, id, 'poster.jpg')
      const [red, green] = (await poster.stats()).channels
      expect(red!.mean - green!.mean, name).toBeLessThan(100)
    }
    expect(fetched).toEqual([])
  })

  test('that was cut off says how much of it there is', async () => {
    const bytes = await readFile(clip)
    const path = await written('cut.mp4', bytes.subarray(0, Math.floor(bytes.length * 0.4)))
    const long = await film('long.mp4', '-stream_loop 9 -i clip.mp4 -c copy -movflags +faststart')
    const half = await readFile(long)
    const cut = await written('half.mp4', half.subarray(0, Math.floor(half.length * 0.5)))
    const row = await outcome(cut)
    expect(row).toMatchObject({ status: 'failed', hasPoster: true, isLadderThere: false })
    expect(row.problem).toMatch(
      /^This video file seems to be incomplete: only the first 0:(09|10|11) of 0:20 can be read\. Please export it again and upload the new file\.$/,
    )
    // Two seconds are too short to tell; it must only end.
    expect((await outcome(path)).status).toMatch(/done|failed/)
  })

  test('whose header lies about its length gets the real one', async () => {
    const bytes = within(await readFile(clip), ['moov', 'mvhd'], (body) => {
      const lying = Buffer.from(body)
      lying.writeUInt32BE(lying.readUInt32BE(12) * 43_200, 16)
      return lying
    })
    const { id, status } = await outcome(await written('liar.mp4', bytes))
    expect(status).toBe('done')
    const [file] = await quiet.services.db.select().from(mediaFiles).where(eq(mediaFiles.id, id))
    expect(file!.durationSeconds).toBeCloseTo(2, 0)
  })

  test('without pictures, of twelve hours or with far too many pixels fails in words', async () => {
    const sound = await film('sound.mp4', '-f lavfi -i sine=d=1 -c:a aac')
    expect(await outcome(sound)).toMatchObject({ status: 'failed', problem: whyNot.noPictures })

    const still = await film(
      'still.mp4',
      '-f lavfi -i color=blue:s=64x64:r=1/600 -t 43200 -c:v libx264',
    )
    const tooLong = await outcome(still)
    expect(tooLong).toMatchObject({ status: 'failed', problem: whyNot.tooLong, hasPoster: true })
    const [file] = await quiet.services.db
      .select()
      .from(mediaFiles)
      .where(eq(mediaFiles.id, tooLong.id))
    expect(file!.durationSeconds).toBeGreaterThan(40_000)

    const large = await film(
      'large.mov',
      '-f lavfi -i color=blue:s=9000x5000:r=1 -frames:v 1 -c:v mjpeg',
    )
    const wall = await outcome(large, 'video/quicktime')
    expect(wall).toMatchObject({ status: 'failed', problem: whyNot.tooLarge, hasPoster: false })

    const strip = await film('strip.mp4', '-f lavfi -i color=blue:s=640x20:d=1 -c:v libx264')
    expect(await outcome(strip)).toMatchObject({ status: 'failed', problem: whyNot.wrongShape })
    const empty = await written(
      'empty.mp4',
      bytesOf(boxesOf(await readFile(clip)).filter(({ type }) => type !== 'mdat')),
    )
    expect(await outcome(empty)).toMatchObject({ status: 'failed', isLadderThere: false })
  })
})

describe('the work', () => {
  let services: Services
  let creator: string

  beforeAll(async () => {
    services = quiet.services
    creator = (await makePerson(services, {})).id
  })

  const waiting = () => queued(services, clip, 'video/mp4', creator)

  /** Programs that do what `script` says when they are to make the ladder, and the usual before. */
  async function programsThat(script: string): Promise<Ffmpeg & { folder: string }> {
    const own = await mkdtemp(join(folder, 'programs-'))
    const ffmpeg = join(own, 'ffmpeg')
    const text = `#!/bin/sh\ncd_here=${own}\ncase "$*" in *main.m3u8*) ${script};; *) exec ffmpeg "$@";; esac\n`
    await writeFile(ffmpeg, text)
    await chmod(ffmpeg, 0o755)
    return { ffmpeg, ffprobe: 'ffprobe', folder: own }
  }

  const pidIn = (file: string) =>
    vi.waitFor(async () => {
      const pid = Number(await readFile(file, 'utf8'))
      if (!pid) throw new Error('not started')
      return pid
    }, patience)

  /** A dead process that nobody has asked about yet is dead all the same. */
  const isGone = (pid: number) => {
    try {
      process.kill(pid, 0)
      return existsSync('/proc') && readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
    } catch {
      return true
    }
  }

  test('is begun again when its program was killed', async () => {
    const programs = await programsThat(
      'if [ -f "$cd_here/pid" ]; then exec ffmpeg "$@"; fi; echo $$ > "$cd_here/pid"; exec sleep 600',
    )
    const id = await waiting()
    const working = worker(services, programs)
    process.kill(await pidIn(join(programs.folder, 'pid')), 'SIGKILL')
    expect(await ended(services, id)).toMatchObject({ status: 'done', attempts: 2 })
    await working.stop()
  })

  test('is given up after three times without progress', async () => {
    const programs = await programsThat('echo $$ >> "$cd_here/pids"; exec sleep 600')
    const id = await waiting()
    const working = worker(services, programs, { stallSeconds: 10 })
    expect(await ended(services, id)).toMatchObject({
      status: 'failed',
      attempts: 3,
      problem: whyNot.gaveUp,
      hasPoster: true,
      heights: [],
    })
    await working.stop()
    const pids = (await readFile(join(programs.folder, 'pids'), 'utf8')).trim().split('\n')
    expect(pids).toHaveLength(3)
    for (const pid of pids) expect(isGone(Number(pid))).toBe(true)
    expect(await madeOf(services, id)).toEqual(['poster.jpg'])
  })

  test('waits again when the server stops, and nothing of it runs on', async () => {
    const programs = await programsThat('echo $$ > "$cd_here/pid"; exec sleep 600')
    const id = await waiting()
    const working = worker(services, programs)
    const pid = await pidIn(join(programs.folder, 'pid'))
    await working.stop()
    expect(isGone(pid)).toBe(true)
    expect(await stateOf(services, id)).toMatchObject({ status: 'queued', attempts: 0, percent: 0 })
    expect(readdirSync(join(services.config.dataDir, 'work', 'videos'))).toEqual([])
    const next = worker(services, real)
    expect(await ended(services, id)).toMatchObject({ status: 'done', attempts: 1 })
    await next.stop()
  })

  test('ends with a server that is killed', async () => {
    const programs = await programsThat('echo $$ > "$cd_here/pid"; exec sleep 600')
    const code = `import('./src/domains/media/ffmpeg-run.ts').then(({ runFfmpeg }) =>
      runFfmpeg(${JSON.stringify(programs.ffmpeg)}, ['main.m3u8'],
        { signal: new AbortController().signal, stallSeconds: 600, wallSeconds: 600 }))`
    const server = spawn(process.execPath, ['-e', code], { stdio: 'ignore' })
    const pid = await pidIn(join(programs.folder, 'pid'))
    expect(isGone(pid)).toBe(false)
    server.kill('SIGKILL')
    await expect.poll(() => isGone(pid)).toBe(true)
  })

  test('of a process that died is taken up by another one, but not for ever', async () => {
    const [seldom, often] = [await waiting(), await waiting()]
    const died = (id: string, attempts: number) =>
      services.db
        .update(videoProcessings)
        .set({ status: 'running', attempts, heartbeatAt: sql`now() - interval '50 seconds'` })
        .where(eq(videoProcessings.mediaId, id))
    await died(seldom, 1)
    await died(often, 3)
    await services.storage.put(derivedKey(often, 'hls/180p/00000.m4s'), new Uint8Array(3))
    const working = worker(services, real)
    expect(await ended(services, seldom)).toMatchObject({ status: 'done', attempts: 2 })
    expect(await ended(services, often)).toMatchObject({ status: 'failed', problem: whyNot.gaveUp })
    await working.stop()
    expect(await madeOf(services, often)).toEqual([])
  })

  test('of a process that only seemed dead is no longer its own', async () => {
    const id = await waiting()
    const { claim: slow } = await claimNext(services.db, 45)
    await services.db
      .update(videoProcessings)
      .set({ heartbeatAt: sql`now() - interval '50 seconds'` })
      .where(eq(videoProcessings.mediaId, id))
    const { claim: quick } = await claimNext(services.db, 45)
    expect([slow?.mediaId, quick?.mediaId]).toEqual([id, id])
    expect(await note(services, slow!, { status: 'failed', problem: 'Too late.' })).toBe(false)
    expect(await stateOf(services, id)).toMatchObject({ status: 'running', problem: null })
    expect(await note(services, quick!, { status: 'done', percent: 100 })).toBe(true)
    expect(await stateOf(services, id)).toMatchObject({ status: 'done', attempts: 2 })
  })

  test('is done one at a time by all processes together', async () => {
    const programs = await programsThat(
      'echo begin >> "$cd_here/log"; ffmpeg "$@"; code=$?; echo end >> "$cd_here/log"; exit $code',
    )
    const ids = [await waiting(), await waiting()]
    const workers = [
      worker(services, programs),
      worker(services, programs),
      worker(services, programs),
    ]
    for (const id of ids) expect(await ended(services, id)).toMatchObject({ status: 'done' })
    await Promise.all(workers.map((one) => one.stop()))
    const log = (await readFile(join(programs.folder, 'log'), 'utf8')).trim().split('\n')
    expect(log).toEqual(['begin', 'end', 'begin', 'end'])
  })

  test('leaves nothing half done on a full disk, and can be asked for again', async () => {
    const id = await waiting()
    const full = worker(services, real, { keptFree: 2 ** 60 })
    expect(await ended(services, id)).toMatchObject({ status: 'failed', problem: whyNot.diskFull })
    await full.stop()
    expect(await madeOf(services, id)).toEqual(['poster.jpg'])
    const elsewhere = await waiting()
    const room = async () => 1_000
    const small = worker({ ...services, storage: { ...services.storage, room } }, real)
    expect(await ended(services, elsewhere)).toMatchObject({
      problem: whyNot.diskFull,
      attempts: 1,
    })
    await small.stop()
    expect(await madeOf(services, elsewhere)).toEqual(['poster.jpg'])
    const another = await waiting()
    // What ffmpeg itself says when it meets the end of the disk.
    const programs = await programsThat(
      'echo "av_interleaved_write_frame(): No space left on device" >&2; exit 228',
    )
    const meanwhile = worker(services, programs)
    expect(await ended(services, another)).toMatchObject({ problem: whyNot.diskFull, attempts: 1 })
    await meanwhile.stop()
    expect(await madeOf(services, another)).toEqual(['poster.jpg'])
  })

  test('ends when the video is removed meanwhile, and leaves nothing', async () => {
    const programs = await programsThat('echo $$ > "$cd_here/pid"; exec sleep 600')
    const id = await waiting()
    const working = worker(services, programs)
    const pid = await pidIn(join(programs.folder, 'pid'))
    await services.db.delete(mediaFiles).where(eq(mediaFiles.id, id))
    await expect.poll(() => isGone(pid)).toBe(true)
    await expect.poll(() => madeOf(services, id)).toEqual([])
    await working.stop()
  })

  test('is not offered where there is no ffmpeg', async () => {
    const person = await quiet.signUp()
    const [row] = await services.db
      .insert(mediaFiles)
      .values({
        ownerId: person.id,
        purpose: 'video',
        status: 'ready',
        filename: 'a.mp4',
        sizeBytes: 9,
      })
      .returning({ id: mediaFiles.id })
    await services.db.insert(videoProcessings).values({ mediaId: row!.id, status: 'failed' })
    const answer = await quiet.request(`/rest/v1/media/${row!.id}/processing`, {
      method: 'POST',
      cookie: person.cookie,
    })
    expect([answer.status, answer.body.message]).toEqual([
      409,
      'Videos are not converted here. They play as they were uploaded.',
    ])
    expect(await stateOf(services, row!.id)).toMatchObject({ status: 'failed' })
  })

  test('what nobody shows any more, and what belongs to no video, is swept away', async () => {
    const week = sql`now() - interval '8 days'`
    const [old, young] = [await waiting(), await waiting()]
    await services.storage.put(derivedKey(old, 'poster.jpg'), new Uint8Array(3))
    await services.db.update(mediaFiles).set({ updatedAt: week }).where(eq(mediaFiles.id, old))
    const orphan = '01890000-0000-7000-8000-000000000000'
    await services.storage.put(derivedKey(orphan, 'poster.jpg'), new Uint8Array(3))
    storedLongAgo(services.storage, [derivedFolder(orphan)], 25 * 60 * 60 * 1000)
    await removeStaleUploads(services)
    expect(await services.storage.size(uploadKey(old))).toBeNull()
    expect([await madeOf(services, old), await madeOf(services, orphan)]).toEqual([[], []])
    expect(await services.storage.size(uploadKey(young))).not.toBeNull()
  })
})
