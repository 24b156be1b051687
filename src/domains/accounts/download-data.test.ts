import { readdir, readlink } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  joinCourse,
  lessonsOf,
  makeCourse,
  makeMedia,
  makePerson,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { makeWholePerson, secretCanary, type WholePerson } from '../../../test/whole-person.ts'
import { uploadKey } from '../media/finish-upload.ts'
import { notify } from '../notifications/notify.ts'
import { brand, defaultBrand, setBrand } from '../site/brand.ts'

const address = '/storage/v1/my-data.zip'

let app: TestApp
let whole: WholePerson
let bytes: Buffer
let entries: Map<string, Buffer>
// What the download says is asserted on, not trusted.
// oxlint-disable-next-line typescript/no-explicit-any
let data: any

const download = (cookie?: string, method = 'GET') =>
  fetch(app.url + address, { method, headers: cookie ? { cookie } : {} })

/** The files of an archive whose entries are stored as they are, checked against its directory. */
function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const files = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [crc, size] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 24)]
    const nameLength = zip.readUInt16LE(at + 28)
    const header = zip.readUInt32LE(at + 42)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
    const content = zip.subarray(start, start + size)
    expect(crc32(content), name).toBe(crc)
    files.set(name, content)
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return files
}

beforeAll(async () => {
  app = await startTestApp()
  const { services } = app
  const teacher = await makePerson(services, { name: 'Canary Teacher' })
  const member = await makePerson(services, { name: 'Canary Member' })
  whole = await makeWholePerson(services, 'Dora Download', { teacher, member })
  await notify(services.db, {
    userId: member.id,
    kind: 'system_announcement',
    title: 'canary-notice',
    message: 'Of somebody else',
  })
  await makeCourse(services, teacher, { title: 'canary-draft', status: 'draft' })
  const taken = await makeCourse(services, teacher, {
    title: 'Taken',
    chapters: [{ title: 'One', lessons: [{ title: 'Two', content: 'canary-lesson-of-others' }] }],
  })
  await joinCourse(services, whole, taken)
  const answer = await download(whole.cookie)
  expect(answer.status).toBe(200)
  bytes = Buffer.from(await answer.arrayBuffer())
  entries = readZip(bytes)
  data = JSON.parse(entries.get('data.json')!.toString())
})
afterAll(() => app?.stop())

