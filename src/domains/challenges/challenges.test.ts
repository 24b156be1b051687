import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { waitingFor } from '../../../test/behind-change.ts'
import {
  joinCourse,
  makeCourse,
  makePerson,
  type MadePerson,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { mailTo } from '../../../test/mailbox.ts'
import { closeChallenge, closeOverdueChallenges } from './close-challenge.ts'
import { drawNumber, hashOfEntries, hashOfSeed } from './draw.ts'
import { challengeListVersion, challengePageVersion } from './queries.ts'
import { makeSeed } from './seed.ts'

interface PublicDraw {
  seed: string
  seedHash: string
  winnerNumber: number
  entries: { number: number; id: string }[]
}

interface Caller extends MadePerson {
  cookie: string
}

let app: TestApp
let other: TestApp
let admin: Caller
beforeAll(async () => {
  const AUTH_SECRET = 'a secret of both nodes, long enough'
  app = await startTestApp({ AUTH_SECRET })
  other = await startTestApp({ AUTH_SECRET, DATABASE_URL: app.databaseUrl })
  admin = await someone('Ada Ministrator')
  await app.services.pool.query(`update users set role = 'admin' where id = $1`, [admin.id])
})
afterAll(async () => {
  await other?.stop()
  await app?.stop()
})

async function someone(name?: string): Promise<Caller> {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

/** A creator on Pro with a published course. */
async function creator(name?: string) {
  const person = await someone(name)
  await app.services.pool.query(`insert into plan_grants (user_id, reason) values ($1, 'A test')`, [
    person.id,
  ])
  return { ...person, courseId: (await makeCourse(app.services, person)).id }
}

const day = 86_400_000
const facts = (change: object = {}) => ({
  kind: 'challenge',
  title: 'Best first lesson',
  prize: 'A microphone',
  rules: 'Enter a course with a first lesson.',
  opensAt: new Date(Date.now() - day).toISOString(),
  closesAt: new Date(Date.now() + day).toISOString(),
  ...change,
})

const all = '/rest/v1/admin/challenges'
const act = (id: string, what: string, body: object = {}, { cookie } = admin) =>
  app.request(`${all}/${id}/${what}`, { method: 'POST', cookie, body })

async function published(change: object = {}): Promise<{ id: string; slug: string }> {
  const { status, body } = await app.request(all, { cookie: admin.cookie, body: facts(change) })
  expect(status, JSON.stringify(body)).toBe(200)
  expect((await act(body.id, 'publish')).body.phase).toMatch(/open|coming/)
  return body
}

const mine = (slug: string) => `/rest/v1/challenges/${slug}/my-entry`
const enter = ({ cookie }: Caller, slug: string, courseId: string, node = app) =>
  node.request(mine(slug), { method: 'PUT', cookie, body: { courseId } })
const pageOf = async (slug: string) => (await app.request(`/rest/v1/challenges/${slug}`)).body
const noticesOf = async ({ cookie }: Caller) =>
  (await app.request('/rest/v1/notifications', { cookie })).body.notifications
const drawOf = async (slug: string) => (await app.request(`/rest/v1/challenges/${slug}/draw`)).body

const end = (id: string) =>
  app.services.pool.query(`update challenges set closes_at = now() where id = $1`, [id])

async function closed(id: string) {
  await end(id)
  await closeChallenge({ challengeId: id }, app.services)
}

/** As if the secret of this server had been another one when the challenge was made. Answers the hash of its seed. */
async function sealBefore(id: string): Promise<string> {
  const { sealedSeed, seedHash } = await makeSeed('the secret before, long enough as well')
  await app.services.pool.query(
    'update challenges set sealed_seed = $2, seed_hash = $3 where id = $1',
    [id, sealedSeed, seedHash],
  )
  return seedHash
}

describe('a challenge', () => {
  test('is a draft for administrators, then everybody sees it with the hash of its seed', async () => {
    const made = await app.request(all, { cookie: admin.cookie, body: facts() })
    const { id, slug, seedHash } = made.body
    expect(made.body).toMatchObject({ phase: 'draft', title: 'Best first lesson' })
    expect((await app.request(`/rest/v1/challenges/${slug}`)).status).toBe(404)
    expect((await app.request(`/rest/v1/challenges/${slug}/draw`)).status).toBe(404)
    const changed = await app.request(`${all}/${id}`, {
      method: 'PUT',
      cookie: admin.cookie,
      body: facts({ prize: 'Two microphones' }),
    })
    expect(changed.body).toMatchObject({ prize: 'Two microphones', slug, seedHash })
    expect((await act(id, 'publish')).status).toBe(200)
    expect((await act(id, 'publish')).body.code).toBe('NOT_DRAFT')
    expect(await pageOf(slug)).toMatchObject({ phase: 'open', seedHash, seed: null, entries: [] })
    const again = await app.request(`${all}/${id}`, {
      method: 'PUT',
      cookie: admin.cookie,
      body: facts(),
    })
    expect(again.body.code).toBe('NOT_DRAFT')
    const { rows } = await app.services.pool.query(
      'select action from administrative_acts where subject_id = $1 order by id',
      [id],
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'create_challenge',
      'edit_challenge',
      'publish_challenge',
    ])
    const stored = await app.services.pool.query('select * from challenges where id = $1', [id])
    expect(stored.rows[0].seed).toBeNull()
    expect(hashOfSeed(stored.rows[0].sealed_seed)).not.toBe(seedHash)
  })

  test('has a new seed when it is published, where the secret was changed while it was a draft', async () => {
    const asked = { cookie: admin.cookie, body: facts({ title: 'Sealed anew' }) }
    const { id, slug } = (await app.request(all, asked)).body
    const seedHash = await sealBefore(id)
    const shown = (await act(id, 'publish')).body
    expect(shown.seedHash).toMatch(/^[0-9a-f]{64}$/)
    expect(shown.seedHash).not.toBe(seedHash)
    expect((await pageOf(slug)).seedHash).toBe(shown.seedHash)
    const person = await creator()
    await enter(person, slug, person.courseId)
    await closed(id)
    expect((await act(id, 'draw')).status).toBe(200)
    const drawn = await drawOf(slug)
    expect([hashOfSeed(drawn.seed), drawn.winnerNumber]).toEqual([shown.seedHash, 1])
  })

  test('is listed by what it is now; equal titles have addresses of their own', async () => {
    const open = await published({ title: 'Equal' })
    const coming = await published({
      title: 'Equal',
      opensAt: new Date(Date.now() + day / 2).toISOString(),
    })
    const over = await published({ title: 'Equal' })
    const entrant = await creator()
    expect((await enter(entrant, over.slug, entrant.courseId)).status).toBe(200)
    const endless = await act(over.id, 'cancel', { reason: 'x'.repeat(2001) })
    expect(endless.body.message).toBe('The reason can have at most 2,000 characters')
    const reason = `The prize broke. ${'It was of glass. '.repeat(116)}`.trim()
    expect((await act(over.id, 'cancel', { reason })).status).toBe(200)
    expect(await noticesOf(entrant)).toMatchObject([
      { title: 'Canceled: Equal', message: expect.stringContaining('The prize broke.') },
    ])
    const { body } = await app.request('/rest/v1/challenges')
    const slugs = (list: { slug: string }[]) => list.map(({ slug }) => slug)
    expect(slugs(body.open)).toContain(open.slug)
    expect(slugs(body.coming)).toContain(coming.slug)
    expect(slugs(body.past)).toContain(over.slug)
    expect(new Set([open.slug, coming.slug, over.slug]).size).toBe(3)
    expect(await pageOf(over.slug)).toMatchObject({
      phase: 'canceled',
      canceledReason: reason,
    })
  })

  test.each([
    [{ title: '' }, 'Title is required'],
    [{ prize: ' ' }, 'The prize is required'],
    [{ rules: '' }, 'The rules are required'],
    [{ kind: 'lottery' }, 'Please choose a challenge or a giveaway'],
    [{ opensAt: 'soon' }, 'Please say when it opens'],
    [{ closesAt: '9999-01-01T00:00:00Z' }, 'Please say when it closes'],
    [{ closesAt: '2001-01-01T00:00:00Z' }, 'It has to close after it opens'],
    [
      { closesAt: new Date(Date.now() + 400 * day).toISOString() },
      'It can be open for a year at most',
    ],
  ])('with %o is refused in words', async (change, sentence) => {
    const { status, body } = await app.request(all, { cookie: admin.cookie, body: facts(change) })
    expect([status, body.message]).toEqual([422, sentence])
  })

  test('is for administrators to run', async () => {
    const { id } = await published()
    const pro = await creator()
    for (const what of ['publish', 'draw']) {
      expect((await act(id, what, {}, pro)).status).toBe(403)
    }
    expect((await app.request(all, { cookie: pro.cookie, body: facts() })).status).toBe(403)
  })
})

describe('an entry', () => {
  test('is one published course of one’s own, by creators on Pro, while it is open', async () => {
    const { slug } = await published()
    const pro = await creator()
    const free = await someone()
    const ownOfFree = await makeCourse(app.services, free)
    const draft = await makeCourse(app.services, pro, { status: 'draft' })
    expect((await enter(free, slug, ownOfFree.id)).body).toMatchObject({
      code: 'PRO_ONLY',
      message: 'Challenges are a Pro benefit. Upgrade to enter.',
    })
    expect((await enter(pro, slug, ownOfFree.id)).status).toBe(404)
    expect((await enter(pro, slug, draft.id)).status).toBe(404)
    const second = await makeCourse(app.services, pro)
    expect((await enter(pro, slug, pro.courseId)).body.entry.courseId).toBe(pro.courseId)
    expect((await enter(pro, slug, second.id)).body.entry.courseId).toBe(second.id)
    expect(await pageOf(slug)).toMatchObject({ entriesCount: 1, entries: [] })
    const withdraw = () => app.request(mine(slug), { method: 'DELETE', cookie: pro.cookie })
    expect((await withdraw()).body.entry).toBeNull()
    expect((await withdraw()).status).toBe(200)
    expect((await pageOf(slug)).entriesCount).toBe(0)

    const coming = await published({ opensAt: new Date(Date.now() + day / 2).toISOString() })
    expect((await enter(pro, coming.slug, second.id)).body.code).toBe('NOT_OPEN')
  })

  test('sent at once, on two nodes, is one', async () => {
    const { slug } = await published()
    const pro = await creator()
    const sent = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        enter(pro, slug, pro.courseId, index % 2 ? app : other),
      ),
    )
    expect(sent.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect((await pageOf(slug)).entriesCount).toBe(1)
  })

  test('at the moment of the end is in the frozen list, or refused', async () => {
    const { id, slug } = await published()
    const people = await Promise.all(Array.from({ length: 8 }, () => creator()))
    await enter(people[0]!, slug, people[0]!.courseId)
    const tries = people.map((person, index) =>
      enter(person, slug, person.courseId, index % 2 ? app : other),
    )
    await end(id)
    const closings = [app, other, app, other].map(({ services }) =>
      closeChallenge({ challengeId: id }, services),
    )
    const sent = await Promise.all(tries)
    await Promise.all(closings)
    await closeOverdueChallenges(app.services)
    const accepted = new Set([
      0,
      ...sent.flatMap(({ status }, index) => (status === 200 ? [index] : [])),
    ])
    for (const { status, body } of sent) {
      if (status !== 200) expect(body.code).toBe('NOT_OPEN')
    }
    const { entries, entriesHash, phase } = await pageOf(slug)
    expect(phase).toBe('closed')
    expect(entries).toHaveLength(accepted.size)
    expect(hashOfEntries(entries)).toBe(entriesHash)
    expect((await enter(people[0]!, slug, people[0]!.courseId)).body.code).toBe('NOT_OPEN')
    const late = { method: 'DELETE', cookie: people[0]!.cookie }
    expect((await app.request(mine(slug), late)).body.code).toBe('NOT_OPEN')
    expect(await pageOf(slug)).toMatchObject({ entriesHash })
  })

  test('that waits while it closes is refused', async () => {
    const { id, slug } = await published()
    const pro = await creator()
    const closing = await app.services.pool.connect()
    await closing.query('begin')
    await closing.query(`update challenges set status = 'closed' where id = $1`, [id])
    const sent = enter(pro, slug, pro.courseId, other)
    await waitingFor(app.services, 1)
    await closing.query('commit')
    closing.release()
    expect((await sent).body.code).toBe('NOT_OPEN')
    expect((await pageOf(slug)).entriesCount).toBe(0)
  })

  test('that does not hold any more at the end is dropped', async () => {
    const { id, slug } = await published()
    const [stays, hidden, noPro, stopped, stoppedCourse, leaves] = await Promise.all(
      Array.from({ length: 6 }, () => creator()),
    )
    for (const person of [stays!, hidden!, noPro!, stopped!, stoppedCourse!, leaves!]) {
      expect((await enter(person, slug, person.courseId)).status).toBe(200)
    }
    const { pool } = app.services
    await pool.query(`update courses set status = 'draft' where id = $1`, [hidden!.courseId])
    await pool.query('delete from plan_grants where user_id = $1', [noPro!.id])
    await pool.query('update users set suspended_at = now() where id = $1', [stopped!.id])
    await pool.query(`update courses set status = 'draft', suspended_at = now() where id = $1`, [
      stoppedCourse!.courseId,
    ])
    const left = await app.request('/rest/v1/me/deletion', {
      cookie: leaves!.cookie,
      body: { confirmation: 'DELETE', password: leaves!.password, membersCourses: 'delete' },
    })
    expect(left.status).toBe(200)
    await closed(id)
    const { entries } = await pageOf(slug)
    expect(entries).toMatchObject([{ number: 1, name: stays!.name }])
    expect(await noticesOf(stays!)).toEqual([])
    for (const person of [hidden!, noPro!, stoppedCourse!]) {
      expect(await noticesOf(person)).toMatchObject([
        { title: expect.stringMatching(/^Your entry does not count/), href: `/challenges/${slug}` },
      ])
    }
  })
})

