// What exactly a challenge shows, from its draft to its winner: to everybody, to who enters, and to who runs it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  makeCourse,
  makePerson,
  type MadePerson,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'
import { closeChallenge, closeOverdueChallenges } from './close-challenge.ts'
import { hashOfEntries, hashOfSeed } from './draw.ts'
import { challengeListVersion, challengePageVersion } from './queries.ts'

interface Caller extends MadePerson {
  cookie: string
}
interface Creator extends Caller {
  course: { id: string; slug: string }
}

let app: TestApp
let admin: Caller
let ann: Creator
let ben: Creator
beforeAll(async () => {
  app = await startTestApp()
  admin = await someone('Ada Ministrator')
  await app.services.pool.query(`update users set role = 'admin' where id = $1`, [admin.id])
  ann = await creator('Ann', 'Knots')
  ben = await creator('Ben', 'Sails')
})
afterAll(() => app?.stop())
beforeEach(async () => {
  await app.services.pool.query('delete from challenges')
  await app.services.pool.query('delete from notifications')
})

async function someone(name?: string): Promise<Caller> {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

/** On Pro, with a published course. */
async function creator(name?: string, title?: string): Promise<Creator> {
  const person = await someone(name)
  await app.services.pool.query(`insert into plan_grants (user_id, reason) values ($1, 'A test')`, [
    person.id,
  ])
  return { ...person, course: await makeCourse(app.services, person, { title }) }
}

const day = 86_400_000
const at = (days: number) => new Date(Date.now() + days * day).toISOString()
const facts = {
  kind: 'giveaway',
  title: 'A winter of knots',
  prize: 'A rope',
  rules: 'Enter a course.\nThat is all.',
  opensAt: at(-1),
  closesAt: at(1),
}

const list = '/rest/v1/challenges'
const all = '/rest/v1/admin/challenges'
const create = (change: object = {}) =>
  app.request(all, { cookie: admin.cookie, body: { ...facts, ...change } })
const update = (id: string, change: object = {}) =>
  app.request(`${all}/${id}`, {
    method: 'PUT',
    cookie: admin.cookie,
    body: { ...facts, ...change },
  })
const act = (id: string, what: string, body: object = {}) =>
  app.request(`${all}/${id}/${what}`, { method: 'POST', cookie: admin.cookie, body })
async function published(change: object = {}): Promise<{ id: string; slug: string }> {
  const { body } = await create(change)
  expect((await act(body.id, 'publish')).status).toBe(200)
  return body
}
const mine = (slug: string) => `${list}/${slug}/my-entry`
const enter = ({ cookie, course }: Creator, slug: string, courseId = course.id) =>
  app.request(mine(slug), { method: 'PUT', cookie, body: { courseId } })
const withdraw = ({ cookie }: Caller, slug: string) =>
  app.request(mine(slug), { method: 'DELETE', cookie })
const pageOf = async (slug: string) => (await app.request(`${list}/${slug}`)).body
const drawOf = async (slug: string) => (await app.request(`${list}/${slug}/draw`)).body
const noticesOf = async ({ cookie }: Caller) =>
  (await app.request('/rest/v1/notifications', { cookie })).body.notifications
const end = (id: string) =>
  app.services.pool.query(
    `update challenges set opens_at = now() - interval '2 days', closes_at = now() where id = $1`,
    [id],
  )
async function close(id: string) {
  await end(id)
  await closeChallenge({ challengeId: id }, app.services)
}
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
const hash = expect.stringMatching(/^[0-9a-f]{64}$/)

test('from draft to winner everybody sees what there is to see, and no more', async () => {
  const { kind, title, prize, rules, opensAt, closesAt } = facts
  const made = (await create()).body
  const { id, seedHash } = made
  const slug = 'a-winter-of-knots'
  const summary = { slug, kind, title, prize, opensAt, closesAt, entriesCount: 0, winner: null }
  const version = expect.stringMatching(/^[\w-]{22}$/)
  const hidden = {
    ...summary,
    id,
    rules,
    seedHash,
    entriesHash: null,
    canceledReason: null,
    version,
  }
  const forAdmin = { ...hidden, isPublic: true }
  expect(made).toEqual({ ...hidden, seedHash: hash, phase: 'draft', isPublic: false })
  expect((await app.request(`${all}/${id}`, { cookie: admin.cookie })).body).toEqual(made)
  expect((await act(id, 'publish')).body).toEqual({ ...forAdmin, phase: 'open' })

  const open = { ...summary, phase: 'open' }
  expect((await app.request(list)).body).toEqual({ open: [open], coming: [], past: [] })
  const page = {
    ...open,
    rules,
    seedHash,
    seed: null,
    entriesHash: null,
    canceledReason: null,
    entries: [],
  }
  expect(await pageOf(slug)).toEqual(page)
  const draw = {
    challenge: title,
    status: 'published',
    seedHash,
    seed: null,
    entriesHash: null,
    entries: [],
    winnerNumber: null,
  }
  expect(await drawOf(slug)).toEqual(draw)

  await enter(ann, slug)
  await enter(ben, slug)
  // Of the others’ only how many they are.
  expect(await pageOf(slug)).toEqual({ ...page, entriesCount: 2 })
  expect((await drawOf(slug)).entries).toEqual([])

  await end(id)
  expect((await pageOf(slug)).phase).toBe('closing')
  await closeChallenge({ challengeId: id }, app.services)
  const closed = await pageOf(slug)
  const entryOf = ({ name, username, course }: Creator, number: number, courseTitle: string) => ({
    id: expect.any(String),
    number,
    name,
    username,
    courseTitle,
    courseSlug: course.slug,
  })
  const entries = [entryOf(ann, 1, 'Knots'), entryOf(ben, 2, 'Sails')]
  const ended = { phase: 'closed', opensAt: time, closesAt: time, entriesCount: 2 }
  const entriesHash = hashOfEntries(closed.entries)
  expect(closed).toEqual({ ...page, ...ended, entriesHash, entries })
  const frozen = closed.entries.map((one: { id: string; number: number }) => ({
    id: one.id,
    number: one.number,
  }))
  expect(await drawOf(slug)).toEqual({ ...draw, status: 'closed', entriesHash, entries: frozen })

  const drawn = (await act(id, 'draw')).body
  const { seed, winnerNumber } = await drawOf(slug)
  const { id: _, ...winner } = closed.entries[winnerNumber - 1]
  expect(drawn).toEqual({ ...forAdmin, ...ended, phase: 'drawn', entriesHash, winner })
  expect(hashOfSeed(seed)).toBe(seedHash)
  expect(await pageOf(slug)).toEqual({ ...closed, phase: 'drawn', seed, winner })
  expect((await app.request(list)).body.past).toEqual([
    { ...summary, ...ended, phase: 'drawn', winner },
  ])

  // Each step is in the log, with who did it.
  const { rows } = await app.services.pool.query(
    `select action, actor_id, subject_kind, subject_name, reason from administrative_acts
      where subject_id = $1 order by id`,
    [id],
  )
  expect(rows).toEqual(
    ['create_challenge', 'publish_challenge', 'draw_challenge'].map((action) => ({
      action,
      actor_id: admin.id,
      subject_kind: 'challenge',
      subject_name: title,
      reason: '',
    })),
  )
})

describe('a draft', () => {
  test('is changed in all that it says, but for its address and its seed', async () => {
    const { body } = await create()
    const other = (await create({ title: 'Another one' })).body
    const changes = {
      kind: 'challenge',
      title: 'A summer of knots',
      prize: 'Two ropes',
      rules: 'Other rules.',
      opensAt: at(3),
      closesAt: at(4),
    }
    const changed = await update(body.id, changes)
    expect(changed.body).toEqual({ ...body, ...changes, version: expect.any(String) })
    expect(changed.body.version).not.toBe(body.version)
    expect((await app.request(`${all}/${other.id}`, { cookie: admin.cookie })).body).toEqual(other)
    const { rows } = await app.services.pool.query(
      `select actor_id, subject_name from administrative_acts
        where subject_id = $1 and action = 'edit_challenge'`,
      [body.id],
    )
    expect(rows).toEqual([{ actor_id: admin.id, subject_name: 'A summer of knots' }])
  })

  test('that somebody else has changed meanwhile is not replaced unread', async () => {
    const { body } = await create()
    const stored = async () =>
      (await app.request(`${all}/${body.id}`, { cookie: admin.cookie })).body
    const { version } = body
    const corrected = (await update(body.id, { prize: 'Two ropes', version })).body
    expect(corrected.prize).toBe('Two ropes')
    const refused = await update(body.id, { title: 'An old tab', version })
    expect([refused.status, refused.body.code]).toEqual([409, 'DRAFT_CHANGED'])
    expect(await stored()).toEqual(corrected)
    // As when the answer was lost.
    expect((await update(body.id, { prize: 'Two ropes', version })).body).toEqual(corrected)
    const read = { title: 'Read before', version: corrected.version }
    expect((await update(body.id, read)).body).toMatchObject({ title: 'Read before' })
    expect((await update(body.id, { title: 'By a program' })).status).toBe(200)
    const second = await stored()
    await act(body.id, 'publish')
    expect((await update(body.id, { version: second.version })).body.code).toBe('NOT_DRAFT')
  })

  test.each([
    [{ closesAt: facts.opensAt }, 'It has to close after it opens', 'closesAt'],
    [
      { opensAt: '2027-01-01T00:00:00Z', closesAt: '2028-01-02T00:00:00.001Z' },
      'It can be open for a year at most',
      'closesAt',
    ],
    [{ opensAt: '1999-12-31T23:59:59Z' }, 'Please say when it opens', 'opensAt'],
    [{ closesAt: '2201-01-01T00:00:00Z' }, 'Please say when it closes', 'closesAt'],
  ])('cannot be made or become %o', async (change, message, path) => {
    const { body } = await create()
    for (const { status, body: refused } of [await create(change), await update(body.id, change)]) {
      expect([status, refused.message]).toEqual([422, message])
      expect(refused.data.fields).toEqual([{ path, message }])
    }
  })

  test.each([
    ['a year, a leap day and all', '2027-01-01T00:00:00Z', '2028-01-02T00:00:00Z'],
    ['the first moment that there is', '2000-01-01T00:00:00Z', '2000-06-01T00:00:00Z'],
    ['the last one', '2200-06-01T00:00:00Z', '2200-12-31T23:59:59Z'],
    ['hours of another place', '2027-01-01T00:00:00+02:00', '2027-01-01T00:00:00-05:00'],
  ])('can be for %s', async (_, opensAt, closesAt) => {
    const { status, body } = await create({ opensAt, closesAt })
    expect([status, body.opensAt, body.closesAt]).toEqual([
      200,
      new Date(opensAt).toISOString(),
      new Date(closesAt).toISOString(),
    ])
  })
})

describe('an address', () => {
  const slugOfNew = async (title: string) => (await create({ title })).body.slug as string

  test('is the title’s, with a number where others have it', async () => {
    expect(await slugOfNew('Spring 2')).toBe('spring-2')
    expect(await slugOfNew('Spring')).toBe('spring')
    expect(await slugOfNew('Spring!')).toBe('spring-3')
    expect(await slugOfNew('漢字')).toBe('challenge')
    expect(await slugOfNew('⚡')).toBe('challenge-2')
  })

  test('is another one for each of ten that are created at once', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => create({ title: 'Rush' })))
    expect(new Set(made.map(({ body }) => body.slug))).toEqual(
      new Set(['rush', ...Array.from({ length: 9 }, (_, index) => `rush-${index + 2}`)]),
    )
  })

  test('is found by one question, however many have the title', async () => {
    const watch = watchStatements(app)
    const statements = async (title: string) => (await watch.during(() => slugOfNew(title))).length
    const few = await statements('Like no other')
    await app.services.pool.query(
      `insert into challenges (slug, kind, title, rules, prize, opens_at, closes_at, seed_hash, sealed_seed)
       select case n when 1 then 'popular' else 'popular-' || n end,
              'giveaway', 'Popular', '', '', now(), now(), '', ''
         from generate_series(1, 150) n`,
    )
    expect((await statements('Popular')) - few).toBe(0)
    expect(await slugOfNew('Popular')).toBe('popular-152')
  })
})

