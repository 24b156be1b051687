// Which challenges one finds, and that drafts and what never was are found by nobody.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { challengeListVersion, challengePageVersion } from './queries.ts'

let app: TestApp
let admin: string
let creator: string
let courseId: string
beforeAll(async () => {
  app = await startTestApp()
  const person = await makePerson(app.services)
  admin = await sessionCookieOf(app.services, person.id)
  await app.services.pool.query(`update users set role = 'admin' where id = $1`, [person.id])
  const pro = await makePerson(app.services)
  creator = await sessionCookieOf(app.services, pro.id)
  await app.services.pool.query(`insert into plan_grants (user_id, reason) values ($1, 'A test')`, [
    pro.id,
  ])
  courseId = (await makeCourse(app.services, pro)).id
})
afterAll(() => app?.stop())
beforeEach(async () => {
  await app.services.pool.query('delete from challenges')
})

const day = 86_400_000
const at = (days: number) => new Date(Date.now() + days * day).toISOString()
const facts = {
  kind: 'challenge',
  title: 'Best first lesson',
  prize: 'A microphone',
  rules: 'Enter a course with a first lesson.',
  opensAt: at(-1),
  closesAt: at(1),
}

const all = '/rest/v1/admin/challenges'
const list = '/rest/v1/challenges'
async function draft(change: object = {}): Promise<{ id: string; slug: string }> {
  const { status, body } = await app.request(all, {
    cookie: admin,
    body: { ...facts, ...change },
  })
  expect(status).toBe(200)
  return body
}
const act = (id: string, what: string, body: object = {}) =>
  app.request(`${all}/${id}/${what}`, { method: 'POST', cookie: admin, body })
async function published(change: object = {}) {
  const made = await draft(change)
  expect((await act(made.id, 'publish')).status).toBe(200)
  return made
}
const set = (id: string, what: string) =>
  app.services.pool.query(`update challenges set ${what} where id = $1`, [id])
const titles = (challenges: { title: string }[]) => challenges.map(({ title }) => title)
const enter = (slug: string) =>
  app.request(`${list}/${slug}/my-entry`, {
    method: 'PUT',
    cookie: creator,
    body: { courseId },
  })

describe('the public list', () => {
  test('has those that close first before others, and of what is over the last first', async () => {
    await published({ title: 'Closes late', closesAt: at(9) })
    await published({ title: 'Closes soon', closesAt: at(2) })
    await published({ title: 'Comes later', opensAt: at(5), closesAt: at(8) })
    await published({ title: 'Comes soon', opensAt: at(3), closesAt: at(4) })
    const canceled = await published({ title: 'Was canceled', closesAt: at(6) })
    expect((await act(canceled.id, 'cancel', { reason: 'No prize.' })).status).toBe(200)
    const ended = await published({ title: 'Has ended' })
    await set(ended.id, `closes_at = now() - interval '2 days', status = 'closed'`)
    const drawn = await published({ title: 'Was drawn' })
    await set(drawn.id, `closes_at = now() - interval '1 day', status = 'closed'`)
    await draft({ title: 'Nobody sees it' })

    const { body } = await app.request(list)
    expect(titles(body.open)).toEqual(['Closes soon', 'Closes late'])
    expect(titles(body.coming)).toEqual(['Comes soon', 'Comes later'])
    expect(titles(body.past)).toEqual(['Was canceled', 'Was drawn', 'Has ended'])
  })

  test('has another version after each change, and none at first', async () => {
    const { pool } = app.services
    expect(await challengeListVersion(pool)).toBe('none')
    const { id, slug } = await draft()
    expect(await challengeListVersion(pool)).toBe('none')
    expect(await challengePageVersion(pool, slug)).toBeNull()
    await act(id, 'publish')
    const before = [await challengeListVersion(pool), await challengePageVersion(pool, slug)]
    expect(before).not.toContain('none')
    await enter(slug)
    const after = [await challengeListVersion(pool), await challengePageVersion(pool, slug)]
    expect(after[0]).not.toBe(before[0])
    expect(after[1]).not.toBe(before[1])
    expect(await challengePageVersion(pool, 'never-was')).toBeNull()
  })
})

describe('the list for administrators', () => {
  test('comes in pages of 20, those that close last first, each once', async () => {
    for (let days = 1; days <= 21; days++) {
      await draft({ title: `Number ${days}`, closesAt: at(days) })
    }
    const first = (await app.request(all, { cookie: admin })).body
    expect(titles(first.challenges)).toEqual(
      Array.from({ length: 20 }, (_, index) => `Number ${21 - index}`),
    )
    const next = await app.request(`${all}?cursor=${first.nextCursor}`, { cookie: admin })
    expect(titles(next.body.challenges)).toEqual(['Number 1'])
    expect(next.body.nextCursor).toBeNull()
  })

  test('of just 20 has no second page', async () => {
    for (let days = 1; days <= 20; days++) await draft({ closesAt: at(days) })
    const { body } = await app.request(all, { cookie: admin })
    expect([body.challenges.length, body.nextCursor]).toEqual([20, null])
  })

  test('has no place that is none', async () => {
    const { status, body } = await app.request(`${all}?cursor=nowhere`, { cookie: admin })
    expect([status, body.message]).toEqual([400, 'This is not a place in the list'])
  })
})

