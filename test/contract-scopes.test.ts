// What personal access tokens reach: every call of the contract, without its scope and with nothing else.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Scope, scopes } from '../src/domains/tokens/rules.ts'
import { type Answer, startTestApp, type TestApp } from './app.ts'
import { type ContractRow, contractRows, described, requestOf } from './contract-rows.ts'
import { inputs, type Target } from './contract-inputs.ts'
import {
  completeLessons,
  joinCourse,
  type MadePerson,
  makeCourse,
  makePerson,
  personalTokenOf,
  sessionCookieOf,
} from './factories.ts'
import { makeTarget } from './make-target.ts'

let app: TestApp
let owner: MadePerson
let cookie: string
let target: Target
let stranger: MadePerson

const newTarget = async () => makeTarget(app.services, await makeCourse(app.services, owner))

beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app.services)
  stranger = await makePerson(app.services)
  cookie = await sessionCookieOf(app.services, owner.id)
  target = await newTarget()
})
afterAll(() => app?.stop())

async function call(
  row: ContractRow,
  about: Target,
  by: { token: string } | { cookie: string },
): Promise<Answer> {
  const { path, body } = requestOf(row, await inputs[row.name]!(about, app.services))
  return app.request(path, {
    method: row.method,
    body,
    ...('token' in by ? { headers: { authorization: `Bearer ${by.token}` } } : by),
  })
}

const reachable = contractRows.filter(({ scope }) => scope)
const closed = contractRows.filter(({ scope }) => !scope)

describe('a token with everything but the scope', () => {
  test.each(reachable)('is refused by $name', async (row) => {
    const others = scopes.filter((scope) => scope !== row.scope)
    const token = await personalTokenOf(app.services, owner.id, { scopes: others })
    const { status, body } = await call(row, target, { token })
    expect([status, body.code]).toEqual([403, 'OUT_OF_SCOPE'])
    expect(body.message).toBe(
      `This access token may not do this: it does not have the scope “${row.scope}”.`,
    )
    expect(body.data).toEqual({ scope: row.scope })
  })
})

describe('a token with every scope', () => {
  test.each(closed)('is refused by $name, which no token reaches', async (row) => {
    const token = await personalTokenOf(app.services, owner.id)
    const { status, body } = await call(row, target, { token })
    expect([status, body.code]).toEqual([403, 'OUT_OF_SCOPE'])
    expect(body.message).toBe('This cannot be done with a personal access token.')
  })
})

describe('a token with the scope alone', () => {
  test.each(reachable)('does at $name what its person may do', async (row) => {
    const token = await personalTokenOf(app.services, owner.id, { scopes: [row.scope!] })
    const isRead = row.method === 'GET'
    const byToken = await call(row, isRead ? target : await newTarget(), { token })
    const byCookie = await call(row, isRead ? target : await newTarget(), { cookie })
    const told = ({ status, body }: Answer) => [status, status === 200 ? null : body.code]
    expect(told(byToken)).toEqual(told(byCookie))
    expect(byToken.status).not.toBe(401)
    expect(Object.keys(byToken.body ?? {})).toEqual(Object.keys(byCookie.body ?? {}))
  })

  test.each(reachable.filter(({ access }) => access === 'instructor' || access === 'moderator'))(
    'is refused by $name about somebody else’s course',
    async (row) => {
      const token = await personalTokenOf(app.services, stranger.id, { scopes: [row.scope!] })
      expect((await call(row, target, { token })).status).toBe(403)
    },
  )

  test('of an administrator has no powers of one', async () => {
    const admin = await makePerson(app.services)
    await app.services.pool.query(`update users set role = 'admin' where id = $1`, [admin.id])
    const token = await personalTokenOf(app.services, admin.id)
    for (const row of reachable.filter(({ access }) => access === 'moderator')) {
      expect((await call(row, target, { token })).status).toBe(403)
    }
    const feed = reachable.find(({ name }) => name === 'community.getFeed')!
    expect((await call(feed, target, { token })).status).toBe(403)
  })
})

test('how somebody learns is told on the dashboard to a token that may read it, and to no other', async () => {
  const learner = await makePerson(app.services)
  const course = await makeCourse(app.services, owner)
  await joinCourse(app.services, learner, course)
  await completeLessons(app.services, learner, course, 1)
  const dashboard = contractRows.find(({ name }) => name === 'courses.getMyDashboard')!
  const enrolledFor = async (by: { token: string } | { cookie: string }) =>
    (await call(dashboard, target, by)).body.enrolled
  const tokenWith = (...of: Scope[]) => personalTokenOf(app.services, learner.id, { scopes: of })

  const whole = await enrolledFor({ cookie: await sessionCookieOf(app.services, learner.id) })
  expect(whole).toMatchObject([{ id: course.id, completedCount: 1 }])
  const both = await tokenWith('courses:read', 'learning:read')
  expect(await enrolledFor({ token: both })).toEqual(whole)
  const courses = await tokenWith('courses:read')
  expect(await enrolledFor({ token: courses })).toEqual([
    { ...whole[0], progressPercent: null, completedCount: null, continueWith: null },
  ])
})

