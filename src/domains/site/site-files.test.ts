import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makeMedia, makePerson, type MadePerson } from '../../../test/factories.ts'
import { readConfig } from '../../server/config.ts'
import { createLog } from '../../server/log.ts'
import { boot } from '../../server/boot.ts'
import { StoreFailure } from '../../server/storage.ts'
import { users } from '../accounts/tables.ts'
import { courses } from '../courses/tables.ts'
import { imageKey } from '../media/store-image.ts'
import { openBrand } from './brand-pictures.ts'
import { createSharingPictures } from './sharing-pictures.ts'
import { createSitemaps } from './sitemap.ts'

let app: TestApp
let folder: string
let creator: MadePerson

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thunder-brand-'))
  const logo = join(folder, 'logo.svg')
  await writeFile(
    logo,
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><path fill="#0b6b4f" d="M0 0h40v20H0z"/></svg>',
  )
  app = await startTestApp({
    APP_URL: 'https://school.example',
    BRAND_NAME: 'Birch & Sons',
    BRAND_COLOR: '#0B6B4F',
    BRAND_LOGO: logo,
    SUPPORT_EMAIL: 'help@school.example',
  })
  creator = await makePerson(app.services, { name: 'Zoë “Quote” 🍞', username: 'zoe' })
})

afterAll(async () => {
  await app.stop()
  await rm(folder, { recursive: true, force: true })
})

const bytesOf = async (path: string, headers: HeadersInit = {}) => {
  const answer = await fetch(app.url + path, { headers })
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

const slugOfCourse = async (id: string) => {
  const [row] = await app.services.db.select().from(courses).where(eq(courses.id, id))
  return row!.slug
}

describe('the brand', () => {
  test('is in the manifest, with icons that are there and have their sizes', async () => {
    const { status, headers, body } = await app.request('/manifest.webmanifest')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/manifest+json')
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
    const paper = { background_color: '#f8f9fc', theme_color: '#f8f9fc' }
    const night = { background_color: '#0d0e17', theme_color: '#0d0e17' }
    const icon = (name: string, sizes: string, purpose: string) => ({
      src: `/brand/${app.services.brandPictures.brand.version}/${name}`,
      sizes,
      type: 'image/png',
      purpose,
    })
    expect(body).toEqual({
      id: '/',
      name: 'Birch & Sons',
      short_name: 'Birch & Sons',
      description: 'Make a course, finish a course.',
      lang: 'en',
      start_url: '/dashboard',
      scope: '/',
      display: 'standalone',
      ...paper,
      color_scheme_dark: night,
      categories: ['education'],
      icons: [
        icon('icon-192.png', '192x192', 'any'),
        icon('icon-512.png', '512x512', 'any'),
        icon('maskable-512.png', '512x512', 'maskable'),
      ],
      shortcuts: [
        { name: 'Explore', url: '/explore' },
        { name: 'Dashboard', url: '/dashboard' },
      ],
    })
    for (const { src, sizes, type } of body.icons) {
      const { answer, bytes } = await bytesOf(src)
      expect(answer.headers.get('content-type')).toBe(type)
      expect(answer.headers.get('cache-control')).toContain('immutable')
      const { width, height } = await sharp(bytes).metadata()
      expect(`${width}x${height}`).toBe(sizes)
    }
    expect(JSON.stringify(body)).not.toContain('Thunder')
  })

  test('has its logo at an address of its version, where nothing in it runs', async () => {
    const { logo, version } = app.services.brandPictures.brand
    const { answer, bytes } = await bytesOf(logo!)
    expect(answer.headers.get('content-type')).toBe('image/svg+xml')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('cache-control')).toContain('immutable')
    expect(bytes.toString()).toContain('#0b6b4f')
    const earlier = await bytesOf(logo!.replace(version, '0000000000'))
    expect(earlier.answer.headers.get('cache-control')).toBe('no-cache')
  })

  test('is what browsers find where they look by themselves', async () => {
    for (const [path, type] of [
      ['/favicon.ico', 'image/x-icon'],
      ['/apple-touch-icon.png', 'image/png'],
      ['/apple-touch-icon-precomposed.png', 'image/png'],
    ] as const) {
      const { answer } = await bytesOf(path)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe(type)
      expect(answer.headers.get('cache-control')).toBe('public, max-age=86400')
    }
    expect((await app.request('/brand/x/no-such.png')).status).toBe(404)
    expect((await app.request('/brand/x/constructor')).status).toBe(404)
  })

  test('signs the mails', async () => {
    await app.services.mail.send({ to: 'a@b.example', subject: 's', text: 't', html: 'h' })
    const [mail] = await app.services.mail.outbox!()
    expect(mail!.from).toContain('help@school.example')
  })

  test('that cannot be used stops the start with a sentence', async () => {
    const start = (logo: string) => openBrand(readConfig({ BRAND_LOGO: logo }))
    await expect(start('/no/such/logo.svg')).rejects.toThrow(
      'BRAND_LOGO is "/no/such/logo.svg", but this file cannot be read.',
    )
    const wrong = join(folder, 'wrong.png')
    await writeFile(wrong, 'no picture')
    await expect(start(wrong)).rejects.toThrow('but this file is no picture.')
    const huge = join(folder, 'huge.svg')
    await writeFile(huge, `<svg xmlns="http://www.w3.org/2000/svg">${' '.repeat(600_000)}</svg>`)
    await expect(start(huge)).rejects.toThrow('but this file has more than 512 KB.')
    const config = readConfig({ BRAND_LOGO: wrong, DATA_DIR: folder })
    await expect(boot(config, createLog('silent'))).rejects.toThrow('BRAND_LOGO')
  })
})

