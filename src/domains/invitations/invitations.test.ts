import { sql as statement } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../test/app.ts'
import { joinCourse, makeCourse, makePerson, sessionCookieOf } from '../../../test/factories.ts'
import { jobsDone, mailsTo, mailTo } from '../../../test/mailbox.ts'
import { watchStatements } from '../../../test/statements.ts'
import { enqueue } from '../../server/jobs.ts'
import { exportedRows } from '../../server/personal-data.ts'
import { inviteAddresses } from './invite-by-list.ts'
import { invitationsData } from './personal-data.ts'
import { courseInvitations } from './tables.ts'

let app: TestApp
let creator: Person

const person = async (name?: string, email?: string): Promise<Person> => {
  const made = await makePerson(app.services, { name, email })
  return { ...made, cookie: await sessionCookieOf(app.services, made.id) }
}

beforeAll(async () => {
  app = await startTestApp()
  creator = await person('Ida Instructor', 'ida@example.com')
})
afterAll(() => app.stop())

type Course = Awaited<ReturnType<typeof makeCourse>>

const link = async (course: Course, limits: object = {}) => {
  const path = `/rest/v1/courses/${course.id}/invitations`
  const { status, body } = await app.request(path, { cookie: creator.cookie, body: limits })
  expect(status).toBe(200)
  return { ...body, code: body.url.split('/').at(-1) as string }
}
const join = ({ cookie }: Person, course: Course, invitation?: string) =>
  app.request('/rest/v1/enrollments', { cookie, body: { courseId: course.id, invitation } })
const look = (code: string, cookie?: string) =>
  app.request(`/rest/v1/invitations/${code}`, { cookie })
const listed = async (course: Course, kind: 'links' | 'mails') => {
  const path = `/rest/v1/courses/${course.id}/invitations?kind=${kind}`
  return (await app.request(path, { cookie: creator.cookie })).body.invitations
}
const revoke = (course: Course, id: string) =>
  app.request(`/rest/v1/courses/${course.id}/invitations/${id}`, {
    method: 'DELETE',
    cookie: creator.cookie,
  })
const invite = (course: Course, csv: string, dryRun: boolean, cookie = creator.cookie) =>
  app.request(`/rest/v1/courses/${course.id}/invitations/csv`, { cookie, body: { csv, dryRun } })
const sql = async (text: string, values: unknown[] = []) =>
  (await app.services.pool.query(text, values)).rows

