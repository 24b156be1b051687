import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestApp, type TestApp } from '../../../test/app.ts'
import { behindChange } from '../../../test/behind-change.ts'
import { joinCourse, lessonsOf, makeCourse, makeMedia } from '../../../test/factories.ts'
import { removeStaleUploads } from '../media/uploads.ts'
import { type Branding, noBranding } from './rules.ts'

let app: TestApp
let creator: Person
let free: Person
let learner: Person
let course: Awaited<ReturnType<typeof makeCourse>>

beforeAll(async () => {
  app = await startTestApp()
  creator = await app.signUp({ name: 'Bea Brand' })
  free = await app.signUp({ name: 'Fred Free' })
  learner = await app.signUp({ name: 'Lia Learner' })
  await setPro(creator, true)
  course = await makeCourse(app.services, creator, { title: 'Throwing Clay' })
})

afterAll(() => app.stop())

const query = (text: string, values: unknown[] = []) => app.services.pool.query(text, values)

const setPro = (person: Person, isPro: boolean) =>
  query(
    isPro
      ? 'insert into plan_grants (user_id) values ($1)'
      : 'delete from plan_grants where user_id = $1',
    [person.id],
  )

const addressOf = (id: string) => `/rest/v1/courses/${id}/branding`

const save = (
  change: Partial<Record<keyof Branding, unknown>>,
  { person = creator, id = course.id }: { person?: Person | null; id?: string } = {},
) =>
  app.request(addressOf(id), {
    method: 'PUT',
    cookie: person?.cookie,
    body: { ...noBranding, ...change },
  })

const stored = async (id = course.id) => {
  const { body } = await app.request(addressOf(id), { cookie: creator.cookie })
  return body
}

const pictures = async () => ({
  logoId: await makeMedia(app.services, creator, { purpose: 'course_logo', courseId: course.id }),
  coverId: await makeMedia(app.services, creator, {
    purpose: 'course_cover',
    courseId: course.id,
  }),
})

const publicPage = async () => (await app.request(`/rest/v1/courses/${course.slug}`)).body