describe('what somebody entered', () => {
  test('is told with the plan and the own courses, of one challenge', async () => {
    const [one, other] = [await published(), await published({ title: 'Other' })]
    const { cookie, course } = ann
    const courses = [{ id: course.id, title: 'Knots' }]
    const nothing = { plan: 'pro', entry: null, courses }
    expect((await app.request(mine(one.slug), { cookie })).body).toEqual(nothing)
    const entered = {
      ...nothing,
      entry: { courseId: course.id, courseTitle: 'Knots', isPublished: true },
    }
    expect((await enter(ann, one.slug)).body).toEqual(entered)
    expect((await app.request(mine(one.slug), { cookie })).body).toEqual(entered)
    expect((await app.request(mine(other.slug), { cookie })).body).toEqual(nothing)
    const free = await someone()
    expect((await app.request(mine(one.slug), { cookie: free.cookie })).body).toEqual({
      plan: 'free',
      entry: null,
      courses: [],
    })
  })

  test('is withdrawn from one challenge, and nobody else’s', async () => {
    const [one, other] = [await published(), await published({ title: 'Other' })]
    for (const { slug } of [one, other]) {
      await enter(ann, slug)
      await enter(ben, slug)
    }
    expect((await withdraw(ann, one.slug)).body.entry).toBeNull()
    const counts = async () => [
      (await pageOf(one.slug)).entriesCount,
      (await pageOf(other.slug)).entriesCount,
    ]
    expect(await counts()).toEqual([1, 2])
    expect((await app.request(mine(one.slug), { cookie: ben.cookie })).body.entry).toEqual({
      courseId: ben.course.id,
      courseTitle: 'Sails',
      isPublished: true,
    })
  })

  test('is told not to be published any more, or to be gone', async () => {
    const { slug } = await published()
    const cam = await creator('Cam', 'Masts')
    await enter(cam, slug)
    const entryNow = async () =>
      (await app.request(mine(slug), { cookie: cam.cookie })).body as { entry: object }
    const setStatus = `update courses set status = 'draft' where id = $1`
    await app.services.pool.query(setStatus, [cam.course.id])
    const entry = { courseId: cam.course.id, courseTitle: 'Masts', isPublished: false }
    expect(await entryNow()).toEqual({ plan: 'pro', entry, courses: [] })
    await app.services.pool.query('delete from courses where id = $1', [cam.course.id])
    expect((await entryNow()).entry).toEqual({
      courseId: null,
      courseTitle: null,
      isPublished: false,
    })
  })

  test('stays as it is from the end on, also before the list is frozen', async () => {
    const { id, slug } = await published()
    await enter(ann, slug)
    await end(id)
    expect((await enter(ben, slug)).body.code).toBe('NOT_OPEN')
    expect((await withdraw(ann, slug)).body.code).toBe('NOT_OPEN')
    await close(id)
    expect((await enter(ben, slug)).body.code).toBe('NOT_OPEN')
    expect((await pageOf(slug)).entriesCount).toBe(1)
    const later = await published({ title: 'Later', opensAt: at(0.5) })
    expect((await withdraw(ann, later.slug)).body.code).toBe('NOT_OPEN')
  })
})