describe('the download', () => {
  test('is a file for this person only, and is kept nowhere', async () => {
    const answer = await download(whole.cookie, 'HEAD')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/zip')
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="thunder-my-data-\d{4}-\d\d-\d\d\.zip"$/,
    )
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(await answer.text()).toBe('')
    expect(entries.get('README.txt')!.toString()).toContain(whole.email)
  })

  test('has a name that a header can hold, whatever the installation is called', async () => {
    onTestFinished(() => void setBrand(defaultBrand))
    for (const [name, start] of [
      ['Clever & Söns', 'clever-sns'],
      ['雷', 'account'],
    ] as const) {
      setBrand({ ...brand, name })
      const { status, headers } = await download(whole.cookie, 'HEAD')
      expect([name, status]).toEqual([name, 200])
      expect(headers.get('content-disposition')).toContain(`filename="${start}-my-data-`)
    }
  })

  test('comes as it was announced, and says what it is', async () => {
    const answer = await download(whole.cookie)
    expect(answer.headers.get('content-type')).toBe('application/zip')
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="thunder-my/)
    const files = readZip(Buffer.from(await answer.arrayBuffer()))
    const made = JSON.parse(files.get('data.json')!.toString())
    expect(made.about).toBe('What Thunder has of you')
    expect(new Date(made.madeAt).toISOString()).toBe(made.madeAt)
    expect(files.get('README.txt')!.toString())
      .toBe(`This is what Thunder has of ${whole.email}, as of ${made.madeAt}.

data.json   everything but the files. Each section says what it is, what is withheld and why, and
            lists its rows. Times are in UTC (ISO 8601).
files       the files that you uploaded, each under its id and name. Pictures are kept as WebP.
`)
    expect(made.sections.account).toMatchObject({ about: expect.stringMatching(/\w+ \w+/) })
    expect(made.sections.supportMessages.withheld).toEqual({
      authorId: 'names who of the team answered',
    })
  })

  test('is whole without a file whose bytes are lost', async () => {
    const { services } = app
    const person = await makePerson(services)
    const course = await makeCourse(services, person)
    const lost = await makeMedia(services, person, { purpose: 'video', courseId: course.id })
    const kept = await makeMedia(services, person, { purpose: 'video', courseId: course.id })
    await services.storage.put(uploadKey(kept), Buffer.from('kept bytes'))
    const answer = await download(await sessionCookieOf(services, person.id))
    const files = readZip(Buffer.from(await answer.arrayBuffer()))
    expect([...files.keys()].slice(2)).toEqual([`files/${kept} lesson.mp4`])
    expect(files.get(`files/${kept} lesson.mp4`)!.toString()).toBe('kept bytes')
    const { sections } = JSON.parse(files.get('data.json')!.toString())
    expect(JSON.stringify(sections)).toContain(lost)
  })

  test('strangers are asked to sign in', async () => {
    const answer = await download()
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect([answer.status, await answer.text()]).toEqual([401, 'User must be authenticated'])
  })

  test('says what each section is and what is withheld, and has a row in each', () => {
    for (const [name, section] of Object.entries<Record<string, unknown>>(data.sections)) {
      expect(section.about, name).toMatch(/\w+ \w+/)
      expect(section.rows, name).not.toEqual([])
      for (const reason of Object.values(section.withheld as object)) {
        expect(reason, name).toMatch(/\w+ \w+/)
      }
    }
  })

  test('has what the person put in', () => {
    const { sections } = data
    expect(sections.account.rows).toEqual([
      expect.objectContaining({
        id: whole.id,
        email: whole.email,
        name: 'Dora Download',
        bio: 'Dora Download likes cats',
        socialLinks: { x: 'Dora Download-cats' },
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      }),
    ])
    const titles = sections.courses.rows.map((course: { title: string }) => course.title)
    expect(titles.toSorted()).toEqual([
      `Lonely course of ${whole.id}`,
      `Shared course of ${whole.id}`,
    ])
    expect(JSON.stringify(sections.lessons.rows)).toContain('What the lesson says')
    expect(sections.lessonLinks.rows[0].url).toBe('https://more.example')
    expect(sections.enrollments.rows).toContainEqual(
      expect.objectContaining({ courseTitle: `Joined by ${whole.id}` }),
    )
    expect(sections.videoPositions.rows).toEqual([expect.objectContaining({ seconds: 12.5 })])
    expect(sections.completedLessons.rows[0].courseTitle).toBe(`Joined by ${whole.id}`)
    expect(sections.reviews.rows).toEqual([
      expect.objectContaining({
        rating: 4,
        reviewText: expect.stringMatching(/ liked it$/),
        courseTitle: `Joined by ${whole.id}`,
      }),
    ])
  })

  test('has the files, under names that stay in their folder', () => {
    const { media } = whole
    const files = [...entries.keys()].filter((name) => name.startsWith('files/'))
    expect(files.toSorted()).toEqual(
      [
        `files/${media.sharedVideo} lesson.mp4`,
        `files/${media.aloneVideo} lesson.mp4`,
        `files/${media.sharedThumbnail} picture.webp`,
        `files/${media.avatar} _Dora Download.webp`,
      ].toSorted(),
    )
    expect(entries.get(`files/${media.sharedVideo} lesson.mp4`)!.toString()).toBe(
      `bytes of ${media.sharedVideo}`,
    )
    expect(entries.get(`files/${media.sharedThumbnail} picture.webp`)!.toString()).toBe(
      '1280 pixels',
    )
  })

  test('has nothing that opens the account', async () => {
    const { rows } = await app.services.pool.query<{ secret: string }>(
      `select token as secret from sessions where user_id = $1
        union select password from identities where user_id = $1 and password is not null`,
      [whole.id],
    )
    expect(rows).toHaveLength(2)
    for (const { secret } of [...rows, { secret: secretCanary }]) {
      expect(bytes.includes(secret), secret).toBe(false)
    }
  })

  test('has nothing of other people', () => {
    for (const canary of ['Canary Teacher', 'Canary Member', 'canary-', '203.0.113.78']) {
      expect(bytes.includes(canary), canary).toBe(false)
    }
  })

  test('of somebody who has put in nothing yet is there, too', async () => {
    const { services } = app
    const person = await makePerson(services, { name: 'Nobody Much' })
    const answer = await download(await sessionCookieOf(services, person.id))
    const files = readZip(Buffer.from(await answer.arrayBuffer()))
    const { sections } = JSON.parse(files.get('data.json')!.toString())
    expect(sections.account.rows).toHaveLength(1)
    expect(sections.courses.rows).toEqual([])
    expect([...files.keys()]).toEqual(['README.txt', 'data.json'])
  })

  test('has every row, however many there are', async () => {
    const { services } = app
    const creator = await makePerson(services)
    const lessons = Array.from({ length: 250 }, (_, index) => ({ title: `Lesson ${index}` }))
    const course = await makeCourse(services, creator, { chapters: [{ title: 'All', lessons }] })
    const made = await lessonsOf(services, course.id)
    await services.pool.query(
      `insert into lesson_positions (user_id, lesson_id, course_id, seconds)
       select $1, id, course_id, 1 from lessons where course_id = $2`,
      [creator.id, course.id],
    )
    const answer = await download(await sessionCookieOf(services, creator.id))
    const files = readZip(Buffer.from(await answer.arrayBuffer()))
    const { sections } = JSON.parse(files.get('data.json')!.toString())
    for (const [section, key] of [
      ['lessons', 'id'],
      ['videoPositions', 'lessonId'],
    ] as const) {
      const ids = sections[section].rows.map((row: Record<string, string>) => row[key])
      expect(ids.toSorted()).toEqual(made.map(({ id }) => id).toSorted())
    }
  })
})

