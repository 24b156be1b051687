// Every link, picture, style, script and form of the whole site leads somewhere, whoever follows it.
import { expect, test } from '@playwright/test'
import {
  completeLessons,
  joinCourse,
  lessonsOf,
  makeCase,
  makeCourse,
  makePerson,
  makePost,
  makeReview,
  sessionCookieOf,
} from '../factories.ts'
import { type Crawl, crawl, pageKinds } from './crawler.ts'
import { bootSecondNode } from './second-node.ts'
import { type BuiltServer, startBuiltServer } from './server.ts'

/** Pages that nothing may link to: mails, other sites and what somebody is in the middle of lead there. */
const unlinked = [
  '/billing/cancel',
  '/billing/courses/:purchaseId/cancel',
  '/billing/receipts/:paymentId/:document',
  '/billing/update-payment',
  '/course/:slug/apply',
  '/course/:slug/continue',
  '/course/:slug/coupons',
  '/course/:slug/suspension',
  '/lesson/:lessonId',
  '/login/sso',
  '/login/two-step',
  '/login/with/:provider',
  '/logout',
  '/offline',
  '/payments/pay-out',
  '/payments/remove',
  '/payments/sales/:saleId/refund',
  '/reset-password',
  '/settings/notifications',
  // Its link is in a tab that comes when it is looked at.
  '/settings/webhooks/:endpointId',
  '/suspended',
  '/unsubscribe',
  '/upgrade/demo',
]

/** One of everything, so that every kind of page is there and has its links. */
async function furnish(server: BuiltServer) {
  const { services, stop } = await bootSecondNode(server)
  const person = async (name: string) => {
    const made = await makePerson(services, { name, bio: `I am ${name}.` })
    return { ...made, cookie: await sessionCookieOf(services, made.id) }
  }
  const creator = await person('Cleo Creator')
  const learner = await person('Lea Learner')
  const admin = await person('Ada Ministrator')
  await services.pool.query(`update users set role = 'admin' where id = $1`, [admin.id])
  await services.pool.query(`insert into plan_grants (user_id, reason) values ($1, 'A test')`, [
    creator.id,
  ])
  const knots = await makeCourse(services, creator, {
    title: 'Knots & “Bends” ⚡',
    description: 'All that holds.',
    chapters: [
      {
        title: 'First knots',
        lessons: [
          { title: 'Reef knot', links: [{ title: 'More', url: 'https://example.com/knots' }] },
          { title: 'Bowline', content: 'Up through the hole.' },
        ],
      },
    ],
  })
  const lessons = await lessonsOf(services, knots.id)
  await services.pool.query('update lessons set is_preview = true where id = $1', [lessons[0]!.id])
  await makeCourse(services, creator, { title: 'A draft', status: 'draft' })
  for (let number = 1; number <= 3; number++) {
    await makeReview(services, knots, { rating: number + 2, reviewText: `Review ${number}` })
  }
  await joinCourse(services, learner, knots)
  await makePost(services, knots, { by: learner, content: 'See https://example.com/rope' })
  await makeCase(services, knots)
  await completeLessons(services, learner, knots, 1)
  await stop()

  const send = async (cookie: string, path: string, body: object = {}, method = 'POST') => {
    const answer = await fetch(server.url + path, {
      method,
      headers: { cookie, origin: server.url, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.status, `${path} ${await answer.clone().text()}`).toBe(200)
    return answer.json()
  }
  // The last lesson brings the certificate.
  await send(learner.cookie, `/rest/v1/lessons/${lessons[1]!.id}/completion`, {}, 'PUT')
  await send(learner.cookie, '/rest/v1/support/requests', {
    topic: 'other',
    subject: 'A question',
    message: 'How do I tie it?',
  })
  const { id } = await send(admin.cookie, '/rest/v1/admin/challenges', {
    kind: 'challenge',
    title: 'First lessons',
    prize: 'A rope',
    rules: 'Enter a course.',
    opensAt: new Date(Date.now() - 60_000).toISOString(),
    closesAt: new Date(Date.now() + 3_600_000).toISOString(),
  })
  await send(admin.cookie, `/rest/v1/admin/challenges/${id}/publish`)
  const invitation = await send(creator.cookie, `/rest/v1/courses/${knots.id}/invitations`)
  return { creator, learner, admin, invitation: String(invitation.url) }
}

test('the whole site, as a stranger, a learner, a creator with Pro and an administrator', async () => {
  // More than a thousand pages, and a machine that may be busy with other journeys.
  test.setTimeout(600_000)
  const server = await startBuiltServer()
  const reached = new Set<string>()
  const broken: string[] = []
  const go = async (who: string, starts: string[], cookie?: string) => {
    const found: Crawl = await crawl(server.url, starts, cookie)
    for (const kind of found.kinds.keys()) reached.add(kind)
    broken.push(...found.broken.map((problem) => `${who}: ${problem}`))
    const kinds = [...found.kinds].map(([kind, pages]) => `  ${pages} × ${kind}`).toSorted()
    console.log(`${who} asked for ${found.visited.length} addresses:\n${kinds.join('\n')}`)
  }
  try {
    const { creator, learner, admin, invitation } = await furnish(server)
    await go('a stranger', ['/', '/robots.txt', '/favicon.ico', invitation])
    await go('a learner', ['/', invitation], learner.cookie)
    await go('a creator', ['/'], creator.cookie)
    await go('an administrator', ['/'], admin.cookie)
  } finally {
    await server.stop()
  }
  expect(broken).toEqual([])
  expect(pageKinds().filter((kind) => !reached.has(kind) && !unlinked.includes(kind))).toEqual([])
})
