// What cannot be read is never taken for what is not there: on that, somebody would write over it, or give it up.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeLadder } from '../src/domains/media/convert-video.ts'
import { readManifest } from '../src/operation/backup/manifest.ts'
import { restore } from '../src/operation/backup/restore.ts'
import { whatIsWrong } from '../src/operation/backup/write-part.ts'
import { openBucket } from '../src/server/bucket.ts'
import { createLog } from '../src/server/log.ts'
import { forget } from '../src/server/object-uploads.ts'
import { removeOlderThanADay } from '../src/server/old-files.ts'
import { refuseUnfinishedRestore, unfinishedRestore } from '../src/server/unfinished-restore.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thunder-unreadable-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A file that nobody can read, root neither. */
const makeUnreadable = (path: string) => symlink(path, path)

const part = { path: 'part', bytes: 1, sha256: 'a'.repeat(64) }

test('a manifest', async () => {
  await expect(readManifest(folder)).rejects.toThrow('there is no manifest.json')
  await makeUnreadable(join(folder, 'manifest.json'))
  await expect(readManifest(folder)).rejects.toThrow('ELOOP')
})

test('a part of a backup', async () => {
  expect(await whatIsWrong(folder, part)).toBe('part is missing')
  await makeUnreadable(join(folder, 'part'))
  await expect(whatIsWrong(folder, part)).rejects.toThrow('ELOOP')
})

test('the mark of a restore that did not finish', async () => {
  await refuseUnfinishedRestore(folder)
  await makeUnreadable(join(folder, unfinishedRestore))
  await expect(refuseUnfinishedRestore(folder)).rejects.toThrow('ELOOP')
  const needs = {
    config: { dataDir: folder, authSecret: undefined },
    databaseUrl: 'postgres://127.0.0.1:1/nowhere',
    log: createLog('silent'),
    say: () => {},
  }
  // Before it looks at anything else.
  await expect(restore(needs as never, {} as never)).rejects.toThrow('ELOOP')
})

test('what a process left behind', async () => {
  await removeOlderThanADay(join(folder, 'not there'))
  await makeUnreadable(join(folder, 'drafts'))
  await expect(removeOlderThanADay(join(folder, 'drafts'))).rejects.toThrow('ELOOP')
})

test('a playlist that was just made: it is no fault of the film', async () => {
  const ffmpeg = join(folder, 'ffmpeg')
  await writeFile(ffmpeg, '#!/bin/sh\n', { mode: 0o700 })
  const rung = { height: 72, frame: { width: 128, height: 72 }, maxrate: 100 }
  const playlist = join(folder, 'hls', '72p', 'index.m3u8')
  const made = () =>
    makeLadder(
      {
        programs: { ffmpeg, ffprobe: ffmpeg, isOld: false },
        source: { path: 'film', contentType: 'video/mp4' },
        facts: { videoStream: 0, audioStream: null, framesPerSecond: 25 },
        folder,
        signal: new AbortController().signal,
        limits: { stallSeconds: 60, wallSeconds: 60 },
      } as never,
      [rung] as never,
      () => {},
    )
  await expect(made()).rejects.toThrow('parts of the file cannot be read')
  await mkdir(join(playlist, '..'), { recursive: true })
  await makeUnreadable(playlist)
  await expect(made()).rejects.toThrow('ELOOP')
})

test('the number of an upload that the object store does not give out', async () => {
  const done: string[] = []
  const list = async function* () {
    for (const name of ['id', 'tail-1']) yield { key: `under-way/uploads/a/${name}` }
  }
  const bucket = {
    list,
    size: async () => 3,
    // oxlint-disable-next-line require-yield
    read: async function* () {
      throw new Error('the object store failed')
    },
    abort: async () => done.push('abort'),
    remove: async () => done.push('remove'),
  }
  const given = bucket as unknown as ReturnType<typeof openBucket>
  await expect(forget(given, 'uploads/a')).rejects.toThrow('the object store failed')
  // With its notes gone, nobody would ever end it.
  expect(done).toEqual([])
  bucket.size = async () => null as never
  await forget(given, 'uploads/a')
  expect(done).toEqual(['remove', 'remove'])
})
