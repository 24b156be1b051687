// What members think of a course: written, changed, removed, answered, counted and shown.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
import {
  joinCourse,
  makeCourse,
  makePerson,
  makeReview,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { stillPages } from '../../still-pages.ts'
import { departedUserId } from '../accounts/departed-user.ts'
import { removeAbandonedCourses } from '../courses/leave-courses.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

async function someone(name?: string) {
  const person = await makePerson(app.services, name ? { name } : {})
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>
type Course = Awaited<ReturnType<typeof makeCourse>>

const query = async (text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows

/** A course with its instructor and one member. */
async function courseWithMember(title = 'Knots') {
  const instructor = await someone('Ida Instructor')
  const course = await makeCourse(app.services, instructor, { title })
  const member = await someone('Mia Member')
  await joinCourse(app.services, member, course)
  return { instructor, course, member }
}

const write = (course: { id: string }, by: Someone | null, body: unknown) =>
  app.request(`/rest/v1/courses/${course.id}/review`, { method: 'PUT', body, cookie: by?.cookie })

const remove = (course: { id: string }, by: Someone | null) =>
  app.request(`/rest/v1/courses/${course.id}/review`, { method: 'DELETE', cookie: by?.cookie })

const answer = (course: { id: string }, reviewId: string, by: Someone, text: unknown) =>
  app.request(`/rest/v1/courses/${course.id}/reviews/${reviewId}/answer`, {
    body: { answer: text },
    cookie: by.cookie,
  })

const removeAnswer = (course: { id: string }, reviewId: string, by: Someone) =>
  app.request(`/rest/v1/courses/${course.id}/reviews/${reviewId}/answer`, {
    method: 'DELETE',
    cookie: by.cookie,
  })

const see = async (course: { slug: string }, by: Someone | null = null, search = '') =>
  (await app.request(`/rest/v1/courses/${course.slug}/reviews${search}`, { cookie: by?.cookie }))
    .body

const countedOf = async (course: { id: string }) => {
  const [row] = await query(
    'select reviews_count as total, rating::float8 as average from courses where id = $1',
    course.id,
  )
  return row
}

const noticesOf = (person: { id: string }) =>
  query('select title, message, href from notifications where user_id = $1 order by id', person.id)

describe('writing', () => {
  test('a member writes one review, which everybody reads', async () => {
    const { course, member } = await courseWithMember()
    const text = '  Clear,\r\nand short. <b>Try it.</b>  '
    const { status, body } = await write(course, member, { rating: 4, reviewText: text })
    expect([status, body]).toEqual([200, { id: expect.any(String) }])
    const seen = await see(course)
    expect(seen).toMatchObject({
      course: { id: course.id, slug: course.slug, title: 'Knots' },
      standing: 'visitor',
      stats: { total: 1, average: 4, byStars: [0, 0, 0, 1, 0] },
      page: 1,
      pages: 1,
      mine: null,
    })
    expect(seen.reviews).toEqual([
      {
        id: body.id,
        rating: 4,
        reviewText: 'Clear,\nand short. <b>Try it.</b>',
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        edited: false,
        answer: null,
        author: { name: 'Mia Member', username: member.username, avatarUrl: null },
      },
    ])
    expect(JSON.stringify(seen)).not.toContain('@')
    expect((await see(course, member)).mine).toMatchObject({ id: body.id, rating: 4 })
  })

  test('stars alone are enough', async () => {
    const { course, member } = await courseWithMember()
    expect((await write(course, member, { rating: 1 })).status).toBe(200)
    expect((await see(course)).reviews).toMatchObject([{ rating: 1, reviewText: '' }])
  })

  test.each([
    [{}, 'Please choose 1 to 5 stars'],
    [{ rating: 0 }, 'Please choose 1 to 5 stars'],
    [{ rating: 6 }, 'Please choose 1 to 5 stars'],
    [{ rating: 4.5 }, 'Please choose 1 to 5 stars'],
    [{ rating: null }, 'Please choose 1 to 5 stars'],
    [{ rating: 3, reviewText: 'x'.repeat(2001) }, 'Review can have at most 2,000 characters'],
    [{ rating: 3, reviewText: 7 }, 'Review must be text'],
  ])('%o is refused in words', async (body, message) => {
    const { course, member } = await courseWithMember()
    const answered = await write(course, member, body)
    expect([answered.status, answered.body.message]).toEqual([422, message])
    expect(await countedOf(course)).toEqual({ total: 0, average: 0 })
  })

  test('2,000 characters are stored, line ends of a form counting as one', async () => {
    const { course, member } = await courseWithMember()
    const reviewText = `${'x'.repeat(998)}\r\n${'y'.repeat(1001)}`
    expect((await write(course, member, { rating: 5, reviewText })).status).toBe(200)
    expect((await see(course)).mine).toBeNull()
    expect((await see(course, member)).mine.reviewText).toHaveLength(2000)
  })

  test('an edit keeps the date and says so; the same once more is none', async () => {
    const { course, member } = await courseWithMember()
    await write(course, member, { rating: 4, reviewText: 'Good' })
    const { mine: first } = await see(course, member)
    await write(course, member, { rating: 4, reviewText: ' Good ' })
    expect((await see(course, member)).mine).toEqual(first)
    await write(course, member, { rating: 2, reviewText: 'Not that good' })
    const seen = await see(course, member)
    expect(seen.mine).toEqual({ ...first, rating: 2, reviewText: 'Not that good', edited: true })
    expect(seen.reviews).toHaveLength(1)
    expect(seen.stats).toEqual({ total: 1, average: 2, byStars: [0, 1, 0, 0, 0] })
  })

  test('is removed by who wrote it, also after leaving; twice is harmless', async () => {
    const { course, member } = await courseWithMember()
    const other = await someone()
    await write(course, member, { rating: 4 })
    expect((await remove(course, other)).body).toEqual({ removed: true })
    expect(await countedOf(course)).toEqual({ total: 1, average: 4 })
    await query('delete from enrollments where user_id = $1', member.id)
    expect((await remove(course, member)).body).toEqual({ removed: true })
    expect((await remove(course, member)).body).toEqual({ removed: true })
    expect(await countedOf(course)).toEqual({ total: 0, average: 0 })
    expect((await see(course)).reviews).toEqual([])
    const nothing = { id: crypto.randomUUID() }
    expect((await remove(nothing, member)).status).toBe(200)
  })
})

describe('is refused', () => {
  test('to strangers', async () => {
    const { course } = await courseWithMember()
    expect((await write(course, null, { rating: 5 })).status).toBe(401)
    expect((await remove(course, null)).status).toBe(401)
  })

  test('to somebody who has not joined, or has left', async () => {
    const { course, member } = await courseWithMember()
    const outsider = await someone()
    expect((await write(course, outsider, { rating: 5 })).status).toBe(403)
    await write(course, member, { rating: 5 })
    await query('delete from enrollments where user_id = $1', member.id)
    const { status, body } = await write(course, member, { rating: 1 })
    expect([status, body.message]).toEqual([403, expect.stringMatching(/^Join this course to /)])
    expect(await countedOf(course)).toEqual({ total: 1, average: 5 })
  })

  test('to an administrator who has not joined', async () => {
    const { course } = await courseWithMember()
    const admin = await someone()
    await query(`update users set role = 'admin' where id = $1`, admin.id)
    const { status, body } = await write(course, admin, { rating: 5 })
    expect([status, body.message]).toEqual([403, 'Join this course to review it.'])
  })

  test('to the instructor, who is a member too', async () => {
    const { course, instructor } = await courseWithMember()
    const { status, body } = await write(course, instructor, { rating: 5 })
    expect([status, body.code, body.message]).toEqual([
      403,
      'OWN_COURSE',
      'You cannot review your own course.',
    ])
    expect(await countedOf(course)).toEqual({ total: 0, average: 0 })
  })
})

test('with the course go a review and an answer that come at the same moment', async () => {
  const { course, instructor, member } = await courseWithMember()
  const { id } = (await write(course, member, { rating: 5 })).body
  const [written, answered] = await behindChange(
    app.services,
    ['delete from courses where id = $1', course.id],
    [() => write(course, member, { rating: 1 }), () => answer(course, id, instructor, 'Thanks')],
  )
  expect([written!.status, written!.body.message]).toEqual([404, 'Course not found'])
  expect([answered!.status, answered!.body.message]).toEqual([
    404,
    'This review is not there any more.',
  ])
})

describe('the figures', () => {
  test('are exact when a crowd writes, changes and removes at once', async () => {
    const { course } = await courseWithMember()
    const crowd = await Promise.all(Array.from({ length: 12 }, () => someone()))
    for (const person of crowd) await joinCourse(app.services, person, course)
    const answers = await Promise.all(
      crowd.flatMap((person, index) => [
        write(course, person, { rating: (index % 5) + 1 }),
        write(course, person, { rating: 5 - (index % 5) }),
        ...(index % 3 === 0 ? [remove(course, person)] : []),
      ]),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const [real] = await query(
      `select count(*)::int as total, coalesce(trunc(avg(rating), 2), 0)::float8 as average
         from course_reviews where course_id = $1`,
      course.id,
    )
    expect(await countedOf(course)).toEqual(real)
    expect(real.total).toBeGreaterThanOrEqual(8)
  })

  test('answer to the remote procedure', async () => {
    const { course, instructor } = await courseWithMember()
    const stats = async (id: string, cookie?: string) =>
      app.request('/rest/v1/rpc/get_course_review_stats', {
        body: { course_id_param: id },
        cookie,
      })
    expect((await stats(course.id)).body).toEqual([{ total_reviews: 0, average_rating: 0 }])
    for (const rating of [5, 4, 4]) await makeReview(app.services, course, { rating })
    expect((await stats(course.id)).body).toEqual([{ total_reviews: 3, average_rating: 4.33 }])
    expect((await stats(crypto.randomUUID())).body.message).toBe('Course not found')
    expect((await stats('x')).body.message).toBe('The course is not a valid id')
    await query(`update courses set status = 'draft' where id = $1`, course.id)
    expect((await stats(course.id)).status).toBe(404)
    expect((await stats(course.id, instructor.cookie)).body).toHaveLength(1)
  })

  test('are cut, so that they are rounded once: 4.2477 is 4.2', async () => {
    const { course } = await courseWithMember()
    const [writer] = [await someone()]
    await joinCourse(app.services, writer, course)
    // 108 others, whose mean with the last one is 4.2477.
    await query(
      `with people as (
         insert into users (name, email) select 'x', 'x' || n || '@' || $1::text from generate_series(1, 108) n
         returning id)
       insert into course_reviews (course_id, user_id, rating)
       select $1::uuid, id, case when row_number() over () <= 81 then 4 else 5 end from people`,
      course.id,
    )
    await write(course, writer, { rating: 4 })
    expect(await countedOf(course)).toEqual({ total: 109, average: 4.24 })
  })

  test('are on the card and on the page of the course', async () => {
    const { course } = await courseWithMember('Figures on cards')
    for (const rating of [5, 4]) await makeReview(app.services, course, { rating })
    const { body } = await app.request(`/rest/v1/courses/${course.slug}`)
    expect(body).toMatchObject({ rating: 4.5, reviewsCount: 2 })
  })
})

describe('the list', () => {
  test('is newest first, twenty at a time; a page past the end is the last one', async () => {
    const { course } = await courseWithMember()
    for (let number = 1; number <= 5; number++) {
      await makeReview(app.services, course, { reviewText: `Number ${number}` })
    }
    const texts = async (search: string) => {
      const { reviews, page, pages } = await see(course, null, search)
      return [reviews.map((one: { reviewText: string }) => one.reviewText.slice(7)), page, pages]
    }
    expect(await texts('')).toEqual([['5', '4', '3', '2', '1'], 1, 1])
    expect(await texts('?perPage=2')).toEqual([['5', '4'], 1, 3])
    expect(await texts('?perPage=2&page=3')).toEqual([['1'], 3, 3])
    expect(await texts('?perPage=2&page=99')).toEqual([['1'], 3, 3])
    for (const odd of [
      '?page=0',
      '?page=-1',
      '?page=x',
      '?page=1e9',
      '?perPage=0',
      '?perPage=21',
    ]) {
      expect((await texts(odd))[0], odd).toEqual(['5', '4', '3', '2', '1'])
    }
  })

  test('names nobody who has left, and them again when they are back', async () => {
    const { course, member } = await courseWithMember()
    await write(course, member, { rating: 5, reviewText: 'I was there' })
    await query('delete from enrollments where user_id = $1', member.id)
    const seen = await see(course)
    expect(seen.reviews).toMatchObject([{ reviewText: 'I was there', author: null }])
    expect(JSON.stringify(seen)).not.toContain('Mia')
    expect((await see(course, member)).mine.reviewText).toBe('I was there')
    await joinCourse(app.services, member, course)
    expect((await see(course)).reviews[0].author.name).toBe('Mia Member')
  })

  test('leads to nobody whose profile is not shown', async () => {
    const { course, member } = await courseWithMember()
    await write(course, member, { rating: 5, reviewText: 'I was there' })
    await query('update users set suspended_at = now() where id = $1', member.id)
    const named = { name: 'Mia Member', avatarUrl: null }
    expect((await see(course)).reviews).toMatchObject([{ author: { ...named, username: null } }])
    await query('update users set suspended_at = null where id = $1', member.id)
    expect((await see(course)).reviews[0].author.username).toBe(member.username)
  })

  test('of a draft is for its members only', async () => {
    const { course, member, instructor } = await courseWithMember()
    await write(course, member, { rating: 5 })
    await query(`update courses set status = 'draft' where id = $1`, course.id)
    for (const who of [null, await someone()]) {
      expect((await see(course, who)).message).toBe('Course not found')
    }
    for (const who of [member, instructor]) expect((await see(course, who)).stats.total).toBe(1)
  })

  test('is read from the index, in its order', async () => {
    const { course } = await courseWithMember()
    const client = await app.services.pool.connect()
    await client.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off')
    const { rows } = await client.query(
      `explain select r.id from course_reviews r where r.course_id = '${course.id}'
        order by r.created_at desc nulls last, r.id desc nulls last limit 20`,
    )
    await client.query('rollback')
    client.release()
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('course_reviews_course_newest')
    expect(plan).not.toContain('Sort')
  })
})

describe('an answer', () => {
  test('is given once, and seen by everybody', async () => {
    const { course, member, instructor } = await courseWithMember()
    const { id } = (await write(course, member, { rating: 3 })).body
    expect((await answer(course, id, instructor, ' Thank you ')).body).toEqual({ id })
    const second = await answer(course, id, instructor, 'And another thing')
    expect([second.status, second.body.message]).toEqual([
      409,
      'You have answered this review already.',
    ])
    const { reviews } = await see(course)
    expect(reviews[0].answer).toEqual({ text: 'Thank you', answeredAt: expect.any(String) })
    expect(await countedOf(course)).toEqual({ total: 1, average: 3 })
  })

  test('twenty at once are one', async () => {
    const { course, member, instructor } = await courseWithMember()
    const { id } = (await write(course, member, { rating: 3 })).body
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) => answer(course, id, instructor, `Number ${number}`)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
    expect(await noticesOf(member)).toHaveLength(1)
  })

  test('that was a mistake is taken back; the review can be answered again', async () => {
    const { course, member, instructor } = await courseWithMember()
    const { id } = (await write(course, member, { rating: 3 })).body
    await answer(course, id, instructor, 'Oops')
    for (const _twice of [1, 2]) {
      expect((await removeAnswer(course, id, instructor)).body).toEqual({ removed: true })
    }
    expect((await see(course)).reviews[0].answer).toBeNull()
    expect((await answer(course, id, instructor, 'Thank you')).status).toBe(200)
    expect((await see(course)).reviews[0].answer.text).toBe('Thank you')
    // The person is told of the first one only.
    expect(await noticesOf(member)).toHaveLength(1)
  })

  test.each([
    ['nothing', '', 'Please write an answer'],
    ['blanks', '  ', 'Please write an answer'],
    ['2,001 characters', 'x'.repeat(2001), 'Answer can have at most 2,000 characters'],
    ['null', null, 'Answer must be text'],
  ])('of %s is refused in words', async (_what, text, message) => {
    const { course, member, instructor } = await courseWithMember()
    const { id } = (await write(course, member, { rating: 3 })).body
    const { status, body } = await answer(course, id, instructor, text)
    expect([status, body.message]).toEqual([422, message])
  })

  test('is for the instructor of the course, and for its reviews', async () => {
    const { course, member, instructor } = await courseWithMember()
    const { id } = (await write(course, member, { rating: 3 })).body
    expect((await answer(course, id, member, 'Me too')).status).toBe(403)
    const other = await courseWithMember()
    const { status, body } = await answer(other.course, id, other.instructor, 'Not mine')
    expect([status, body.message]).toEqual([404, 'This review is not there any more.'])
    await answer(course, id, instructor, 'Mine')
    expect((await removeAnswer(other.course, id, other.instructor)).status).toBe(200)
    expect((await see(course)).reviews[0].answer.text).toBe('Mine')
    expect((await answer(course, crypto.randomUUID(), instructor, 'Nothing')).status).toBe(404)
  })
})

describe('notices', () => {
  test('tell the instructor of each new review once, and name nobody', async () => {
    const { course, member, instructor } = await courseWithMember('Knots ⚡')
    const other = await someone('Otto Other')
    await joinCourse(app.services, other, course)
    const first = await write(course, member, { rating: 4, reviewText: 'A secret text' })
    await write(course, member, { rating: 5, reviewText: 'Another text' })
    const second = await write(course, other, { rating: 1 })
    expect(await noticesOf(instructor)).toEqual([
      {
        title: 'New Review',
        message: 'Your course “Knots” has a new review: 4 stars.',
        href: `/course/${course.slug}/reviews?review=${first.body.id}#review-${first.body.id}`,
      },
      {
        title: 'New Review',
        message: 'Your course “Knots” has a new review: 1 star.',
        href: `/course/${course.slug}/reviews?review=${second.body.id}#review-${second.body.id}`,
      },
    ])
  })

  test('lead to the page on which the review is, and to the first one when it is gone', async () => {
    const { course, instructor } = await courseWithMember()
    const about = { id: course.id, instructorId: instructor.id }
    const ids: string[] = []
    for (const _one of [1, 2, 3, 4, 5]) ids.push(await makeReview(app.services, about))
    const pageOf = async (review: string, search = '') => {
      const { page, reviews } = await see(course, null, `?perPage=2&review=${review}${search}`)
      return [page, reviews.some(({ id }: { id: string }) => id === review)]
    }
    expect(await Promise.all(ids.map((id) => pageOf(id)))).toEqual([
      [3, true],
      [2, true],
      [2, true],
      [1, true],
      [1, true],
    ])
    for (const gone of [crypto.randomUUID(), 'nothing']) {
      expect(await pageOf(gone)).toEqual([1, false])
      expect(await pageOf(gone, '&page=3')).toEqual([3, false])
    }
  })

  test('do not come again when a review is removed and written anew on the same day', async () => {
    const { course, member, instructor } = await courseWithMember()
    for (const rating of [4, 5, 3]) {
      await write(course, member, { rating })
      await remove(course, member)
    }
    expect(await noticesOf(instructor)).toHaveLength(1)
    await query(`update rate_limits set expire = 0 where key like 'review-notice:%'`)
    await write(course, member, { rating: 2 })
    expect(await noticesOf(instructor)).toHaveLength(2)
  })

  test('tell the writer of the answer', async () => {
    const { course, member, instructor } = await courseWithMember()
    const { id } = (await write(course, member, { rating: 4 })).body
    await answer(course, id, instructor, 'Thank you')
    expect(await noticesOf(member)).toEqual([
      {
        title: 'Your Review Was Answered',
        message: 'The instructor of “Knots” answered your review.',
        href: `/course/${course.slug}/reviews#your-review`,
      },
    ])
  })

  test('are there once when the same is sent again', async () => {
    const { course, member, instructor } = await courseWithMember()
    const { id } = (await write(course, member, { rating: 4 })).body
    const both = [
      await answer(course, id, instructor, 'Thank you'),
      await answer(course, id, instructor, 'Thank you'),
    ]
    expect(both.map(({ status, body }) => [status, body.answer?.text])).toEqual([
      [200, both[0]!.body.answer?.text],
      [200, both[0]!.body.answer?.text],
    ])
    expect((await answer(course, id, instructor, 'Thanks a lot')).status).toBe(409)
    expect(await noticesOf(member)).toHaveLength(1)
  })

  test('lead who has left a course that is a draft by now to no page that is not there', async () => {
    const { course, member, instructor } = await courseWithMember()
    const { id } = (await write(course, member, { rating: 4 })).body
    const leaving = { method: 'DELETE', cookie: member.cookie }
    expect((await app.request(`/rest/v1/enrollments/${course.id}`, leaving)).status).toBe(200)
    await query(`update courses set status = 'draft' where id = $1`, course.id)
    await answer(course, id, instructor, 'Thank you')
    const [notice] = await query('select href from notifications where user_id = $1', member.id)
    expect(notice).toEqual({ href: null })
  })
})

describe('an administrator', () => {
  const takeDown = (
    reviewId: string,
    by: Someone | null,
    reason: unknown = 'It slanders somebody.',
  ) =>
    app.request(`/rest/v1/admin/reviews/${reviewId}/removal`, {
      body: { reason },
      cookie: by?.cookie,
    })
  async function administrator() {
    const admin = await someone('Ada Admin')
    await query(`update users set role = 'admin' where id = $1`, admin.id)
    return admin
  }
  const actsAbout = ({ id }: { id: string }) =>
    query(
      `select actor_id, action, subject_name, reason from administrative_acts where subject_id = $1`,
      id,
    )

  test('takes a review down with a reason, which its writer reads and the log has', async () => {
    const { course, member } = await courseWithMember()
    const admin = await administrator()
    const { id } = (await write(course, member, { rating: 1, reviewText: 'Ida steals.' })).body
    const [{ version }] = await query('select version from courses where id = $1', course.id)
    expect((await takeDown(id, admin)).body).toEqual({ removed: true })
    expect((await see(course)).reviews).toEqual([])
    expect(await countedOf(course)).toEqual({ total: 0, average: 0 })
    expect(
      (await query('select version from courses where id = $1', course.id))[0].version,
    ).not.toBe(version)
    expect(await noticesOf(member)).toEqual([
      {
        title: 'Your review was removed',
        message:
          'The administrators have removed your review of “Knots”. The reason: “It slanders somebody.”',
        href: `/course/${course.slug}/reviews`,
      },
    ])
    expect(await actsAbout(course)).toEqual([
      {
        actor_id: admin.id,
        action: 'remove_review',
        subject_name: 'Knots',
        reason: 'It slanders somebody.',
      },
    ])
  })

  test('takes it down once, also of who has left the course, and not without a reason', async () => {
    const { course, member } = await courseWithMember()
    const admins = [await administrator(), await administrator()]
    const { id } = (await write(course, member, { rating: 1 })).body
    await query('delete from enrollments where user_id = $1', member.id)
    for (const reason of ['', ' \n']) {
      const { status, body } = await takeDown(id, admins[0]!, reason)
      expect([status, body.message]).toEqual([422, 'Please write a reason: the writer reads it'])
    }
    const both = await Promise.all(admins.map((admin) => takeDown(id, admin)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 404])
    const second = both.find(({ status }) => status === 404)!
    expect(second.body.message).toBe('This review is not there any more.')
    expect(await noticesOf(member)).toHaveLength(1)
    expect(await actsAbout(course)).toHaveLength(1)
  })

  test('alone does: not the instructor, not a member, not a stranger', async () => {
    const { course, member, instructor } = await courseWithMember()
    const { id } = (await write(course, member, { rating: 1 })).body
    expect((await takeDown(id, null)).status).toBe(401)
    for (const by of [instructor, member, await someone()]) {
      expect((await takeDown(id, by)).status).toBe(403)
    }
    expect((await see(course)).stats.total).toBe(1)
  })
})

describe('kept pages', () => {
  const versionOf = (path: string) => {
    const { pathname, searchParams } = new URL(path, app.url)
    const page = stillPages.find((one) => one.path.test(pathname))!
    return page.version(app.services, pathname.match(page.path)!, searchParams)
  }

  test('are none for who asks for one review: what is said of it is for nobody else', async () => {
    const { course } = await courseWithMember()
    const reviews = `/course/${course.slug}/reviews`
    expect(await versionOf(reviews)).not.toBeNull()
    expect(await versionOf(`${reviews}?review=${crypto.randomUUID()}`)).toBeNull()
  })

  test('are others after everything that they show of reviews', async () => {
    const { course, member, instructor } = await courseWithMember()
    const addresses = [
      `/course/${course.slug}`,
      `/course/${course.slug}/reviews`,
      `/course/${course.slug}/reviews?page=7`,
    ]
    const versions = () => Promise.all(addresses.map(versionOf))
    let before = await versions()
    expect(await versions()).toEqual(before)
    const changes = async (change: () => Promise<unknown>) => {
      await change()
      const after = await versions()
      for (const [index, version] of after.entries()) {
        expect(version, `${addresses[index]} after ${change}`).not.toBe(before[index])
      }
      before = after
    }
    await changes(() => write(course, member, { rating: 4 }))
    await changes(() => write(course, member, { rating: 4, reviewText: 'Words' }))
    const { id } = (await see(course, member)).mine
    await changes(() => answer(course, id, instructor, 'Thank you'))
    await changes(() => removeAnswer(course, id, instructor))
    await changes(() => query(`update users set name = 'New name' where id = $1`, member.id))
    await changes(() => query(`update users set avatar_url = '/x.webp' where id = $1`, member.id))
    await changes(() => query(`update users set name = 'Teacher' where id = $1`, instructor.id))
    await changes(() => remove(course, member))
  })

  test('are none for drafts, old addresses and nonsense', async () => {
    const { course, instructor } = await courseWithMember()
    const rename = { method: 'PATCH', body: { title: 'Splices' }, cookie: instructor.cookie }
    await app.request(`/rest/v1/courses/${course.id}`, rename)
    const [{ slug }] = await query('select slug from courses where id = $1', course.id)
    expect(await versionOf(`/course/${slug}/reviews`)).not.toBeNull()
    expect(await versionOf(`/course/${course.slug}/reviews`)).toBeNull()
    expect(await versionOf(`/course/${course.id}/reviews`)).toBeNull()
    expect(await versionOf('/course/%00/reviews')).toBeNull()
    await query(`update courses set status = 'draft' where id = $1`, course.id)
    expect(await versionOf(`/course/${slug}/reviews`)).toBeNull()
  })

  test('of a profile are others after its reviews have changed', async () => {
    const { course, member } = await courseWithMember()
    const address = `/user/${member.username}?tab=reviews`
    const seen = new Set([await versionOf(address)])
    await write(course, member, { rating: 4 })
    seen.add(await versionOf(address))
    await write(course, member, { rating: 5 })
    seen.add(await versionOf(address))
    await query(`update courses set title = 'Bends' where id = $1`, course.id)
    seen.add(await versionOf(address))
    await query(`update courses set status = 'draft' where id = $1`, course.id)
    seen.add(await versionOf(address))
    expect(seen.size).toBe(5)
    expect(await versionOf(address)).toBe([...seen].at(-1))
    // Other tabs show how many reviews there are.
    const before = await versionOf(`/user/${member.username}?tab=created`)
    await query(`update courses set status = 'published' where id = $1`, course.id)
    expect(await versionOf(`/user/${member.username}?tab=created`)).not.toBe(before)
    const asMember = await versionOf(address)
    await query('delete from enrollments where user_id = $1', member.id)
    expect(await versionOf(address)).not.toBe(asMember)
  })
})

describe('a profile', () => {
  const profileOf = async (person: Someone, search = '?tab=reviews') =>
    (await app.request(`/rest/v1/users/${person.username}${search}`)).body

  test('has what its person wrote about published courses, newest first', async () => {
    const member = await someone()
    const courses: Course[] = []
    for (const title of ['First ⚡', 'Second', 'Hidden']) {
      const course = await makeCourse(app.services, await someone(), { title })
      courses.push(course)
      await makeReview(app.services, course, { by: member, rating: 2, reviewText: `Of ${title}` })
    }
    await query(`update courses set status = 'draft' where id = $1`, courses[2]!.id)
    const profile = await profileOf(member)
    expect(profile).toMatchObject({ tab: 'reviews', reviewsCount: 2, courses: [], hasMore: false })
    expect(profile.reviews).toEqual(
      [courses[1]!, courses[0]!].map((course, index) => ({
        id: expect.any(String),
        rating: 2,
        reviewText: ['Of Second', 'Of First ⚡'][index],
        createdAt: expect.any(String),
        edited: false,
        course: {
          id: course.id,
          slug: course.slug,
          title: expect.stringMatching(/^(First|Second)/),
          category: 'Tech',
          thumbnail: null,
        },
      })),
    )
    expect((await profileOf(member, '')).reviews).toEqual([])
    expect((await profileOf(member, '')).reviewsCount).toBe(2)
  })

  test('has twelve at a time', async () => {
    const member = await someone()
    for (let number = 0; number < 13; number++) {
      const course = await makeCourse(app.services, await someone())
      await makeReview(app.services, course, { by: member })
    }
    const first = await profileOf(member)
    expect([first.reviews.length, first.hasMore, first.reviewsCount]).toEqual([12, true, 13])
    const all = await profileOf(member, '?tab=reviews&show=24')
    expect([all.reviews.length, all.hasMore]).toEqual([13, false])
  })

  test('has no review of a course that its person has left, and has it again when they are back', async () => {
    const { course, member } = await courseWithMember()
    await write(course, member, { rating: 5, reviewText: 'I was there' })
    const shown = async () => {
      const { reviews, reviewsCount } = await profileOf(member)
      return [reviews.length, reviewsCount, (await profileOf(member, '')).reviewsCount]
    }
    expect(await shown()).toEqual([1, 1, 1])
    const left = await app.request(`/rest/v1/enrollments/${course.id}`, {
      method: 'DELETE',
      cookie: member.cookie,
    })
    expect(left.status).toBe(200)
    expect(await shown()).toEqual([0, 0, 0])
    await joinCourse(app.services, member, course)
    expect(await shown()).toEqual([1, 1, 1])
  })
})

describe('leaving', () => {
  const leave = (cookie: string, membersCourses = 'keep') =>
    app.request('/rest/v1/me/deletion', {
      body: { confirmation: 'DELETE', password: 'correct horse', membersCourses },
      cookie,
    })

  test('takes the reviews along, of courses left before too, and counts them out', async () => {
    const [one, two] = [await courseWithMember(), await courseWithMember()]
    const leaver = await someone()
    for (const { course } of [one, two]) {
      await makeReview(app.services, course, { by: leaver, rating: 1 })
      await makeReview(app.services, course, { rating: 5 })
    }
    await query(
      'delete from enrollments where user_id = $1 and course_id = $2',
      leaver.id,
      two.course.id,
    )
    const { consequences } = (await app.request('/rest/v1/me/deletion', leaver)).body
    expect(consequences).toContainEqual({
      text: 'Your 2 reviews are deleted, with the answers.',
      stays: false,
    })
    const before = await Promise.all([one, two].map(({ course }) => countedOf(course)))
    expect(before).toEqual([
      { total: 2, average: 3 },
      { total: 2, average: 3 },
    ])
    expect((await leave(leaver.cookie)).status).toBe(200)
    for (const { course } of [one, two]) {
      expect(await countedOf(course)).toEqual({ total: 1, average: 5 })
    }
  })

  test('at the same moment as reviews and answers ends in no deadlock', async () => {
    const { course, instructor } = await courseWithMember()
    const crowd = await Promise.all(Array.from({ length: 8 }, () => someone()))
    const ids: string[] = []
    for (const person of crowd) ids.push(await makeReview(app.services, course, { by: person }))
    const answers = await Promise.all(
      crowd.flatMap((person, index) => [
        write(course, person, { rating: 2 }),
        answer(course, ids[index]!, instructor, 'Thank you'),
        leave(person.cookie),
        write(course, person, { rating: 3 }),
      ]),
    )
    for (const { status, body } of answers) expect(status, JSON.stringify(body)).toBeLessThan(500)
    expect(await countedOf(course)).toEqual({ total: 0, average: 0 })
  })

  test('of the instructor keeps the reviews of a kept course; nobody is told of new ones', async () => {
    const { course, member, instructor } = await courseWithMember()
    const { id } = (await write(course, member, { rating: 4 })).body
    await answer(course, id, instructor, 'Thank you')
    const file = await app.request('/rest/v1/me/deletion', instructor)
    expect(file.status).toBe(200)
    expect((await leave(instructor.cookie)).status).toBe(200)
    const seen = await see(course, member)
    expect(seen.mine.answer.text).toBe('Thank you')
    expect((await write(course, member, { rating: 5 })).status).toBe(200)
    const late = await someone()
    await query('insert into enrollments (user_id, course_id) values ($1, $2)', late.id, course.id)
    expect((await write(course, late, { rating: 5 })).status).toBe(200)
    expect(await noticesOf({ id: departedUserId })).toEqual([])
    await removeAbandonedCourses(app.services)
    expect(await countedOf(course)).toEqual({ total: 2, average: 5 })
  })

  test('the instructor takes the own answers along in the download', async () => {
    const { coursesData } = await import('../courses/personal-data.ts')
    const { exportedRows } = await import('../../server/personal-data.ts')
    const { course, member, instructor } = await courseWithMember()
    const { id } = (await write(course, member, { rating: 4, reviewText: 'Not theirs' })).body
    await answer(course, id, instructor, 'Thank you')
    const rows = []
    const person = { ...instructor, phoneNumber: null }
    for await (const some of exportedRows(app.services.db, coursesData.tables.courses!, person)) {
      rows.push(...some)
    }
    expect(rows).toMatchObject([{ id: course.id, answersToReviews: [{ answer: 'Thank you' }] }])
    expect(JSON.stringify(rows)).not.toContain('Not theirs')
  })
})
