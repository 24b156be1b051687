// What administrators and other domains do with accounts: each with the one that is meant, and no other.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import {
  type MadePerson,
  makePerson,
  personalTokenOf,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { addDepartedUser, departedUserId } from './departed-user.ts'
import { endAllSessions } from './end-all-sessions.ts'
import { holdPeople } from './hold-people.ts'
import { lockPeople } from './lock-people.ts'
import { markAccount } from './mark-account.ts'

let app: TestApp
let ann: MadePerson
let ben: MadePerson
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())
beforeEach(async () => {
  ann = await makePerson(app.services, { name: 'Ann' })
  ben = await makePerson(app.services, { name: 'Ben', verified: true })
})

test('those who are locked are told apart, and who is gone is not among them', async () => {
  const { db } = app.services
  await db.transaction(async (transaction) => {
    const known = { name: 'Ann', role: 'user', verified: false, suspendedAt: null }
    expect(await lockPeople(transaction, [ben.id, randomUUID(), ann.id])).toEqual(
      new Map([
        [ann.id, { id: ann.id, ...known }],
        [ben.id, { id: ben.id, ...known, name: 'Ben', verified: true }],
      ]),
    )
    expect(await holdPeople(transaction, [ann.id, randomUUID()])).toEqual(new Set([ann.id]))
  })
})

test('a mark is set and taken off again, and nobody else has it', async () => {
  const { db, pool } = app.services
  const marks = async ({ id }: MadePerson) =>
    (
      await pool.query(
        `select verified, suspended_at is not null as suspended, updated_at = created_at as untouched
           from users where id = $1`,
        [id],
      )
    ).rows[0]
  await pool.query('update users set updated_at = created_at where id = any($1)', [
    [ann.id, ben.id],
  ])
  const mark = (what: Parameters<typeof markAccount>[2]) =>
    db.transaction((transaction) => markAccount(transaction, ann.id, what))
  await mark({ verified: true })
  expect(await marks(ann)).toEqual({ verified: true, suspended: false, untouched: false })
  await mark({ suspended: true })
  expect(await marks(ann)).toEqual({ verified: true, suspended: true, untouched: false })
  await mark({ verified: false })
  await mark({ suspended: false })
  expect(await marks(ann)).toEqual({ verified: false, suspended: false, untouched: false })
  expect(await marks(ben)).toEqual({ verified: true, suspended: false, untouched: true })
})

test('everywhere is each session and token of one person, and is counted', async () => {
  const { db } = app.services
  const cookies = [
    await sessionCookieOf(app.services, ann.id),
    await sessionCookieOf(app.services, ann.id),
    await sessionCookieOf(app.services, ben.id),
  ]
  const tokens = [
    await personalTokenOf(app.services, ann.id),
    await personalTokenOf(app.services, ben.id),
  ]
  const signedIn = async () =>
    Promise.all(
      [
        ...cookies.map((cookie) => app.request('/rest/v1/me', { cookie })),
        ...tokens.map((token) =>
          app.request('/rest/v1/me', { headers: { authorization: `Bearer ${token}` } }),
        ),
      ].map(async (answer) => (await answer).body?.name),
    )
  expect(await signedIn()).toEqual(['Ann', 'Ann', 'Ben', 'Ann', 'Ben'])
  const end = () => db.transaction((transaction) => endAllSessions(transaction, ann.id))
  expect(await end()).toBe(2)
  expect(await signedIn()).toEqual([undefined, undefined, 'Ben', undefined, 'Ben'])
  expect(await end()).toBe(0)
})

test('what people leave to others belongs to one account, which nobody can log in to', async () => {
  const { db, pool } = app.services
  for (let times = 0; times < 2; times++) await db.transaction(addDepartedUser)
  const { rows } = await pool.query(
    `select name, email, username, role, welcomed_at is not null as welcomed,
            (select count(*)::int from identities where user_id = u.id) as ways
       from users u where id = $1`,
    [departedUserId],
  )
  expect(rows).toEqual([
    {
      name: 'Deleted user',
      email: 'deleted-user.invalid',
      username: null,
      role: 'user',
      welcomed: true,
      ways: 0,
    },
  ])
})
