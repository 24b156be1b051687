// Certificates: who gets one, that it stays, what it says to people and to machines, and how it is revoked.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eq } from 'drizzle-orm'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { copyOfTemplate } from '../../../test/database-copy.ts'
import {
  completeLessons,
  joinCourse,
  lessonsOf,
  makeCourse,
  makePerson,
  sessionCookieOf,
} from '../../../test/factories.ts'
import { watchStatements } from '../../../test/statements.ts'
import { users } from '../accounts/tables.ts'
import { courseBrandings } from '../branding/tables.ts'
import { courses } from '../courses/tables.ts'
import { notifications } from '../notifications/tables.ts'
import { certificates, credentialKeys } from './tables.ts'

let app: TestApp
let folder: string

async function asSuperuser<Result>(url: string, work: (client: Client) => Promise<Result>) {
  const address = new URL(url)
  address.username = 'postgres'
  const client = new Client({ connectionString: address.href })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

beforeAll(async () => {
  const databaseUrl = await copyOfTemplate()
  await asSuperuser(databaseUrl, async (superuser) => {
    const name = new URL(databaseUrl).pathname.slice(1)
    // PostgreSQL looks once who waits for whom. `entangled` has to have come to its wait by then, on a busy machine, too.
    await superuser.query(`alter database ${name} set deadlock_timeout = '10s'`)
  })
  app = await startTestApp({ DATABASE_URL: databaseUrl })
  folder = await mkdtemp(join(tmpdir(), 'badges-'))
})
afterAll(async () => {
  await app?.stop()
  await rm(folder, { recursive: true, force: true })
})

type Someone = { id: string; name: string; email: string; cookie: string }
type Course = { id: string; slug: string; instructorId: string }

async function someone(name?: string): Promise<Someone> {
  const person = await makePerson(app.services, name === undefined ? {} : { name })
  return { ...person, cookie: await sessionCookieOf(app.services, person.id) }
}

async function courseOf(creator: Someone, lessons: number, title = 'Knots'): Promise<Course> {
  const titles = Array.from({ length: lessons }, (_, index) => ({ title: `Lesson ${index + 1}` }))
  const course = await makeCourse(app.services, creator, {
    title,
    chapters: [{ title: 'One', lessons: titles }],
  })
  return course as Course
}

async function member(course: Course, name?: string): Promise<Someone> {
  const learner = await someone(name)
  expect(await joinCourse(app.services, learner, course)).not.toBe('full')
  return learner
}

const complete = (lesson: { id: string }, { cookie }: Someone, method = 'PUT') =>
  app.request(`/rest/v1/lessons/${lesson.id}/completion`, { method, cookie })

const of = (userId: string) =>
  app.services.db.select().from(certificates).where(eq(certificates.userId, userId))

async function completed(course: Course, learner: Someone): Promise<string> {
  const lessons = await lessonsOf(app.services, course.id)
  await completeLessons(app.services, learner, course, lessons.length - 1)
  const { body } = await complete(lessons.at(-1)!, learner)
  expect(body.certificateId).toEqual(expect.any(String))
  return body.certificateId
}

const kindsTold = async (userId: string) =>
  (
    await app.services.db
      .select({ kind: notifications.kind })
      .from(notifications)
      .where(eq(notifications.userId, userId))
  )
    .map(({ kind }) => kind)
    .filter((kind) => kind.startsWith('certificate'))

const claim = (course: Course, { cookie }: { cookie?: string }) =>
  app.request(`/rest/v1/courses/${course.id}/certificate`, { method: 'POST', cookie })

const revoke = (
  course: { id: string },
  certificateId: string,
  { cookie }: { cookie?: string },
  reason: unknown = 'Somebody else did it.',
) =>
  app.request(`/rest/v1/courses/${course.id}/certificates/${certificateId}/revocation`, {
    body: { reason },
    cookie,
  })

describe('is issued', () => {
  test('with the last lesson, once, and the learner is told', async () => {
    const course = await courseOf(await someone('Ina Structor'), 2, 'Knots ⚡')
    const learner = await member(course, 'Ada Lovelace')
    const [first, last] = await lessonsOf(app.services, course.id)
    expect((await complete(first!, learner)).body.certificateId).toBeUndefined()
    const { certificateId } = (await complete(last!, learner)).body
    const { body } = await app.request(`/rest/v1/certificates/${certificateId}`)
    expect(body).toEqual({
      id: certificateId,
      learnerName: 'Ada Lovelace',
      courseTitle: 'Knots',
      creatorName: 'Ina Structor',
      look: {
        colour: null,
        logoUrl: null,
        heading: 'Certificate of completion',
        words: '',
        signatory: 'Ina Structor',
      },
      issuedAt: expect.any(String),
      revoked: null,
      courseSlug: course.slug,
      isMine: false,
    })
    expect((await complete(first!, learner, 'DELETE')).body.certificateId).toBeUndefined()
    expect((await complete(first!, learner)).body.certificateId).toBe(certificateId)
    expect(await of(learner.id)).toHaveLength(1)
    expect(await kindsTold(learner.id)).toEqual(['certificate_issued'])
    const mine = await app.request('/rest/v1/certificates', { cookie: learner.cookie })
    expect(mine.body.certificates).toMatchObject([
      { id: certificateId, courseId: course.id, courseTitle: 'Knots', isRevoked: false },
    ])
  })

  test('once, when ten lessons are completed at once', async () => {
    const course = await courseOf(await someone(), 10)
    const learner = await member(course)
    const lessons = await lessonsOf(app.services, course.id)
    const answers = await Promise.all(lessons.map((lesson) => complete(lesson, learner)))
    expect(answers.map(({ status }) => status)).toEqual(lessons.map(() => 200))
    const rows = await of(learner.id)
    expect(rows).toHaveLength(1)
    const told = answers.map(({ body }) => body.certificateId).filter(Boolean)
    expect(told).toEqual([rows[0]!.id])
    expect(await kindsTold(learner.id)).toEqual(['certificate_issued'])
  })

  test('neither to the creator, nor to an administrator who only looks, nor for an empty course', async () => {
    const creator = await someone()
    const course = await courseOf(creator, 1)
    await joinCourse(app.services, creator, course)
    const administrator = await someone()
    await app.services.db.update(users).set({ role: 'admin' }).where(eq(users.id, administrator.id))
    const [only] = await lessonsOf(app.services, course.id)
    const { status, body } = await complete(only!, creator)
    expect([status, body.progressPercent, body.certificateId]).toEqual([200, 100, undefined])
    // Completed once, as a member.
    await completeLessons(app.services, administrator, course, 1)
    for (const person of [creator, administrator]) {
      expect((await claim(course, person)).status).toBe(409)
      expect(await of(person.id)).toEqual([])
    }
    const empty = await courseOf(await someone(), 0)
    expect((await claim(empty, await member(empty))).status).toBe(409)
  })

  test('with the look that the course has at that moment', async () => {
    const course = await courseOf(await someone(), 1)
    const branding = {
      colour: '#0a7d4f',
      certificateHeading: 'Diploma',
      certificateWords: 'With all the knots.',
      certificateSignatory: 'The Harbour School',
    }
    await app.services.db.insert(courseBrandings).values({ courseId: course.id, ...branding })
    const id = await completed(course, await member(course))
    await app.services.db.delete(courseBrandings).where(eq(courseBrandings.courseId, course.id))
    const { body } = await app.request(`/rest/v1/certificates/${id}`)
    expect(body.look).toEqual({
      colour: '#0a7d4f',
      logoUrl: null,
      heading: 'Diploma',
      words: 'With all the knots.',
      signatory: 'The Harbour School',
    })
  })

  test('on request, to who completed what is left of a course; to nobody else', async () => {
    const course = await courseOf(await someone(), 2)
    const learner = await member(course)
    const [first, last] = await lessonsOf(app.services, course.id)
    await complete(first!, learner)
    expect((await claim(course, learner)).status).toBe(409)
    const own = `/rest/v1/courses/${course.id}/certificate`
    expect((await app.request(own, learner)).body).toEqual({ certificate: null })
    await app.services.pool.query('delete from lessons where id = $1', [last!.id])
    await app.services.pool.query('update courses set lessons_count = 1 where id = $1', [course.id])
    expect(await of(learner.id)).toEqual([])
    const claims = await Promise.all(Array.from({ length: 5 }, () => claim(course, learner)))
    const [row] = await of(learner.id)
    for (const { status, body } of claims) {
      expect([status, body.certificate]).toEqual([200, { id: row!.id, isRevoked: false }])
    }
    expect(await kindsTold(learner.id)).toEqual(['certificate_issued'])
    expect((await claim(course, {})).status).toBe(401)
    expect((await claim(course, await someone())).status).toBe(403)
  })

  test('at the cost of one statement more when the course is complete, and of none before', async () => {
    const course = await courseOf(await someone(), 3)
    const learner = await member(course)
    const [first, second, last] = await lessonsOf(app.services, course.id)
    const watch = watchStatements(app)
    const before = await watch.during(() => complete(first!, learner))
    expect(before.filter((text) => /certificates|credential/.test(text))).toEqual([])
    await complete(second!, learner)
    await complete(last!, learner)
    const again = await watch.during(() => complete(last!, learner))
    expect(again.filter((text) => /certificates|credential/.test(text))).toHaveLength(1)
  })
})

describe('stays', () => {
  test('when lessons are added, the course and the learner are renamed, and the learner leaves', async () => {
    const course = await courseOf(await someone('Ina Structor'), 1)
    const learner = await member(course, 'Ada Lovelace')
    const id = await completed(course, learner)
    const before = (await app.request(`/rest/v1/certificates/${id}`)).body
    const { db } = app.services
    await db
      .update(courses)
      .set({ title: 'Ropes', lessonsCount: 9 })
      .where(eq(courses.id, course.id))
    await db.update(users).set({ name: 'Ada King' }).where(eq(users.id, learner.id))
    const [lesson] = await lessonsOf(app.services, course.id)
    await complete(lesson!, learner, 'DELETE')
    await app.request(`/rest/v1/enrollments/${course.id}`, { method: 'DELETE', ...learner })
    expect((await app.request(`/rest/v1/certificates/${id}`)).body).toEqual(before)
  })

  test('when the course is deleted, without a link to it', async () => {
    const creator = await someone('Ina Structor')
    const course = await courseOf(creator, 1)
    await app.services.db.insert(courseBrandings).values({
      courseId: course.id,
      certificateHeading: 'School of Ina Structor',
      certificateWords: 'Yours, Ina Structor',
      certificateSignatory: 'Ina Structor',
    })
    const learner = await member(course)
    const id = await completed(course, learner)
    await app.services.db.delete(courses).where(eq(courses.id, course.id))
    const { body } = await app.request(`/rest/v1/certificates/${id}`, learner)
    expect(body).toMatchObject({
      courseTitle: 'Knots',
      courseSlug: null,
      isMine: true,
      look: { heading: 'School of Ina Structor' },
    })
    const told = { body: { confirmation: 'DELETE', password: 'correct horse' } }
    const gone = await app.request('/rest/v1/me/deletion', { ...told, ...creator })
    expect(gone.status).toBe(200)
    const after = await app.request(`/rest/v1/certificates/${id}`)
    expect(after.body).toMatchObject({
      creatorName: 'A creator who has left',
      look: {
        heading: 'Certificate of completion',
        words: '',
        signatory: 'A creator who has left',
      },
    })
    expect(JSON.stringify(await of(learner.id))).not.toContain('Ina Structor')
  })
})

const unknown = ['nothing', randomUUID(), '%00', 'A'.repeat(90)]
test.each(unknown)('there is none at %s', async (id) => {
  const answer = await app.request(`/rest/v1/certificates/${id}`)
  expect([answer.status, answer.body.message]).toEqual([404, 'Certificate not found'])
  for (const file of ['certificate.pdf', 'badge.jwt', 'badge.json']) {
    expect((await app.request(`/certificates/${id}/${file}`)).status).toBe(404)
  }
})

describe('the badge', () => {
  const run = promisify(execFile)
  /** A module that takes the network from the program. */
  const noNetwork = `data:text/javascript,${encodeURIComponent(`
    import net from 'node:net'
    net.Socket.prototype.connect = () => { throw new Error('there is no network') }`)}`
  /** The program that anybody can verify with: its exit code and what it says. */
  async function verify(...parameters: string[]) {
    const command = ['--import', noNetwork, 'scripts/verify-badge.mjs', ...parameters]
    return run(process.execPath, command).then(
      ({ stdout }) => ({ code: 0, said: stdout }),
      (error: { code: number; stderr: string; stdout: string }) => ({
        code: error.code,
        said: error.stdout + error.stderr,
      }),
    )
  }
  const stored = async (name: string, content: string) => {
    const path = join(folder, `${randomUUID()}-${name}`)
    await writeFile(path, content)
    return path
  }
  const badgeOf = async (id: string) => (await app.request(`/certificates/${id}/badge.jwt`)).body
  const published = async (name: string) => (await app.request(`/certificates/${name}`)).body

  test('is an Open Badges 3.0 credential that verifies with the published key alone', async () => {
    const course = await courseOf(await someone('Ina Structor'), 2)
    const learner = await member(course, 'Ada Lovelace')
    const id = await completed(course, learner)
    const jwt = await badgeOf(id)
    const keys = await published('keys.json')
    const { payload, protectedHeader } = await jwtVerify(jwt, createLocalJWKSet(keys))
    const { appUrl } = app.services.config
    const address = `${appUrl}/certificates/${id}`
    expect(payload).toMatchObject({
      '@context': [
        'https://www.w3.org/ns/credentials/v2',
        'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
      ],
      id: address,
      jti: address,
      iss: `${appUrl}/certificates/issuer.json`,
      type: ['VerifiableCredential', 'AchievementCredential'],
      credentialSubject: {
        identifier: [{ identityType: 'name', hashed: false, identityHash: 'Ada Lovelace' }],
        achievement: { name: 'Knots', achievementType: 'CertificateOfCompletion' },
      },
      credentialStatus: { id: `${appUrl}/certificates/revocations.json` },
    })
    const { body } = await app.request(`/rest/v1/certificates/${id}`)
    expect(payload.validFrom).toBe(body.issuedAt)
    expect(payload.nbf).toBe(Math.floor(Date.parse(body.issuedAt) / 1000))
    expect(JSON.stringify(payload)).not.toContain(learner.email)
    expect(JSON.stringify(payload)).not.toContain('Ina Structor')
    const issuer = await published('issuer.json')
    expect(issuer).toMatchObject({ id: payload.iss, type: ['Profile'], url: appUrl })
    // The header leads to the one key, too.
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: expect.any(String) })
    const one = (await app.request(new URL(protectedHeader.kid!).pathname)).body
    expect(keys.keys).toContainEqual(one)
    for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi']) expect(one).not.toHaveProperty(secret)
    // 3,072 bits are worth 128 of a symmetric key.
    expect(Buffer.from(one.n, 'base64url')).toHaveLength(3072 / 8)
    const { iss, jti, nbf, ...credential } = payload
    expect([typeof iss, typeof jti, typeof nbf]).toEqual(['string', 'string', 'number'])
    expect((await app.request(`/certificates/${id}/badge.json`)).body).toEqual(credential)
  })

  test('is verified by a program without a network; a changed byte is noticed, and a revocation', async () => {
    const creator = await someone()
    const course = await courseOf(creator, 1)
    const id = await completed(course, await member(course, 'Grace Hopper'))
    const jwt: string = await badgeOf(id)
    const [file, keys, list] = await Promise.all([
      stored('badge.jwt', jwt),
      published('keys.json').then((body) => stored('keys.json', JSON.stringify(body))),
      published('revocations.json').then((body) => stored('list.json', JSON.stringify(body))),
    ])
    const good = await verify(file, keys, list)
    expect(good).toMatchObject({ code: 0 })
    expect(good.said).toContain('Grace Hopper')
    expect(good.said).toContain('Knots')
    const [head, body, signature] = jwt.split('.') as [string, string, string]
    const forged = Buffer.from(body, 'base64url').toString().replace('Grace', 'Brace')
    const changed = [head, Buffer.from(forged).toString('base64url'), signature].join('.')
    expect(await verify(await stored('badge.jwt', changed), keys)).toMatchObject({ code: 1 })
    const other = { ...JSON.parse(JSON.stringify(await published('keys.json'))), keys: [] }
    expect(await verify(file, await stored('keys.json', JSON.stringify(other)))).toMatchObject({
      code: 1,
    })
    await revoke(course, id, creator)
    const after = await stored('list.json', JSON.stringify(await published('revocations.json')))
    const revoked = await verify(file, keys, after)
    expect(revoked.code).toBe(2)
    expect(revoked.said).toContain('revoked')
    expect(await verify()).toMatchObject({ code: 64 })
  })

  test('of a year ago still verifies when a new key signs', async () => {
    const course = await courseOf(await someone(), 1)
    const old = await badgeOf(await completed(course, await member(course)))
    const { db } = app.services
    await db.update(credentialKeys).set({ createdAt: new Date('2020-01-01T00:00:00Z') })
    const known = (await published('keys.json')).keys.length
    const learners = await Promise.all([member(course), member(course), member(course)])
    const ids = await Promise.all(learners.map((learner) => completed(course, learner)))
    const keys = await published('keys.json')
    expect(keys.keys).toHaveLength(known + 1)
    for (const jwt of [old, ...(await Promise.all(ids.map(badgeOf)))]) {
      await jwtVerify(jwt, createLocalJWKSet(keys))
    }
  })

  test('is signed with a key that a copy of the database does not hold', async () => {
    const rows = await app.services.db.select().from(credentialKeys)
    expect(rows.length).toBeGreaterThan(0)
    for (const { sealedPrivateJwk, publicJwk } of rows) {
      expect(sealedPrivateJwk).toMatch(/^[\w$.=+/-]+$/)
      expect(sealedPrivateJwk).not.toContain(String(publicJwk.n))
    }
  })
})

