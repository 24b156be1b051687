// The version before the newest migration and this one, at work on one database: `npm run prove:versions` builds both.
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type APIRequestContext, expect, test } from '@playwright/test'
import { Client } from 'pg'
import { startEmbeddedPostgres } from '../../src/server/postgres/embedded.ts'
import { freePort } from './free-port.ts'
import { publishedCourse, signedUp } from './journey.ts'
import { type Node, startNode } from './node.ts'

const old = process.env.OLD_VERSION

/** Each request goes to the other version than the one before. */
function inTurns(context: APIRequestContext, urls: string[]): APIRequestContext {
  let turn = 0
  return new Proxy(context, {
    get(one, key) {
      const value: unknown = Reflect.get(one, key)
      if (typeof value !== 'function') return value
      return (path: string, ...rest: unknown[]) =>
        Reflect.apply(value, one, [`${urls[turn++ % urls.length]}${path}`, ...rest])
    },
  })
}

test('what people do goes on with both versions at once, and with the old one started again', async ({
  playwright,
}) => {
  test.skip(!old, 'npm run prove:versions builds the version before')
  test.setTimeout(600_000)
  const dataDir = await mkdtemp(join(tmpdir(), 'thunder-versions-'))
  const postgres = await startEmbeddedPostgres({ dataDir })
  const database = new Client({ connectionString: postgres.url })
  await database.connect()
  const nodes: Node[] = []
  try {
    const secret = randomBytes(48).toString('base64url')
    const storage = join(dataDir, 'storage')
    await mkdir(storage)
    const ports = [await freePort(), await freePort()]
    const startOne = async (which: number, folder?: string) => {
      const own = join(dataDir, `node-${which}`)
      await mkdir(own)
      await symlink(storage, join(own, 'storage'))
      const environment = {
        APP_URL: `http://localhost:${ports[1]}`,
        DATABASE_URL: postgres.url,
        DATA_DIR: own,
        AUTH_SECRET: secret,
        FFMPEG_PATH: 'off',
        DRAIN_SECONDS: '0',
      }
      const node = await startNode(ports[which]!, environment, folder)
      nodes.push(node)
      return node
    }
    const applied = async () =>
      (await database.query('select hash from drizzle.__drizzle_migrations order by created_at'))
        .rows
    const before = await startOne(0, old)
    const ofOld = (await applied()).length
    // Migrates while the old one works.
    const now = await startOne(1)
    const ofNew = await applied()
    expect(ofNew.length).toBeGreaterThan(ofOld)

    const walk = async (urls: string[], round: string) => {
      const contexts = await Promise.all([1, 2].map(() => playwright.request.newContext()))
      const [creator, learner] = contexts.map((context) => inTurns(context, urls)) as [
        APIRequestContext,
        APIRequestContext,
      ]
      await signedUp(creator, `Carla ${round}`)
      const course = await publishedCourse(creator, `Old and New ${round}`, ['One', 'Two', 'Three'])
      await signedUp(learner, `Lena ${round}`)
      const joined = await learner.post('/rest/v1/enrollments', { data: { courseId: course.id } })
      expect(joined.status()).toBe(200)
      const content = await (await creator.get(`/rest/v1/courses/${course.id}/content`)).json()
      for (const { id } of content.chapters[0].lessons) {
        expect((await learner.put(`/rest/v1/lessons/${id}/completion`)).status()).toBe(200)
      }
      const inside = await (await learner.get(`/rest/v1/courses/${course.slug}/dashboard`)).json()
      expect(inside.completedCount).toBe(3)
      const post = { courseId: course.id, content: 'Does it go on?' }
      expect((await learner.post('/rest/v1/posts', { data: post })).status()).toBe(200)
      const feed = await (await creator.get(`/rest/v1/courses/${course.slug}/posts`)).json()
      expect(JSON.stringify(feed)).toContain('Does it go on?')

      // Bought in the sandbox: what the payment page of one version takes, the jobs of any carry out.
      await creator.patch(`/rest/v1/courses/${course.id}`, {
        data: { pricingType: 'one_time', priceAmount: 2900 },
      })
      const buyer = inTurns(await playwright.request.newContext(), urls)
      const { email } = await signedUp(buyer, `Bea ${round}`)
      const checkout = await buyer.post('/functions/v1/course-checkout', {
        data: { course_id: course.id },
      })
      expect(checkout.status()).toBe(200)
      const { url } = await checkout.json()
      const paid = await buyer.post(new URL(url).pathname, {
        form: {
          email,
          number: '4242424242424242',
          expiry: '12/34',
          cvc: '123',
          name: 'Bea Buyer',
        },
        maxRedirects: 0,
      })
      expect(paid.status()).toBe(303)
      const canLearn = async () =>
        (await buyer.get(`/rest/v1/courses/${course.slug}/dashboard`)).status()
      await expect.poll(canLearn, { timeout: 60_000 }).toBe(200)
      for (const path of ['/', '/explore', `/course/${course.slug}`]) {
        for (const one of urls) expect((await fetch(one + path)).status).toBe(200)
      }
    }
    await walk([before.url, now.url], 'both')

    // Whoever goes back starts the old version on what the new one has migrated.
    await before.stop()
    await now.stop()
    await before.start()
    expect(await applied()).toEqual(ofNew)
    await walk([before.url], 'back')
    for (const node of nodes) expect(node.said()).not.toContain('"level":50')
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await database.end()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