describe('robots.txt', () => {
  test('names the site map, and what is not for reading', async () => {
    const { body, headers } = await app.request('/robots.txt')
    expect(headers.get('content-type')).toContain('text/plain')
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
    const closed =
      '/admin /analytics /auth/ /billing /create-course /create-lessons/ /dashboard /import-course ' +
      '/invite/ /lesson/ /logout /moderation /notifications /payments /rest/ /sandbox/ /settings ' +
      '/unsubscribe /upgrade /course/*/dashboard /course/*/lesson/'
    expect(body.split('\n')).toEqual([
      'User-agent: *',
      ...closed.split(' ').map((path) => `Disallow: ${path}`),
      '',
      'Sitemap: https://school.example/sitemap.xml',
      '',
    ])
  })
})

describe('site maps', () => {
  const locations = (xml: string) =>
    [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1])

  test('list published courses and who teaches them, in files that the index names', async () => {
    const { id } = await makeCourse(app.services, creator, { title: 'Bread' })
    const draft = await makeCourse(app.services, creator, { title: 'Secret', status: 'draft' })
    const learner = await makePerson(app.services, { username: 'only-learns' })
    const suspended = await makePerson(app.services, { username: 'was-suspended' })
    await makeCourse(app.services, suspended, { title: 'Of a suspended creator' })
    await app.services.db
      .update(users)
      .set({ suspendedAt: new Date() })
      .where(eq(users.id, suspended.id))
    const index = await app.request('/sitemap.xml')
    expect(index.headers.get('content-type')).toContain('application/xml')
    const files = locations(index.body)
    expect(files).toEqual(
      ['pages', 'courses-1', 'people-1'].map(
        (name) => `https://school.example/sitemaps/${name}.xml`,
      ),
    )
    const bodies = await Promise.all(
      files.map(async (file) => (await app.request(new URL(file!).pathname)).body as string),
    )
    const all = bodies.flatMap(locations)
    expect(all).toContain(`https://school.example/course/${await slugOfCourse(id)}`)
    expect(all).toContain('https://school.example/user/zoe')
    expect(all).toContain('https://school.example/terms')
    expect(all.join(' ')).not.toContain(await slugOfCourse(draft.id))
    expect(all.join(' ')).not.toContain(learner.username)
    expect(all.join(' ')).not.toContain('was-suspended')
    expect(bodies[1]).toMatch(/<lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod>/)
    // What is no longer public is not listed from then on, although the files are cut for an hour.
    await app.services.db.update(courses).set({ status: 'draft' }).where(eq(courses.id, id))
    expect(locations((await app.request('/sitemaps/courses-1.xml')).body)).not.toContain(
      `https://school.example/course/${await slugOfCourse(id)}`,
    )
  })

  test('have the pages that are there for everybody, with each article', async () => {
    const found = locations((await app.request('/sitemaps/pages.xml')).body).map(
      (address) => new URL(address!).pathname,
    )
    expect(found.filter((path) => !/^\/(?:blog|help)\/./.test(path))).toEqual([
      '/',
      '/explore',
      '/about',
      '/pro',
      '/challenges',
      '/blog',
      '/help',
      '/support',
      '/accessibility',
      '/privacy',
      '/terms',
    ])
    expect(found.filter((path) => path.startsWith('/blog/'))).toHaveLength(4)
    expect(found).toContain('/help/refunds')
    expect(found).toHaveLength(new Set(found).size)
    for (const path of found.filter((one) => one.startsWith('/help/'))) {
      expect(path).toMatch(/^\/help\/[a-z0-9-]+$/)
    }
  })

  test('are cut into files in which each course is once', async () => {
    const person = await makePerson(app.services)
    // Some in the same moment: the id decides.
    const at = new Date(2026, 1, 1)
    for (let number = 0; number < 7; number += 1) {
      await makeCourse(app.services, person, {
        title: `Cut ${number}`,
        publishedAt: number < 4 ? at : new Date(2026, 1, number),
      })
    }
    const sitemaps = createSitemaps(app.services.pool, () => [], 2)
    const files = locations(await sitemaps.index()).filter((file) => file?.includes('courses'))
    const found = []
    for (let number = 1; number <= files.length; number += 1) {
      const part = locations((await sitemaps.file(`courses-${number}`)) ?? '')
      if (number < files.length) expect(part).toHaveLength(2)
      found.push(...part)
    }
    const published = await app.services.db.$count(courses, eq(courses.status, 'published'))
    expect(new Set(found).size).toBe(published)
    expect(found).toHaveLength(published)
    expect(await sitemaps.file(`courses-${files.length + 1}`)).toBe(null)
    // What is published later belongs to the last file.
    const late = await makeCourse(app.services, person, { title: 'Late' })
    expect(await sitemaps.file(`courses-${files.length}`)).toContain(await slugOfCourse(late.id))
    // And what was published before all others, to the first.
    const early = await makeCourse(app.services, person, {
      title: 'Early',
      publishedAt: new Date(2020, 1, 1),
    })
    expect(await sitemaps.file('courses-1')).toContain(await slugOfCourse(early.id))
    expect(await sitemaps.file('courses-2')).not.toContain(await slugOfCourse(early.id))
  })

  test('come packed, and unknown ones are not there', async () => {
    const { answer } = await bytesOf('/sitemaps/pages.xml', { 'accept-encoding': 'gzip' })
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    for (const name of ['courses-0', 'courses-99', 'posts-1', '__proto__-1', 'x', '%00']) {
      expect((await app.request(`/sitemaps/${name}.xml`)).status).toBe(404)
    }
  })
})