describe('a draft, and what never was,', () => {
  test('has no page, no draw and no entry', async () => {
    const { slug } = await draft()
    for (const one of [slug, 'never-was']) {
      expect((await app.request(`${list}/${one}`)).status, one).toBe(404)
      expect((await app.request(`${list}/${one}/draw`)).status, one).toBe(404)
      const own = { cookie: creator }
      expect((await app.request(`${list}/${one}/my-entry`, own)).status, one).toBe(404)
      expect((await enter(one)).status, one).toBe(404)
      const withdrawn = await app.request(`${list}/${one}/my-entry`, { method: 'DELETE', ...own })
      expect(withdrawn.status, one).toBe(404)
    }
    const entries = await app.services.pool.query('select 1 from challenge_entries')
    expect(entries.rowCount).toBe(0)
  })

  test('is still hidden when it is canceled', async () => {
    const { pool } = app.services
    const { id, slug } = await draft({ title: 'A secret prize' })
    const canceled = await act(id, 'cancel', { reason: 'Nobody knew.' })
    expect(canceled.body).toMatchObject({ phase: 'canceled', isPublic: false })
    expect((await app.request(list)).body).toEqual({ open: [], coming: [], past: [] })
    expect([await challengeListVersion(pool), await challengePageVersion(pool, slug)]).toEqual([
      'none',
      null,
    ])
    for (const path of ['', '/draw', '/my-entry']) {
      const { status } = await app.request(`${list}/${slug}${path}`, { cookie: creator })
      expect(status, path).toBe(404)
    }
    expect((await enter(slug)).status).toBe(404)
    const { body } = await app.request(all, { cookie: admin })
    expect(titles(body.challenges)).toEqual(['A secret prize'])
  })

  test('has the address of the title with which it is published', async () => {
    const { id, slug } = await draft({ title: 'A first idea' })
    expect(slug).toBe('a-first-idea')
    const other = await draft({ title: 'The best one' })
    const change = { method: 'PUT', cookie: admin, body: { ...facts, title: 'The best one' } }
    expect((await app.request(`${all}/${id}`, change)).status).toBe(200)
    expect((await act(other.id, 'publish')).body.slug).toBe('the-best-one')
    expect((await act(id, 'publish')).body.slug).toBe('the-best-one-2')
  })

  test('cannot be run when it never was', async () => {
    const id = randomUUID()
    expect((await app.request(`${all}/${id}`, { cookie: admin })).status).toBe(404)
    for (const what of ['publish', 'draw']) expect((await act(id, what)).status, what).toBe(404)
    expect((await act(id, 'cancel', { reason: 'No prize.' })).status).toBe(404)
    const change = { method: 'PUT', cookie: admin, body: facts }
    expect((await app.request(`${all}/${id}`, change)).status).toBe(404)
  })
})

describe('what is over', () => {
  test('is not entered, published, changed or canceled any more', async () => {
    const { id, slug } = await published()
    expect((await act(id, 'publish')).status).toBe(409)
    expect(
      (await app.request(`${all}/${id}`, { method: 'PUT', cookie: admin, body: facts })).status,
    ).toBe(409)
    expect((await act(id, 'draw')).status).toBe(409)
    expect((await act(id, 'cancel', { reason: 'No prize.' })).body.phase).toBe('canceled')
    // As after an answer that was lost.
    const again = await act(id, 'cancel', { reason: 'Again.' })
    expect([again.status, again.body.canceledReason]).toEqual([200, 'No prize.'])
    expect((await enter(slug)).status).toBe(409)
    const page = (await app.request(`${list}/${slug}`)).body
    expect(page).toMatchObject({ phase: 'canceled', canceledReason: 'No prize.', entries: [] })
  })

  test('was too late to publish', async () => {
    const { id } = await draft()
    await set(id, 'closes_at = now()')
    expect((await act(id, 'publish')).status).toBe(409)
    expect((await app.request(`${all}/${id}`, { cookie: admin })).body.phase).toBe('draft')
  })
})

test('what somebody can enter: the own published courses, by title', async () => {
  const { slug } = await published()
  const pro = await makePerson(app.services)
  const cookie = await sessionCookieOf(app.services, pro.id)
  for (const title of ['Weaving', 'Baking']) await makeCourse(app.services, pro, { title })
  await makeCourse(app.services, pro, { title: 'Not ready', status: 'draft' })
  const { body } = await app.request(`${list}/${slug}/my-entry`, { cookie })
  expect(body.entry).toBeNull()
  expect(titles(body.courses)).toEqual(['Baking', 'Weaving'])
})
