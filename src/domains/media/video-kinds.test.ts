// A real film of 0.4 seconds in each kind that the specification names beside MP4.
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDiskStorage } from '../../server/disk-storage.ts'
import { inspectVideo } from './inspect-video.ts'
import { acceptedFiles, fileProblem, problems } from './rules.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thunder-kinds-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What browsers call the file, and what we deliver it as. */
const kinds: [ending: string, declared: string[], delivered: string, seconds: number | null][] = [
  ['webm', ['video/webm'], 'video/webm', null],
  ['ogv', ['video/ogg'], 'video/ogg', null],
  ['avi', ['video/avi', 'video/x-msvideo'], 'video/x-msvideo', null],
  ['mov', ['video/quicktime', 'video/mov'], 'video/quicktime', 0.4],
  ['3gp', ['video/3gpp'], 'video/3gpp', 0.4],
  ['wmv', ['video/x-ms-wmv'], 'video/x-ms-wmv', null],
]

describe.each(kinds)('a film.%s', (ending, declared, delivered, seconds) => {
  const fixture = `test/fixtures/kinds/film.${ending}`

  test('may be chosen and sent, whatever the browser calls it', async () => {
    const { size } = await stat(fixture)
    for (const type of [...declared, '', 'application/octet-stream']) {
      expect(fileProblem('video', { name: `film.${ending}`, type, size }, 50), type).toBeNull()
    }
    expect(acceptedFiles.video.split(',')).toEqual(
      expect.arrayContaining([...declared, `.${ending}`]),
    )
  })

  test('is taken for what it is, whatever its name says', async () => {
    const storage = await openDiskStorage(folder)
    await storage.put(`uploads/${ending}.mp4`, await readFile(fixture))
    const found = await inspectVideo(storage, `uploads/${ending}.mp4`)
    expect(found.contentType).toBe(delivered)
    if (seconds === null) expect(found.durationSeconds).toBeNull()
    else expect(found.durationSeconds).toBeCloseTo(seconds, 1)
  })
})

test('what is no film by its name is refused in the spec’s words', () => {
  for (const file of [
    { name: 'film.mp4', type: 'text/plain', size: 10 },
    { name: 'song.mp3', type: 'audio/mpeg', size: 10 },
    { name: 'film.pdf', type: '', size: 10 },
    { name: 'picture.png', type: 'image/png', size: 10 },
  ]) {
    expect(fileProblem('video', file, 50)).toEqual({ kind: 'type', message: problems.videoType })
  }
})
