import { mkdir, readdir, readFile, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Services } from '../../server/services.ts'
import { courses } from '../courses/tables.ts'
import {
  type Conversion,
  makeLadder,
  makePoster,
  makePreview,
  measureSeconds,
} from './convert-video.ts'
import { derivedFolder, derivedKey } from './derived-files.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import { FfmpegFailed, type RunLimits } from './ffmpeg-run.ts'
import { uploadKey } from './finish-upload.ts'
import { probeVideo, type VideoFacts } from './probe-video.ts'
import { type Claim, mostAttempts, note } from './processing-queue.ts'
import { mediaFiles } from './tables.ts'
import { Unconvertible, whyNot } from './unconvertible.ts'
import {
  isPossible,
  ladderOf,
  maxSeconds,
  mostBytes,
  previewOf,
  previewTrack,
  rungName,
} from './video-ladder.ts'

export interface ProcessingLimits {
  /** Seconds after which a process that says nothing counts as dead. */
  leaseSeconds: number
  /** Seconds between two signs of life. */
  beatSeconds: number
  /** Seconds that a program may work without any progress. */
  stallSeconds: number
  /** Bytes of the disk that this leaves to everything else. */
  keptFree: number
}

/** For what takes a second, on a machine that has none to spare for us. */
const quick: RunLimits = { stallSeconds: 300, wallSeconds: 900 }

/** The work is not ours any more: the video was removed, or we were taken for dead. */
class Lost extends Error {}

/** The server stops. */
export class Stopped extends Error {}

type Stages = { claim: Claim; signal: AbortSignal; progress: { percent: number } }

/** Where the programs write; what lies there belongs to no row, and goes with the next video. */
const workFolder = (services: Pick<Services, 'config'>) =>
  join(services.config.dataDir, 'work', 'videos')

/**
 * Makes of a video whatever helps to play it. However it ends, the row says so, and nothing half done is
 * left: the master playlist is stored last, and the row that names it after that.
 */
