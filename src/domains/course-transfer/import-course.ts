import { hasRoomFor } from '../../server/keep-room.ts'
import { publishToPerson } from '../../server/publish.ts'
import type { Services } from '../../server/services.ts'
import { isOutOfRoom } from '../../server/storage.ts'
import { lockCreator, mayCreateCourse } from '../courses/create-course.ts'
import { limits } from '../courses/rules.ts'
import { processReadyFiles } from '../media/add-ready-files.ts'
import { deleteCourseFile } from '../media/delete-files.ts'
import { uploadKey } from '../media/finish-upload.ts'
import { problems } from '../media/rules.ts'
import { checkApart } from './check-apart.ts'
import { openCourseArchive } from './course-archive.ts'
import { leavingNothing } from './media-bytes.ts'
import { beginImport, enqueueImport, importsLeftBehind, noteImport } from './queries.ts'
import { storeCourse } from './store-course.ts'
import { checkCaptions, unpackCaptions } from './unpack-captions.ts'
import { checkExtras, checkMedia, unpackMedia } from './unpack-media.ts'
import { UnusableCourseFile } from './unusable-course-file.ts'

/** Milliseconds between two notes of how far an import is. */
const noteEvery = 400

/** Somebody removed the import, or the account, meanwhile. */
class ImportRemoved extends Error {}

/** What stands in the way may be gone later, so the file is kept for another try. */
class NotNow extends Error {}

interface Import {
  id: string
  userId: string
  fileId: string
}

/**
 * A job: makes a course of an uploaded ZIP. Nothing is half done: rows come in one transaction at the end,
 * and files that no row knows are removed. After a crash it begins anew; doing it twice does no harm.
 */
export async function importCourse(
  { importId }: { importId: string },
  services: Services,
): Promise<void> {
  await alone(services, importId, async () => {
    const begun = await beginImport(services.db, importId)
    if (!begun) return
    const { userId, fileId } = begun
    if (fileId === null) {
      await fail(
        services,
        { id: importId, userId },
        'The course file is gone. Please upload it again.',
      )
      return
    }
    const one: Import = { id: importId, userId, fileId }
    await tell(services, one)
    await attempt(services, one)
  })
}

/** For the start of the process: imports whose job went with an earlier one. */
export async function resumeImports({ db }: Services): Promise<void> {
  for (const { id } of await importsLeftBehind(db)) await enqueueImport(db, id)
}

/**
 * Two processes never work on the same import. The lock goes with its connection, however the process
 * ends, while the queue keeps the job of a dead worker for hours.
 */
async function alone({ directPool }: Services, importId: string, work: () => Promise<void>) {
  const client = await directPool.connect()
  try {
    const { rows } = await client.query<{ mine: boolean }>(
      `select pg_try_advisory_lock(hashtext('course import'), hashtext($1)) as mine`,
      [importId],
    )
    // Thrown, so that the queue asks again: the other one may die.
    if (!rows[0]!.mine) throw new Error('another process works on this import')
    await work()
    await client.query(`select pg_advisory_unlock(hashtext('course import'), hashtext($1))`, [
      importId,
    ])
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function attempt(services: Services, one: Import): Promise<void> {
  try {
    await leavingNothing(services, (stored) => makeCourse(services, one, stored))
  } catch (error) {
    if (error instanceof ImportRemoved) return
    if (error instanceof UnusableCourseFile) {
      services.log.info({ importId: one.id, reason: error.message }, 'a course file was refused')
      await fail(services, one, error.message)
      return
    }
    if (!(error instanceof NotNow)) {
      services.log.error({ err: error, importId: one.id }, 'an import failed')
    }
    await noteImport(services.db, one.id, { status: 'failed', problem: problemOf(error) })
    await tell(services, one)
  }
}

function problemOf(error: unknown): string {
  if (error instanceof NotNow) return error.message
  if (isOutOfRoom(error)) return problems.noRoom
  return 'Something went wrong on our side. Please try again.'
}

/** `stored` gets the ids of all files of which bytes may be stored. */
const makeCourse = (services: Services, one: Import, stored: string[]): Promise<void> =>
  services.storage.withFile(uploadKey(one.fileId), (path) => unpack(services, one, path, stored))

async function unpack(
  services: Services,
  one: Import,
  path: string,
  stored: string[],
): Promise<void> {
  const { config, db } = services
  const archive = await openCourseArchive(path, config.importMaxMb)
  try {
    const { parts, media, captions: captioned } = await checkApart(await archive.readCourse())
    checkMedia(media, archive.sizes, config.videoMaxMb)
    checkCaptions(captioned, archive.sizes)
    checkExtras([...media, ...captioned], archive.sizes)
    if (!(await hasRoomFor(services.storage, totalOf(archive.sizes)))) {
      throw new NotNow(problems.noRoom)
    }
    const idOf = new Map(media.map(({ entry, id }) => [entry, id]))
    const progress = progressOf(services, one, archive.sizes)
    const captions = await unpackCaptions(archive, captioned, (entry) => idOf.get(entry)!)
    stored.push(...idOf.values())
    const files = await unpackMedia(services, archive, media, progress)
    await db.transaction(async (transaction) => {
      await lockCreator(transaction, one.userId)
      if (!(await mayCreateCourse(transaction, one.userId))) throw new NotNow(limitReached)
      const { id: courseId } = await storeCourse(transaction, one.userId, parts, files, captions)
      await processReadyFiles(transaction, services, files)
      const done = { status: 'done' as const, progressPercent: 100, courseId }
      if (!(await noteImport(transaction, one.id, done))) throw new ImportRemoved()
      await deleteCourseFile(transaction, one.userId, one.fileId)
      await publishToPerson(transaction, one.userId, {
        type: 'courseImport',
        importId: one.id,
        courseId,
      })
    })
  } finally {
    archive.close()
  }
}

const limitReached = `Free plan users can create up to ${limits.freePlanCourses} course. You have reached this limit.`

const totalOf = (sizes: ReadonlyMap<string, number>) =>
  [...sizes.values()].reduce((sum, size) => sum + size, 0)

/** Counts unpacked bytes, and says now and then how far that is. */
function progressOf(services: Services, one: Import, sizes: ReadonlyMap<string, number>) {
  const total = totalOf(sizes)
  let unpacked = 0
  let notedAt = performance.now()
  let noted = 0
  return async (bytes: number) => {
    unpacked += bytes
    // The last percent is the course itself.
    const percent = Math.min(99, Math.floor((unpacked / total) * 100))
    if (percent === noted || performance.now() - notedAt < noteEvery) return
    notedAt = performance.now()
    noted = percent
    if (!(await noteImport(services.db, one.id, { progressPercent: percent }))) {
      throw new ImportRemoved()
    }
    await tell(services, one)
  }
}

const tell = ({ db }: Services, { id, userId }: Pick<Import, 'id' | 'userId'>) =>
  publishToPerson(db, userId, { type: 'courseImport', importId: id, courseId: null })

/** For good: of this file nothing becomes. */
async function fail(
  services: Services,
  one: Pick<Import, 'id' | 'userId'> & { fileId?: string },
  problem: string,
): Promise<void> {
  await services.db.transaction(async (transaction) => {
    if (!(await noteImport(transaction, one.id, { status: 'failed', problem }))) return
    if (one.fileId) await deleteCourseFile(transaction, one.userId, one.fileId)
  })
  await tell(services, one)
}