test('files say what they are, how long they hold, and who may read them', async () => {
  const course = await courseOf(await someone(), 1)
  const id = await completed(course, await member(course))
  const [key] = (await app.request('/certificates/keys.json')).body.keys
  const said = async (path: string) => {
    const { status, headers } = await app.request(path)
    const names = [
      'content-type',
      'cache-control',
      'access-control-allow-origin',
      'content-disposition',
      'x-robots-tag',
    ]
    return [status, ...names.map((name) => headers.get(name))]
  }
  const forAll = [200, 'application/json', 'no-cache', '*', null, null]
  const forPrograms = [200, 'application/ld+json', 'no-cache', '*', null, null]
  const attached = (type: string, name: string) =>
    [200, type, 'no-cache', null, `attachment; filename="${name}"`, 'noindex'] as const
  const refused = (status: number) => [
    status,
    'application/json',
    'no-cache',
    null,
    null,
    'noindex',
  ]
  expect(await said(`/certificates/${id}/certificate.pdf`)).toEqual(
    attached('application/pdf', `certificate-${id}.pdf`),
  )
  expect(await said(`/certificates/${id}/badge.jwt`)).toEqual(
    attached('application/vc+jwt', `badge-${id}.jwt`),
  )
  expect(await said(`/certificates/${id}/badge.json`)).toEqual(forPrograms)
  expect(await said('/certificates/issuer.json')).toEqual(forPrograms)
  expect(await said('/certificates/keys.json')).toEqual(forAll)
  expect(await said('/certificates/revocations.json')).toEqual(forAll)
  expect(await said(new URL(key.kid).pathname)).toEqual(forAll)
  expect(key).toMatchObject({ alg: 'RS256', use: 'sig', kty: 'RSA' })
  for (const path of [`keys/${randomUUID()}`, `${randomUUID()}/badge.json`]) {
    expect(await said(`/certificates/${path}`), path).toEqual(refused(404))
  }
  const none = await app.request(`/certificates/keys/${randomUUID()}`)
  expect(none.body).toEqual({ code: 'NOT_FOUND', status: 404, message: 'Key not found' })
  for (const path of [`${id}/badge.png`, `${id}/badge.json/more`, 'issuer.xml']) {
    const { status, body } = await app.request(`/certificates/${path}`)
    expect([status, body], path).toMatchInlineSnapshot(`
      [
        404,
        {
          "code": "NOT_FOUND",
          "defined": false,
          "message": "There is nothing at this address.",
          "status": 404,
        },
      ]
    `)
  }
})

