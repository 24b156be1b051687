// Which programs convert videos, and what is said where they are not there: with programs that only say what they are.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLog } from '../../server/log.ts'
import { findFfmpeg } from './ffmpeg.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ffmpeg-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

async function program(name: string, says: string) {
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\necho '${says}'\n`)
  await chmod(path, 0o755)
  return path
}

async function programs({ encoders = 'V libx264 A aac', version = '7.1', name = 'ffmpeg' } = {}) {
  await program(name.replace('ffmpeg', 'ffprobe'), `ffprobe version ${version} Copyright`)
  return program(name, encoders)
}

async function found(setting: string) {
  const log = createLog('silent')
  const [info, warn] = [vi.spyOn(log, 'info'), vi.spyOn(log, 'warn')]
  const answer = await findFfmpeg(setting, log)
  return { answer, info: info.mock.calls.flat(), warn: warn.mock.calls.flat() }
}

describe('programs', () => {
  test('that are named by their path come from one folder', async () => {
    const { answer, info, warn } = await found(await programs({ name: 'ffmpeg-7' }))
    expect(answer).toEqual({
      ffmpeg: join(folder, 'ffmpeg-7'),
      ffprobe: join(folder, 'ffprobe-7'),
      isOld: false,
    })
    expect([info, warn]).toEqual([['videos are converted by ffmpeg 7.1'], []])
  })

  test('that are only named are looked for where the system has its programs', async () => {
    await programs()
    vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
    const { answer } = await found('ffmpeg')
    expect(answer).toEqual({ ffmpeg: 'ffmpeg', ffprobe: 'ffprobe', isOld: false })
  })

  test.each([
    ['4.4.2', true],
    ['n4.4', true],
    ['5.0.1', true],
    ['5.1.9-0+deb12u1', false],
    ['n6.0', false],
    ['N-112233-gabcdef', false],
    ['15.0', false],
  ])('of version %s are old: %s', async (version, isOld) => {
    expect((await found(await programs({ version }))).answer?.isOld).toBe(isOld)
  })
})

describe('videos play as they were uploaded', () => {
  test('where that is wanted, and nothing is said', async () => {
    expect(await found('off')).toEqual({ answer: null, info: [], warn: [] })
  })

  test.each(['V libx264', 'A aac', 'V libx265 A aac_at libx264rgbx'])(
    'where the program has only “%s”',
    async (encoders) => {
      const path = await programs({ encoders })
      const { answer, info, warn } = await found(path)
      expect([answer, info]).toEqual([null, []])
      expect(warn).toEqual([
        `${path} lacks H.264 (libx264) or AAC: videos play as they were uploaded`,
      ])
    },
  )

  test('where the chosen program is not there', async () => {
    const path = join(folder, 'ffmpeg')
    const { answer, info, warn } = await found(path)
    expect([answer, info]).toEqual([null, []])
    expect(warn).toEqual([
      `FFMPEG_PATH (${path}) was not found or does not run: videos play as they were uploaded`,
    ])
  })

  test('where ffprobe is not beside it', async () => {
    const path = await program('ffmpeg', 'V libx264 A aac')
    expect((await found(path)).answer).toBeNull()
  })

  test('where nobody chose one and there is none', async () => {
    vi.stubEnv('PATH', folder)
    const { answer, info, warn } = await found('ffmpeg')
    expect([answer, warn]).toEqual([null, []])
    expect(info).toEqual([
      'ffmpeg was not found or does not run: videos play as they were uploaded',
    ])
  })
})