describe('an invitation by link', () => {
  test('says what it is to, and counts who joins by it', async () => {
    const course = await makeCourse(app.services, creator, { title: 'Linked knots' })
    const made = await link(course, { maxUses: 3, expiresInDays: 30 })
    expect(made).toMatchObject({ state: 'open', email: null, maxUses: 3, usesCount: 0 })
    expect(made.url).toBe(`http://localhost:3000/invite/${made.code}`)
    expect(made.code).toMatch(/^[\w-]{22}$/)
    const { body } = await look(made.code)
    expect(body).toMatchObject({
      state: 'open',
      course: {
        title: 'Linked knots',
        pricingType: 'free',
        instructor: { name: 'Ida Instructor' },
        standing: 'visitor',
        status: 'published',
      },
    })
    const learner = await person()
    expect((await join(learner, course, made.code)).status).toBe(200)
    // Twice is harmless, and counts once.
    expect((await join(learner, course, made.code)).status).toBe(200)
    expect((await listed(course, 'links'))[0]).toMatchObject({ usesCount: 1, state: 'open' })
    expect(
      await sql('select invitation_id as id from enrollments where user_id = $1', [learner.id]),
    ).toEqual([{ id: made.id }])
    expect((await look(made.code, learner.cookie)).body.course.standing).toBe('member')
  })

  test('lets in exactly as many as it says, of 20 who come at once', async () => {
    const course = await makeCourse(app.services, creator)
    const { code, id } = await link(course, { maxUses: 3 })
    const people = await Promise.all(Array.from({ length: 20 }, () => person()))
    const answers = await Promise.all(people.map((one) => join(one, course, code)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(17)
    for (const { status, body } of refused) {
      expect([status, body.code, body.message]).toEqual([
        410,
        'INVITATION_CLOSED',
        'This invitation has been used up.',
      ])
    }
    const [row] = await sql(
      `select i.uses_count as uses, c.students_count as students,
              (select count(*)::int from enrollments e where e.invitation_id = i.id) as joined,
              (select count(*)::int from user_activities a where a.course_id = c.id
                  and a.activity_type = 'first_enrollment') as "firstOnes"
         from course_invitations i join courses c on c.id = i.course_id where i.id = $1`,
      [id],
    )
    expect(row).toEqual({ uses: 3, students: 3, joined: 3, firstOnes: 1 })
    expect((await look(code)).body.state).toBe('usedUp')
    // The course itself is still open to everybody.
    const rest = people.filter((_, index) => answers[index]!.status !== 200)
    expect((await join(rest[0]!, course)).status).toBe(200)
  })

  test('that is expired, revoked, of another course or made up is no way in', async () => {
    const course = await makeCourse(app.services, creator)
    const other = await makeCourse(app.services, creator)
    const expired = await link(course, { expiresInDays: 1 })
    await sql(`update course_invitations set expires_at = now() where id = $1`, [expired.id])
    const revoked = await link(course)
    expect((await revoke(course, revoked.id)).body).toEqual({ revoked: true })
    expect((await revoke(course, revoked.id)).body).toEqual({ revoked: true })
    const foreign = await link(other)
    const stranger = await person()
    for (const [code, words] of [
      [expired.code, 'This invitation has expired.'],
      [revoked.code, 'This invitation has been revoked.'],
      [foreign.code, 'This invitation does not exist.'],
      ['A'.repeat(22), 'This invitation does not exist.'],
      ['NUL \0', 'This invitation does not exist.'],
    ] as const) {
      const { status, body } = await join(stranger, course, code)
      expect([status, body.message]).toEqual([410, words])
    }
    expect(await sql('select 1 from enrollments where user_id = $1', [stranger.id])).toEqual([])
    expect((await look(expired.code)).body).toMatchObject({
      state: 'expired',
      course: { id: course.id },
    })
    expect((await look(revoked.code)).body.state).toBe('revoked')
    expect((await look('nothing')).body).toEqual({ state: 'unknown', course: null })
    expect((await revoke(other, revoked.id)).status).toBe(404)
  })

  test('by-passes neither payment, application, the limit of students nor a draft', async () => {
    const course = await makeCourse(app.services, creator, { title: 'Guarded knots' })
    const { code } = await link(course)
    const learner = await person()
    const refusedWith = async (change: string) => {
      await sql(`update courses set ${change} where id = $1`, [course.id])
      const { body } = await join(learner, course, code)
      return body.code
    }
    expect(await refusedWith(`application_required = true`)).toBe('APPLICATION_REQUIRED')
    expect(
      await refusedWith(
        `application_required = false, pricing_type = 'one_time', price_amount = 900`,
      ),
    ).toBe('PAYMENT_REQUIRED')
    expect(await refusedWith(`pricing_type = 'free', price_amount = 0, students_count = 25`)).toBe(
      'COURSE_FULL',
    )
    expect(await refusedWith(`students_count = 0, status = 'draft'`)).toBe('NOT_FOUND')
    expect((await listed(course, 'links'))[0].usesCount).toBe(0)
    // Nobody learns of a draft by its link, but its members find their way.
    expect((await look(code)).body).toEqual({ state: 'open', course: null })
    await sql(`update courses set status = 'published' where id = $1`, [course.id])
    expect((await join(learner, course, code)).status).toBe(200)
    await sql(`update courses set status = 'draft' where id = $1`, [course.id])
    expect((await look(code, learner.cookie)).body.course).toMatchObject({
      slug: course.slug,
      standing: 'member',
    })
  })

  test('that is closed, or known to nobody, is not what stands in the way of a full course', async () => {
    const course = await makeCourse(app.services, creator)
    const { code, id } = await link(course)
    await revoke(course, id)
    await sql(`update courses set students_count = 25 where id = $1`, [course.id])
    const learner = await person()
    for (const closed of [code, 'A'.repeat(22)]) {
      expect((await join(learner, course, closed)).body.code).toBe('COURSE_FULL')
    }
    await sql(`update courses set students_count = 24 where id = $1`, [course.id])
    expect((await join(learner, course, code)).body.code).toBe('INVITATION_CLOSED')
    expect((await join(learner, course)).status).toBe(200)
  })

  test('100 of them can be open, also when many are made at once', async () => {
    const course = await makeCourse(app.services, creator)
    await app.services.db.insert(courseInvitations).values(
      Array.from({ length: 97 }, (_, number) => ({
        courseId: course.id,
        code: `${course.id}-${number}`,
      })),
    )
    const path = `/rest/v1/courses/${course.id}/invitations`
    const make = () => app.request(path, { cookie: creator.cookie, body: {} })
    const made = await Promise.all(Array.from({ length: 6 }, make))
    expect(made.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(made.find(({ status }) => status !== 200)?.body.message).toMatch(
      /at most 100 open links/,
    )
    // Pages go to the end, each link once.
    const seen: string[] = []
    for (let cursor = ''; ;) {
      const query = cursor ? `?cursor=${cursor}` : ''
      const { body } = await app.request(path + query, { cookie: creator.cookie })
      seen.push(...body.invitations.map(({ id }: { id: string }) => id))
      if (!body.nextCursor) break
      cursor = body.nextCursor
    }
    expect([seen.length, new Set(seen).size]).toEqual([100, 100])
    // As with the account of whoever was invited: what a page ended with may be gone before the next is asked for.
    const first = await app.request(path, { cookie: creator.cookie })
    await app.services.pool.query('delete from course_invitations where id = $1', [seen[19]])
    const second = await app.request(`${path}?cursor=${first.body.nextCursor}`, {
      cookie: creator.cookie,
    })
    expect(second.body.invitations.map(({ id }: { id: string }) => id)).toEqual(seen.slice(20, 40))
    const nowhere = await app.request(`${path}?cursor=nowhere`, { cookie: creator.cookie })
    expect([nowhere.status, nowhere.body.message]).toEqual([400, 'This is not a place in the list'])
    expect((await make()).status).toBe(200)
    await revoke(course, seen[0]!)
    expect((await make()).status).toBe(200)
    for (const [limits, message] of [
      [{ maxUses: 0 }, 'The number of people must be a whole number, 1 to 10,000'],
      [{ expiresInDays: 366 }, 'The number of days must be a whole number, 1 to 365'],
    ] as const) {
      const { status, body } = await app.request(path, { cookie: creator.cookie, body: limits })
      expect([status, body.message]).toEqual([422, message])
    }
  })
})

describe('an invitation by a list of addresses', () => {
  test('is tried first, then mailed to each once', async () => {
    const course = await makeCourse(app.services, creator, {
      title: 'Mailed knots ⚡',
      shortDescription: 'All about knots.',
    })
    const member = await person('Mia Member', 'mia@example.com')
    await joinCourse(app.services, member, course)
    await person('Has an account', 'known@example.com')
    const csv = [
      'Name;Email',
      'Mia;Mia@example.com',
      'Known;known@example.com',
      'New;new@example.com',
      'Again;NEW@example.com',
      'Me;ida@example.com',
      "=cmd|' /C calc'!A0;=1+1",
      '"Broken;line',
    ].join('\r\n')
    const tried = await invite(course, csv, true)
    expect(tried.status).toBe(200)
    const report = {
      counts: { invite: 2, member: 1, invited: 0, repeated: 1, self: 1, invalid: 2 },
      entries: [
        { line: 2, text: 'mia@example.com', verdict: 'member' },
        { line: 3, text: 'known@example.com', verdict: 'invite' },
        { line: 4, text: 'new@example.com', verdict: 'invite' },
        { line: 5, text: 'new@example.com', verdict: 'repeated' },
        { line: 6, text: 'ida@example.com', verdict: 'self' },
        { line: 7, text: "=cmd|' /C calc'!A0, =1+1", verdict: 'invalid' },
        { line: 8, text: '"Broken, line', verdict: 'invalid' },
      ],
      obstacle: null,
    }
    expect(tried.body).toEqual({ dryRun: true, ...report })
    expect(await listed(course, 'mails')).toEqual([])

    // Pressed twice: the same person is invited once.
    const [first, second] = await Promise.all([
      invite(course, csv, false),
      invite(course, csv, false),
    ])
    expect([first.body.counts.invite, second.body.counts.invite].toSorted()).toEqual([0, 2])
    const mail = await mailTo(app, 'new@example.com', /./)
    expect(mail.subject).toBe('Ida Instructor invites you to “Mailed knots”')
    expect(mail.text).toMatch(/All about knots\./)
    expect(mail.text).toMatch(/ignore this email/)
    expect(mail.text).toMatch(/because Ida Instructor gave your address/)
    await jobsDone(app)
    const addresses = ['new@example.com', 'known@example.com', 'mia@example.com', 'ida@example.com']
    const sent = await Promise.all(addresses.map((address) => mailsTo(app, address)))
    expect(sent.map(({ length }) => length)).toEqual([1, 1, 0, 0])

    // The link in it is good for one.
    const code = /invite\/([\w-]{22})/.exec(mail.text)![1]!
    const newcomer = await person('Nia New', 'new@example.com')
    expect((await join(newcomer, course, code)).status).toBe(200)
    const mails = await listed(course, 'mails')
    expect(mails).toHaveLength(2)
    expect(mails.find(({ email }: { email: string }) => email === 'new@example.com')).toMatchObject(
      {
        state: 'usedUp',
        url: null,
      },
    )
    // Nobody is mailed again today, revoked or not.
    for (const { id } of mails) await revoke(course, id)
    expect((await invite(course, csv, true)).body.counts).toMatchObject({
      invite: 0,
      invited: 1,
      member: 2,
    })
  })

  test('is mailed again to who joined by one and has left', async () => {
    const course = await makeCourse(app.services, creator)
    const address = 'back@example.com'
    const codeOf = ({ text }: { text: string }) => /invite\/([\w-]{22})/.exec(text)![1]!
    await invite(course, address, false)
    await jobsDone(app)
    const [first] = await mailsTo(app, address)
    const returner = await person('Rita Returner', address)
    await join(returner, course, codeOf(first!))
    await sql(
      `update course_invitations set created_at = now() - interval '2 days' where course_id = $1`,
      [course.id],
    )
    expect((await invite(course, address, true)).body.counts).toMatchObject({ member: 1 })

    await app.request(`/rest/v1/enrollments/${course.id}`, {
      method: 'DELETE',
      cookie: returner.cookie,
    })
    const { status, body } = await invite(course, address, false)
    expect([status, body.counts]).toEqual([200, expect.objectContaining({ invite: 1, invited: 0 })])
    await jobsDone(app)
    const mails = await mailsTo(app, address)
    expect(mails).toHaveLength(2)
    const code = mails.map(codeOf).find((one) => one !== codeOf(first!))
    expect((await join(returner, course, codeOf(first!))).status).toBe(410)
    expect((await join(returner, course, code)).status).toBe(200)
    const uses = (await listed(course, 'mails')).map((one: { usesCount: number }) => one.usesCount)
    expect(uses, 'both say that somebody joined').toEqual([1, 1])
  })

  test('is not mailed when it was revoked before, or when the course cannot be joined', async () => {
    const course = await makeCourse(app.services, creator)
    const [revoked] = await app.services.db
      .insert(courseInvitations)
      .values({
        courseId: course.id,
        code: 'x'.repeat(22),
        email: 'gone@example.com',
        maxUses: 1,
        revokedAt: new Date(),
      })
      .returning()
    await sql(
      `select graphile_worker.add_job('inviteByMail', json_build_object('invitationId', $1::text))`,
      [revoked!.id],
    )
    await sql(
      `select graphile_worker.add_job('inviteByMail', json_build_object('invitationId', uuidv4()))`,
    )
    await jobsDone(app)
    expect(await mailsTo(app, 'gone@example.com')).toEqual([])
    await sql(`update courses set status = 'draft' where id = $1`, [course.id])
    const tried = await invite(course, 'a@example.com', true)
    expect(tried.body.obstacle).toMatch(/Invite people once it is/)
    expect((await invite(course, 'a@example.com', false)).body.code).toBe('NOT_PUBLISHED')
    expect(await listed(course, 'mails')).toHaveLength(1)
  })

  test('that waits to be mailed while the course becomes a draft is taken back, and can be sent again', async () => {
    const course = await makeCourse(app.services, creator)
    const email = 'waits@example.com'
    const [waiting] = await app.services.db
      .insert(courseInvitations)
      .values({ courseId: course.id, code: 'w'.repeat(22), email, maxUses: 1 })
      .returning()
    await sql(`update courses set status = 'draft' where id = $1`, [course.id])
    await sql(
      `select graphile_worker.add_job('inviteByMail', json_build_object('invitationId', $1::text))`,
      [waiting!.id],
    )
    await jobsDone(app)
    expect(await mailsTo(app, email)).toEqual([])
    expect(await listed(course, 'mails')).toEqual([])
    await sql(`update courses set status = 'published' where id = $1`, [course.id])
    expect((await invite(course, email, false)).body.counts).toMatchObject({
      invite: 1,
      invited: 0,
    })
    await jobsDone(app)
    expect(await mailsTo(app, email)).toHaveLength(1)
    expect(await listed(course, 'mails')).toMatchObject([{ email, state: 'open' }])
  })

  test('has a limit, and so have the mails of a day; both are said in words', async () => {
    const course = await makeCourse(app.services, creator)
    const rows = (count: number) =>
      Array.from({ length: count }, (_, number) => `p${number}@example.com`).join('\n')
    const tooMany = 'A list can have at most 1,000 addresses. Please split it into several lists.'
    const refused = await invite(course, rows(50_000), true)
    const huge = await invite(course, `${rows(50_000)}\n`.repeat(3), true)
    expect([refused.status, refused.body.message]).toEqual([422, tooMany])
    expect([huge.status, huge.body.message]).toEqual([422, tooMany])
    expect((await invite(course, ' \n', true)).body.message).toMatch(/The list is empty/)

    await sql(
      `insert into course_invitations (course_id, code, email, max_uses)
       select $1, 'day-' || n, 'day-' || n || '@example.com', 1 from generate_series(1, 999) n`,
      [course.id],
    )
    const obstacle =
      'At most 1,000 invitations to a course can be mailed within 24 hours. 1 is left now.'
    expect((await invite(course, rows(2), true)).body.obstacle).toBe(obstacle)
    await sql(
      `update course_invitations set created_at = now() - make_interval(hours => case code when 'day-1' then 23 else 20 end)
        where course_id = $1 and code in ('day-1', 'day-2')`,
      [course.id],
    )
    const stopped = await invite(course, rows(2), false)
    expect([stopped.status, stopped.body.message]).toEqual([429, obstacle])
    const hoursAfter = ({ headers }: typeof stopped) => Number(headers.get('retry-after')) / 3600
    expect(hoursAfter(stopped)).toBeCloseTo(1, 1)
    // Until as many as these have become a day old.
    expect(hoursAfter(await invite(course, rows(3), false))).toBeCloseTo(4, 1)
    expect((await invite(course, rows(1), false)).body.counts.invite).toBe(1)
  })

  test('of one person has a limit over all courses, also those that are gone', async () => {
    const busy = await person()
    const course = await makeCourse(app.services, busy)
    const other = await makeCourse(app.services, busy)
    const rows = (count: number) =>
      Array.from({ length: count }, (_, number) => `b${number}@x.invalid`).join('\n')
    const send = (to: Course, count: number, dryRun = false) =>
      invite(to, rows(count), dryRun, busy.cookie)
    expect((await send(course, 3)).status).toBe(200)
    // Nobody is mailed twice, and what is refused counts as little as what is only tried.
    expect((await send(course, 3)).body.counts).toMatchObject({ invite: 0, invited: 3 })
    const counted = async () =>
      (
        await sql('select points from rate_limits where key = $1', [`invitation-mails:${busy.id}`])
      )[0]?.points
    expect(await counted()).toBe(3)
    await sql('update rate_limits set points = 1999 where key = $1', [
      `invitation-mails:${busy.id}`,
    ])
    await sql('delete from courses where id = $1', [course.id])
    const obstacle =
      'At most 2,000 invitations can be mailed by one person within 24 hours. 1 is left now.'
    expect((await send(other, 2, true)).body.obstacle).toBe(obstacle)
    const refused = await send(other, 2)
    expect([refused.status, refused.body.message]).toEqual([429, obstacle])
    expect(Number(refused.headers.get('retry-after')) / 3600).toBeCloseTo(24, 1)
    expect(await counted()).toBe(1999)
    const third = await makeCourse(app.services, busy)
    const both = await Promise.all([send(other, 1), send(third, 1)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 429])
    // The next day begins anew.
    const fourth = await makeCourse(app.services, busy)
    await sql('update rate_limits set expire = 0 where key = $1', [`invitation-mails:${busy.id}`])
    expect((await send(fourth, 2)).status).toBe(200)
    expect(await counted()).toBe(2)
  })

  test('of 1,000 takes few statements', async () => {
    const course = await makeCourse(app.services, creator)
    const csv = Array.from({ length: 1000 }, (_, number) => `s${number}@x.invalid`).join('\n')
    const watch = watchStatements(app)
    const statements = await watch.during(async () => {
      expect((await invite(course, csv, true)).body.counts.invite).toBe(1000)
    })
    expect(statements.length).toBeLessThan(12)
  })
})

test('the mails of a list let pass what others wait for', async () => {
  const course = await makeCourse(app.services, creator)
  const undone = new Error('Undone')
  const sending = app.services.db.transaction(async (transaction) => {
    await inviteAddresses(transaction, course.id, ['ann@example.com', 'bob@example.com'])
    await enqueue(transaction, 'closeChallenge', {})
    const { rows } = await transaction.execute(
      statement`select task_identifier as job from graphile_worker.jobs
           where locked_at is null and task_identifier in ('closeChallenge', 'inviteByMail')
           order by priority, run_at, id`,
    )
    expect(rows.map(({ job }) => job)).toEqual(['closeChallenge', 'inviteByMail', 'inviteByMail'])
    throw undone
  })
  await expect(sending).rejects.toBe(undone)
})

test('the download has the codes of own links, not those that were mailed to others', async () => {
  const owner = { ...(await person()), phoneNumber: null }
  const course = await makeCourse(app.services, owner)
  await sql(
    `insert into course_invitations (course_id, email, code)
     values ($1, null, 'own-link'), ($1, 'guest@example.com', 'mailed-code')`,
    [course.id],
  )
  const given: Record<string, unknown>[] = []
  for await (const rows of exportedRows(
    app.services.db,
    invitationsData.tables.invitations!,
    owner,
  )) {
    given.push(...rows)
  }
  expect(given.map(({ email, linkCode }) => [email, linkCode])).toEqual([
    [null, 'own-link'],
    ['guest@example.com', null],
  ])
  expect(JSON.stringify(given)).not.toContain('mailed-code')
})

test('a mailed invitation is of who has proved the address, not of who signed up with it', async () => {
  const course = await makeCourse(app.services, creator)
  const squatter = { ...(await person('Sid Squatter', 'una@example.com')), phoneNumber: null }
  await sql('update users set email_verified = false where id = $1', [squatter.id])
  await sql(`insert into course_invitations (course_id, email, code) values ($1, $2, 'una')`, [
    course.id,
    squatter.email,
  ])
  const { rowsOf } = invitationsData.tables.invitations!
  const theirs = () => app.services.db.$count(courseInvitations, rowsOf(squatter))
  expect(await theirs()).toBe(0)
  await app.services.db.transaction((transaction) =>
    invitationsData.leave!(transaction, {
      person: squatter,
      isAdmin: false,
      membersCourses: null,
      givesUpEarnings: false,
      earningsGivenUp: null,
      offersPaypal: true,
    }),
  )
  expect((await look('una')).status).toBe(200)
  await sql('update users set email_verified = true where id = $1', [squatter.id])
  expect(await theirs()).toBe(1)
})