test('what others did in own courses is told to a token that may read analytics, and to no other', async () => {
  const creator = await makePerson(app.services)
  const learner = await makePerson(app.services)
  const course = await makeCourse(app.services, creator)
  await joinCourse(app.services, learner, course)
  await app.services.pool.query(
    `insert into user_activities (user_id, course_id, activity_type)
     select unnest($1::uuid[]), $2, 'post_created'`,
    [[creator.id, learner.id], course.id],
  )
  const activities = contractRows.find(({ name }) => name === 'analytics.getUserActivities')!
  const whoActed = async (...of: Scope[]) => {
    const token = await personalTokenOf(app.services, creator.id, { scopes: of })
    const { body } = await call(activities, target, { token })
    return new Set(body.activities.map(({ user }: { user: { id: string } }) => user.id))
  }
  expect(await whoActed('learning:read')).toEqual(new Set([creator.id]))
  expect(await whoActed('learning:read', 'analytics:read')).toEqual(
    new Set([creator.id, learner.id]),
  )
})

const onePage = 'is one thing, with the few that belong to it'
/** Lists that tokens reach and that have no cursor. */
const otherLists: Record<string, string> = {
  'accounts.getProfile': 'grows by show',
  'analytics.getAdvancedAnalytics': 'points of a period, in days up to 62',
  'analytics.getCourseActivity': 'the 10 newest',
  'analytics.getCreatorAnalytics': 'some courses, and the rest in one sum',
  'analytics.getUserActivities': 'the 50 newest',
  'applications.getApplicationQuestions': onePage,
  'certificates.getMyCertificates': 'one for each course that was completed',
  'community.findMentionable': 'the first few that are meant by some letters',
  'community.getPost': onePage,
  'community.getScheduledPosts': 'of one course, before their time',
  'courses.getCourseContent': onePage,
  'courses.getCourseDashboard': onePage,
  'courses.getCoursePage': onePage,
  'courses.getMyDashboard': 'own courses, and those one is in',
  'courses.getPublishChecklist': onePage,
  'courses.listCourses': 'grows by show',
  'earnings.getEarnings': 'one for each month',
  'lessons.getLesson': onePage,
  'lessons.getOutline': onePage,
  'lessons.getPreviewLesson': onePage,
  'lessons.listNotes': 'of one person in one lesson',
  'media.getCaptions': 'of one film',
  'media.listCaptions': 'one for each language',
  'moderation.getCase': onePage,
  'moderation.getCommunitySettings': onePage,
  'notifications.getNotifications': 'the latest 50',
  'purchases.getCoupons': 'at most 100',
  'reviews.getCourseReviews': 'pages with numbers, as on the page',
  'site.listFeaturedCourses': 'six',
}

test('lists have a cursor, or are named', async () => {
  const { paths } = (await app.request('/rest/v1/openapi.json')).body
  const isList = (schema: { type?: string }) => schema?.type === 'array'
  const without = reachable.filter(({ path, method }) => {
    if (method !== 'GET') return false
    const { schema } =
      paths[described(path)].get.responses['200'].content?.['application/json'] ?? {}
    const fields = schema?.properties ?? {}
    return isList(schema) || (!fields.nextCursor && Object.values<object>(fields).some(isList))
  })
  expect(without.map(({ name }) => name).toSorted()).toEqual(Object.keys(otherLists).toSorted())
})

test('what concerns the account, money that leaves, and administrators is reached by no token', () => {
  const names = closed.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      'accounts.deleteAccount',
      'accounts.getMySecurity',
      'accounts.endMySession',
      'accounts.removeMyTelephone',
      'tokens.getMyTokens',
      'tokens.createToken',
      'tokens.revokeToken',
      'courses.deleteCourse',
      'payouts.connectPayoutMethod',
      'payouts.requestPayout',
      'payouts.takeBackPayout',
      'billing.stripePortal',
      'purchases.courseCheckout',
      'realtime.watchEvents',
    ]),
  )
  expect(contractRows.filter(({ access, scope }) => access === 'admin' && scope)).toEqual([])
  expect(new Set(reachable.map(({ scope }) => scope))).toEqual(new Set(scopes))
})
