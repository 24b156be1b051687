// Every limit of the product, met by many at the same moment on two nodes: as many get through as may, the others
// are told why not, and the rows say the same. What a domain's own test shows already is named here, and looked for.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openRateLimits, type RateLimits } from '../../src/server/rate-limits.ts'
import { type Answer, startTestApp, type TestApp } from '../app.ts'
import { contractRows, requestOf } from '../contract-rows.ts'
import { inputs } from '../contract-inputs.ts'
import {
  joinCourse,
  makeCourse,
  makeMedia,
  makePerson,
  makePost,
  sessionCookieOf,
} from '../factories.ts'
import { makeWorld, type World } from './world.ts'

let first: TestApp
let second: TestApp
let world: World
beforeAll(async () => {
  const shared = { JOBS: 'off', AUTH_SECRET: 'shared by the two nodes of this test' }
  first = await startTestApp(shared)
  second = await startTestApp({ ...shared, DATABASE_URL: first.databaseUrl })
}, 120_000)
afterAll(async () => {
  await second?.stop()
  await first?.stop()
})
beforeEach(async () => {
  await first.services.pool.query('delete from rate_limits')
  world = await makeWorld(first.services)
})

const sql = async (statement: string, values: unknown[] = []) =>
  (await first.services.pool.query(statement, values)).rows
const counted = async (from: string, values: unknown[] = []): Promise<number> =>
  (await sql(`select count(*)::int as count from ${from}`, values))[0].count

/** One call of the contract; every other one goes to the second node. */
let sent = 0
async function call(
  name: string,
  cookie: string,
  changes: Record<string, unknown> = {},
  whole = false,
): Promise<Answer> {
  const row = contractRows.find((one) => one.name === name)!
  const valid = whole ? {} : await inputs[name]!(world.target, first.services)
  const { path, body } = requestOf(row, { ...valid, ...changes })
  return (sent++ % 2 === 0 ? first : second).request(path, {
    method: row.method,
    body: body ?? {},
    cookie,
  })
}

interface Race {
  limit: string
  /** Makes everything ready, and answers with what is sent at once. */
  ready(): Promise<(() => Promise<Answer>)[]>
  /** How many may. */
  may: number
  /** What the rows say afterwards. */
  rows(): Promise<number>
  count: number
  /** Those who come too late are answered as if they had been first, because the same thing is wanted. */
  isSame?: boolean
}

const times = (count: number, attempt: (number: number) => Promise<Answer>) =>
  Array.from({ length: count }, (_, number) => () => attempt(number))

async function somebody() {
  const person = await makePerson(first.services)
  return { ...person, cookie: await sessionCookieOf(first.services, person.id) }
}

/** A free course of somebody without Pro, with so many students. */
async function freeCourseWith(students: number) {
  const creator = await somebody()
  const course = await makeCourse(first.services, creator)
  for (let joined = 0; joined < students; joined++) {
    await joinCourse(first.services, await makePerson(first.services), course)
  }
  return { creator, course }
}

let subject = ''

