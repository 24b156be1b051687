// Disks that are full or read-only, under load: of the files, and of PostgreSQL.
import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import { databaseFull, databaseProblem } from '../../src/server/database-problem.ts'
import { startEmbeddedPostgres } from '../../src/server/postgres/embedded.ts'
import { storeProblem } from '../../src/server/storage.ts'
import { uploadKey } from '../../src/domains/media/finish-upload.ts'
import { problems } from '../../src/domains/media/rules.ts'
import { mediaFiles } from '../../src/domains/media/tables.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { makeCourse, makePerson, sessionCookieOf } from '../factories.ts'
import { storedBytes } from '../stored-files.ts'
import { faultLimits, startLoad } from './load.ts'
import { startPostgresOn } from './start-postgres-on.ts'
import {
  mountBreakingDisk,
  mountSmallDisk,
  whyNoBreakingDisk,
  whyNoSmallDisk,
} from './small-disk.ts'
import { avatar, filmOf, idIn, sha256, uploader, videoOf } from './uploading.ts'

vi.setConfig(faultLimits)

const MiB = 1024 * 1024
const whyNot = whyNoSmallDisk()

async function creatorOn(app: TestApp) {
  const creator = await makePerson(app.services)
  const course = await makeCourse(app.services, creator)
  const cookie = await sessionCookieOf(app.services, creator.id)
  return { courseId: course.id, cookie, files: uploader(app.url, cookie) }
}

const name = whyNot ? `skipped: ${whyNot}` : 'the disk of the files'

describe.skipIf(whyNot !== null)(name, () => {
  test('is full: what was sent is kept, and everything else goes on', async () => {
    const disk = await mountSmallDisk(160)
    const app = await startTestApp({ DATA_DIR: disk.folder })
    const load = await startLoad(app)
    const { courseId, files } = await creatorOn(app)
    const films = Array.from({ length: 3 }, () => filmOf(4 * MiB))
    const begun = await Promise.all(
      films.map((bytes) => files.begin(bytes.length, videoOf(courseId))),
    )
    expect(begun.map(({ status }) => status)).toEqual([201, 201, 201])
    for (const [at, bytes] of films.entries()) {
      const first = await files.patch(begun[at]!.location, bytes.subarray(0, MiB), 0)
      expect([first.status, first.offset]).toEqual([204, MiB])
    }
    await load.acknowledges(20)

    await disk.fill(MiB)
    const full = await Promise.all(
      films.map((bytes, at) => files.patch(begun[at]!.location, bytes.subarray(MiB), MiB)),
    )
    expect(full.map(({ status, said }) => [status, said])).toEqual(
      films.map(() => [507, problems.noRoom]),
    )
    const refused = await files.begin(MiB, videoOf(courseId))
    expect([refused.status, refused.said]).toEqual([507, problems.noRoom])
    await load.acknowledges(40)

    await disk.free()
    for (const [at, bytes] of films.entries()) {
      const { location } = begun[at]!
      const { offset } = await files.look(location)
      expect(offset).toBeGreaterThanOrEqual(MiB)
      expect((await files.patch(location, bytes.subarray(offset), offset)).status).toBe(204)
      const stored = await storedBytes(app.services.storage, uploadKey(idIn(location)))
      expect(sha256(stored)).toBe(sha256(bytes))
    }
    await load.end()
    await app.stop()
  })

  test('is read-only: people are told so, can still read, and go on where they were', async () => {
    const disk = await mountSmallDisk(160)
    const app = await startTestApp({ DATA_DIR: disk.folder })
    const load = await startLoad(app)
    const { courseId, cookie, files } = await creatorOn(app)
    const bytes = filmOf(2 * MiB)
    const picture = await sharp({
      create: { width: 300, height: 300, channels: 3, background: '#4630eb' },
    })
      .png()
      .toBuffer()
    const { location } = await files.begin(bytes.length, videoOf(courseId))
    expect((await files.patch(location, bytes.subarray(0, MiB), 0)).status).toBe(204)
    const face = await files.begin(picture.length, avatar)
    expect(face.status).toBe(201)
    const before = await app.services.db.$count(mediaFiles)
    await load.acknowledges(20)

    await disk.readOnly(true)
    const told = [503, storeProblem]
    const stopped = await files.patch(location, bytes.subarray(MiB), MiB)
    expect([stopped.status, stopped.said]).toEqual(told)
    const faceless = await files.patch(face.location, picture, 0)
    expect([faceless.status, faceless.said]).toEqual(told)
    const refused = await files.begin(MiB, videoOf(courseId))
    expect([refused.status, refused.said]).toEqual(told)
    expect(await app.services.db.$count(mediaFiles)).toBe(before)
    expect((await files.look(location)).offset).toBe(MiB)
    await load.acknowledges(40)

    await disk.readOnly(false)
    expect((await files.patch(location, bytes.subarray(MiB), MiB)).status).toBe(204)
    const stored = await storedBytes(app.services.storage, uploadKey(idIn(location)))
    expect(sha256(stored)).toBe(sha256(bytes))
    expect((await files.patch(face.location, picture, 0)).status).toBe(204)
    const { body } = await app.request(`/rest/v1/media/${idIn(face.location)}`, { cookie })
    expect(body.status).toBe('ready')
    await load.end()
    await app.stop()
  })
})