export async function processVideo(
  services: Services,
  programs: Ffmpeg,
  claim: Claim,
  limits: ProcessingLimits,
  stopping: AbortSignal,
): Promise<void> {
  const progress = { percent: 0 }
  const lost = new AbortController()
  const signal = AbortSignal.any([stopping, lost.signal])
  const beats = keepAlive(services, claim, limits, progress, lost)
  const folder = join(workFolder(services), claim.mediaId)
  try {
    // Only one video is worked on, so whatever lies there was left behind by a process that died.
    await rm(dirname(folder), { recursive: true, force: true })
    await services.storage.remove(derivedKey(claim.mediaId, 'hls'))
    await mkdir(folder, { recursive: true })
    await services.storage.withFile(
      uploadKey(claim.mediaId),
      (path) => makeAll(services, programs, limits, { folder, path }, { claim, signal, progress }),
      signal,
    )
  } catch (error) {
    await settle(services, claim, error)
  } finally {
    await beats.stop()
    await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

/** Says at regular times that we live, and how far we are. */
function keepAlive(
  services: Services,
  claim: Claim,
  { beatSeconds, leaseSeconds }: ProcessingLimits,
  progress: { percent: number },
  lost: AbortController,
) {
  let said = 0
  let [heardAt, beating] = [performance.now(), Promise.resolve()]
  async function beat() {
    const { percent } = progress
    const isNews = percent !== said
    if (!isNews && performance.now() - heardAt < beatSeconds * 1000) return
    try {
      if (!(await note(services, claim, isNews ? { percent } : {}))) lost.abort(new Lost())
      ;[said, heardAt] = [percent, performance.now()]
    } catch (error) {
      services.log.warn({ err: error }, 'a sign of life of a video conversion was not heard')
      // Before others take us for dead: never two at once.
      if (performance.now() - heardAt > leaseSeconds * 700) lost.abort(new Lost())
    }
  }
  let isBusy = false
  const timer = setInterval(
    () => {
      if (isBusy) return
      isBusy = true
      beating = beat().finally(() => (isBusy = false))
    },
    Math.min(1000, beatSeconds * 1000),
  )
  return {
    stop() {
      clearInterval(timer)
      return beating
    },
  }
}

async function makeAll(
  services: Services,
  programs: Ffmpeg,
  limits: ProcessingLimits,
  { folder, path }: { folder: string; path: string },
  { claim, signal, progress }: Stages,
): Promise<void> {
  const { storage } = services
  const { mediaId, contentType } = claim
  const source = { path, contentType }
  const facts = await probeVideo(programs, source, { signal, ...quick })
  const conversion: Conversion = { programs, source, facts, folder, signal, limits: quick }
  const found = await measureSeconds(conversion)
  const seconds = lengthOf(facts, found)
  await storeFacts(services, claim, { ...facts, seconds })
  if (seconds <= 0) throw new Unconvertible(whyNot.noLength)
  if (!isPossible(facts)) throw new Unconvertible(whyNot.wrongShape)
  progress.percent = 2

  await makePoster(conversion, seconds)
  await storage.put(derivedKey(mediaId, 'poster.jpg'), await readFile(join(folder, 'poster.jpg')))
  progress.percent = 4
  await mustBeOurs(services, claim, { hasPoster: true, percent: 4 })

  const { declaredSeconds } = facts
  if (declaredSeconds !== null && isMuchShorter(found, declaredSeconds, facts)) {
    throw new Unconvertible(whyNot.incomplete(found, declaredSeconds))
  }
  if (seconds > maxSeconds) throw new Unconvertible(whyNot.tooLong)

  const ladder = ladderOf(facts)
  const preview = previewOf(facts, seconds)
  const most = mostBytes(ladder, seconds)
  await checkRoom(folder, most + limits.keptFree)
  // Where it is kept may be another disk.
  if ((await storage.room()) < most + limits.keptFree) throw new Unconvertible(whyNot.diskFull)
  for (const rung of ladder) await mkdir(join(folder, 'hls', rungName(rung)), { recursive: true })
  const watched = watchDisk(folder, { most, keptFree: limits.keptFree }, signal)
  const long = {
    ...conversion,
    signal: watched.signal,
    limits: {
      stallSeconds: limits.stallSeconds,
      wallSeconds: Math.min(48 * 3600, 3600 + 60 * seconds),
    },
  }
  let reached = 0
  try {
    await makePreview(long, preview)
    await makeLadder(long, ladder, (at) => {
      reached = at
      progress.percent = Math.min(97, 4 + Math.floor((at / seconds) * 93))
    })
  } finally {
    watched.stop()
  }
  if (isMuchShorter(reached, seconds, facts)) throw new Unconvertible(whyNot.unreadable)

  await storage.put(derivedKey(mediaId, 'preview.jpg'), await readFile(join(folder, 'preview.jpg')))
  await storage.put(
    derivedKey(mediaId, 'preview.vtt'),
    new TextEncoder().encode(previewTrack(preview, seconds)),
  )
  const sizeBytes = await storeLadder(services, mediaId, folder, signal)
  await mustBeOurs(services, claim, {
    status: 'done',
    percent: 100,
    hasPreview: true,
    heights: ladder.map(({ height }) => height),
    sizeBytes,
  })
}

/** Players and creators see the declared length where it is about right, else the real one. */
function lengthOf({ declaredSeconds, framesPerSecond }: VideoFacts, found: number): number {
  const slack = Math.max(1, found * 0.02, 4 / framesPerSecond)
  if (declaredSeconds === null) return found > 0 ? found + 1 / framesPerSecond : 0
  return Math.abs(declaredSeconds - found) <= slack && found > 0 ? declaredSeconds : found
}

/** The last pictures are not counted with the time that they stand, which may be long. */
const isMuchShorter = (found: number, expected: number, { framesPerSecond }: VideoFacts) =>
  found < expected * 0.9 - 1 - 4 / framesPerSecond

async function mustBeOurs(services: Services, claim: Claim, news: Parameters<typeof note>[2]) {
  if (!(await note(services, claim, news))) throw new Lost()
}

/** What the upload could not tell, or told wrongly. Pages that show a course's length are made anew. */
async function storeFacts(
  { db }: Services,
  claim: Claim,
  { seconds, width, height }: { seconds: number; width: number; height: number },
): Promise<void> {
  const isNew = seconds > 0 && Math.abs((claim.durationSeconds ?? 0) - seconds) > 0.5
  const which = eq(mediaFiles.id, claim.mediaId)
  await db.transaction(async (transaction) => {
    if (isNew) {
      // The course before its file, like whoever saves or deletes it.
      const itsCourse = transaction
        .select({ id: mediaFiles.courseId })
        .from(mediaFiles)
        .where(which)
      await transaction
        .update(courses)
        .set({ updatedAt: sql`${courses.updatedAt}` })
        .where(inArray(courses.id, itsCourse))
    }
    await transaction
      .update(mediaFiles)
      .set({ width, height, ...(isNew && { durationSeconds: seconds }) })
      .where(which)
  })
}

async function checkRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < bytes) throw new Unconvertible(whyNot.diskFull)
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  let bytes = 0
  for (const entry of entries) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size
  }
  return bytes
}