describe('the look of a course', () => {
  test('is chosen with Pro, and shown to visitors, members and in lessons', async () => {
    const chosen = {
      colour: ' #0B6B4F ',
      ...(await pictures()),
      certificateHeading: '  Well   done ',
      certificateWords: 'One\r\ntwo',
      certificateSignatory: 'The studio',
    }
    const { status, body } = await save(chosen)
    expect([status, body]).toEqual([
      200,
      {
        isPro: true,
        branding: {
          ...chosen,
          colour: '#0b6b4f',
          certificateHeading: 'Well done',
          certificateWords: 'One\ntwo',
        },
      },
    ])
    expect(await stored()).toEqual(body)
    const { branding } = await publicPage()
    expect(branding).toEqual({
      accent: expect.objectContaining({
        '--color-primary': expect.stringMatching(/^light-dark\(#0b6b4f,#[0-9a-f]{6}\)$/),
      }),
      logoUrl: `/storage/v1/images/${chosen.logoId}/256.webp`,
      cover: expect.objectContaining({
        large: `/storage/v1/images/${chosen.coverId}/1920.webp`,
      }),
    })
    await joinCourse(app.services, learner, course)
    const inside = await app.request(`/rest/v1/courses/${course.slug}/dashboard`, {
      cookie: learner.cookie,
    })
    expect(inside.body.branding).toEqual(branding)
    const [lesson] = await lessonsOf(app.services, course.id)
    const page = await app.request(`/rest/v1/courses/${course.slug}/lessons/${lesson!.slug}`, {
      cookie: learner.cookie,
    })
    expect(page.body.course.branding).toEqual(branding)
  })

  test('changes what is compared with the kept page', async () => {
    const version = async () =>
      (await query('select version from courses where id = $1', [course.id])).rows[0].version
    const before = await version()
    expect((await save({ ...(await stored()).branding, colour: '#224466' })).status).toBe(200)
    expect(Number(await version())).toBeGreaterThan(Number(before))
    expect((await publicPage()).branding.accent['--color-primary']).toMatch(/#224466/)
  })

  test('is on the certificates that are issued afterwards', async () => {
    const { branding } = await stored()
    const [lesson] = await lessonsOf(app.services, course.id)
    const done = await app.request(`/rest/v1/lessons/${lesson!.id}/completion`, {
      method: 'PUT',
      cookie: learner.cookie,
    })
    const { rows } = await query('select look from certificates where course_id = $1', [course.id])
    expect([done.status, rows]).toEqual([
      200,
      [
        {
          look: {
            colour: '#224466',
            logoUrl: `/storage/v1/images/${branding.logoId}/256.webp`,
            heading: 'Well done',
            words: 'One\ntwo',
            signatory: 'The studio',
          },
        },
      ],
    ])
  })

  test('without anything is as everywhere else', async () => {
    const another = await makeCourse(app.services, creator, { title: 'Plain' })
    expect((await stored(another.id)).branding).toEqual({
      colour: null,
      logoId: null,
      coverId: null,
      certificateHeading: '',
      certificateWords: '',
      certificateSignatory: '',
    })
    expect((await save({ certificateWords: 'Only words' }, { id: another.id })).status).toBe(200)
    expect((await app.request(`/rest/v1/courses/${another.slug}`)).body.branding).toBeNull()
    expect((await save({}, { id: another.id })).status).toBe(200)
    const { rows } = await query('select 1 from course_brandings where course_id = $1', [
      another.id,
    ])
    expect(rows).toEqual([])
  })

  test('has the parts that were chosen, and no others', async () => {
    const facts = { purpose: 'course_logo', courseId: course.id } as const
    const logoId = await makeMedia(app.services, creator, facts)
    const { branding: before } = await stored()
    expect((await save({ logoId })).status).toBe(200)
    expect((await publicPage()).branding).toEqual({
      accent: null,
      logoUrl: `/storage/v1/images/${logoId}/256.webp`,
      cover: null,
    })
    expect((await save({ coverId: before.coverId })).status).toBe(200)
    expect((await publicPage()).branding).toEqual({
      accent: null,
      logoUrl: null,
      cover: {
        small: `/storage/v1/images/${before.coverId}/640.webp`,
        medium: `/storage/v1/images/${before.coverId}/1280.webp`,
        large: `/storage/v1/images/${before.coverId}/1920.webp`,
      },
    })
    expect((await save(before)).status).toBe(200)
  })
})

describe('is refused', () => {
  test('to strangers, to others, and to who has no Pro', async () => {
    const draft = await makeCourse(app.services, creator, { title: 'Hidden', status: 'draft' })
    expect((await save({}, { person: null })).status).toBe(401)
    expect((await save({ colour: '#123456' }, { person: free })).status).toBe(403)
    expect((await save({ colour: '#123456' }, { person: free, id: draft.id })).status).toBe(404)
    expect((await app.request(addressOf(course.id), { cookie: learner.cookie })).status).toBe(403)
    const own = await makeCourse(app.services, free, { title: 'Of Fred' })
    const { status, body } = await save({ colour: '#123456' }, { person: free, id: own.id })
    expect([status, body.code, body.message]).toEqual([
      403,
      'PRO_ONLY',
      expect.stringContaining('Pro benefit'),
    ])
    const { rows } = await query('select 1 from course_brandings where course_id = $1', [own.id])
    expect(rows).toEqual([])
  })

  test('for a course that is somebody else’s by now', async () => {
    const given = await makeCourse(app.services, creator, { title: 'Given away' })
    const give = 'update courses set instructor_id = $2 where id = $1'
    const [saved] = await behindChange(
      app.services,
      [give, given.id, free.id],
      [() => save({ colour: '#123456' }, { id: given.id })],
    )
    expect([saved!.status, saved!.body.message]).toEqual([404, 'Course not found'])
    const { rows } = await query('select 1 from course_brandings where course_id = $1', [given.id])
    expect(rows).toEqual([])
  })

  test.each([
    [{ colour: 'blue' }, /color is a #/],
    [{ colour: '#12345' }, /color is a #/],
    [{ colour: '#123456;}' }, /color is a #/],
    [{ colour: 7 }, /color is a #/],
    [{ logoId: 'none' }, /logo is not a valid id/],
    [{ certificateHeading: 'x'.repeat(61) }, /heading can have at most 60/],
    [{ certificateWords: 'x'.repeat(301) }, /words can have at most 300/],
    [{ certificateSignatory: 'x'.repeat(81) }, /signs can have at most 80/],
  ])('when it is %o', async (change, message) => {
    const { status, body } = await save(change)
    expect(status).toBe(422)
    expect(JSON.stringify(body)).toMatch(message)
  })

  test('with a picture of somebody else, of another course, of another kind, or not ready', async () => {
    const another = await makeCourse(app.services, creator, { title: 'Another' })
    const make = (person: Person, facts: Parameters<typeof makeMedia>[2]) =>
      makeMedia(app.services, person, facts)
    const logo = { purpose: 'course_logo', courseId: course.id } as const
    const wrong = [
      await make(free, logo),
      await make(creator, { ...logo, courseId: another.id }),
      await make(creator, { ...logo, purpose: 'course_cover' }),
      await make(creator, { ...logo, status: 'uploading' }),
    ]
    for (const logoId of wrong) {
      const { status, body } = await save({ ...(await stored()).branding, logoId })
      expect([status, body.message]).toEqual([
        400,
        'The logo was not found. Please upload it again.',
      ])
    }
    const { status } = await save({ ...(await stored()).branding, coverId: wrong[0] })
    expect(status).toBe(400)
  })
})

test('without Pro any more it stays, can be removed part by part, and not be changed', async () => {
  const { branding } = await stored()
  await setPro(creator, false)
  expect(await stored()).toEqual({ isPro: false, branding })
  expect((await publicPage()).branding.logoUrl).toContain(branding.logoId)
  expect((await save({ ...branding, colour: '#aa0000' })).body.code).toBe('PRO_ONLY')
  expect((await save({ ...branding, colour: null })).status).toBe(200)
  expect((await save({ ...branding, colour: '#224466' })).body.code).toBe('PRO_ONLY')
  expect((await publicPage()).branding).toMatchObject({ accent: null })
  await setPro(creator, true)
  expect((await save(branding)).status).toBe(200)
})

test('a copy of a course begins without a look of its own', async () => {
  const { status, body } = await app.request(`/rest/v1/courses/${course.id}/duplicate`, {
    method: 'POST',
    cookie: creator.cookie,
  })
  expect(status).toBe(200)
  expect((await stored(body.id)).branding).toEqual(noBranding)
})

test('pictures that nothing shows go after a day, but for the logo of a certificate', async () => {
  const { branding } = await stored()
  const later = await pictures()
  const unused = await pictures()
  expect((await save({ ...branding, ...later })).status).toBe(200)
  await query(`update media_files set updated_at = now() - interval '25 hours'`)
  await removeStaleUploads(app.services)
  const { rows } = await query(
    `select id from media_files where course_id = $1 and purpose in ('course_logo', 'course_cover')
        and owner_id = $2 and status = 'ready'`,
    [course.id, creator.id],
  )
  const left = rows.map(({ id }) => id)
  expect(left).toEqual(expect.arrayContaining([branding.logoId, later.logoId, later.coverId]))
  for (const id of [branding.coverId, unused.logoId, unused.coverId]) {
    expect(left).not.toContain(id)
  }
})

test('a picture that is replaced stays for a day from then on', async () => {
  const { branding } = await stored()
  await query(`update media_files set updated_at = now() - interval '25 hours'`)
  expect((await save({ ...branding, ...(await pictures()) })).status).toBe(200)
  await removeStaleUploads(app.services)
  const { rowCount } = await query('select 1 from media_files where id = any($1::uuid[])', [
    [branding.logoId, branding.coverId],
  ])
  expect(rowCount).toBe(2)
})
