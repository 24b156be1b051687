import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer, json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from './log.ts'
import type { Services } from './services.ts'
import { sharedQuestion } from './shared-question.ts'
import type { Storage } from './storage.ts'
import { unlessMissing } from './unless-missing.ts'

/** Where the build of this node is, with its `assets`. */
export const buildFolder = 'build/client'

const root = 'builds'
/** Of each build one file with all its bytes, and a list of what stands where, which is written last. */
const bytesOf = (build: string) => `${root}/${build}/bytes`
const listOf = (build: string) => `${root}/${build}/list.json`

/** Made anew by whoever starts that build, so no backup needs it. */
export const isOfBuild = (key: string) => key.startsWith(`${root}/`)

/** First byte and length, by name. */
type List = Record<string, [start: number, size: number]>

const day = 24 * 60 * 60 * 1000
/** Milliseconds that pages of a build find its files after its last start, or the last night that it was at work. */
const keptFor = 30 * day
/** Milliseconds that a start waits for the store. */
const patience = 5000
/** Milliseconds from one look for other builds to the next, however much strangers ask for. */
const lookEvery = 1000

async function builtIn(folder: string) {
  const names = (await unlessMissing(readdir(join(folder, 'assets')), [])).toSorted()
  // Names change with their content, and so does this one.
  const build = createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 32)
  return { names, build }
}

/**
 * Puts what was built where every node finds it: pages of this build may ask a node of the version before or after it.
 * Done already, it only says once more that the build is in use.
 */
export async function keepBuild(storage: Storage, folder = buildFolder): Promise<void> {
  const { names, build } = await builtIn(folder)
  if (names.length === 0) return
  if ((await storage.size(listOf(build))) !== null) {
    return storage.put(listOf(build), await buffer(storage.read(listOf(build))))
  }
  const list: List = {}
  const pieces: Buffer[] = []
  let start = 0
  for (const name of names) {
    const bytes = await readFile(join(folder, 'assets', name))
    list[name] = [start, bytes.length]
    start += bytes.length
    pieces.push(bytes)
  }
  await storage.put(bytesOf(build), Buffer.concat(pieces))
  await storage.put(listOf(build), Buffer.from(JSON.stringify(list)))
}

/** Before a node is ready. A store that is away must not keep it from starting: the night makes up for it. */
export async function keepBuildAtStart(storage: Storage, log: Log, folder?: string): Promise<void> {
  const keeping = keepBuild(storage, folder).catch((error: unknown) =>
    log.warn({ err: error }, 'the files of this build are not where other nodes find them'),
  )
  const given = new AbortController()
  const late = pause(patience, 'late', { signal: given.signal }).catch(() => {})
  if ((await Promise.race([keeping, late])) === 'late') {
    log.warn('the store takes long to keep the files of this build: it goes on beside the start')
  }
  given.abort()
}

/** A job: what is at work here stays, and builds go that nobody has used for long. */
export async function removeFormerBuilds(
  { storage, log }: Pick<Services, 'storage' | 'log'>,
  folder = buildFolder,
): Promise<void> {
  const own = await builtIn(folder)
  for (const build of await storage.names(root)) {
    if (build === own.build) continue
    const changedAt = await storage.changedAt(`${root}/${build}`)
    if (!changedAt || changedAt.getTime() > Date.now() - keptFor) continue
    await storage.remove(listOf(build))
    await storage.remove(`${root}/${build}`)
    log.info({ build }, 'the files of a former build were removed')
  }
  // Last: a disk that was full may have room again.
  await keepBuild(storage, folder)
}

interface KeptFile {
  bytes: Buffer
  /** The one that was chosen, or none. */
  ending: string
}

export type KeptBuilds = ReturnType<typeof openKeptBuilds>

/** What other builds than the own one are made of. */
export function openKeptBuilds(storage: Storage) {
  let lists = new Map<string, List>()
  let lookedAt = -Infinity

  // One at a time and not too often, but never one that began before it was asked for: the page that asks may be of a
  // build that was stored a moment ago.
  const look = sharedQuestion(async () => {
    await pause(Math.max(0, lookedAt + lookEvery - performance.now()))
    lookedAt = performance.now()
    const found = new Map<string, List>()
    for (const build of await storage.names(root)) {
      const known = lists.get(build)
      if (known) found.set(build, known)
      else if ((await storage.size(listOf(build))) !== null) {
        found.set(build, (await json(storage.read(listOf(build)))) as List)
      }
    }
    lists = found
  })

  const knownWith = (name: string) => [...lists].find(([, list]) => Object.hasOwn(list, name))

  async function buildWith(name: string) {
    const known = knownWith(name)
    if (known) return known
    await look()
    return knownWith(name)
  }

  /** The first of `endings` that there is beside a name says how its bytes are packed. Null where no build has it. */
  async function read(name: string, endings: readonly string[] = []): Promise<KeptFile | null> {
    const found = await buildWith(name)
    if (!found) return null
    const [build, list] = found
    const ending = endings.find((one) => Object.hasOwn(list, name + one)) ?? ''
    const [start, size] = list[name + ending]!
    try {
      // Whole: a store that fails in the middle must not become half an answer that is kept for good.
      const bytes = await buffer(storage.read(bytesOf(build), { start, end: start + size - 1 }))
      return { bytes, ending }
    } catch (error) {
      if ((await storage.size(bytesOf(build))) !== null) throw error
      lists.delete(build)
      return knownWith(name) ? read(name, endings) : null
    }
  }

  return { read }
}
