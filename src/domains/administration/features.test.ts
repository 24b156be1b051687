// Switching parts of the product off and on: what stops at once and everywhere, what goes on, who may do it.
import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { waitingFor } from '../../../test/behind-change.ts'
import { type ContractRow, contractRows, requestOf } from '../../../test/contract-rows.ts'
import { inputs, type Target } from '../../../test/contract-inputs.ts'
import { joinCourse, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { openBrowser } from '../../../test/identity/browser.ts'
import { type OidcProvider, startOidcProvider } from '../../../test/identity/oidc-provider.ts'
import { codeIn, mailTo, startSmsGateway, tokenIn } from '../../../test/mailbox.ts'
import { makeTarget } from '../../../test/make-target.ts'
import { patience } from '../../../test/patience.ts'
import { watchStatements } from '../../../test/statements.ts'
import { linkRefusal, returnReason } from '../accounts/sign-in-words.ts'
import { featureKey, type FeatureName, featureNames, features } from './features.ts'

const appUrl = 'http://localhost:3000'
/** Of all nodes: a session counts on each. */
const secret = 'a secret of more than thirty-two characters'

let app: TestApp
let gateway: Awaited<ReturnType<typeof startSmsGateway>>
let provider: OidcProvider
let admin: Someone
let creator: Someone
let member: Someone
let target: Target

beforeAll(async () => {
  gateway = await startSmsGateway()
  provider = await startOidcProvider({
    redirectUris: [`${appUrl}/auth/v1/callback/oidc`],
    clientAuthentication: 'client_secret_post',
  })
  app = await startTestApp({
    AUTH_SECRET: secret,
    SMS_WEBHOOK_URL: gateway.url,
    OIDC_NAME: 'Example ID',
    OIDC_DISCOVERY_URL: provider.discoveryUrl,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
  })
  admin = await newAdmin('Ada Admin')
  creator = await someone('Cleo Creator')
  member = await someone('Mel Member')
  target = await newTarget()
})
afterAll(async () => {
  await app?.stop()
  await provider?.stop()
  await gateway?.stop()
})
afterEach(async () => {
  await app.services.pool.query(`delete from settings where key like 'feature:%'`)
  await app.services.pool.query('delete from rate_limits')
  await app.services.features.read()
})

const anotherNode = (environment: Record<string, string> = {}) =>
  startTestApp({
    AUTH_SECRET: secret,
    DATABASE_URL: app.databaseUrl,
    ...environment,
  })

async function someone(name?: string) {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

async function newAdmin(name: string) {
  const person = await someone(name)
  await app.services.pool.query(`update users set role = 'admin' where id = $1`, [person.id])
  return person
}

async function newTarget(): Promise<Target> {
  const course = await makeCourse(app.services, creator, {
    chapters: [{ title: 'Chapter 1', lessons: [{ title: 'First' }, { title: 'Second' }] }],
  })
  await joinCourse(app.services, member, course)
  return makeTarget(app.services, course, member)
}

const list = async (cookie = admin.cookie) => app.request('/rest/v1/admin/features', { cookie })
const featureNow = async (wanted: FeatureName) =>
  (await list()).body.features.find(({ name }: { name: string }) => name === wanted)
const put = (name: string, body: object, by: Someone | null = admin, node = app) =>
  node.request(`/rest/v1/admin/features/${name}`, {
    method: 'PUT',
    body: { reason: 'Spam', ...body },
    ...(by ? { cookie: by.cookie } : {}),
  })
async function switchOff(name: FeatureName, notice = '') {
  expect((await put(name, { off: true, notice })).status).toBe(200)
}
async function switchOn(name: FeatureName) {
  expect((await put(name, { off: false })).status).toBe(200)
}
const actsOf = async () =>
  (
    await app.services.pool.query<{
      action: string
      subject_name: string
      reason: string
      actor_id: string
    }>(
      `select action, subject_name, reason, actor_id from administrative_acts
        where subject_kind = 'feature' order by created_at, id`,
    )
  ).rows
const newActs = async (act: () => Promise<unknown>) => {
  const before = (await actsOf()).length
  await act()
  return (await actsOf()).slice(before)
}

/** Who may make this call: otherwise a refusal would say nothing. */
const callerOf = ({ access }: ContractRow) => (access === 'instructor' ? creator : member)

async function call(row: ContractRow, by: Someone = callerOf(row)) {
  const input = await inputs[row.name]!(target, app.services)
  const { path, body } = requestOf(row, input)
  return app.request(path, { method: row.method, cookie: by.cookie, body })
}

const rowNamed = (name: string) => contractRows.find((row) => row.name === name)!
const stopped = contractRows.filter(({ stoppedBy }) => stoppedBy)

describe('what is switched off', () => {
  test.each(stopped)('$name, by $stoppedBy', async (row) => {
    const name = row.stoppedBy!
    const { label } = features[name]
    expect((await call(row)).body?.code).not.toBe('FEATURE_OFF')

    await switchOff(name, 'We are cleaning up.')
    const refused = {
      code: 'FEATURE_OFF',
      status: 403,
      message: `${label} is switched off at the moment. We are cleaning up.`,
    }
    const { status, body } = await call(row)
    expect(status).toBe(403)
    expect(body).toMatchObject(refused)
    // Before anybody looks at what was sent.
    const { path } = requestOf(row, await inputs[row.name]!(target, app.services))
    const junk = await app.request(path, {
      method: row.method,
      cookie: callerOf(row).cookie,
      body: { courseId: target.courseId, postId: target.postId },
    })
    expect(junk.body).toMatchObject(refused)
    // Administrators see that it works.
    if (row.access !== 'instructor') expect((await call(row, admin)).body).toMatchObject(refused)
    // A stranger learns no more than before.
    const stranger = await app.request(path, { method: row.method, body: {} })
    expect(stranger.status).toBe(401)

    await switchOn(name)
    expect((await call(row)).body?.code).not.toBe('FEATURE_OFF')
  })

  test('every call that writes into one of these domains is stopped, or said to go on', () => {
    const domains = [
      'billing',
      'community',
      'courses',
      'courseTransfer',
      'payouts',
      'purchases',
      'reviews',
    ]
    const goesOn = [
      'billing.cancelSubscription',
      'billing.getUserPlan',
      'billing.getUserTransactionFee',
      'billing.reactivateSubscription',
      'billing.stripeBillingHistory',
      'billing.stripePortal',
      'community.deleteComment',
      'community.deletePost',
      'community.likeComment',
      'community.likePost',
      'community.pinPost',
      'community.saveChannels',
      'community.votePoll',
      'courseTransfer.removeImport',
      'courses.canCreateCourse',
      'courses.deleteCourse',
      'courses.publishCourse',
      'courses.saveCourseContent',
      'courses.unpublishCourse',
      'courses.updateCourse',
      'payouts.connectPayoutMethod',
      'payouts.removePayoutMethod',
      'payouts.setPayoutSchedule',
      'payouts.startOnboarding',
      'payouts.takeBackPayout',
      'purchases.cancelPurchase',
      'purchases.createCoupon',
      'purchases.quoteCoupon',
      'purchases.resumePurchase',
      'purchases.updateCoupon',
      'reviews.answerReview',
      'reviews.getReviewStats',
      'reviews.removeAnswer',
      'reviews.removeMyReview',
      'reviews.takeDownReview',
    ]
    const writing = contractRows.filter(
      ({ name, method }) => method !== 'GET' && domains.includes(name.split('.')[0]!),
    )
    const others = writing.filter(({ stoppedBy }) => !stoppedBy).map(({ name }) => name)
    expect(others.toSorted()).toEqual(goesOn)
    const names = stopped.map(({ name, stoppedBy }) => `${stoppedBy}: ${name}`)
    expect(names.toSorted()).toEqual([
      'checkout: billing.demoUpgrade',
      'checkout: billing.stripeCheckout',
      'checkout: purchases.courseCheckout',
      'community_writing: community.createComment',
      'community_writing: community.createPost',
      'community_writing: community.publishPost',
      'community_writing: community.updateComment',
      'community_writing: community.updatePost',
      'create_courses: courseTransfer.duplicateCourse',
      'create_courses: courseTransfer.retryImport',
      'create_courses: courseTransfer.startImport',
      'create_courses: courses.createCourse',
      'payouts: payouts.requestPayout',
      'reviews: reviews.saveMyReview',
    ])
  })

  test('asks the database for nothing more than who calls', async () => {
    await switchOff('create_courses')
    const statements = watchStatements(app)
    // The node reads the switches once more when it hears of the switch, whenever that is.
    await expect
      .poll(() => statements.during(() => call(rowNamed('courses.createCourse'))))
      .toEqual([expect.stringMatching(/join sessions s on .+ join users u /)])
  })
})

describe('with everything switched off', () => {
  test.each([
    'community.likePost',
    'community.likeComment',
    'community.getFeed',
    'community.votePoll',
    'community.deletePost',
    'community.deleteComment',
    'moderation.decideCase',
    'reviews.removeMyReview',
    'reviews.answerReview',
    'courses.updateCourse',
    'courses.publishCourse',
    'lessons.completeLesson',
  ])('%s goes on', async (name) => {
    for (const feature of featureNames) await switchOff(feature)
    const row = rowNamed(name)
    const by = ['moderator', 'instructor'].includes(row.access) ? creator : member
    expect((await call(row, by)).status).toBe(200)
  })

  test('posts are reported, and Pro is canceled and kept after all', async () => {
    const upgraded = await someone()
    const bill = (path: string) =>
      app.request(`/rest/v1/billing/${path}`, { body: { plan: 'annual' }, cookie: upgraded.cookie })
    expect((await bill('demo-upgrade')).status).toBe(200)
    for (const feature of featureNames) await switchOff(feature)
    expect((await bill('demo-upgrade')).body.code).toBe('FEATURE_OFF')
    expect((await bill('subscription/cancel')).status).toBe(200)
    expect((await bill('subscription/reactivate')).status).toBe(200)
    expect((await call(rowNamed('moderation.reportContent'), creator)).status).toBe(200)
  })

  test('somebody joins a free course', async () => {
    for (const feature of featureNames) await switchOff(feature)
    const joiner = await someone()
    const joined = await app.request('/rest/v1/enrollments', {
      body: { courseId: target.courseId },
      cookie: joiner.cookie,
    })
    expect(joined.status).toBe(200)
  })
})

describe('sign-up', () => {
  const words = 'Sign-up is switched off at the moment. Please come back tomorrow.'
  const notice = 'Please come back tomorrow.'
  const nobody = () => `${crypto.randomUUID()}@example.com`
  const post = (path: string, body: object) => app.request(`/auth/v1${path}`, { body })
  const people = async () =>
    (await app.services.pool.query('select count(*)::int from users')).rows[0].count
  const isOpen = async () => (await app.request('/rest/v1/sign-in-ways')).body.signUpOpen
  const throughProvider = async (email: string) => {
    const browser = openBrowser(app)
    const { body } = await browser.request('/auth/v1/sign-in/social', {
      body: { provider: 'oidc', callbackURL: '/dashboard' },
    })
    provider.person = { sub: email, email, email_verified: true, name: 'Ann Lee' }
    const { headers } = await browser.open(await provider.visit(body.url))
    return { browser, location: new URL(headers.get('location')!, appUrl) }
  }

  test('makes no account by form, code, link, telephone or provider', async () => {
    await switchOff('sign_up', notice)
    const before = await people()

    const form = await post('/sign-up/email', {
      name: 'Ann Lee',
      email: nobody(),
      password: 'correct horse',
    })
    expect(form.body).toEqual({ code: 'FEATURE_OFF', status: 403, message: words })
    // Who has an account here is nobody's business at a closed door.
    const known = await post('/sign-up/email', {
      name: 'Ann Lee',
      email: member.email,
      password: 'correct horse',
    })
    expect(known.body).toEqual(form.body)

    const mailed = nobody()
    await post('/email-otp/send-verification-otp', { email: mailed, type: 'sign-in' })
    const otp = codeIn((await mailTo(app, mailed, /is your Thunder code/)).text)
    const byCode = await post('/sign-in/email-otp', { email: mailed, otp })
    expect([byCode.status, byCode.body.message]).toEqual([403, words])

    const linked = nobody()
    await post('/sign-in/magic-link', { email: linked })
    const token = tokenIn(await mailTo(app, linked, /log-in link/))
    const byLink = await app.request(
      `/auth/v1/magic-link/verify?token=${token}&callbackURL=/dashboard`,
    )
    const { searchParams } = new URL(byLink.headers.get('location')!)
    expect(searchParams.get('error')).toBe('FEATURE_OFF')
    const code = searchParams.get('error')!
    expect(linkRefusal({ code, message: searchParams.get('error_description')! })).toBe(words)

    const phoneNumber = '+4915199999998'
    await post('/phone-number/send-otp', { phoneNumber })
    const texted = codeIn(await gateway.textTo(phoneNumber))
    const byPhone = await post('/phone-number/verify', { phoneNumber, code: texted })
    expect([byPhone.status, byPhone.body.message]).toEqual([403, words])

    const { browser, location } = await throughProvider(nobody())
    expect(location.pathname).toBe('/login')
    expect(returnReason(location.searchParams.get('error'))).toBe(
      'Sign-up is switched off at the moment.',
    )
    expect(await browser.signedInAs()).toBeNull()

    expect(await people()).toBe(before)
  })

  test('who has an account logs in by password and provider; switched on, newcomers come again', async () => {
    await switchOff('sign_up')
    const { email, password } = member
    expect((await post('/sign-in/email', { email, password })).status).toBe(200)
    expect((await throughProvider(email)).location.pathname).toBe('/dashboard')
    expect(await isOpen()).toBe(false)
    await switchOn('sign_up')
    expect(await isOpen()).toBe(true)
    await app.signUp()
  })

  test('stays closed where the configuration closes it, and the list says so', async () => {
    const closed = await anotherNode({ SIGNUP: 'closed' })
    try {
      const { body } = await closed.request('/rest/v1/admin/features', { cookie: admin.cookie })
      expect(body.features[0]).toMatchObject({
        name: 'sign_up',
        isOff: false,
        isClosedByConfiguration: true,
      })
      expect((await put('sign_up', { off: true }, admin, closed)).status).toBe(200)
      expect((await put('sign_up', { off: false }, admin, closed)).status).toBe(200)
      const refused = await closed.request('/auth/v1/sign-up/email', {
        body: { name: 'Ann Lee', email: nobody(), password: 'correct horse' },
      })
      expect(refused.body.code).toBe('SIGNUP_CLOSED')
    } finally {
      await closed.stop()
    }
    const own = (await list()).body.features[0]
    expect(own).toMatchObject({ name: 'sign_up', isClosedByConfiguration: false })
  })
})

describe('uploads', () => {
  const metadata = (courseId: string) =>
    Object.entries({ purpose: 'video', filename: 'a.mp4', filetype: 'video/mp4', courseId })
      .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
      .join(',')
  const send = (method: string, path: string, headers: Record<string, string>, body?: Buffer) =>
    fetch(app.url + path, {
      method,
      headers: { 'tus-resumable': '1.0.0', cookie: creator.cookie, ...headers },
      ...(body ? { body: new Uint8Array(body) } : {}),
    })
  const begin = (size: number) =>
    send('POST', '/storage/v1/uploads', {
      'upload-length': String(size),
      'upload-metadata': metadata(target.courseId),
    })

  test('what has begun is finished; nothing new begins', async () => {
    const film = await readFile('test/fixtures/lesson.mp4')
    const begun = await begin(film.length)
    expect(begun.status).toBe(201)
    await switchOff('uploads', 'The disk is full.')

    const refused = await begin(film.length)
    expect([refused.status, await refused.text()]).toEqual([
      403,
      'Uploading files is switched off at the moment. The disk is full.',
    ])
    const path = begun.headers.get('location')!
    const offset = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    expect((await send('PATCH', path, offset, film)).status).toBe(204)
    const state = await send('HEAD', path, {})
    expect(state.headers.get('upload-offset')).toBe(String(film.length))

    await switchOn('uploads')
    expect((await begin(film.length)).status).toBe(201)
  })
})

describe('the switches', () => {
  test('one that no administrator switched off has nobody’s name, and no reason of before', async () => {
    await put('payouts', { off: true, reason: 'Fraud' })
    await switchOn('payouts')
    // As a restore does.
    await app.services.pool.query(
      `insert into settings (key, value)
       values ('feature:payouts', jsonb_build_object('off', true, 'since', now(), 'notice', 'We count.'))`,
    )
    expect(await featureNow('payouts')).toMatchObject({
      isOff: true,
      by: null,
      reason: null,
      notice: 'We count.',
    })
    await switchOn('payouts')
    expect(await featureNow('payouts')).toMatchObject({ isOff: false })
  })

  test('are listed with what stops and what goes on, since when, by whom and why', async () => {
    const before = (await list()).body.features
    expect(before.map(({ name }: { name: string }) => name)).toEqual(featureNames)
    for (const one of before) {
      expect(one).toMatchObject({ isOff: false, since: null, by: null, reason: null, notice: '' })
      expect(one.stops).not.toBe('')
      expect(one.goesOn).not.toBe('')
    }
    const acts = await newActs(async () => {
      await put('reviews', { off: true, reason: 'Bought stars', notice: 'Back on Monday.' })
      expect(await featureNow('reviews')).toMatchObject({
        name: 'reviews',
        label: 'Reviewing courses',
        isOff: true,
        since: expect.stringMatching(/^\d{4}-.+Z$/),
        by: { id: admin.id, name: 'Ada Admin' },
        reason: 'Bought stars',
        notice: 'Back on Monday.',
      })
      await put('reviews', { off: false, reason: 'They are gone' })
    })
    expect((await list()).body.features).toEqual(before)
    expect(acts).toEqual([
      {
        action: 'switch_off',
        subject_name: 'Reviewing courses',
        reason: 'Bought stars',
        actor_id: admin.id,
      },
      {
        action: 'switch_on',
        subject_name: 'Reviewing courses',
        reason: 'They are gone',
        actor_id: admin.id,
      },
    ])
  })

  test('are for administrators, want a reason, and are in a closed list', async () => {
    const acts = await newActs(async () => {
      expect((await put('reviews', { off: true }, null)).status).toBe(401)
      expect((await put('reviews', { off: true }, creator)).status).toBe(403)
      expect((await list(creator.cookie)).status).toBe(403)
      const nameless = await put('everything', { off: true })
      expect([nameless.status, nameless.body.message]).toEqual([422, 'There is no such feature'])
      for (const reason of ['', '   ', undefined]) {
        expect((await put('reviews', { off: true, reason })).status).toBe(422)
      }
      const long = await put('reviews', { off: true, notice: 'x'.repeat(201) })
      expect(long.body.message).toBe('The sentence for people can have at most 200 characters')
    })
    expect(acts).toEqual([])
    expect((await featureNow('reviews')).isOff).toBe(false)
  })

  test('are switched once: who comes second is told, and nothing is recorded', async () => {
    const acts = await newActs(async () => {
      await switchOff('reviews', 'The first sentence.')
      const again = await put('reviews', { off: true, notice: 'Another sentence.' })
      expect([again.status, again.body.code, again.body.message]).toEqual([
        409,
        'OFF_ALREADY',
        'This is switched off already.',
      ])
      expect((await featureNow('reviews')).notice).toBe('The first sentence.')
      await switchOn('reviews')
      const on = await put('reviews', { off: false })
      expect([on.status, on.body.code]).toEqual([409, 'ON_ALREADY'])
    })
    expect(acts.map(({ action }) => action)).toEqual(['switch_off', 'switch_on'])
  })

  test('of two administrators at once one switches it, whatever they want', async () => {
    const other = await newAdmin('Adam Admin')
    for (const off of [true, false]) {
      const acts = await newActs(async () => {
        const answers = await Promise.all([
          put('uploads', { off, reason: 'One' }),
          put('uploads', { off, reason: 'Two' }, other),
        ])
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      })
      expect(acts).toHaveLength(1)
      expect(app.services.features.off.uploads !== undefined).toBe(off)
    }
    const acts = await newActs(async () => {
      await switchOff('uploads')
      const [on, off] = await Promise.all([
        put('uploads', { off: false }),
        put('uploads', { off: true }, other),
      ])
      expect(on.status).toBe(200)
      expect([200, 409]).toContain(off.status)
      // What is recorded last is how it is.
      const isOff = (await list()).body.features.find(
        ({ name }: { name: string }) => name === 'uploads',
      ).isOff
      expect(isOff).toBe(off.status === 200)
      expect(app.services.features.off.uploads !== undefined).toBe(isOff)
    })
    expect(acts.length).toBeGreaterThanOrEqual(2)
  })

  test('who loses the role while the act waits changes nothing', async () => {
    const losing = await newAdmin('Abe Admin')
    const client = await app.services.pool.connect()
    try {
      await client.query('begin')
      await client.query(`update users set role = 'user' where id = $1`, [losing.id])
      const waiting = put('reviews', { off: true }, losing)
      await waitingFor(app.services, 1)
      await client.query('commit')
      const { status, body } = await waiting
      expect([status, body.message]).toEqual([403, 'Only administrators may do this.'])
    } finally {
      client.release()
    }
    expect((await featureNow('reviews')).isOff).toBe(false)
  })
})

describe('another node', () => {
  let second: TestApp
  beforeAll(async () => {
    second = await anotherNode()
  })
  beforeEach(() => second.services.features.read())
  afterAll(() => second?.stop())

  const review = async (node: TestApp) => {
    const row = rowNamed('reviews.saveMyReview')
    const { path, body } = requestOf(row, await inputs[row.name]!(target, app.services))
    return (await node.request(path, { method: row.method, cookie: member.cookie, body })).status
  }

  test('refuses what was switched off here, and no longer when it is on', async () => {
    expect(await review(second)).toBe(200)
    await switchOff('reviews')
    await vi.waitFor(async () => expect(await review(second)).toBe(403), patience)
    await put('reviews', { off: false }, admin, second)
    expect(await review(second)).toBe(200)
    await vi.waitFor(async () => expect(await review(app)).toBe(200), patience)
  })

  test('knows from its start', async () => {
    await switchOff('reviews')
    const third = await anotherNode()
    try {
      expect(await review(third)).toBe(403)
    } finally {
      await third.stop()
    }
  })

  test('follows what it could not hear as soon as it listens again', async () => {
    const { pool } = app.services
    expect(await review(second)).toBe(200)
    await pool.query(
      `insert into settings (key, value)
       values ($1, '{"off": true, "since": "2026-01-01T00:00:00Z", "notice": ""}')`,
      [featureKey('reviews')],
    )
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'thunder events' and datname = current_database()`,
    )
    await vi.waitFor(async () => expect(await review(second)).toBe(403), patience)
    await vi.waitFor(async () => expect(await review(app)).toBe(403), patience)
  })
})
