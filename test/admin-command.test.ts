// npm run admin: scripts/set-role.ts as a process of its own, on the database of a running app.
import { execFile } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from './app.ts'
import { lessonsOf, makeCourse, makePerson, sessionCookieOf } from './factories.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

function setRole(...parameters: string[]) {
  const { databaseUrl, services } = app
  const { dataDir } = services.config
  return new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(
      process.execPath,
      ['scripts/set-role.ts', ...parameters],
      { env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, DATA_DIR: dataDir } },
      (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, said: (stdout + stderr).trim() }),
    )
  })
}

const roleOf = async (id: string) => {
  const { rows } = await app.services.pool.query('select role from users where id = $1', [id])
  return rows[0]?.role
}

test('an administrator sees what others made and does not change it', async () => {
  const { services, request } = app
  const course = await makeCourse(services, await makePerson(services), {
    title: 'Theirs',
    status: 'draft',
  })
  const [lesson] = await lessonsOf(services, course.id)
  const person = await makePerson(services, { email: 'ann@example.com' })
  const cookie = await sessionCookieOf(services, person.id)
  const sees = async () => {
    const addresses = [
      `/rest/v1/courses/${course.slug}`,
      `/rest/v1/courses/${course.slug}/dashboard`,
      `/rest/v1/courses/${course.slug}/lessons/${lesson!.slug}`,
    ]
    const answers = await Promise.all(addresses.map((address) => request(address, { cookie })))
    return answers.map(({ status }) => status)
  }
  expect(await sees()).toEqual([404, 404, 404])

  expect(await setRole(' Ann@Example.com ')).toEqual({
    code: 0,
    said: expect.stringMatching(/Ann@Example\.com\s+is an administrator\.$/),
  })
  expect(await roleOf(person.id)).toBe('admin')
  expect(await sees()).toEqual([200, 200, 200])

  const content = { contentVersion: 1, chapters: [{ title: 'Mine', lessons: [] }] }
  const attempts = [
    { method: 'PATCH', path: '', body: { title: 'Mine now' } },
    { method: 'GET', path: '/form' },
    { method: 'GET', path: '/content' },
    { method: 'PUT', path: '/content', body: content },
    { method: 'POST', path: '/publish', body: {} },
    { method: 'POST', path: '/unpublish', body: {} },
  ]
  for (const { method, path, body } of attempts) {
    const { status } = await request(`/rest/v1/courses/${course.id}${path}`, {
      method,
      body,
      cookie,
    })
    expect([method, path, status]).toEqual([method, path, 403])
  }
  const { rows } = await services.pool.query('select title, status from courses where id = $1', [
    course.id,
  ])
  expect(rows).toEqual([{ title: 'Theirs', status: 'draft' }])

  expect(await setRole('ann@example.com', '--remove')).toEqual({
    code: 0,
    said: 'ann@example.com is no administrator any more.',
  })
  expect(await roleOf(person.id)).toBe('user')
  expect(await sees()).toEqual([404, 404, 404])
})

test('an unknown address is named, and nobody becomes an administrator', async () => {
  expect(await setRole('nobody@example.com')).toEqual({
    code: 1,
    said: 'Nobody here has the address nobody@example.com.',
  })
  const { rows } = await app.services.pool.query(`select 1 from users where role = 'admin'`)
  expect(rows).toEqual([])
})

test('Pro is given and taken back, to nobody else, and makes no administrator', async () => {
  const { services, request } = app
  const person = await makePerson(services, { email: 'bea@example.com' })
  const cookie = await sessionCookieOf(services, person.id)
  const plan = async () =>
    (await request('/rest/v1/rpc/get_user_plan', { method: 'POST', body: {}, cookie })).body
  for (const [option, said, then] of [
    ['--pro', 'bea@example.com has Pro.', 'pro'],
    ['--pro', 'bea@example.com has Pro.', 'pro'],
    ['--no-pro', 'bea@example.com has no Pro any more.', 'free'],
    ['--no-pro', 'bea@example.com has no Pro any more.', 'free'],
  ] as const) {
    expect(await setRole('bea@example.com', option)).toEqual({ code: 0, said })
    expect(await plan()).toBe(then)
  }
  expect(await roleOf(person.id)).toBe('user')
  expect((await setRole('nobody@example.com', '--pro')).code).toBe(1)
})

test('Pro that is paid for is not said to be taken; what was given besides is, and that is in the log', async () => {
  const { services, request } = app
  const person = await makePerson(services, { email: 'cleo@example.com' })
  const cookie = await sessionCookieOf(services, person.id)
  await services.pool.query(
    `insert into plan_subscriptions (id, user_id, customer_id, plan, status, started_at)
     values ('sub_x', $1, 'cus_x', 'annual', 'active', now())`,
    [person.id],
  )
  const acts = async () => {
    const { rows } = await services.pool.query(
      'select action from administrative_acts where subject_id = $1 order by id',
      [person.id],
    )
    return rows.map(({ action }) => action)
  }
  const keeps = { code: 0, said: 'cleo@example.com keeps Pro, which is paid for.' }
  expect(await setRole('cleo@example.com', '--no-pro')).toEqual(keeps)
  expect(await acts()).toEqual([])
  await setRole('cleo@example.com', '--pro')
  expect(await setRole('cleo@example.com', '--no-pro')).toEqual(keeps)
  expect(await acts()).toEqual(['give_pro', 'take_pro'])
  const { body } = await request('/rest/v1/rpc/get_user_plan', { method: 'POST', body: {}, cookie })
  expect(body).toBe('pro')
})

/** As somebody types it who forgets the `--` before the options: npm keeps those. */
function npmRun(...parameters: string[]) {
  const { databaseUrl, services } = app
  const { dataDir } = services.config
  return new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(
      'npm',
      ['run', '--silent', ...parameters],
      { env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, DATA_DIR: dataDir } },
      (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, said: (stdout + stderr).trim() }),
    )
  })
}

test.each(['--pro', '--no-pro', '--remove'])(
  'npm run admin with an address and %s, which npm keeps for itself, changes nobody',
  async (option) => {
    const { id, email } = await makePerson(app.services)
    expect(await npmRun('admin', email, option)).toEqual({
      code: 1,
      said: `npm took ${option} for itself: npm run admin -- ${email} ${option}`,
    })
    expect(await roleOf(id)).toBe('user')
  },
)

test.each([
  [['doctor', '--files'], 'npm took --files for itself: npm run doctor -- --files'],
  [
    ['restore', '/a-backup', '--without-secret'],
    'npm took --without-secret for itself: npm run restore -- /a-backup --without-secret',
  ],
  [
    ['announce', 'New colours', 'Have a look.', '--href=/about'],
    'npm took --href=/about for itself: npm run announce -- "A title" "A message" --href=/about',
  ],
])('nor does npm run %j do anything', async (typed, said) => {
  expect(await npmRun(...typed)).toEqual({ code: 1, said })
})

test.each([[[]], [['ann@example.com', '--delete']]])(
  '%j is answered with how it is used',
  async (parameters) => {
    expect(await setRole(...parameters)).toEqual({
      code: 1,
      said: expect.stringMatching(/^Say whom: npm run admin -- person@example\.com/),
    })
  },
)