describe.skipIf(whyNot !== null)(whyNot ? name : 'the disk of PostgreSQL', () => {
  test('is full: nothing acknowledged is lost, and it works again when there is room', async () => {
    const disk = await mountSmallDisk(320)
    const postgres = await startPostgresOn(disk.folder)
    const app = await startTestApp({ DATABASE_URL: postgres.url })
    const load = await startLoad(app)
    await load.acknowledges(40)
    await disk.fill()
    await load.refuses(60)
    await disk.free()
    await load.acknowledges(60)
    await load.end([databaseFull, databaseProblem])
    await app.stop()
    await postgres.stop()
  })
})

const whyNotBroken = await whyNoBreakingDisk()

test.skipIf(whyNotBroken !== null)(
  whyNotBroken
    ? `skipped: ${whyNotBroken}`
    : 'the disk of PostgreSQL breaks and is read-only: what was acknowledged is there when it was repaired',
  async () => {
    const disk = await mountBreakingDisk(480)
    const postgres = await startPostgresOn(disk.folder)
    const app = await startTestApp({ DATABASE_URL: postgres.url })
    const place = { ...app, databaseUrl: postgres.url }
    const load = await startLoad(place)
    await load.acknowledges(60)
    await disk.break()
    await load.refuses(60)
    await app.stop()
    // It cannot write that it ends.
    await postgres.stop()
    await disk.repair()
    const repaired = await startEmbeddedPostgres({ dataDir: postgres.dataDir })
    place.databaseUrl = repaired.url
    await load.end([databaseProblem])
    await repaired.stop()
  },
)

test('a database that takes no writes: people are told, and nothing acknowledged is lost', async () => {
  const app = await startTestApp()
  const load = await startLoad(app)
  const { pool } = app.services
  const databaseName = new URL(app.databaseUrl).pathname.slice(1)
  await load.acknowledges(40)
  await pool.query(`alter database ${databaseName} set default_transaction_read_only = on`)
  // Connections that are open have asked before.
  const ended = `select pg_terminate_backend(pid) from pg_stat_activity
                  where datname = '${databaseName}' and pid <> pg_backend_pid()`
  await pool.query(ended).catch(() => {})
  await load.refuses(60)
  const client = await pool.connect()
  await client.query('set default_transaction_read_only = off')
  await client.query(`alter database ${databaseName} reset default_transaction_read_only`)
  await client.query(ended).catch(() => {})
  client.release(true)
  await load.acknowledges(60)
  await load.end([databaseProblem])
  await app.stop()
})