test('the list is hashed in the order of its numbers, however its rows lie', async () => {
  const { id, slug } = await published()
  for (const one of [ann, ben, await creator(), await creator()]) await enter(one, slug)
  await app.services.pool.query(
    `with taken as (delete from challenge_entries where challenge_id = $1 returning *)
     insert into challenge_entries select * from taken order by id desc`,
    [id],
  )
  await close(id)
  const { entries, entriesHash } = await pageOf(slug)
  expect(entries.map(({ name }: { name: string }) => name).slice(0, 2)).toEqual(['Ann', 'Ben'])
  expect(hashOfEntries(entries)).toBe(entriesHash)
})

test('an entry of somebody who was suspended since leads to no profile, which is not there', async () => {
  const challenge = await published()
  await enter(ann, challenge.slug)
  await close(challenge.id)
  const entries = async () => (await pageOf(challenge.slug)).entries
  expect(await entries()).toMatchObject([{ name: ann.name, username: ann.username }])
  const suspend = `update users set suspended_at = $2::timestamptz where id = $1`
  await app.services.pool.query(suspend, [ann.id, new Date()])
  expect(await entries()).toMatchObject([{ name: ann.name, username: null }])
  await app.services.pool.query(suspend, [ann.id, null])
})

test('an entry whose course is no longer published has no address', async () => {
  const { id, slug } = await published()
  const cam = await creator('Cam', 'Masts')
  await enter(cam, slug)
  await close(id)
  await act(id, 'draw')
  expect((await pageOf(slug)).winner.courseSlug).toBe(cam.course.slug)
  await app.services.pool.query(`update courses set status = 'draft' where id = $1`, [
    cam.course.id,
  ])
  const { winner, entries } = await pageOf(slug)
  expect([winner.courseSlug, winner.courseTitle, entries[0].courseSlug]).toEqual([
    null,
    'Masts',
    null,
  ])
})