/** Ends the work when it fills the disk, with its own files or beside those of others. */
function watchDisk(
  folder: string,
  { most, keptFree }: { most: number; keptFree: number },
  signal: AbortSignal,
) {
  const full = new AbortController()
  async function look() {
    if ((await bytesIn(folder)) > most) throw new Unconvertible(whyNot.tooMuch)
    await checkRoom(folder, keptFree)
  }
  const timer = setInterval(
    () =>
      look().catch((error: unknown) => {
        // A file that went while we looked is none of our business.
        if (error instanceof Unconvertible) full.abort(error)
      }),
    10_000,
  )
  return {
    signal: AbortSignal.any([signal, full.signal]),
    stop: () => clearInterval(timer),
  }
}

/** The playlists last, and of these the master playlist: what it names is there. */
async function storeLadder(
  { storage }: Services,
  mediaId: string,
  folder: string,
  signal: AbortSignal,
): Promise<number> {
  const entries = await readdir(join(folder, 'hls'), { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
  const order = (name: string) => (name.endsWith('main.m3u8') ? 2 : name.endsWith('.m3u8') ? 1 : 0)
  let bytes = 0
  for (const name of names.toSorted((a, b) => order(a) - order(b))) {
    signal.throwIfAborted()
    bytes += (await stat(join(folder, name))).size
    await storage.adopt(derivedKey(mediaId, name), join(folder, name))
  }
  for (const name of ['poster.jpg', 'preview.jpg', 'preview.vtt']) {
    bytes += (await storage.size(derivedKey(mediaId, name))) ?? 0
  }
  return bytes
}

const isDiskFull = (error: unknown) =>
  (error instanceof FfmpegFailed && error.ending === 'disk full') ||
  (error instanceof Error && 'code' in error && error.code === 'ENOSPC')

/** What the creator is told, for good; null when another try may do better. */
function problemOf(error: unknown, claim: Claim): string | null {
  if (error instanceof Unconvertible) return error.message
  if (isDiskFull(error)) return whyNot.diskFull
  if (error instanceof FfmpegFailed && error.ending === 'too slow') return whyNot.tooSlow
  return claim.attempts >= mostAttempts ? whyNot.gaveUp : null
}

async function settle(services: Services, claim: Claim, error: unknown): Promise<void> {
  const { log, storage } = services
  const { mediaId, attempts } = claim
  if (!(error instanceof Lost)) await storage.remove(derivedKey(mediaId, 'hls'))
  if (error instanceof Stopped) {
    // Not its fault: this attempt does not count.
    await note(services, claim, { status: 'queued', percent: 0, attempts: attempts - 1 })
    return
  }
  if (error instanceof Lost) {
    const [row] = await services.db
      .select({ id: mediaFiles.id })
      .from(mediaFiles)
      .where(eq(mediaFiles.id, mediaId))
    if (!row) await storage.remove(derivedFolder(mediaId))
    return
  }
  const problem = problemOf(error, claim)
  const cause = error instanceof Error && error.cause ? error.cause : error
  if (problem) {
    log.warn({ mediaId, reason: problem, err: cause }, 'a video was not converted')
    await note(services, claim, { status: 'failed', problem })
  } else {
    log.warn({ mediaId, attempts, err: cause }, 'a video is converted again')
    await note(services, claim, { status: 'queued', percent: 0 })
  }
}