describe('is revoked', () => {
  test('by the instructor with a reason, for good; everybody sees it, and the learner is told', async () => {
    const creator = await someone()
    const course = await courseOf(creator, 1)
    const learner = await member(course)
    const id = await completed(course, learner)
    const answer = await revoke(course, id, creator, ' It was\r\nsomebody else. ')
    expect([answer.status, answer.body.revoked.reason]).toEqual([200, 'It was\nsomebody else.'])
    const again = await revoke(course, id, creator, 'Another reason')
    expect(again.body.revoked).toEqual(answer.body.revoked)
    const { body } = await app.request(`/rest/v1/certificates/${id}`)
    expect(body.revoked).toEqual(answer.body.revoked)
    expect(await kindsTold(learner.id)).toEqual(['certificate_issued', 'certificate_revoked'])
    const list = (await app.request('/certificates/revocations.json')).body
    expect(list.revokedCredential).toContainEqual({
      id: `${app.services.config.appUrl}/certificates/${id}`,
      revoked: true,
    })
    for (const file of ['certificate.pdf', 'badge.jwt', 'badge.json']) {
      const { status, body: refusal } = await app.request(`/certificates/${id}/${file}`)
      expect([status, refusal.code], file).toEqual([410, 'REVOKED'])
    }
    // It is final: completing and claiming again make no other one.
    const [lesson] = await lessonsOf(app.services, course.id)
    await complete(lesson!, learner, 'DELETE')
    expect((await complete(lesson!, learner)).body.certificateId).toBe(id)
    expect((await claim(course, learner)).body).toEqual({ certificate: { id, isRevoked: true } })
  })

  test('by an administrator, which the log of administrators tells', async () => {
    const course = await courseOf(await someone(), 1)
    const id = await completed(course, await member(course))
    const administrator = await someone()
    const role = { role: 'admin' } as const
    await app.services.db.update(users).set(role).where(eq(users.id, administrator.id))
    expect((await revoke(course, id, administrator)).status).toBe(200)
    const { rows } = await app.services.pool.query(
      'select action, subject_id, details from administrative_acts where actor_id = $1',
      [administrator.id],
    )
    expect(rows).toEqual([
      { action: 'revoke_certificate', subject_id: course.id, details: { certificateId: id } },
    ])
  })

  test('by nobody else, not in the name of another course, and not without a reason', async () => {
    const creator = await someone()
    const course = await courseOf(creator, 1)
    const learner = await member(course)
    const id = await completed(course, learner)
    const foreigner = await someone()
    const foreign = await courseOf(foreigner, 1)
    expect((await revoke(course, id, {})).status).toBe(401)
    for (const person of [learner, foreigner]) {
      expect((await revoke(course, id, person)).status).toBe(403)
      const list = `/rest/v1/courses/${course.id}/certificates`
      expect((await app.request(list, person)).status).toBe(403)
      expect((await app.request(`${list}/${id}`, person)).status).toBe(403)
    }
    expect((await revoke(foreign, id, foreigner)).status).toBe(404)
    expect((await revoke(course, randomUUID(), creator)).status).toBe(404)
    for (const reason of ['', '   ', '\u200b', 7, 'x'.repeat(2001)]) {
      expect((await revoke(course, id, creator, reason)).status).toBe(422)
    }
    expect((await of(learner.id))[0]!.revokedAt).toBeNull()
  })

  test('and that is remembered when the account goes', async () => {
    const creator = await someone()
    const course = await courseOf(creator, 1)
    const learner = await member(course)
    const id = await completed(course, learner)
    await revoke(course, id, creator)
    const told = { body: { confirmation: 'DELETE', password: 'correct horse' } }
    const gone = await app.request('/rest/v1/me/deletion', { ...told, ...learner })
    expect(gone.status).toBe(200)
    expect((await app.request(`/rest/v1/certificates/${id}`)).status).toBe(404)
    const list = JSON.stringify((await app.request('/certificates/revocations.json')).body)
    expect(list).toContain(id)
  })

  test('from a list that comes a page at a time', async () => {
    const creator = await someone()
    const course = await courseOf(creator, 1)
    await app.services.pool.query(
      `with people as (
         insert into users (name, email, username)
         select 'Reader ' || n, 'reader-' || n || '-' || $1, 'reader-' || n || '-' || $1
           from generate_series(1, 60) n returning id, name)
       insert into certificates (user_id, course_id, learner_name, course_title, creator_name, look,
                                 credential, issued_at)
       select id, $1::uuid, name, 'Knots', 'Ina', '{}', '', '2026-01-01'::timestamptz
              + split_part(name, ' ', 2)::int / 3 * interval '1 microsecond' from people`,
      [course.id],
    )
    const seen: string[] = []
    let cursor = ''
    const sizes: number[] = []
    do {
      const path = `/rest/v1/courses/${course.id}/certificates${cursor}`
      const { body } = await app.request(path, creator)
      sizes.push(body.certificates.length)
      seen.push(...body.certificates.map(({ id }: { id: string }) => id))
      cursor = body.nextCursor ? `?cursor=${body.nextCursor}` : ''
    } while (cursor !== '')
    expect(sizes).toEqual([25, 25, 10])
    expect(new Set(seen).size).toBe(60)
    const bad = `/rest/v1/courses/${course.id}/certificates?cursor=1_x`
    expect((await app.request(bad, creator)).status).toBe(422)
  })
})