describe('a draw', () => {
  test('has one winner however often it is asked for; all are told once, and it can be repeated', async () => {
    const { id, slug } = await published({ title: 'Drawn in public' })
    const people = await Promise.all(Array.from({ length: 5 }, () => creator()))
    for (const person of people) await enter(person, slug, person.courseId)
    expect((await act(id, 'draw')).body.code).toBe('NOT_CLOSED')
    const before = [
      await challengeListVersion(app.services.pool),
      await challengePageVersion(app.services.pool, slug),
    ]
    await closed(id)
    const frozen = await drawOf(slug)
    expect(frozen).toMatchObject({ status: 'closed', seed: null, winnerNumber: null })
    expect(hashOfEntries(frozen.entries)).toBe(frozen.entriesHash)
    const draws = await Promise.all([act(id, 'draw'), act(id, 'draw'), act(id, 'draw')])
    expect(draws.map(({ status }) => status)).toEqual([200, 200, 200])
    const drawn = await drawOf(slug)
    expect(drawn).toMatchObject({
      ...frozen,
      status: 'drawn',
      seed: expect.any(String),
      winnerNumber: expect.any(Number),
    })
    expect(hashOfSeed(drawn.seed)).toBe(frozen.seedHash)
    expect(drawn.winnerNumber).toBe(drawNumber(drawn.seed, frozen.entriesHash, 5))
    expect([
      await challengeListVersion(app.services.pool),
      await challengePageVersion(app.services.pool, slug),
    ]).not.toEqual(before)
    const page = await pageOf(slug)
    const winner = people.find(({ name }) => name === page.winner.name)!
    expect(page.entries[drawn.winnerNumber - 1].name).toBe(winner.name)
    for (const person of people) {
      const title = person === winner ? /^You have won/ : /^The winner was drawn/
      expect(await noticesOf(person)).toMatchObject([
        { title: expect.stringMatching(title), href: `/challenges/${slug}` },
      ])
    }
    // Whichever node has the job.
    const mail = await Promise.any([app, other].map((node) => mailTo(node, winner.email, /^You/)))
    expect(mail.text).toContain('A microphone')
    const { rowCount } = await app.services.pool.query(
      `select 1 from administrative_acts where action = 'draw_challenge' and subject_id = $1`,
      [id],
    )
    expect(rowCount).toBe(1)
    expect((await act(id, 'cancel', { reason: 'Too late' })).body.code).toBe('TOO_LATE')
    await verified(slug, drawn)
  })

  async function verified(slug: string, drawn: PublicDraw) {
    const folder = await mkdtemp(join(tmpdir(), 'thunder-draw-'))
    const verify = async (what: string | object) => {
      const from = typeof what === 'string' ? what : join(folder, 'draw.json')
      if (typeof what !== 'string') await writeFile(from, JSON.stringify(what))
      return new Promise<{ code: unknown; said: string }>((resolve) => {
        execFile(process.execPath, ['scripts/verify-draw.mjs', from], (error, stdout, stderr) =>
          resolve({ code: error?.code ?? 0, said: stdout + stderr }),
        )
      })
    }
    const right = await verify(`${app.url}/rest/v1/challenges/${slug}/draw`)
    expect(right.said).toContain('The draw is right.')
    expect(right.code).toBe(0)
    expect((await verify(drawn)).code).toBe(0)
    const { entries } = drawn
    const wrongs = {
      'an entry less': { ...drawn, entries: entries.slice(0, 4) },
      'another entry': {
        ...drawn,
        entries: entries.with(2, { number: 3, id: crypto.randomUUID() }),
      },
      'another order': { ...drawn, entries: entries.toReversed() },
      'another seed': { ...drawn, seed: 'ab'.repeat(32) },
      'another winner': { ...drawn, winnerNumber: (drawn.winnerNumber % 5) + 1 },
      'another hash': { ...drawn, seedHash: 'cd'.repeat(32) },
    }
    for (const [what, wrong] of Object.entries(wrongs)) {
      const { code, said } = await verify(wrong)
      expect([code, said], what).toEqual([1, expect.stringContaining('The draw is NOT right.')])
      expect(said).toContain('WRONG')
    }
    expect(await verify({ ...drawn, seed: null, winnerNumber: null })).toEqual({
      code: 1,
      said: expect.stringContaining('not drawn yet'),
    })
    expect(await verify(join(folder, 'nothing.json'))).toMatchObject({ code: 1 })
    await rm(folder, { recursive: true })
  }

  test('cannot be where the server’s secret was changed; it is said in words, and it can be canceled', async () => {
    const { id, slug } = await published({ title: 'Drawn never' })
    const person = await creator()
    await enter(person, slug, person.courseId)
    await closed(id)
    await sealBefore(id)
    const { status, body } = await act(id, 'draw')
    expect([status, body.code, body.message]).toEqual([
      409,
      'SEED_UNREADABLE',
      'The secret of this server was changed since it was published, so that it cannot be drawn any more. Please cancel it.',
    ])
    expect(await drawOf(slug)).toMatchObject({ status: 'closed', seed: null, winnerNumber: null })
    const canceled = await act(id, 'cancel', { reason: 'We lost what it is drawn by' })
    expect(canceled.body.phase).toBe('canceled')
  })

  test('of nobody is none', async () => {
    const { id, slug } = await published()
    await closed(id)
    expect((await act(id, 'draw')).body).toMatchObject({
      code: 'NO_ENTRIES',
      message: 'Nobody took part, so there is nothing to draw.',
    })
    expect(await pageOf(slug)).toMatchObject({ phase: 'closed', entries: [], winner: null })
  })

  test('keeps the line of who leaves after the closing, without the person', async () => {
    const { id, slug } = await published()
    const [first, second] = [await creator('Fanny First'), await creator('Sue Second')]
    await enter(first, slug, first.courseId)
    await enter(second, slug, second.courseId)
    await closed(id)
    const before = await drawOf(slug)
    const left = await app.request('/rest/v1/me/deletion', {
      cookie: first.cookie,
      body: { confirmation: 'DELETE', password: first.password, membersCourses: 'delete' },
    })
    expect(left.status).toBe(200)
    expect(await drawOf(slug)).toEqual(before)
    const page = await pageOf(slug)
    expect(JSON.stringify(page)).not.toContain('Fanny')
    expect(page.entries).toContainEqual(
      expect.objectContaining({ name: null, username: null, courseTitle: null }),
    )
    expect((await act(id, 'draw')).status).toBe(200)
  })

  test('names no course of who has left, when its members keep it', async () => {
    const { id, slug } = await published()
    const first = await creator('Fanny First')
    const member = await makePerson(app.services)
    await joinCourse(app.services, member, { id: first.courseId, instructorId: first.id })
    await enter(first, slug, first.courseId)
    await closed(id)
    const [{ courseTitle }] = (await pageOf(slug)).entries
    const left = await app.request('/rest/v1/me/deletion', {
      cookie: first.cookie,
      body: { confirmation: 'DELETE', password: first.password, membersCourses: 'keep' },
    })
    expect(left.status).toBe(200)
    const kept = 'select 1 from courses where id = $1'
    expect((await app.services.pool.query(kept, [first.courseId])).rowCount).toBe(1)
    const page = await pageOf(slug)
    expect(JSON.stringify(page)).not.toContain(courseTitle)
    expect(page.entries).toMatchObject([{ name: null, courseTitle: null, courseSlug: null }])
  })
})