describe('pictures for messengers', () => {
  const title =
    '“Bread” for <Two> & 🍞 friends, a title that goes on over several lines of the picture'

  test('are drawn for a course, and again when it changes', async () => {
    const { id } = await makeCourse(app.services, creator, { title })
    const path = `/og/course/${await slugOfCourse(id)}.png`
    const { answer, bytes } = await bytesOf(path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('cache-control')).toContain('public')
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
    // Something is written on it.
    expect((await sharp(bytes).stats()).entropy).toBeGreaterThan(0.5)
    const etag = answer.headers.get('etag')!
    expect((await bytesOf(path, { 'if-none-match': etag })).answer.status).toBe(304)
    await app.services.db.update(courses).set({ title: 'Rolls' }).where(eq(courses.id, id))
    const changed = await bytesOf(path, { 'if-none-match': etag })
    expect(changed.answer.status).toBe(200)
    expect(changed.bytes.equals(bytes)).toBe(false)
  })

  test('are not drawn, nor kept, without a picture that cannot be read just now', async () => {
    const { db, storage } = app.services
    const media = await makeMedia(app.services, creator, { purpose: 'thumbnail' })
    const { id } = await makeCourse(app.services, creator, { title: 'With a picture' })
    await db.update(courses).set({ thumbnailId: media }).where(eq(courses.id, id))
    const slug = await slugOfCourse(id)
    const ask = (draw: ReturnType<typeof createSharingPictures>) =>
      draw(new Request('http://localhost/'), 'course', slug)
    const bytes = async (answer: Response) => Buffer.from(await answer.arrayBuffer())
    // A file that is gone is a picture less.
    const without = await bytes(await ask(createSharingPictures(app.services)))

    const picture = sharp({ create: { width: 640, height: 360, channels: 3, background: 'red' } })
    await storage.put(imageKey(media, 640), await picture.webp().toBuffer())
    let isAway = true
    const failure = new StoreFailure('the object store failed', { isFull: false })
    const atTimes = {
      ...storage,
      async size(key: string) {
        if (isAway) throw failure
        return storage.size(key)
      },
      read(...asked: Parameters<typeof storage.read>) {
        return isAway
          ? new ReadableStream<Uint8Array>({ start: (stream) => stream.error(failure) })
          : storage.read(...asked)
      },
    }
    const draw = createSharingPictures({ ...app.services, storage: atTimes })
    await expect(ask(draw)).rejects.toBe(failure)
    isAway = false
    expect((await bytes(await ask(draw))).equals(without)).toBe(false)
  })

  test('are drawn for a person, and for the whole site', async () => {
    for (const path of ['/og/user/zoe.png', '/og/site.png']) {
      const { answer, bytes } = await bytesOf(path)
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1200 })
      const head = await fetch(app.url + path, { method: 'HEAD' })
      expect(head.headers.get('content-length')).toBe(answer.headers.get('content-length'))
      expect(await head.text()).toBe('')
    }
  })

  test('say who teaches a course, and how many courses somebody has', async () => {
    const { db } = app.services
    const teacher = await makePerson(app.services, { name: 'Ada', username: 'ada-teaches' })
    const { id } = await makeCourse(app.services, teacher, { title: 'Tea', status: 'draft' })
    const paths = [`/og/course/${await slugOfCourse(id)}.png`, '/og/user/ada-teaches.png']
    const [, alone] = await Promise.all(paths.map((path) => bytesOf(path)))
    await db.update(courses).set({ status: 'published' }).where(eq(courses.id, id))
    const [ofAda, teaching] = await Promise.all(paths.map((path) => bytesOf(path)))
    expect(teaching!.bytes.equals(alone!.bytes)).toBe(false)
    await db.update(users).set({ name: 'Grace' }).where(eq(users.id, teacher.id))
    const ofGrace = await bytesOf(paths[0]!)
    expect(ofGrace.bytes.equals(ofAda!.bytes)).toBe(false)
  })

  test('show a person’s own picture, and no other file', async () => {
    const { db, storage } = app.services
    const drawnWith = async (avatarUrl: string | null) => {
      await db.update(users).set({ avatarUrl }).where(eq(users.id, creator.id))
      return (await bytesOf('/og/user/zoe.png')).bytes
    }
    const media = await makeMedia(app.services, creator, { purpose: 'avatar' })
    const picture = sharp({ create: { width: 256, height: 256, channels: 3, background: 'red' } })
    await storage.put(imageKey(media, 256), await picture.webp().toBuffer())
    const without = await drawnWith(null)
    const own = `/storage/v1/${imageKey(media, 256)}`
    expect((await drawnWith(own)).equals(without)).toBe(false)
    for (const other of [`https://elsewhere.example${own}`, `${own}?size=1`, '/favicon.ico']) {
      expect((await drawnWith(other)).equals(without), other).toBe(true)
    }
    await drawnWith(null)
  })

  test('are not there for drafts, the suspended and the unknown', async () => {
    const draft = await makeCourse(app.services, creator, { title: 'Not yet', status: 'draft' })
    for (const path of [
      `/og/course/${await slugOfCourse(draft.id)}.png`,
      '/og/course/no-such.png',
      '/og/course/%00.png',
      `/og/course/${'a'.repeat(2000)}.png`,
      '/og/course/..%2f..%2fsecret.png',
      '/og/user/was-suspended.png',
      '/og/lesson/x.png',
    ]) {
      expect((await app.request(path)).status, path).toBe(404)
    }
  })

  test('asked for all at once are drawn one after the other, and too many are refused', async () => {
    const person = await makePerson(app.services, { name: 'Busy' })
    // Nobody's picture is drawn before all four are asked for.
    const pool = Object.create(app.services.pool) as typeof app.services.pool
    const all = Promise.withResolvers<void>()
    let found = 0
    pool.query = (async (statement: string) => {
      const answer = await app.services.pool.query(statement)
      found += 1
      if (found === 4) all.resolve()
      await all.promise
      return answer
    }) as typeof pool.query
    const draw = createSharingPictures({ ...app.services, pool }, 2)
    const slugs: string[] = []
    for (let number = 0; number < 4; number += 1) {
      const { id } = await makeCourse(app.services, person, { title: `Picture ${number}` })
      slugs.push(await slugOfCourse(id))
    }
    const ask = (slug: string) => draw(new Request('http://localhost/'), 'course', slug)
    const statuses = (await Promise.all(slugs.map(ask))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 200, 503, 503])
    for (const slug of slugs) expect((await ask(slug)).status).toBe(200)
  })
})

describe('addresses', () => {
  test.each([
    ['/EXPLORE?search=A%20b', '/explore?search=A%20b'],
    ['/Course/ABC/', '/course/abc'],
    ['/about/', '/about'],
    ['//evil.example/', '/evil.example'],
    ['/%5cevil.example/', '/%5cevil.example'],
  ])('%s leads to %s for good', async (from, to) => {
    const { status, headers } = await app.request(from)
    expect(status).toBe(301)
    expect(headers.get('location')).toBe(to)
  })

  test('calls and files stay where they are', async () => {
    expect((await app.request('/rest/v1/No-Such/')).status).toBe(404)
    expect((await app.request('/storage/v1/Uploads/')).headers.get('location')).toBe(null)
  })
})
