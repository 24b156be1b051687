// A ZIP as it lies on the disk: what its list of entries may say, what its bytes may be, and when it is the disk's fault.
import { closeSync, existsSync, readdirSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HandmadeEntry, zipByHand } from '../../../test/zip-by-hand.ts'
import { parseCourse } from './check-course-file.ts'
import { openCourseArchive } from './course-archive.ts'
import { UnusableCourseFile } from './unusable-course-file.ts'

const mb = 1024 * 1024
const json: HandmadeEntry = { name: 'course.json', data: '{"title":"Knots"}' }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thunder-archive-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let made = 0
async function stored(entries: HandmadeEntry[]): Promise<string> {
  const path = join(folder, `${(made += 1)}.zip`)
  await writeFile(path, zipByHand(entries))
  return path
}

const open = async (entries: HandmadeEntry[], maxMb = 20) =>
  openCourseArchive(await stored(entries), maxMb)

const refusalOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(UnusableCourseFile)
  return (error as Error).message
}

/** Numbers under which this process has a file open; Linux says so. */
const descriptorsOf = (path: string) =>
  readdirSync('/proc/self/fd').filter((number) => {
    const link = `/proc/self/fd/${number}`
    return existsSync(link) && readlinkSync(link) === path
  })
const isLinux = existsSync('/proc/self/fd')

describe('the list of entries', () => {
  test('says how long each file is, and nothing of the text', async () => {
    const archive = await open([
      { name: 'media/1-a.mp4', data: 'a film' },
      json,
      { name: 'captions/1.en.vtt', data: 'WEBVTT', method: 8 },
    ])
    expect([...archive.sizes]).toEqual([
      ['media/1-a.mp4', 6],
      ['captions/1.en.vtt', 6],
    ])
    expect(parseCourse(await archive.readCourse())).toEqual({ title: 'Knots' })
    expect(String(await buffer(archive.readMedia('media/1-a.mp4')))).toBe('a film')
    expect(String(await buffer(archive.readMedia('captions/1.en.vtt')))).toBe('WEBVTT')
    archive.close()
  })

  test('has as many files as a course can have, and not one more', async () => {
    const files = Array.from({ length: 10_001 }, (_, at) => ({
      name: at < 10_000 ? `media/${at}-a` : 'media/0-b',
    }))
    const most = await open([json, ...files.slice(1)])
    expect(most.sizes.size).toBe(10_000)
    most.close()
    expect(await refusalOf(open([json, ...files]))).toBe(
      'This file holds more than 10,001 files, the most that a course file can have.',
    )
  })

  test('comes to no more than the limit, all together', async () => {
    const entries = (size: number) => [
      json,
      { name: 'media/1-a.mp4', says: { size: 10 * mb } },
      { name: 'media/2-a.mp4', says: { size } },
    ]
    const rest = 10 * mb - json.data!.length
    const most = await open(entries(rest).map((one) => ({ ...one, method: 8 })))
    expect(most.sizes.get('media/2-a.mp4')).toBe(rest)
    most.close()
    const over = entries(rest + 1).map((one) => ({ ...one, method: 8 }))
    expect(await refusalOf(open(over))).toBe(
      'This course file unpacks to more than 20 MB, the most that this Thunder imports.',
    )
    const text = { ...json, method: 8, says: { size: 33_554_432 } }
    expect(await refusalOf(open([text], 1200).then((archive) => archive.readCourse()))).toBe(
      'This course file is damaged. Please export the course again.',
    )
    text.says.size += 1
    expect(await refusalOf(open([text], 1200))).toBe(
      'The text of this course is too long: course.json can have at most 32 MB.',
    )
    const media = { name: 'media/1-a.mp4', method: 8, says: { size: 33_554_433 } }
    const long = await open([json, media], 1200)
    expect(long.sizes.get('media/1-a.mp4')).toBe(33_554_433)
    long.close()
  })

  test('is quoted without what could do harm, and not at length', async () => {
    const name = `evil\u0007\u00ad${'x'.repeat(100)}`
    expect(await refusalOf(open([json, { name }]))).toBe(
      `This file holds “evil??${'x'.repeat(74)}”, which does not belong into a course file.`,
    )
  })

  test.runIf(isLinux)('holds no file open once it is refused, or was closed', async () => {
    const [good, bad] = [await stored([json]), await stored([json, json])]
    const archive = await openCourseArchive(good, 20)
    expect(descriptorsOf(good)).toHaveLength(1)
    archive.close()
    expect(await refusalOf(openCourseArchive(bad, 20))).toBe('This file holds “course.json” twice.')
    await expect.poll(() => [...descriptorsOf(good), ...descriptorsOf(bad)]).toEqual([])
  })
})

describe('the text of the course', () => {
  test.each([
    ['no JSON', '{"title": '],
    ['no UTF-8', Buffer.from('{"title":"\xff"}', 'latin1')],
  ])('that is %s is not readable', async (_what, data) => {
    const archive = await open([{ ...json, data }])
    expect(await refusalOf(archive.readCourse().then(parseCourse))).toBe(
      'course.json in this file is not readable.',
    )
    archive.close()
  })
})

describe('what is the fault of this machine is not said of the file', () => {
  test('when the file cannot be opened', async () => {
    const nowhere = openCourseArchive(join(folder, 'nowhere.zip'), 20)
    await expect(nowhere).rejects.toMatchObject({ code: 'ENOENT', syscall: 'open' })
  })

  test.runIf(isLinux)('when its bytes cannot be read any more', async () => {
    const path = await stored([json, { name: 'media/1-a.mp4', data: 'a film' }])
    const archive = await openCourseArchive(path, 20)
    for (const number of descriptorsOf(path)) closeSync(Number(number))
    const reading = buffer(archive.readMedia('media/1-a.mp4'))
    await expect(reading).rejects.toMatchObject({ code: 'EBADF' })
    await expect(archive.readCourse()).rejects.toMatchObject({ code: 'EBADF' })
  })
})