test('a canceled challenge does not close; one whose job died closes within a minute', async () => {
  const canceled = await published()
  const person = await creator()
  await enter(person, canceled.slug, person.courseId)
  await act(canceled.id, 'cancel', { reason: 'No prize' })
  const leaving = await app.request('/rest/v1/me/deletion', { cookie: person.cookie })
  expect(JSON.stringify(leaving.body.consequences)).not.toContain('challenges')
  await closed(canceled.id)
  expect((await pageOf(canceled.slug)).phase).toBe('canceled')
  const { id, slug } = await published()
  await closeChallenge({ challengeId: id }, app.services)
  expect((await pageOf(slug)).phase).toBe('open')
  await end(id)
  await closeOverdueChallenges(app.services)
  expect((await pageOf(slug)).phase).toBe('closed')
})

test('accounts that are deleted while it closes leave a list that is whole, and no deadlock', async () => {
  const { id, slug } = await published()
  const people = await Promise.all(Array.from({ length: 4 }, () => creator()))
  for (const person of people) await enter(person, slug, person.courseId)
  await end(id)
  const done = await Promise.all([
    ...people.slice(0, 3).map(({ cookie, password }) =>
      app.request('/rest/v1/me/deletion', {
        cookie,
        body: { confirmation: 'DELETE', password, membersCourses: 'delete' },
      }),
    ),
    closeChallenge({ challengeId: id }, other.services).then(() => ({ status: 200 })),
  ])
  expect(done.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const { entries, entriesHash } = await pageOf(slug)
  expect(entries.length).toBeGreaterThanOrEqual(1)
  expect(hashOfEntries(entries)).toBe(entriesHash)
})
