// Reviews where a person, a course or a review goes meanwhile, and what others than its readers notice of one.
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
import {
  joinCourse,
  makeCourse,
  makeMedia,
  makePerson,
  makeReview,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'
import { stillPages } from '../../still-pages.ts'
import {
  profileReviews,
  profileReviewsVersion,
  reviewBy,
  reviewsOf,
  reviewsPageVersion,
  reviewStats,
} from './queries.ts'

let app: TestApp
beforeAll(async () => {
  // Nothing is mailed or delivered: it is enough that it waits.
  app = await startTestApp({ JOBS: 'off' })
})
afterAll(() => app?.stop())

async function someone(name?: string) {
  const person = await makePerson(app.services, name ? { name } : {})
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}
type Someone = Awaited<ReturnType<typeof someone>>

const query = async (text: string, ...values: unknown[]) =>
  (await app.services.pool.query(text, values)).rows

async function courseWithMember() {
  const instructor = await someone('Ida Instructor')
  const course = await makeCourse(app.services, instructor, { title: 'Knots' })
  const member = await someone('Mia Member')
  await joinCourse(app.services, member, course)
  return { instructor, course, member }
}

const write = (course: { id: string }, by: Someone, body: unknown) =>
  app.request(`/rest/v1/courses/${course.id}/review`, { method: 'PUT', body, cookie: by.cookie })

const remove = (course: { id: string }, by: Someone) =>
  app.request(`/rest/v1/courses/${course.id}/review`, { method: 'DELETE', cookie: by.cookie })

const answerPath = (course: { id: string }, reviewId: string) =>
  `/rest/v1/courses/${course.id}/reviews/${reviewId}/answer`

const answer = (course: { id: string }, reviewId: string, { cookie }: Someone) =>
  app.request(answerPath(course, reviewId), { body: { answer: 'Thank you' }, cookie })

const removeAnswer = (course: { id: string }, reviewId: string, { cookie }: Someone) =>
  app.request(answerPath(course, reviewId), { method: 'DELETE', cookie })

const see = async ({ slug }: { slug: string }, by?: Someone) =>
  (await app.request(`/rest/v1/courses/${slug}/reviews`, { cookie: by?.cookie })).body

const refusalOf = ({ status, body }: Awaited<ReturnType<typeof answer>>) => [
  status,
  body.code,
  body.message,
]
const reviewGone = [404, 'NOT_FOUND', 'This review is not there any more.']
const courseGone = [404, 'NOT_FOUND', 'Course not found']

describe('at the same moment', () => {
  test('a course that goes takes its reviews along: there is nothing left to remove', async () => {
    const { course, instructor, member } = await courseWithMember()
    const { id } = (await write(course, member, { rating: 5 })).body
    const calls = [() => remove(course, member), () => removeAnswer(course, id, instructor)]
    const gone = ['delete from courses where id = $1', course.id] as [string, string]
    for (const { status, body } of await behindChange(app.services, gone, calls)) {
      expect([status, body]).toEqual([200, { removed: true }])
    }
  })

  test('a course that somebody else teaches from now on is answered by nobody else', async () => {
    const { course, instructor, member } = await courseWithMember()
    const other = await someone()
    await joinCourse(app.services, other, course)
    const { id } = (await write(course, member, { rating: 5 })).body
    const second = (await write(course, other, { rating: 4 })).body
    await answer(course, second.id, instructor)
    const next = await someone()
    const [answered, removed] = await behindChange(
      app.services,
      ['update courses set instructor_id = $2 where id = $1', course.id, next.id],
      [() => answer(course, id, instructor), () => removeAnswer(course, second.id, instructor)],
    )
    expect(refusalOf(answered!)).toEqual(reviewGone)
    expect([removed!.status, removed!.body]).toEqual([200, { removed: true }])
    expect((await see(course)).reviews).toMatchObject([
      { id: second.id, answer: { text: 'Thank you' } },
      { id, answer: null },
    ])
  })

  test('a review that its writer removes is not answered, and nobody is told', async () => {
    const { course, instructor, member } = await courseWithMember()
    const { id } = (await write(course, member, { rating: 5 })).body
    const removing = `with gone as (delete from course_reviews where id = $1)
                      update courses set reviews_count = 0, rating = 0 where id = $2`
    const [answered] = await behindChange(
      app.services,
      [removing, id, course.id],
      [() => answer(course, id, instructor)],
    )
    expect(refusalOf(answered!)).toEqual(reviewGone)
    expect(await query('select 1 from notifications where user_id = $1', member.id)).toEqual([])
  })
})

test('of a course that does not exist there are no reviews to see', async () => {
  const person = await someone()
  for (const by of [undefined, person]) {
    const path = '/rest/v1/courses/no-such-course/reviews'
    expect(refusalOf(await app.request(path, { cookie: by?.cookie }))).toEqual(courseGone)
  }
})

test('who looks is told who teaches, and what they are to the course themselves', async () => {
  const { course, instructor, member } = await courseWithMember()
  const facts = {
    course: {
      id: course.id,
      slug: course.slug,
      title: 'Knots',
      instructorName: 'Ida Instructor',
      status: 'published',
    },
    stats: { total: 0, average: 0, byStars: [0, 0, 0, 0, 0] },
    reviews: [],
    page: 1,
    pages: 1,
    mine: null,
  }
  const standings = {
    visitor: undefined,
    signedIn: await someone(),
    member,
    instructor,
  }
  for (const [standing, by] of Object.entries(standings)) {
    expect(await see(course, by)).toEqual({ ...facts, standing })
  }
})

test('creators who want to hear of it hear of a review and of its changes, not of the same once more', async () => {
  const { course, instructor, member } = await courseWithMember()
  const elsewhere = await courseWithMember()
  const [endpoint] = await query(
    `insert into webhook_endpoints (user_id, url, events, sealed_secret)
     values ($1, 'https://example.com/', '{review.created,review.updated}', '') returning id`,
    instructor.id,
  )
  const saves = [
    { rating: 4, reviewText: 'Good' },
    { rating: 4, reviewText: 'Good' },
    { rating: 4, reviewText: 'Very good' },
    { rating: 5, reviewText: 'Very good' },
  ]
  for (const body of saves) await write(course, member, body)
  await write(elsewhere.course, elsewhere.member, { rating: 1 })
  const { id } = (await see(course, member)).mine
  const told = (type: string, rating: number, text: string) => ({
    type,
    data: {
      course: { id: course.id, slug: course.slug, title: 'Knots' },
      person: { id: member.id, name: 'Mia Member', username: member.username },
      review: { id, rating, text },
    },
  })
  expect(
    await query(
      'select type, data from webhook_messages where endpoint_id = $1 order by id',
      endpoint.id,
    ),
  ).toEqual([
    told('review.created', 4, 'Good'),
    told('review.updated', 4, 'Very good'),
    told('review.updated', 5, 'Very good'),
  ])
})

test('an instructor is told of a new review, and not of its changes on a later day', async () => {
  const { course, instructor, member } = await courseWithMember()
  const told = () => query('select title from notifications where user_id = $1', instructor.id)
  await write(course, member, { rating: 4 })
  await query(`update rate_limits set expire = 0 where key like 'review-notice:%'`)
  await write(course, member, { rating: 2 })
  expect(await told()).toEqual([{ title: 'New Review' }])
})

test('an instructor who hands the course over at that moment is not told, nor is who gets it', async () => {
  const { course, instructor, member } = await courseWithMember()
  const next = await someone()
  const [written] = await behindChange(
    app.services,
    ['update courses set instructor_id = $2 where id = $1', course.id, next.id],
    [() => write(course, member, { rating: 4 })],
  )
  expect(written!.status).toBe(200)
  for (const { id } of [instructor, next]) {
    expect(await query('select 1 from notifications where user_id = $1', id)).toEqual([])
  }
})

describe('kept pages', () => {
  const versionOf = async (path: string) => {
    const { pathname, searchParams } = new URL(path, app.url)
    const page = stillPages.find((one) => one.path.test(pathname))!
    return page.version(app.services, pathname.match(page.path)!, searchParams)
  }

  test('stay the same when nothing was there to remove', async () => {
    const { course, instructor, member } = await courseWithMember()
    const { id } = (await write(course, member, { rating: 5 })).body
    const path = `/course/${course.slug}/reviews`
    const before = await versionOf(path)
    const changedNothing = [
      await remove(course, await someone()),
      await removeAnswer(course, id, instructor),
    ]
    expect(changedNothing.map(({ status }) => status)).toEqual([200, 200])
    expect(await versionOf(path)).toBe(before)
  })

  test('are not looked for where no course can be', async () => {
    const names = ['Knots', 'kn%00ots', '%00knots', 'knots%00', 'kn_ots']
    const asked = await watchStatements(app).during(async () => {
      for (const name of names) expect(await versionOf(`/course/${name}/reviews`)).toBeNull()
    })
    expect(asked).toEqual([])
  })
})

describe('a profile', () => {
  /** Somebody who wrote about this many courses. */
  async function writerOf(reviews: number) {
    const writer = await someone()
    for (let number = 0; number < reviews; number++) {
      await makeReview(app.services, await makeCourse(app.services, await someone()), {
        by: writer,
      })
    }
    return writer
  }

  test('of just twelve reviews has no more, with the pictures of their courses', async () => {
    const writer = await writerOf(12)
    const newest = await query(
      'select course_id as id from course_reviews where user_id = $1 order by created_at desc limit 1',
      writer.id,
    )
    const thumbnail = await makeMedia(app.services, await someone(), { purpose: 'thumbnail' })
    await query('update courses set thumbnail_id = $2 where id = $1', newest[0].id, thumbnail)
    const { body } = await app.request(`/rest/v1/users/${writer.username}?tab=reviews`)
    expect([body.reviews.length, body.hasMore]).toEqual([12, false])
    expect(body.reviews[0].course).toMatchObject({
      id: newest[0].id,
      thumbnail: {
        small: `/storage/v1/images/${thumbnail}/320.webp`,
        medium: `/storage/v1/images/${thumbnail}/640.webp`,
        large: `/storage/v1/images/${thumbnail}/1280.webp`,
      },
    })
    expect(body.reviews[1].course.thumbnail).toBeNull()
  })

  test('is another when what it does not show any more goes, and with it “more”', async () => {
    const writer = await writerOf(3)
    const version = () => profileReviewsVersion(app.services.pool, writer.id, 2)
    const before = await version()
    await query(
      `delete from course_reviews where id =
         (select id from course_reviews where user_id = $1 order by created_at limit 1)`,
      writer.id,
    )
    expect(await version()).not.toBe(before)
  })
})

test('what pages ask of reviews, PostgreSQL has prepared', async () => {
  const { course, member } = await courseWithMember()
  const pool = new Pool({ connectionString: app.databaseUrl, max: 1 })
  const search = { page: 1, perPage: 20 }
  await reviewStats(pool, course.id)
  await reviewsOf(pool, course.id, 0, search)
  await reviewBy(pool, course.id, member.id)
  await reviewsPageVersion(pool, course.slug, search)
  await profileReviews(pool, member.id, 12)
  await profileReviewsVersion(pool, member.id, 12)
  const { rows } = await pool.query('select name from pg_prepared_statements order by name')
  await pool.end()
  expect(rows.map(({ name }) => name)).toEqual([
    'profile-reviews',
    'profile-reviews-version',
    'review-by',
    'review-stats',
    'reviews-of-course',
    'reviews-version',
  ])
})