describe('who is told', () => {
  test('of a cancellation: those who took part in it, with the reason', async () => {
    const [one, other] = [await published(), await published({ title: 'Other' })]
    await enter(ann, one.slug)
    await enter(ben, other.slug)
    expect((await act(one.id, 'cancel', { reason: 'It tore.' })).body).toMatchObject({
      phase: 'canceled',
      canceledReason: 'It tore.',
    })
    expect(await noticesOf(ben)).toEqual([])
    expect(await noticesOf(ann)).toMatchObject([
      {
        title: 'Canceled: A winter of knots',
        message: 'No winner is drawn. The reason: “It tore.”',
        type: 'warning',
        href: `/challenges/${one.slug}`,
      },
    ])
    expect(await pageOf(other.slug)).toMatchObject({ phase: 'open', canceledReason: null })
    const { rows } = await app.services.pool.query(
      `select reason, subject_id from administrative_acts
        where action = 'cancel_challenge' order by id desc limit 1`,
    )
    expect(rows).toEqual([{ reason: 'It tore.', subject_id: one.id }])
  })

  test('of a draw: the winner and the others, of this challenge', async () => {
    const [one, other] = [await published(), await published({ title: 'Other' })]
    const cam = await creator()
    await enter(ann, one.slug)
    await enter(ben, one.slug)
    await enter(cam, other.slug)
    await close(one.id)
    await close(other.id)
    expect((await act(one.id, 'draw')).body.phase).toBe('drawn')
    expect(await noticesOf(cam)).toEqual([])
    const won = (await pageOf(one.slug)).winner.name === 'Ann' ? ann : ben
    const href = `/challenges/${one.slug}`
    expect(await noticesOf(won)).toMatchObject([
      {
        title: 'You have won: A winter of knots',
        message: 'Your entry was drawn. The prize: A rope. We get in touch with you about it.',
        type: 'success',
        href,
      },
    ])
    expect(await noticesOf(won === ann ? ben : ann)).toMatchObject([
      { title: 'The winner was drawn: A winter of knots', type: 'info', href },
    ])
    expect(await pageOf(other.slug)).toMatchObject({ phase: 'closed', winner: null, seed: null })
  })

  test('of an entry that does not count: who entered it, in this challenge', async () => {
    const [one, other] = [await published(), await published({ title: 'Other' })]
    const dan = await creator()
    await enter(dan, one.slug)
    await enter(dan, other.slug)
    await app.services.pool.query('delete from plan_grants where user_id = $1', [dan.id])
    await close(one.id)
    expect(await noticesOf(dan)).toMatchObject([
      {
        title: 'Your entry does not count: A winter of knots',
        message:
          'At the end its course was not published, you were not on Pro, or one of them was suspended.',
        type: 'warning',
        href: `/challenges/${one.slug}`,
      },
    ])
    // Where it goes on there is time to be on Pro again.
    expect((await pageOf(other.slug)).entriesCount).toBe(1)
  })
})

