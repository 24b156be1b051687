// A real film of 0.4 seconds in each kind that the specification names beside MP4.
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
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

test('a film of the makers of the M4V is an MP4', async () => {
  const storage = await openDiskStorage(folder)
  const bytes = await readFile('test/fixtures/lesson.mp4')
  bytes.write('M4V ', bytes.indexOf('ftyp') + 4, 'latin1')
  await storage.put('uploads/a', bytes)
  expect(await inspectVideo(storage, 'uploads/a')).toEqual({
    contentType: 'video/mp4',
    durationSeconds: 12,
  })
})

test('what cannot be played, or not at all, is refused in words', async () => {
  const storage = await openDiskStorage(folder)
  const refused = async (bytes: Buffer) => {
    await storage.put('uploads/b', bytes)
    return inspectVideo(storage, 'uploads/b').catch((error: Error) => error.message)
  }
  const whole = await readFile('test/fixtures/lesson.mp4')
  expect(await refused(whole.subarray(0, 100))).toBe(problems.videoDamaged)
  expect(await refused(Buffer.from('a text'))).toBe(problems.videoType)
  const wmv = await readFile('test/fixtures/kinds/film.wmv')
  expect(await refused(wmv.subarray(0, 4))).toBe(problems.videoType)
})

test('a film is written down for good before it is called ready', async () => {
  const storage = await openDiskStorage(folder)
  await storage.put('uploads/c', await readFile('test/fixtures/lesson.mp4'))
  const settle = vi.spyOn(storage, 'settle')
  await inspectVideo(storage, 'uploads/c')
  expect(settle.mock.calls).toEqual([['uploads/c']])
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
