// Suspending accounts and courses, what stays possible meanwhile, appeals, and coming back.
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isContractProcedure } from '@orpc/contract'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
import { joinCourse, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { makeSeller, sell, setUpBank } from '../../../test/payee.ts'
import { settled } from '../../../test/settled.ts'
import { contract } from '../../contract.ts'
import type { Meta } from '../../contract-row.ts'
import { notifications } from '../notifications/tables.ts'
import { payOutAvailable } from '../payouts/pay-out-on-schedule.ts'
import { payoutMethods, payouts } from '../payouts/tables.ts'
import { accountOf } from '../../../test/payee.ts'
import { courses } from '../courses/tables.ts'
import { checkouts } from '../payments/tables.ts'
import { users } from '../accounts/tables.ts'
import { setFlagshipCourse } from '../site/flagship.ts'
import { administrativeActs, suspensions } from './tables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone(name?: string) {
  const person = await makePerson(app.services, { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

async function admin() {
  const person = await someone('Ada Admin')
  await app.services.pool.query(`update users set role = 'admin' where id = $1`, [person.id])
  return person
}

const suspend = (by: Someone, who: { id: string }, reason = 'You sold what is not yours.') =>
  app.request(`/rest/v1/admin/people/${who.id}/suspension`, { body: { reason }, cookie: by.cookie })
const suspendCourse = (by: Someone, course: { id: string }, reason = 'It is a copy.') =>
  app.request(`/rest/v1/admin/courses/${course.id}/suspension`, {
    body: { reason },
    cookie: by.cookie,
  })
const suspensionsOf = (which: { userId: string } | { courseId: string }) =>
  app.services.db
    .select()
    .from(suspensions)
    .where(
      'userId' in which
        ? eq(suspensions.userId, which.userId)
        : eq(suspensions.courseId, which.courseId),
    )
    .orderBy(suspensions.createdAt, suspensions.id)
async function openOf(which: { userId: string } | { courseId: string }) {
  return (await suspensionsOf(which)).find(({ liftedAt }) => liftedAt === null)!
}
const lift = (by: Someone, suspensionId: string, note = '') =>
  app.request(`/rest/v1/admin/suspensions/${suspensionId}/lift`, {
    body: { note },
    cookie: by.cookie,
  })
const answer = (by: Someone, suspensionId: string, decision: string, text = '') =>
  app.request(`/rest/v1/admin/suspensions/${suspensionId}/answer`, {
    body: { decision, answer: text },
    cookie: by.cookie,
  })
const courseRow = async (id: string) =>
  (await app.services.db.select().from(courses).where(eq(courses.id, id)))[0]!
const kindsOf = async ({ id }: { id: string }) =>
  (
    await app.services.db
      .select({ kind: notifications.kind })
      .from(notifications)
      .where(eq(notifications.userId, id))
      .orderBy(notifications.createdAt, notifications.id)
  ).map(({ kind }) => kind)
const liftingToldTo = async (userId: string) => {
  const { rows } = await app.services.pool.query<{ message: string }>(
    `select message from notifications where user_id = $1 and kind = 'suspension_lifted'`,
    [userId],
  )
  return rows.map(({ message }) => message).join('\n')
}
const actsAbout = async (subjectId: string) =>
  (
    await app.services.db
      .select()
      .from(administrativeActs)
      .where(eq(administrativeActs.subjectId, subjectId))
      .orderBy(administrativeActs.createdAt, administrativeActs.id)
  ).map(({ action, actorId, reason }) => ({ action, actorId, reason }))

describe('suspending an account', () => {
  test('ends its sessions, stops its courses, tells the person why, and stands in the log', async () => {
    const by = await admin()
    const person = await someone('Sam Seller')
    const course = await makeCourse(app.services, person)
    const draft = await makeCourse(app.services, person, { status: 'draft' })
    const member = await someone()
    await joinCourse(app.services, member, course)
    expect((await suspend(by, person)).status).toBe(200)

    expect((await app.request('/rest/v1/me', { cookie: person.cookie })).body).toBe(null)
    expect(await courseRow(course.id)).toMatchObject({
      status: 'draft',
      suspendedAt: expect.any(Date),
    })
    expect((await courseRow(draft.id)).suspendedAt).toBe(null)
    expect((await app.request(`/rest/v1/courses/${course.slug}`)).status).toBe(404)
    expect((await app.request(`/rest/v1/users/${person.username}`)).status).toBe(404)
    const kept = await app.request(`/rest/v1/courses/${course.slug}/dashboard`, {
      cookie: member.cookie,
    })
    expect(kept.status).toBe(200)
    expect(await kindsOf(person)).toContain('account_suspended')
    const [notice] = await app.services.db
      .select()
      .from(notifications)
      .where(eq(notifications.userId, person.id))
    expect(notice).toMatchObject({ href: '/suspended' })
    expect(notice!.message).toContain('You sold what is not yours.')
    expect(await actsAbout(person.id)).toEqual([
      { action: 'suspend_account', actorId: by.id, reason: 'You sold what is not yours.' },
    ])
    const account = await openOf({ userId: person.id })
    expect(await openOf({ courseId: course.id })).toMatchObject({ becauseOf: account.id })

    // Comes and goes with it.
    const single = await lift(by, (await openOf({ courseId: course.id })).id)
    expect([single.status, single.body.code]).toEqual([409, 'WITH_ACCOUNT'])
    expect((await lift(by, account.id, 'Sorry')).status).toBe(200)
    expect(await courseRow(course.id)).toMatchObject({ status: 'published', suspendedAt: null })
    expect(await courseRow(draft.id)).toMatchObject({ status: 'draft', suspendedAt: null })
    expect((await app.request(`/rest/v1/courses/${course.slug}`)).status).toBe(200)
    expect((await app.request(`/rest/v1/users/${person.username}`)).status).toBe(200)
    expect((await lift(by, account.id)).body.code).toBe('LIFTED_ALREADY')
    expect(await kindsOf(person)).toContain('suspension_lifted')
  })

  test('needs a reason, and is refused about oneself, twice, and about nobody', async () => {
    const by = await admin()
    const person = await someone()
    for (const nothing of [' ', '\u200b']) {
      const without = await suspend(by, person, nothing)
      expect([without.status, without.body.message]).toEqual([
        422,
        'Please write a reason: the person reads it',
      ])
    }
    expect((await suspend(by, person, 'x'.repeat(2001))).status).toBe(422)
    expect((await suspend(by, by)).body.code).toBe('ONESELF')
    expect((await suspend(by, { id: crypto.randomUUID() })).status).toBe(404)
    expect((await suspend(by, { id: '00000000-0000-7000-8000-000000000000' })).status).toBe(404)
    const both = await Promise.all([suspend(by, person), suspend(await admin(), person)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await suspensionsOf({ userId: person.id })).toHaveLength(1)
  })

  test('of two administrators who suspend each other at once one is left', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await admin(), await admin()]
      const both = await Promise.all([suspend(one, other), suspend(other, one)])
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    }
  })

  test('a suspended administrator, and one who lost the role, is out with the next request', async () => {
    const by = await admin()
    const other = await admin()
    expect((await suspend(by, other)).status).toBe(200)
    const again = await sessionCookieOf(app.services, other.id)
    for (const path of ['overview', 'people', 'courses', 'acts', 'appeals']) {
      const { status, body } = await app.request(`/rest/v1/admin/${path}`, { cookie: again })
      expect([status, body.code]).toEqual([403, 'ACCOUNT_SUSPENDED'])
    }
    await app.services.pool.query(`update users set role = 'user' where id = $1`, [by.id])
    const { status } = await app.request('/rest/v1/admin/overview', { cookie: by.cookie })
    expect(status).toBe(403)
    expect((await suspend(by, await someone())).status).toBe(403)
  })

  test('the starter course, which everybody joins, stays, and so does its mark', async () => {
    const by = await admin()
    const owner = await someone()
    const starter = await makeCourse(app.services, owner)
    const { rows } = await app.services.pool.query(
      `select value from settings where key = 'flagship_course_id'`,
    )
    await setFlagshipCourse(app.services.db, starter.id)
    expect((await suspendCourse(by, starter)).body.code).toBe('STARTER_COURSE')
    const mark = async (verified: boolean) =>
      (
        await app.request(`/rest/v1/admin/courses/${starter.id}/verified`, {
          method: 'PUT',
          body: { verified },
          cookie: by.cookie,
        })
      ).status
    expect([await mark(true), await mark(false)]).toEqual([200, 409])
    expect((await app.request(`/rest/v1/courses/${starter.slug}`)).body.verified).toBe(true)
    expect((await suspend(by, owner)).status).toBe(200)
    expect((await courseRow(starter.id)).status).toBe('published')
    await app.services.pool.query(`delete from settings where key = 'flagship_course_id'`)
    if (rows[0]) await setFlagshipCourse(app.services.db, rows[0].value)
  })
})

describe('a suspended person', () => {
  const calls = Object.entries(contract).flatMap(([domain, rows]) =>
    Object.entries(rows).map(([name, row]) => {
      if (!isContractProcedure(row)) throw new Error(name)
      const { route, meta } = row['~orpc']
      return { name: `${domain}.${name}`, route, meta: meta as Meta }
    }),
  )

  test('is refused by every call but those of the closed list', async () => {
    const by = await admin()
    const person = await someone()
    await suspend(by, person)
    const cookie = await sessionCookieOf(app.services, person.id)
    const open: string[] = []
    for (const { name, route, meta } of calls) {
      if (meta.whileSuspended) open.push(name)
      if (meta.access === 'public' || meta.whileSuspended) continue
      const method = route.method ?? 'POST'
      const { status, body } = await app.request(
        (route.path ?? '').replaceAll(/\{\w+\}/g, crypto.randomUUID()),
        { method, cookie, ...(method === 'GET' ? {} : { body: {} }) },
      )
      expect([name, status, body.code, body.message]).toEqual([
        name,
        403,
        'ACCOUNT_SUSPENDED',
        'Your account is suspended.',
      ])
    }
    expect(open.toSorted()).toEqual([
      'accounts.deleteAccount',
      'accounts.getMe',
      'accounts.previewAccountDeletion',
      'administration.appealMySuspension',
      'administration.getMySuspension',
      'billing.cancelSubscription',
      'billing.getBilling',
      'billing.getReceipt',
      'billing.getReceipts',
      'billing.stripeBillingHistory',
      'purchases.cancelPurchase',
      'support.closeMySupportRequest',
      'support.getMySupportRequest',
      'support.getMySupportRequests',
      'support.sendSupportRequest',
      'support.writeToSupport',
    ])
  })

  test('is a stranger to what everybody may call', async () => {
    const by = await admin()
    const person = await someone()
    const owner = await someone()
    const course = await makeCourse(app.services, owner)
    await joinCourse(app.services, person, course)
    await suspend(by, person)
    await app.services.pool.query(`update courses set status = 'draft' where id = $1`, [course.id])
    const cookie = await sessionCookieOf(app.services, person.id)
    const { status } = await app.request(`/rest/v1/courses/${course.slug}`, { cookie })
    expect(status).toBe(404)
  })

  test('finds the doors beside the contract closed: uploads, videos, streams, tokens, the account', async () => {
    const by = await admin()
    const person = await someone()
    const token = await app.request('/auth/v1/token', { cookie: person.cookie })
    const bearer = { authorization: `Bearer ${token.body.token}` }
    expect((await app.request('/rest/v1/me/profile', { headers: bearer })).status).toBe(200)
    const abort = new AbortController()
    const stream = await fetch(`${app.url}/realtime/v1/events`, {
      headers: { cookie: person.cookie },
      signal: abort.signal,
    })
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    const reader = stream.body!.getReader()

    await suspend(by, person)
    // The stream ends by itself, or this waits until the test is given up.
    for (let ended = false; !ended;) ended = (await reader.read()).done
    abort.abort()
    expect((await app.request('/rest/v1/me/profile', { headers: bearer })).status).toBe(401)

    const cookie = await sessionCookieOf(app.services, person.id)
    const metadata = `filename ${btoa('a.png')},purpose ${btoa('avatar')},filetype ${btoa('image/png')}`
    const headers = { 'tus-resumable': '1.0.0', 'upload-length': '10', 'upload-metadata': metadata }
    const upload = await app.request('/storage/v1/uploads', { method: 'POST', cookie, headers })
    expect([upload.status, upload.body]).toEqual([403, 'Your account is suspended.'])
    for (const kind of ['videos', 'post-videos', 'post-images', 'uploads']) {
      const address = `/storage/v1/${kind}/${crypto.randomUUID()}/640.webp`
      expect((await app.request(address, { cookie })).status).toBe(403)
    }
    for (const path of ['/token', '/list-accounts']) {
      const { status, body } = await app.request(`/auth/v1${path}`, { cookie })
      expect([path, status, body.code]).toEqual([path, 403, 'ACCOUNT_SUSPENDED'])
    }
    for (const path of ['/update-user', '/change-email', '/link-social']) {
      const { status } = await app.request(`/auth/v1${path}`, { cookie, body: { name: 'Else' } })
      expect([path, status]).toEqual([path, 403])
    }
    const opened = await app.request('/realtime/v1/events', { cookie })
    expect(opened.status).toBe(403)
  })

  test('logs in, changes the password, takes the data along, and leaves', async () => {
    const by = await admin()
    const person = await someone()
    const course = await makeCourse(app.services, person)
    await joinCourse(app.services, await someone(), course)
    await suspend(by, person)
    const { status, headers } = await app.request('/auth/v1/sign-in/email', {
      body: { email: person.email, password: person.password },
    })
    expect(status).toBe(200)
    const cookie = headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    expect((await app.request('/rest/v1/me', { cookie })).body).toMatchObject({ suspended: true })
    const changed = await app.request('/auth/v1/change-password', {
      cookie,
      body: {
        currentPassword: person.password,
        newPassword: 'battery staple',
        revokeOtherSessions: false,
      },
    })
    expect(changed.status).toBe(200)
    const data = await fetch(`${app.url}/storage/v1/my-data.zip`, { headers: { cookie } })
    expect(data.status).toBe(200)
    expect((await data.arrayBuffer()).byteLength).toBeGreaterThan(100)
    expect((await app.request('/rest/v1/me/deletion', { cookie })).status).toBe(200)
    const left = await app.request('/rest/v1/me/deletion', {
      cookie,
      body: { password: 'battery staple', confirmation: 'DELETE', membersCourses: 'keep' },
    })
    expect([left.status, left.body]).toEqual([200, { deleted: true }])
    // Kept for its members, without the person, and waiting for nobody's account.
    expect(await courseRow(course.id)).toMatchObject({ status: 'draft', suspendedAt: null })
    expect(await suspensionsOf({ courseId: course.id })).toEqual([])
    const { rows } = await app.services.pool.query(
      `select subject_id, subject_name from administrative_acts where actor_id = $1`,
      [by.id],
    )
    expect(rows).toEqual([{ subject_id: null, subject_name: '' }])
  })

  test('is not paid out, by hand or by the clock, and is after it', async () => {
    const by = await admin()
    const seller = await makeSeller(app)
    await sell(app, seller)
    await setUpBank(app, seller)
    const ledgerAccountId = await accountOf(app, seller)
    await app.services.db
      .update(payoutMethods)
      .set({ schedule: 'weekly' })
      .where(eq(payoutMethods.ledgerAccountId, ledgerAccountId))
    const paid = () =>
      app.services.db.select().from(payouts).where(eq(payouts.ledgerAccountId, ledgerAccountId))
    await suspend(by, seller)
    await payOutAvailable({ ledgerAccountId }, app.services)
    expect(await paid()).toEqual([])
    await lift(by, (await openOf({ userId: seller.id })).id)
    await payOutAvailable({ ledgerAccountId }, app.services)
    expect(await paid()).toHaveLength(1)
    await settled(app)
  })
})

describe('appeals', () => {
  const appealAs = (cookie: string, appeal = 'It is mine. Here is why.') =>
    app.request('/rest/v1/me/suspension/appeal', { body: { appeal }, cookie })

  test('one for each suspension; granted it lifts, refused it says why', async () => {
    const by = await admin()
    const person = await someone()
    expect((await appealAs(person.cookie)).body.code).toBe('NOT_SUSPENDED')
    await suspend(by, person)
    const cookie = await sessionCookieOf(app.services, person.id)
    const { id } = await openOf({ userId: person.id })
    expect((await answer(by, id, 'grant')).body.code).toBe('NO_APPEAL')
    expect((await appealAs(cookie, ' ')).status).toBe(422)
    const twice = await Promise.all([appealAs(cookie), appealAs(cookie)])
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await kindsOf(by)).toContain('appeal_received')
    const waiting = await app.request('/rest/v1/admin/appeals', { cookie: by.cookie })
    expect(waiting.body.appeals).toContainEqual(
      expect.objectContaining({ id, appeal: 'It is mine. Here is why.' }),
    )
    const without = await answer(by, id, 'refuse')
    expect([without.status, without.body.message]).toEqual([
      422,
      'Please write why the appeal is refused: the person reads it',
    ])
    expect((await answer(await admin(), id, 'refuse', 'It is not.')).status).toBe(200)
    expect((await answer(by, id, 'grant')).body.code).toBe('NO_APPEAL')
    const mine = await app.request('/rest/v1/me/suspension', { cookie })
    expect(mine.body).toMatchObject({ appealAnswer: 'It is not.' })
    expect(JSON.stringify(mine.body)).not.toContain(by.id)
    expect(await kindsOf(person)).toContain('appeal_refused')
    expect((await appealAs(cookie)).body.code).toBe('APPEALED_ALREADY')

    // A later one can be appealed against again.
    await lift(by, id)
    await suspend(by, person, 'Again.')
    const next = await sessionCookieOf(app.services, person.id)
    expect((await appealAs(next)).status).toBe(200)
    const granted = await openOf({ userId: person.id })
    const answers = await Promise.all([
      answer(by, granted.id, 'grant', 'You are right.'),
      answer(await admin(), granted.id, 'refuse', 'No.'),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    if (answers[0]!.status !== 200) return
    expect((await app.request('/rest/v1/me/suspension', { cookie: next })).body).toBe(null)
    expect((await actsAbout(person.id)).map(({ action }) => action)).toEqual([
      'suspend_account',
      'refuse_appeal',
      'lift_account',
      'suspend_account',
      'grant_appeal',
    ])
  })
})

describe('an appeal against one’s own decision', () => {
  async function appealedBy(by: Someone) {
    const person = await someone()
    await suspend(by, person)
    const cookie = await sessionCookieOf(app.services, person.id)
    await app.request('/rest/v1/me/suspension/appeal', { body: { appeal: 'No.' }, cookie })
    return (await openOf({ userId: person.id })).id
  }

  test('is refused by somebody else, who sees whose it is; one gives in all the same', async () => {
    const [by, another] = [await someone('Dee Decided'), await admin()]
    await app.services.pool.query(`update users set role = 'admin' where id = $1`, [by.id])
    const id = await appealedBy(by)
    const { body } = await app.request('/rest/v1/admin/appeals', { cookie: another.cookie })
    expect(body.appeals).toContainEqual(expect.objectContaining({ id, suspendedBy: 'Dee Decided' }))
    const own = await answer(by, id, 'refuse', 'I said so.')
    expect([own.status, own.body.code, own.body.message]).toEqual([
      409,
      'OWN_DECISION',
      'You suspended this yourself, so another administrator has to look at it. You can only grant the appeal.',
    ])
    expect((await answer(another, id, 'refuse', 'It is so.')).status).toBe(200)
    expect((await answer(by, await appealedBy(by), 'grant')).status).toBe(200)
  })

  test('is refused by oneself where nobody else could decide', async () => {
    const by = await admin()
    await app.services.pool.query(
      `update users set role = 'user' where role = 'admin' and id <> $1`,
      [by.id],
    )
    const shutOut = await admin()
    await suspend(by, shutOut)
    const id = await appealedBy(by)
    expect((await answer(by, id, 'refuse', 'I looked again.')).status).toBe(200)
    // Nor does one whose own course it is.
    const party = await admin()
    const course = await makeCourse(app.services, party)
    await suspendCourse(by, course)
    await app.request(`/rest/v1/courses/${course.slug}/suspension/appeal`, {
      body: { appeal: 'It is mine.' },
      cookie: party.cookie,
    })
    const own = await openOf({ courseId: course.id })
    expect((await answer(by, own.id, 'refuse', 'I looked again.')).status).toBe(200)
  })
})

describe('suspending a course', () => {
  test('that its creator takes back meanwhile leaves a draft when it is lifted', async () => {
    const by = await admin()
    const owner = await someone()
    const course = await makeCourse(app.services, owner, { title: 'Taken back' })
    expect((await suspendCourse(by, course)).status).toBe(200)
    const unpublish = { body: {}, cookie: owner.cookie }
    const back = await app.request(`/rest/v1/courses/${course.id}/unpublish`, unpublish)
    expect(back.status).toBe(200)
    const { id } = await openOf({ courseId: course.id })
    expect((await lift(by, id)).status).toBe(200)
    const { rows } = await app.services.pool.query('select status from courses where id = $1', [
      course.id,
    ])
    expect(rows).toEqual([{ status: 'draft' }])
  })

  test('that its creator takes back while it is lifted leaves a draft, and nobody is told otherwise', async () => {
    const by = await admin()
    const owner = await someone()
    const course = await makeCourse(app.services, owner, { title: 'Taken back at once' })
    expect((await suspendCourse(by, course)).status).toBe(200)
    const { id } = await openOf({ courseId: course.id })
    // What taking it back has written, and not committed yet.
    const takenBack = `with mark as (update suspensions set was_published = false where id = $2)
                       update courses set status = 'draft' where id = $1`
    const [lifted] = await behindChange(
      app.services,
      [takenBack, course.id, id],
      [() => lift(by, id)],
    )
    expect(lifted!.status).toBe(200)
    const { rows } = await app.services.pool.query('select status from courses where id = $1', [
      course.id,
    ])
    expect(rows).toEqual([{ status: 'draft' }])
  })

  test('nobody new finds, joins or buys it; members keep it; lifting publishes it again', async () => {
    const by = await admin()
    const owner = await someone()
    const course = await makeCourse(app.services, owner, { title: 'Zebra keeping for beginners' })
    const member = await someone()
    await joinCourse(app.services, member, course)
    const found = async () =>
      (await app.request('/rest/v1/courses?search=zebra')).body.courses.length
    expect(await found()).toBe(1)
    expect((await suspendCourse(by, course)).status).toBe(200)
    expect((await suspendCourse(by, course)).body.code).toBe('SUSPENDED_ALREADY')
    expect(await found()).toBe(0)
    const stranger = await someone()
    const join = await app.request('/rest/v1/enrollments', {
      body: { courseId: course.id },
      cookie: stranger.cookie,
    })
    expect(join.status).toBe(404)
    const learn = await app.request(`/rest/v1/courses/${course.slug}/dashboard`, {
      cookie: member.cookie,
    })
    expect([learn.status, learn.body.suspension]).toEqual([200, null])
    const mine = await app.request(`/rest/v1/courses/${course.slug}/dashboard`, {
      cookie: owner.cookie,
    })
    expect(mine.body.suspension).toMatchObject({ reason: 'It is a copy.' })
    const publish = () =>
      app.request(`/rest/v1/courses/${course.id}/publish`, { body: {}, cookie: owner.cookie })
    expect([(await publish()).status, (await publish()).body.code]).toEqual([409, 'SUSPENDED'])
    expect(await kindsOf(owner)).toContain('course_suspended')
    const reads = (cookie: string) =>
      app.request(`/rest/v1/courses/${course.slug}/suspension`, { cookie })
    expect((await reads(member.cookie)).status).toBe(403)
    expect((await reads(owner.cookie)).body.reason).toBe('It is a copy.')
    const appealed = await app.request(`/rest/v1/courses/${course.slug}/suspension/appeal`, {
      body: { appeal: 'I wrote it.' },
      cookie: owner.cookie,
    })
    expect(appealed.status).toBe(200)
    const { id } = await openOf({ courseId: course.id })
    expect((await answer(by, id, 'grant')).status).toBe(200)
    expect(await courseRow(course.id)).toMatchObject({ status: 'published', suspendedAt: null })
    expect(await found()).toBe(1)
    expect((await actsAbout(course.id)).map(({ action }) => action)).toEqual([
      'suspend_course',
      'grant_appeal',
    ])
  })

  test('a draft stays a draft, and the database knows no published suspended course', async () => {
    const by = await admin()
    const course = await makeCourse(app.services, await someone(), { status: 'draft' })
    await suspendCourse(by, course)
    await expect(
      app.services.pool.query(`update courses set status = 'published' where id = $1`, [course.id]),
    ).rejects.toThrow('courses_suspended_is_draft')
    await lift(by, (await openOf({ courseId: course.id })).id)
    expect((await courseRow(course.id)).status).toBe('draft')
  })

  test('it is not sold, and open payment pages are closed', async () => {
    const by = await admin()
    const owner = await someone()
    const course = await makeCourse(app.services, owner)
    await app.services.pool.query(
      `update courses set pricing_type = 'one_time', price_amount = 2900 where id = $1`,
      [course.id],
    )
    const buyer = await someone()
    const buy = () =>
      app.request('/functions/v1/course-checkout', {
        body: { course_id: course.id },
        cookie: buyer.cookie,
      })
    expect((await buy()).status).toBe(200)
    const statusOf = async () =>
      (
        await app.services.db
          .select({ status: checkouts.status })
          .from(checkouts)
          .where(eq(checkouts.userId, buyer.id))
      ).map(({ status }) => status)
    expect(await statusOf()).toEqual(['open'])
    await suspendCourse(by, course)
    // A job does it, on a machine that may be busy.
    await expect.poll(statusOf).toEqual(['expired'])
    expect((await buy()).status).toBe(404)
  })

  test('nobody comes in by an application that is approved meanwhile', async () => {
    const by = await admin()
    const owner = await someone()
    const course = await makeCourse(app.services, owner)
    const applicant = await someone()
    const { rows } = await app.services.pool.query<{ id: string }>(
      `insert into course_applications (course_id, user_id, status) values ($1, $2, 'pending') returning id`,
      [course.id, applicant.id],
    )
    await suspendCourse(by, course)
    const review = (decision: string) =>
      app.request(`/rest/v1/courses/${course.id}/applications/${rows[0]!.id}/review`, {
        method: 'POST',
        body: { decision, notes: '', shareNotes: false },
        cookie: owner.cookie,
      })
    expect((await review('approved')).status).toBe(409)
  })

  test('one that is lifted while its creator is suspended waits for the creator', async () => {
    const by = await admin()
    const owner = await someone()
    const course = await makeCourse(app.services, owner)
    await suspendCourse(by, course)
    await suspend(by, owner)
    expect((await lift(by, (await openOf({ courseId: course.id })).id)).status).toBe(200)
    const account = await openOf({ userId: owner.id })
    expect(await openOf({ courseId: course.id })).toMatchObject({ becauseOf: account.id })
    expect((await courseRow(course.id)).status).toBe('draft')
    await lift(by, account.id)
    expect((await courseRow(course.id)).status).toBe('published')
  })

  test('one that is suspended for itself while its creator is suspended stays so when the creator is back', async () => {
    const by = await admin()
    const owner = await someone()
    const course = await makeCourse(app.services, owner)
    const other = await makeCourse(app.services, owner)
    await suspend(by, owner)
    const account = await openOf({ userId: owner.id })
    const both = await Promise.all([
      suspendCourse(by, course),
      suspendCourse(await admin(), course),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)!.body.code).toBe('SUSPENDED_ALREADY')
    const [withAccount, own] = await suspensionsOf({ courseId: course.id })
    expect(withAccount).toMatchObject({ becauseOf: account.id, liftedAt: expect.any(Date) })
    expect(own).toMatchObject({ becauseOf: null, liftedAt: null, wasPublished: true })
    const { rows: told } = await app.services.pool.query<{ message: string }>(
      `select message from notifications where user_id = $1 and kind = 'course_suspended'`,
      [owner.id],
    )
    expect(told).toEqual([
      { message: expect.stringMatching(/ When your account is not suspended any more, you can /) },
    ])

    expect((await lift(by, account.id)).status).toBe(200)
    expect(await courseRow(other.id)).toMatchObject({ status: 'published', suspendedAt: null })
    const stopped = { status: 'draft', suspendedAt: expect.any(Date) }
    expect(await courseRow(course.id)).toMatchObject(stopped)
    expect(await liftingToldTo(owner.id)).toBe(
      'Your account is not suspended any more. One of your courses stays suspended for itself; the others are as before.',
    )
    const appealed = await app.request(`/rest/v1/courses/${course.slug}/suspension/appeal`, {
      body: { appeal: 'It is mine.' },
      cookie: await sessionCookieOf(app.services, owner.id),
    })
    expect(appealed.status).toBe(200)
    expect((await answer(by, own!.id, 'grant')).status).toBe(200)
    expect(await courseRow(course.id)).toMatchObject({ status: 'published', suspendedAt: null })
  })

  test('those that stay suspended for themselves are told of, and those from before are as before', async () => {
    const by = await admin()
    const owner = await someone()
    const [before, emptied, ...meanwhile] = [
      await makeCourse(app.services, owner),
      await makeCourse(app.services, owner),
      await makeCourse(app.services, owner),
      await makeCourse(app.services, owner),
    ]
    await suspendCourse(by, before!)
    await suspend(by, owner)
    const account = await openOf({ userId: owner.id })
    await app.services.db
      .update(courses)
      .set({ lessonsCount: 0 })
      .where(eq(courses.id, emptied!.id))
    for (const course of meanwhile) await suspendCourse(by, course)
    await suspendCourse(by, await makeCourse(app.services, await someone()))
    expect((await lift(by, account.id)).status).toBe(200)
    expect(await liftingToldTo(owner.id)).toBe(
      'Your account is not suspended any more. One of your courses has no lessons any more, so it is a draft now; 2 of your courses stay suspended for themselves; the others are as before.',
    )
  })

  test('one that lost its lessons meanwhile comes back as a draft', async () => {
    const by = await admin()
    const course = await makeCourse(app.services, await someone(), { title: 'Knots' })
    await suspendCourse(by, course)
    await app.services.db.update(courses).set({ lessonsCount: 0 }).where(eq(courses.id, course.id))
    await lift(by, (await openOf({ courseId: course.id })).id)
    expect(await courseRow(course.id)).toMatchObject({ status: 'draft', suspendedAt: null })
    expect(await liftingToldTo(course.instructorId)).toBe(
      `“Knots” is not suspended any more. It has no lessons any more, so it is a draft now.`,
    )
  })

  test('of those that come back with their creator the ones without lessons are drafts, and told of', async () => {
    const by = await admin()
    const owner = await someone()
    const kept = await makeCourse(app.services, owner)
    const emptied = await makeCourse(app.services, owner)
    await suspend(by, owner)
    await app.services.db.update(courses).set({ lessonsCount: 0 }).where(eq(courses.id, emptied.id))
    await lift(by, (await openOf({ userId: owner.id })).id)
    expect((await courseRow(kept.id)).status).toBe('published')
    expect(await courseRow(emptied.id)).toMatchObject({ status: 'draft', suspendedAt: null })
    expect(await liftingToldTo(owner.id)).toBe(
      'Your account is not suspended any more. One of your courses has no lessons any more, so it is a draft now; the others are as before.',
    )
    const { rows } = await app.services.pool.query(
      `select details from administrative_acts where subject_id = $1 and action = 'lift_account'`,
      [owner.id],
    )
    expect(rows).toEqual([{ details: { courses: 2, withoutLessons: 1 } }])
  })

  test('whoever publishes at the moment of a suspension does not get through', async () => {
    const by = await admin()
    for (let round = 0; round < 5; round += 1) {
      const owner = await someone()
      const course = await makeCourse(app.services, owner, { status: 'draft' })
      await Promise.all([
        suspend(by, owner),
        app.request(`/rest/v1/courses/${course.id}/publish`, { body: {}, cookie: owner.cookie }),
      ])
      expect((await courseRow(course.id)).status).toBe('draft')
    }
    const { rows } = await app.services.db.execute(
      sql`select 1 from ${courses} c join ${users} u on u.id = c.instructor_id
           where u.suspended_at is not null and c.status = 'published' and c.id <> coalesce(
             (select (value #>> '{}')::uuid from settings where key = 'flagship_course_id'), c.id)`,
    )
    expect(rows).toEqual([])
  })
})