describe('the end', () => {
  test('comes by itself, at its time', async () => {
    const { id, slug } = await published()
    const { closesAt } = await pageOf(slug)
    const { rows } = await app.services.pool.query<{ id: string; run_at: Date }>(
      'select id, run_at from graphile_worker.jobs where key = $1',
      [`close challenge ${id}`],
    )
    expect(rows.map(({ run_at: runAt }) => runAt.toISOString())).toEqual([closesAt])
    await end(id)
    await app.services.pool.query(
      'select graphile_worker.reschedule_jobs(array[$1::bigint], run_at := now())',
      [rows[0]!.id],
    )
    await expect.poll(async () => (await pageOf(slug)).phase).toBe('closed')
  })

  test('comes late for all whose own job died, and for no other', async () => {
    const [one, two, canceled] = [
      await published({ title: 'One' }),
      await published({ title: 'Two' }),
      await published({ title: 'Canceled' }),
    ]
    const open = await published({ title: 'Open' })
    const { id: draft } = (await create({ title: 'Draft' })).body
    await act(canceled.id, 'cancel', { reason: 'No rope.' })
    for (const id of [one.id, two.id, canceled.id, draft]) await end(id)
    await closeOverdueChallenges(app.services)
    const phases = await Promise.all(
      [one, two, canceled, open].map(async ({ slug }) => (await pageOf(slug)).phase),
    )
    expect(phases).toEqual(['closed', 'closed', 'canceled', 'open'])
    // Twice changes nothing.
    const before = await pageOf(one.slug)
    await closeChallenge({ challengeId: one.id }, app.services)
    await closeChallenge({ challengeId: draft }, app.services)
    expect(await pageOf(one.slug)).toEqual(before)
    expect((await app.request(`${all}/${draft}`, { cookie: admin.cookie })).body.phase).toBe(
      'draft',
    )
  })
})

