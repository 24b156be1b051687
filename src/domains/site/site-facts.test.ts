// What the site keeps of itself, and what its files answer where there is nothing, or where something changed.
import { eq } from 'drizzle-orm'
import { Pool } from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makeMedia, makePerson } from '../../../test/factories.ts'
import { StoreFailure } from '../../server/storage.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'
import { imageKey } from '../media/store-image.ts'
import { defaultBrand, setBrand } from './brand.ts'
import { drawSharingPicture, type SharingPicture } from './draw-sharing-picture.ts'
import { flagshipCourseId, flagshipSlug, setFlagshipCourse } from './flagship.ts'
import { lastBackupAt, noteBackup } from './last-backup.ts'
import { createSharingPictures } from './sharing-pictures.ts'
import { settings } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

test('the starter course is one or none, and the last backup has its time', async () => {
  const { db } = app.services
  const [one, two] = [crypto.randomUUID(), crypto.randomUUID()]
  expect(flagshipSlug).toBe('thunder-bootcamp')
  expect([await flagshipCourseId(db), await lastBackupAt(db)]).toEqual([null, null])
  await setFlagshipCourse(db, one)
  expect([await flagshipCourseId(db), await lastBackupAt(db)]).toEqual([one, null])
  await setFlagshipCourse(db, two)
  await noteBackup(db, new Date(1000))
  await noteBackup(db, new Date(2000))
  expect([await flagshipCourseId(db), await lastBackupAt(db)]).toEqual([two, new Date(2000)])
  await db.update(settings).set({ value: 5 })
  expect([await flagshipCourseId(db), await lastBackupAt(db)]).toEqual([null, null])
  await db.delete(settings)
})

test.each([
  ['Birch & Sons', 'Birch & Sons'],
  ['Thirteen sign', 'Thirteen'],
  ['Incomprehensible', 'Incomprehensible'],
  ['🍞🍞🍞🍞🍞🍞🍞🍞🍞🍞 X', '🍞🍞🍞🍞🍞🍞🍞🍞🍞🍞 X'],
])('where there is little room %j is %j', async (name, short) => {
  setBrand({ ...defaultBrand, name })
  const { body } = await app.request('/manifest.webmanifest')
  expect([body.name, body.short_name]).toEqual([name, short])
  setBrand(app.services.brandPictures.brand)
})

test('what is not there is said, and what is there is for our own pages', async () => {
  for (const path of ['/brand/x/nothing.png', '/og/course/nothing.png', '/og/user/nobody.png']) {
    const { status, body } = await app.request(path)
    expect([status, body]).toEqual([404, 'There is no such picture.'])
  }
  const map = await app.request('/sitemaps/nothing.xml')
  expect([map.status, map.body]).toEqual([404, 'There is no such site map.'])
  const { headers } = await app.request('/favicon.ico')
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'image/x-icon',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'public, max-age=86400',
  })
  const { version } = app.services.brandPictures.brand
  const icon = await app.request(`/brand/${version}/icon-192.png`)
  expect(icon.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  for (const path of ['/sitemap.xml', '/sitemaps/pages.xml']) {
    const xml = await app.request(path)
    expect([xml.headers.get('content-type'), xml.headers.get('cache-control')]).toEqual([
      'application/xml; charset=utf-8',
      'no-cache',
    ])
  }
})