describe('a creator who leaves while somebody completes the course', () => {
  const holdCreator = (id: string) => `from users where id = '${id}' for update`
  const referToCreator = (id: string) => `from users where id = '${id}' for key share`
  const holdLesson = (id: string) => `from lessons where id = '${id}' for update`
  const referToLesson = (id: string) => `from lessons where id = '${id}' for key share`

  /** What `asked` answers when PostgreSQL undoes it for a transaction that does `first` and, once it waits, `then`. */
  async function entangled<Answer>(
    first: string,
    asked: () => Promise<Answer>,
    then: string,
  ): Promise<Answer> {
    // The first to look who waits for whom is the one that is undone: never this one, whose role may choose when.
    return asSuperuser(app.databaseUrl, async (other) => {
      await other.query('begin')
      await other.query(`set local deadlock_timeout = '1min'`)
      await other.query(`select 1 ${first}`)
      const [answer] = await Promise.all([
        asked(),
        // Before PostgreSQL looks, so nothing of it waits for this busy process.
        other
          .query(`do $$ begin
          while not exists (select from pg_stat_activity
                             where pg_backend_pid() = any (pg_blocking_pids(pid))) loop
            perform pg_sleep(0.01);
            perform pg_stat_clear_snapshot();
          end loop;
          perform 1 ${then};
        end $$`)
          .then(() => other.query('commit')),
      ])
      return answer
    })
  }

  async function lastLesson() {
    const creator = await someone()
    const course = await courseOf(creator, 1)
    const learner = await member(course)
    const [lesson] = await lessonsOf(app.services, course.id)
    return { creator, learner, lesson: lesson! }
  }

  test('does not undo the completion', async () => {
    const { creator, learner, lesson } = await lastLesson()
    const { status, body } = await entangled(
      holdCreator(creator.id),
      () => complete(lesson, learner),
      holdLesson(lesson.id),
    )
    expect([status, body.certificateId]).toEqual([200, expect.any(String)])
    expect(await of(learner.id)).toHaveLength(1)
  })

  test('leaves all the same', async () => {
    const { creator, lesson } = await lastLesson()
    const body = { confirmation: 'DELETE', password: 'correct horse', membersCourses: 'keep' }
    const { status } = await entangled(
      referToLesson(lesson.id),
      () => app.request('/rest/v1/me/deletion', { cookie: creator.cookie, body }),
      referToCreator(creator.id),
    )
    expect(status).toBe(200)
    expect(await app.services.db.$count(users, eq(users.id, creator.id))).toBe(0)
  })
})