const races: Race[] = [
  {
    limit: '20 tokens of a person',
    async ready() {
      await sql(
        `insert into personal_tokens (user_id, name, token_hash, ending, scopes)
         select $1, 'A program', gen_random_uuid()::text, 'wxyz', '{courses:read}'
           from generate_series(1, 17)`,
        [world.owner.id],
      )
      return times(10, (n) => call('tokens.createToken', world.owner.cookie, { name: `Nr ${n}` }))
    },
    may: 3,
    rows: () => counted('personal_tokens where user_id = $1', [world.owner.id]),
    count: 20,
  },
  {
    limit: '100 coupons of a course',
    async ready() {
      await sql(
        `insert into coupons (course_id, code, percent_off)
         select $1, 'OLD-CODE-' || n, 10 from generate_series(1, 98) n`,
        [world.target.courseId],
      )
      return times(8, () => call('purchases.createCoupon', world.owner.cookie))
    },
    may: 2,
    rows: () => counted('coupons where course_id = $1', [world.target.courseId]),
    count: 100,
  },
  {
    limit: 'one coupon of one code',
    ready: async () =>
      times(10, () => call('purchases.createCoupon', world.owner.cookie, { code: 'ONLY-ONCE' })),
    may: 1,
    rows: () => counted(`coupons where course_id = $1`, [world.target.courseId]),
    count: 1,
  },
  {
    limit: '100 posts that wait',
    async ready() {
      await sql(
        `insert into posts (course_id, user_id, content, status, scheduled_for)
         select $1, $2, 'Later', 'scheduled', now() + interval '1 day' from generate_series(1, 97)`,
        [world.target.courseId, world.owner.id],
      )
      const scheduledFor = new Date(Date.now() + 172_800_000).toISOString()
      return times(9, () =>
        call('community.createPost', world.owner.cookie, { attachments: [], scheduledFor }),
      )
    },
    may: 3,
    rows: () =>
      counted(`posts where course_id = $1 and status = 'scheduled'`, [world.target.courseId]),
    count: 100,
  },
  {
    limit: '3 announcements of a course in a day',
    ready: async () =>
      times(9, () =>
        call('community.createPost', world.owner.cookie, { attachments: [], isAnnouncement: true }),
      ),
    may: 3,
    rows: () => counted('posts where course_id = $1 and is_announcement', [world.target.courseId]),
    count: 3,
  },
  {
    limit: '500 deliveries by hand in a day',
    async ready() {
      const { endpointId } = await inputs['webhooks.sendTestWebhook']!(world.target, first.services)
      subject = String(endpointId)
      await sql(`insert into rate_limits (key, points, expire) values ($1, 497, $2)`, [
        `webhooks-by-hand:${world.owner.id}`,
        Date.now() + 60_000,
      ])
      return times(9, () =>
        call('webhooks.sendTestWebhook', world.owner.cookie, { endpointId: subject }, true),
      )
    },
    may: 3,
    rows: () => counted('webhook_messages where endpoint_id = $1', [subject]),
    count: 3,
  },
  {
    limit: '100 messages of a request for support',
    async ready() {
      const asked = await inputs['support.writeToSupport']!(world.target, first.services)
      subject = String(asked.requestId)
      await sql(
        `insert into support_messages (request_id, author_id, body)
         select $1, $2, 'And one thing more' from generate_series(1, 98)`,
        [subject, world.owner.id],
      )
      const input = { requestId: subject }
      return times(12, (n) =>
        n % 3 === 0
          ? call('support.answerSupportRequest', world.administrator.cookie, input)
          : // The same words again would be the same message.
            call('support.writeToSupport', world.owner.cookie, {
              ...input,
              message: `Number ${n}`,
            }),
      )
    },
    may: 2,
    rows: () => counted('support_messages where request_id = $1', [subject]),
    count: 100,
  },
  {
    limit: '25 students of a free course, by every way in',
    async ready() {
      const { creator, course } = await freeCourseWith(22)
      subject = course.id
      const applicants = await Promise.all(Array.from({ length: 10 }, somebody))
      const ids: string[] = []
      for (const { id } of applicants) {
        const [row] = await sql(
          'insert into course_applications (course_id, user_id) values ($1, $2) returning id',
          [course.id, id],
        )
        ids.push(row.id)
      }
      const [{ code }] = await sql(
        `insert into course_invitations (course_id, code) values ($1, $2) returning code`,
        [course.id, `${course.id.replaceAll('-', '').slice(0, 22)}`],
      )
      const joiners = await Promise.all(Array.from({ length: 12 }, somebody))
      return [
        ...joiners.map(
          ({ cookie }, n) =>
            () =>
              call(
                'enrollment.enroll',
                cookie,
                { courseId: course.id, ...(n % 2 === 0 && { invitation: code }) },
                true,
              ),
        ),
        ...ids.map(
          (applicationId) => () =>
            call(
              'applications.reviewApplication',
              creator.cookie,
              { courseId: course.id, applicationId, decision: 'approved' },
              true,
            ),
        ),
      ]
    },
    may: 3,
    rows: async () => {
      const [{ students_count: said }] = await sql(
        'select students_count from courses where id = $1',
        [subject],
      )
      const rows = await counted(
        `enrollments e join courses c on c.id = e.course_id
          where c.id = $1 and e.user_id <> c.instructor_id`,
        [subject],
      )
      expect(said).toBe(rows)
      return rows
    },
    count: 25,
  },
  {
    limit: 'one import of a person at a time',
    async ready() {
      const ids = await Promise.all(
        Array.from({ length: 8 }, () =>
          makeMedia(first.services, world.owner, { purpose: 'import' }),
        ),
      )
      return ids.map(
        (mediaId) => () =>
          call('courseTransfer.startImport', world.owner.cookie, { mediaId }, true),
      )
    },
    may: 1,
    rows: () => counted('course_imports where user_id = $1', [world.owner.id]),
    count: 1,
  },
  {
    limit: 'one report of a post by one person',
    ready: async () => times(10, () => call('moderation.reportContent', world.member.cookie)),
    may: 10,
    isSame: true,
    rows: () => counted('moderation_reports where reporter_id = $1', [world.member.id]),
    count: 1,
  },
  {
    limit: 'one like of a post by one person',
    ready: async () => times(20, () => call('community.likePost', world.member.cookie)),
    may: 20,
    isSame: true,
    async rows() {
      const likes = await counted('post_likes where post_id = $1', [world.target.postId])
      const [post] = await sql('select likes_count from posts where id = $1', [world.target.postId])
      expect(post.likes_count).toBe(likes)
      return likes
    },
    count: 1,
  },
  {
    limit: 'one vote of a person in a poll',
    async ready() {
      subject = await makePost(
        first.services,
        { id: world.target.courseId, instructorId: world.owner.id },
        { by: world.owner },
      )
      await sql('insert into polls (post_id) values ($1)', [subject])
      const options = await sql(
        `insert into poll_options (post_id, text, order_index)
         select $1, 'Choice ' || n, n from generate_series(1, 5) n returning id`,
        [subject],
      )
      return times(20, (n) =>
        call(
          'community.votePoll',
          world.member.cookie,
          { postId: subject, optionId: options[n % 5].id },
          true,
        ),
      )
    },
    may: 20,
    isSame: true,
    async rows() {
      const [{ sum }] = await sql(
        'select sum(votes_count)::int as sum from poll_options where post_id = $1',
        [subject],
      )
      const votes = await counted('poll_votes where post_id = $1', [subject])
      expect(sum).toBe(votes)
      return votes
    },
    count: 1,
  },
  {
    limit: 'one certificate for a course',
    async ready() {
      await sql(
        `insert into lesson_completions (user_id, lesson_id, course_id)
         select $1, id, course_id from lessons where course_id = $2`,
        [world.member.id, world.target.courseId],
      )
      return times(10, () => call('certificates.claimCertificate', world.member.cookie))
    },
    may: 10,
    isSame: true,
    rows: () =>
      counted('certificates where user_id = $1 and course_id = $2', [
        world.member.id,
        world.target.courseId,
      ]),
    count: 1,
  },
  {
    limit: 'one draw of a challenge',
    async ready() {
      const input = await inputs['challenges.drawChallenge']!(world.target, first.services)
      subject = String(input.challengeId)
      return times(8, () =>
        call('challenges.drawChallenge', world.administrator.cookie, input, true),
      )
    },
    may: 8,
    isSame: true,
    rows: () => counted('administrative_acts where subject_id = $1', [subject]),
    count: 1,
  },
  {
    limit: 'one appeal of a suspension',
    async ready() {
      await sql('update users set suspended_at = now() where id = $1', [world.member.id])
      await sql(`insert into suspensions (user_id, reason) values ($1, 'Spam')`, [world.member.id])
      return times(8, (n) =>
        call('administration.appealMySuspension', world.member.cookie, { appeal: `It was ${n}` }),
      )
    },
    may: 1,
    rows: () =>
      counted('suspensions where user_id = $1 and appealed_at is not null', [world.member.id]),
    count: 1,
  },
  {
    limit: 'one answer to an appeal',
    async ready() {
      const input = await inputs['administration.answerAppeal']!(world.target, first.services)
      subject = String(input.suspensionId)
      return times(8, (n) =>
        call(
          'administration.answerAppeal',
          world.administrator.cookie,
          { ...input, decision: n % 2 === 0 ? 'refuse' : 'grant' },
          true,
        ),
      )
    },
    may: 1,
    rows: () =>
      counted(
        `administrative_acts where subject_id = (select user_id::text from suspensions where id = $1)`,
        [subject],
      ),
    count: 1,
  },
  {
    limit: 'one suspension of an account',
    async ready() {
      subject = (await makePerson(first.services)).id
      return times(8, () =>
        call(
          'administration.suspendAccount',
          world.administrator.cookie,
          { userId: subject, reason: 'Spam' },
          true,
        ),
      )
    },
    may: 1,
    rows: () => counted('suspensions where user_id = $1', [subject]),
    count: 1,
  },
  {
    limit: 'one revocation of a certificate',
    async ready() {
      const input = await inputs['certificates.revokeCertificate']!(world.target, first.services)
      subject = String(input.certificateId)
      return times(8, () => call('certificates.revokeCertificate', world.owner.cookie, input, true))
    },
    may: 8,
    isSame: true,
    rows: () => counted('certificates where id = $1 and revoked_at is not null', [subject]),
    count: 1,
  },
  {
    limit: 'one decision of a case',
    async ready() {
      subject = world.target.caseId
      return times(8, (n) =>
        call(
          'moderation.decideCase',
          world.owner.cookie,
          { caseId: subject, action: n % 2 === 0 ? 'hide' : 'dismiss', note: '' },
          true,
        ),
      )
    },
    may: 1,
    rows: () => counted('moderation_actions where case_id = $1', [subject]),
    count: 1,
  },
]