describe('a picture for messengers', () => {
  const ask = (
    draw: ReturnType<typeof createSharingPictures>,
    kind: 'site' | 'course' | 'user',
    name: string,
    init?: RequestInit,
  ) => draw(new Request('http://localhost/', init), kind, name)

  test('is another one as soon as anything that it shows is', async () => {
    const { db } = app.services
    const owner = await makePerson(app.services, { name: 'Ada', username: 'ada-draws' })
    const { id, slug } = await makeCourse(app.services, owner, { title: 'Tea' })
    const draw = createSharingPictures(app.services)
    const versions = async () =>
      Promise.all(
        (
          [
            ['course', slug],
            ['user', 'ada-draws'],
          ] as const
        ).map(async ([kind, name]) => (await ask(draw, kind, name)).headers.get('etag')),
      )
    const course = (values: Partial<typeof courses.$inferInsert>) =>
      db.update(courses).set(values).where(eq(courses.id, id))
    let [ofCourse, ofPerson] = await versions()
    /** Which of both are other ones after it. */
    const after = async (change: () => Promise<unknown>) => {
      await change()
      const [nowOfCourse, nowOfPerson] = await versions()
      const changed = [nowOfCourse !== ofCourse, nowOfPerson !== ofPerson]
      ;[ofCourse, ofPerson] = [nowOfCourse, nowOfPerson]
      return changed
    }
    const thumbnailId = await makeMedia(app.services, owner, { purpose: 'thumbnail' })
    expect(await after(() => course({ title: 'Tea ⚡', shortDescription: 'Hot' }))).toEqual([
      false,
      false,
    ])
    expect(await after(() => course({ title: 'Green tea' }))).toEqual([true, false])
    expect(await after(() => course({ category: 'Cooking' }))).toEqual([true, false])
    expect(await after(() => course({ pricingType: 'one_time', priceAmount: 2900 }))).toEqual([
      true,
      false,
    ])
    expect(await after(() => course({ pricingType: 'monthly' }))).toEqual([true, false])
    expect(await after(() => course({ thumbnailId }))).toEqual([true, false])
    expect(await after(() => makeCourse(app.services, owner, { status: 'draft' }))).toEqual([
      false,
      false,
    ])
    expect(await after(() => makeCourse(app.services, owner))).toEqual([false, true])
    const name = () => db.update(users).set({ name: 'Grace' }).where(eq(users.id, owner.id))
    expect(await after(name)).toEqual([true, true])
    await course({ status: 'draft' })
    expect((await ask(draw, 'course', slug)).status).toBe(404)
  })

  test('shows of a course, a person and the site what each is', async () => {
    const { db, brandPictures } = app.services
    const owner = await makePerson(app.services, { name: 'Ada', username: 'ada-is-shown' })
    const { id, slug } = await makeCourse(app.services, owner, {
      title: '面包',
      category: 'Cooking',
    })
    const monthly = { pricingType: 'monthly', priceAmount: 1950 } as const
    await db.update(courses).set(monthly).where(eq(courses.id, id))
    await makePerson(app.services, { name: '王小明', username: 'wang' })
    const own = new Pool({ connectionString: app.databaseUrl, max: 1 })
    const draw = createSharingPictures({ ...app.services, pool: own })
    const isLike = async (
      kind: 'site' | 'course' | 'user',
      name: string,
      expected: Partial<SharingPicture>,
    ) => {
      const png = Buffer.from(await (await ask(draw, kind, name)).arrayBuffer())
      const blank = { title: '', instead: '', over: '', under: '', tag: null, picture: null }
      const like = await drawSharingPicture(brandPictures, { ...blank, ...expected })
      return png.equals(Buffer.from(like))
    }
    const course = {
      instead: 'A course in Cooking',
      over: 'Cooking',
      under: 'by Ada',
      tag: '$19.50/month',
    }
    expect(await isLike('course', slug, course)).toBe(true)
    expect(await isLike('course', slug, { ...course, under: 'by Grace' })).toBe(false)
    expect(
      await isLike('user', 'ada-is-shown', { title: 'Ada', under: '1 course on Thunder' }),
    ).toBe(true)
    expect(await isLike('user', 'wang', { instead: 'wang', under: 'on Thunder' })).toBe(true)
    expect(
      await isLike('site', '', {
        title: 'Make a course, finish a course',
        under: 'localhost:3000',
      }),
    ).toBe(true)
    const { rows } = await own.query('select name from pg_prepared_statements order by name')
    expect(rows.map(({ name }) => name)).toEqual([
      'course-sharing-picture',
      'person-sharing-picture',
    ])
    await own.end()
  })

  test('says how long it may be kept, and is drawn once', async () => {
    const owner = await makePerson(app.services)
    const media = await makeMedia(app.services, owner, { purpose: 'thumbnail' })
    const { id, slug } = await makeCourse(app.services, owner, { title: 'Coffee' })
    const { db, storage } = app.services
    await db.update(courses).set({ thumbnailId: media }).where(eq(courses.id, id))
    const picture = sharp({ create: { width: 640, height: 360, channels: 3, background: 'red' } })
    await storage.put(imageKey(media, 640), await picture.webp().toBuffer())
    const looked: string[] = []
    const counted = {
      ...storage,
      read: storage.read.bind(storage),
      async size(key: string) {
        looked.push(key)
        return storage.size(key)
      },
    }
    const draw = createSharingPictures({ ...app.services, storage: counted })
    const first = await ask(draw, 'course', slug)
    const png = Buffer.from(await first.arrayBuffer())
    expect(Object.fromEntries(first.headers)).toEqual({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=3600',
      'content-length': String(png.length),
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    })
    const again = await ask(draw, 'course', slug)
    expect(Buffer.from(await again.arrayBuffer()).equals(png)).toBe(true)
    const same = await ask(draw, 'course', slug, {
      headers: { 'if-none-match': first.headers.get('etag')! },
    })
    expect([same.status, await same.text()]).toEqual([304, ''])
    const head = await ask(draw, 'course', slug, { method: 'HEAD' })
    expect([head.headers.get('content-length'), await head.text()]).toEqual([
      String(png.length),
      '',
    ])
    expect(looked).toEqual([imageKey(media, 640)])
  })

  test('that cannot be drawn makes room for the next one; too many at once are asked to wait', async () => {
    const owner = await makePerson(app.services)
    const media = await makeMedia(app.services, owner, { purpose: 'thumbnail' })
    const { id, slug } = await makeCourse(app.services, owner, { title: 'Milk' })
    await app.services.db.update(courses).set({ thumbnailId: media }).where(eq(courses.id, id))
    const failure = new StoreFailure('the object store failed', { isFull: false })
    let isAway = true
    const storage = {
      ...app.services.storage,
      async size() {
        if (isAway) throw failure
        return null
      },
    }
    const draw = createSharingPictures({ ...app.services, storage }, 1)
    for (const _time of ['first', 'second']) {
      await expect(ask(draw, 'course', slug)).rejects.toBe(failure)
    }
    isAway = false
    expect((await ask(draw, 'course', slug)).status).toBe(200)

    const other = await makeCourse(app.services, owner, { title: 'Sugar' })
    // Neither is drawn before what both are about was found.
    const areFound = Promise.withResolvers<void>()
    let found = 0
    const pool: typeof app.services.pool = Object.create(app.services.pool)
    pool.query = (async (statement: string) => {
      const answer = await app.services.pool.query(statement)
      found += 1
      if (found === 2) areFound.resolve()
      await areFound.promise
      return answer
    }) as typeof pool.query
    const drawOne = createSharingPictures({ ...app.services, pool, storage }, 1)
    const both = await Promise.all([slug, other.slug].map((name) => ask(drawOne, 'course', name)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 503])
    const refused = both.find(({ status }) => status === 503)!
    expect([refused.headers.get('retry-after'), await refused.text()]).toEqual([
      '5',
      'Too many pictures are being drawn. Please try again in a moment.',
    ])
  })
})
