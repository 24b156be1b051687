// kill -9 of ffmpeg while it converts: the film is converted again, and is ready once.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { derivedFolder } from '../../src/domains/media/derived-files.ts'
import { videoProcessings } from '../../src/domains/media/tables.ts'
import { startTestApp } from '../app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../factories.ts'
import { patience } from '../patience.ts'
import { faultLimits, startLoad } from './load.ts'
import { idIn, uploader, videoOf } from './uploading.ts'

vi.setConfig(faultLimits)

const run = promisify(execFile)

/**
 * The program itself that converts this video, not the shell that watches it. What runs before it, to measure the
 * film and for its pictures, takes milliseconds: a signal may come after the end of that.
 */
function ffmpegOf(mediaId: string): number | null {
  for (const pid of readdirSync('/proc')) {
    // At once, and the name alone of most: with many processes, a film is converted while they are looked through.
    if (!/^\d+$/.test(pid) || ofProcess(pid, 'comm').trim() !== 'ffmpeg') continue
    const line = ofProcess(pid, 'cmdline')
    if (line.includes(mediaId) && line.includes('\0hls\0')) return Number(pid)
  }
  return null
}

/** Empty when it has ended. */
function ofProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

test.skipIf(process.platform !== 'linux')('ffmpeg is killed in the middle', async () => {
  const app = await startTestApp({ FFMPEG_PATH: 'ffmpeg' })
  const folder = await mkdtemp(join(tmpdir(), 'thunder-film-'))
  onTestFinished(async () => {
    await app.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const path = join(folder, 'film.mp4')
  const made =
    '-v error -y -f lavfi -i testsrc2=s=640x360:r=25:d=8 -c:v libx264 -preset ultrafast -pix_fmt yuv420p'
  await run('ffmpeg', [...made.split(' '), path])
  const load = await startLoad(app)
  const creator = await makePerson(app.services)
  const course = await makeCourse(app.services, creator)
  const cookie = await sessionCookieOf(app.services, creator.id)
  const files = uploader(app.url, cookie)
  const bytes = await readFile(path)
  const { location } = await files.begin(bytes.length, videoOf(course.id))
  expect((await files.patch(location, bytes, 0)).status).toBe(204)
  const mediaId = idIn(location)
  const state = async () => {
    const [row] = await app.services.db
      .select()
      .from(videoProcessings)
      .where(eq(videoProcessings.mediaId, mediaId))
    return row!
  }
  const told = async () =>
    (await app.request(`/rest/v1/media/${mediaId}`, { cookie })).body.processing

  const served: Promise<void>[] = []
  const killed: number[] = []
  // Twice: the third failure would be the last. Nothing is waited for in between, in which it could be ready.
  while (killed.length < 2) {
    const pid = await vi.waitFor(
      () => {
        const found = ffmpegOf(mediaId)
        if (found === null || killed.includes(found)) throw new Error('not at work')
        return found
      },
      { ...patience, interval: 5 },
    )
    process.kill(pid, 'SIGKILL')
    killed.push(pid)
    served.push(load.acknowledges(20))
    expect(await told()).toMatchObject({ problem: null })
  }
  await Promise.all(served)
  await vi.waitFor(async () => expect((await state()).status).toBe('done'), patience)
  expect(await state()).toMatchObject({ status: 'done', attempts: 3, problem: null })
  expect(await told()).toEqual({ status: 'done', percent: 100, problem: null })
  const names = await app.services.storage.files(derivedFolder(mediaId))
  expect(names).toContain('hls/main.m3u8')
  expect(new Set(names).size).toBe(names.length)
  await load.acknowledges(20)
  await load.end()
})