describe('at the same moment', () => {
  test.each(races)('$limit', async ({ ready, may, rows, count, isSame }) => {
    const attempts = await ready()
    const answers = await Promise.all(attempts.map((attempt) => attempt()))
    const through = answers.filter(({ status }) => status === 200)
    const others = answers.filter(({ status }) => status !== 200)
    expect(
      others.filter(({ status }) => status < 400 || status >= 500),
      'refusals',
    ).toEqual([])
    for (const { body } of others) expect(body.message).toMatch(/^[A-Z“]\w* \w+ .+/)
    expect([through.length, others.length]).toEqual([may, attempts.length - may])
    if (!isSame) expect(others.length).toBeGreaterThan(0)
    expect(await rows()).toBe(count)
  })
})

test('10 applications of a person to a course in a day, however they are sent and withdrawn', async () => {
  const creator = await somebody()
  const course = await makeCourse(first.services, creator)
  await sql('update courses set application_required = true where id = $1', [course.id])
  const applicant = await somebody()
  let refused = 0
  const again = async () => {
    for (let round = 0; round < 12; round++) {
      const { status, body } = await call(
        'applications.submitApplication',
        applicant.cookie,
        { courseId: course.id, answers: [] },
        true,
      )
      if (status === 200) {
        await call(
          'applications.withdrawApplication',
          applicant.cookie,
          { applicationId: body.id ?? body.application?.id },
          true,
        )
      } else {
        expect(status).toBe(409)
        refused++
      }
    }
  }
  await Promise.all([again(), again(), again()])
  expect(refused).toBeGreaterThan(0)
  expect(await counted('course_applications where course_id = $1', [course.id])).toBe(10)
})