test('ten downloads in an hour, then a sentence', async () => {
  const { services } = app
  const person = await makePerson(services)
  const cookie = await sessionCookieOf(services, person.id)
  // Only asked about, it does not count.
  for (let count = 0; count < 3; count += 1) await download(cookie, 'HEAD')
  for (let count = 0; count < 10; count += 1) {
    const answer = await download(cookie)
    await answer.arrayBuffer()
    expect(answer.status).toBe(200)
  }
  const refused = await download(cookie)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('cache-control')).toBe('no-store')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
  expect(await refused.text()).toBe(
    'You have downloaded your data several times just now. Please try again in 60 minutes.',
  )
  const soon = [Date.now() + 59_000, `download-account:${person.id}`]
  await services.pool.query('update rate_limits set expire = $1 where key = $2', soon)
  expect(await (await download(cookie)).text()).toContain('Please try again in 1 minute.')
})

test.runIf(process.platform === 'linux')(
  'who goes away in the middle of a file leaves nothing open',
  async () => {
    const { services } = app
    const person = await makePerson(services)
    const course = await makeCourse(services, person)
    const mediaId = await makeMedia(services, person, { purpose: 'video', courseId: course.id })
    await services.storage.put(uploadKey(mediaId), Buffer.alloc(40 * 1024 * 1024, 7))
    const openFiles = async () => {
      const names = await readdir('/proc/self/fd')
      const targets = await Promise.all(
        names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
      )
      return targets.filter((target) => target.includes(mediaId))
    }
    const goAway = new AbortController()
    const answer = await fetch(app.url + address, {
      headers: { cookie: await sessionCookieOf(services, person.id) },
      signal: goAway.signal,
    })
    const reader = answer.body!.getReader()
    while ((await openFiles()).length === 0) await reader.read()
    goAway.abort()
    await expect.poll(openFiles).toEqual([])
    expect((await app.request('/healthz')).status).toBe(200)
  },
)