describe('lists', () => {
  /** Rows as they are after their end, each a moment later than the one before or all at one moment. */
  const over = (count: number, apart: number) =>
    app.services.pool.query(
      `insert into challenges (slug, kind, title, rules, prize, opens_at, closes_at, status, seed_hash,
                               sealed_seed, canceled_reason, published_at)
       select 'old-' || n, 'giveaway', 'Number ' || n, '', '', '2025-01-01',
              '2025-02-01T00:00:00.123456Z'::timestamptz + n * $2::int * interval '1 microsecond',
              'canceled', '', '', '', '2025-01-01'
         from generate_series(1, $1::int) n`,
      [count, apart],
    )
  const slugsOf = (found: { slug: string }[]) => found.map(({ slug }) => slug)

  test('show the last 50 of those that are over', async () => {
    await over(51, 1)
    const { past } = (await app.request(list)).body
    expect(slugsOf(past)).toEqual(Array.from({ length: 50 }, (_, index) => `old-${51 - index}`))
  })

  test.each([0, 1])(
    'have each once for administrators, when they end %i microseconds apart',
    async (apart) => {
      await over(41, apart)
      const { rows } = await app.services.pool.query(
        'select slug from challenges order by closes_at desc, id desc',
      )
      const found: string[] = []
      let query = ''
      for (const size of [20, 20, 1]) {
        const { body } = await app.request(all + query, { cookie: admin.cookie })
        expect(body.challenges).toHaveLength(size)
        found.push(...slugsOf(body.challenges))
        query = `?cursor=${body.nextCursor}`
      }
      expect(query).toBe('?cursor=null')
      expect(found).toEqual(slugsOf(rows))
    },
  )

  test('have another version when what they show has changed, and only then', async () => {
    const { pool } = app.services
    const [one, other] = [await published(), await published({ title: 'Other' })]
    const cam = await creator('Cam')
    await enter(cam, one.slug)
    const versions = async () => ({
      list: await challengeListVersion(pool),
      page: await challengePageVersion(pool, one.slug),
      other: await challengePageVersion(pool, other.slug),
    })
    let before = await versions()
    expect(await versions()).toEqual(before)
    const steps: [string, () => Promise<unknown>, string?][] = [
      [
        'a name',
        () => pool.query(`update users set name = 'Sue' where id = $1`, [cam.id]),
        'not in the list',
      ],
      [
        'the title of a course',
        () => pool.query(`update courses set title = 'Sun' where id = $1`, [cam.course.id]),
        'not in the list',
      ],
      [
        'the moment it opens',
        () =>
          pool.query(`update challenges set opens_at = now() + interval '1 hour' where id = $1`, [
            one.id,
          ]),
      ],
      ['an entry', () => pool.query('delete from challenge_entries where user_id = $1', [cam.id])],
      [
        'that it is open',
        () =>
          pool.query(`update challenges set opens_at = now() - interval '1 hour' where id = $1`, [
            one.id,
          ]),
      ],
      ['another entry', () => enter(cam, one.slug)],
      ['the end', () => close(one.id)],
      ['the draw', () => act(one.id, 'draw')],
      [
        'the name of the winner',
        () => pool.query(`update users set name = 'Eve' where id = $1`, [cam.id]),
      ],
    ]
    for (const [what, change, elsewhere] of steps) {
      await change()
      const after = await versions()
      if (elsewhere) expect(after.list, what).toBe(before.list)
      else expect(after.list, what).not.toBe(before.list)
      expect(after.page, what).not.toBe(before.page)
      expect(after.other, what).toBe(before.other)
      before = after
    }
  })
})