test('each limit of attempts lets exactly so many through, of more who come at once on two nodes', async () => {
  // The shortest of them is a limit for two seconds, which must not be over before the next one asks.
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const nodes = [openRateLimits(first.services.pool), openRateLimits(second.services.pool)]
  const names = Object.keys(nodes[0]!) as (keyof RateLimits)[]
  expect(names.length).toBeGreaterThan(20)
  for (const name of names) {
    const key = `race ${name}`
    // How many it allows is found one after the other.
    let points = 0
    while ((await nodes[0]![name].count(`${key} alone`)) === 0) points++
    const answers = await Promise.all(
      Array.from({ length: points + 20 }, (_, n) => nodes[n % 2]![name].count(key)),
    )
    expect([name, answers.filter((wait) => wait === 0).length]).toEqual([name, points])
    expect(await nodes[1]![name].wait(key), name).toBeGreaterThan(0)
  }
})

/** Limits whose race stands beside what they limit. */
const elsewhere: [limit: string, file: string, title: string][] = [
  ['wrong passwords', 'src/domains/accounts/rate-limits.test.ts', 'guessed all at once are as few'],
  [
    'guesses before an account is deleted',
    'src/domains/accounts/delete-account.test.ts',
    'after ten guesses',
  ],
  [
    'one account of an address',
    'src/domains/accounts/sign-up.test.ts',
    'of many sign-ups with one address',
  ],
  [
    'one person of a username',
    'src/domains/accounts/profile.test.ts',
    'that twenty people want at once',
  ],
  [
    'one picture of a person',
    'src/domains/accounts/avatar.test.ts',
    'of two that are set at once one stays',
  ],
  [
    'one use of a reset link',
    'src/server/auth/recovery.test.ts',
    'works once, also for many requests at once',
  ],
  [
    'one use of a code',
    'src/server/auth/codes-and-links.test.ts',
    'of two requests at once lets one in',
  ],
  [
    'one use of a log-in link',
    'src/server/auth/codes-and-links.test.ts',
    'of many requests at once lets one in',
  ],
  ['one use of a two-step code', 'src/server/auth/two-step.test.ts', 'is accepted once by many'],
  ['one use of a wallet’s nonce', 'src/server/auth/wallet.test.ts', 'a nonce twice, at once too'],
  [
    'the last way to log in',
    'src/server/auth/oauth.test.ts',
    'of all that are disconnected at once',
  ],
  [
    'one course of a free creator',
    'src/domains/courses/create-course.test.ts',
    'exactly one of 50 attempts at once',
  ],
  [
    'one import at a time',
    'src/domains/course-transfer/import-course.test.ts',
    'is never done by two at once',
  ],
  ['25 students', 'src/domains/enrollment/enrollment.test.ts', 'exactly, of 50 who come at once'],
  [
    'one enrollment of a person',
    'src/domains/enrollment/enrollment.test.ts',
    '20 times at once is once',
  ],
  [
    'uses of an invitation',
    'src/domains/invitations/invitations.test.ts',
    'lets in exactly as many as it says',
  ],
  ['100 open links', 'src/domains/invitations/invitations.test.ts', '100 of them can be open'],
  [
    'invitations mailed in a day',
    'src/domains/invitations/invitations.test.ts',
    'of one person has a limit over all courses',
  ],
  [
    'one application at a time',
    'src/domains/applications/applying.test.ts',
    'twenty times at once is once',
  ],
  [
    'one review of an application',
    'src/domains/applications/reviewing.test.ts',
    'happens once, also when two come at once',
  ],
  [
    '10 pinned posts',
    'src/domains/community/posts.test.ts',
    'stops at ten, also of twelve at once',
  ],
  [
    'one deletion of a post',
    'src/domains/community/posts.test.ts',
    'by several at once it goes once',
  ],
  [
    'one list of channels',
    'src/domains/community/advanced.test.ts',
    'saving at the same moment leaves one of the lists',
  ],
  ['one review of a person', 'src/domains/reviews/reviews.test.ts', 'twenty at once are one'],
  ['500 notes of a lesson', 'src/domains/lessons/notes.test.ts', 'is one of 500 at most'],
  [
    'streams at once',
    'src/domains/media/stream-limit.test.ts',
    'of ten devices that begin at once two play',
  ],
  [
    '20 unfinished uploads',
    'src/domains/media/uploads.test.ts',
    'a person has at most 20 unfinished uploads',
  ],
  [
    'redemptions of a coupon',
    'src/domains/purchases/coupons.test.ts',
    'that is the only one goes to one of 20',
  ],
  ['one payment page', 'src/domains/purchases/course-checkout.test.ts', '20 clicks at once'],
  ['one refund', 'src/domains/earnings/refund-sale.test.ts', 'two at once pay back once'],
  [
    'one payout',
    'src/domains/payouts/payouts.test.ts',
    'twenty at once are one, which is sent once',
  ],
  [
    'what is there to pay out',
    'src/domains/payouts/payouts.test.ts',
    'a payout and a refund in the same moment',
  ],
  [
    'one payout account',
    'src/domains/payouts/payout-setup.test.ts',
    'two at once make one account',
  ],
  ['one demo upgrade', 'src/domains/billing/billing.test.ts', 'tried twice at once is one'],
  [
    'one entry of a person',
    'src/domains/challenges/challenges.test.ts',
    'sent at once, on two nodes, is one',
  ],
  ['10 webhooks', 'src/domains/webhooks/webhooks.test.ts', 'is one of at most ten'],
  ['one request of a key', 'src/server/idempotency.test.ts', 'sent 20 times at once is done once'],
  [
    'one announcement',
    'src/domains/administration/announcements.test.ts',
    'sent twice, also at once, is one',
  ],
  [
    'one switch of a feature',
    'src/domains/administration/features.test.ts',
    'of two administrators at once one switches it',
  ],
  [
    'the last administrator',
    'src/domains/administration/suspensions.test.ts',
    'of two administrators who suspend each other',
  ],
  [
    'one event of the provider',
    'src/domains/payments/webhooks.test.ts',
    'is noted once, however often',
  ],
  [
    'pictures drawn at once',
    'src/domains/site/site-files.test.ts',
    'asked for all at once are drawn',
  ],
]

test.each(elsewhere)('%s: %s, “%s…”', async (_limit, file, title) => {
  const source = await readFile(file, 'utf8')
  const found = source
    .split(/^\s*test(?:\.each\(.*\))?\(\s*['"`]/m)
    .filter((one) => one.startsWith(title))
  expect(found).not.toEqual([])
  expect(found.join('')).toMatch(/Promise\.all|\ball\(/)
})
