import { type DataStore, Server } from '@tus/server'
import type { Services } from '../../server/services.ts'
import { databaseProblemOf } from '../../server/database-problem.ts'
import { isOutOfRoom, StoreFailure, storeProblemOf } from '../../server/storage.ts'
import type { Viewer } from '../../server/viewer.ts'
import type { Visit } from '../../server/visit.ts'
import { isUuid } from '../courses/access.ts'
import { derivedFolder } from './derived-files.ts'
import { type Finished, finishUpload, keptAsUploaded, uploadKey } from './finish-upload.ts'
import { openUpload } from './open-upload.ts'
import {
  deleteExpired,
  deleteUnfinished,
  deleteUnusedAvatars,
  deleteUnusedCoursePictures,
  deleteUnusedCourseFiles,
  deleteUnusedPostFiles,
  deleteUnusedThumbnails,
  deleteUnusedVideos,
  idsWithUpload,
  knownIds,
  type MediaFile,
  ownMediaFile,
  unfinishedFiles,
} from './queries.ts'
import { problems } from './rules.ts'
import { imagesFolder, postImagesFolder } from './store-image.ts'
import { arrivedBytes, openUploadFiles } from './upload-files.ts'
import { createUploadLocks } from './upload-locks.ts'
import { UploadRefusal } from './upload-refusal.ts'

const address = '/storage/v1/uploads'
const day = 24 * 60 * 60 * 1000
/** Interrupted uploads. */
const lookedAtAtOnce = 8

/** '' for the collection itself. */
const uploadId = (request: Request) => new URL(request.url).pathname.slice(address.length + 1)

const say = (status: number, message: string, headers?: Record<string, string>) =>
  new Response(message, { status, headers: { ...headers, 'cache-control': 'no-store' } })

const wrongMethod = (allow: string) => say(405, 'This is not possible with an upload.', { allow })

function createTusServer(
  services: Services,
  files: DataStore,
  viewerOf: (request: Request) => Viewer,
) {
  return new Server({
    path: address,
    datastore: files,
    relativeLocation: true,
    locker: createUploadLocks(),
    // A half-open connection, left behind by a phone that changed networks, gives way to the new one.
    lockDrainTimeout: 500,
    // No page of another site may talk to this, so no CORS headers.
    allowedOrigins: () => false,
    getFileIdFromRequest: (request) => uploadId(request) || undefined,
    namingFunction: (request, metadata) =>
      openUpload(
        services,
        viewerOf(request),
        metadata ?? {},
        Number(request.headers.get('upload-length')),
      ),
    async onUploadFinish(_request, upload) {
      const result = await finishUpload(services, upload.id)
      if (result.status === 'failed') throw new UploadRefusal(415, result.problem)
      if (result.status !== 'ready') throw new UploadRefusal(410, 'This upload was cancelled.')
      return {}
    },
    onResponseError(_request, error) {
      // What has a status is meant for the person; anything else is our fault and stays inside.
      if ('status_code' in error && error.status_code < 500) return undefined
      services.log.error({ err: error }, 'an upload request failed')
      const noRoom = error instanceof UploadRefusal || isOutOfRoom(error)
      if (noRoom) return { status_code: 507, body: problems.noRoom }
      const problem = storeProblemOf(error) ?? databaseProblemOf(error)
      if (problem) return { status_code: 503, body: problem }
      return { status_code: 500, body: 'Something went wrong on our side. Please try again.' }
    },
  })
}

/** What a HEAD request says of an upload that is decided; its bytes may be elsewhere by now. */
function describe(row: MediaFile, result: Finished): Response {
  const headers = { 'tus-resumable': '1.0.0', 'cache-control': 'no-store' }
  if (result.status === 'gone') return new Response(null, { status: 404, headers })
  // A client starts again after 410, with the file that the person chooses then.
  if (result.status === 'failed') return new Response(null, { status: 410, headers })
  const size = String(row.sizeBytes)
  return new Response(null, {
    headers: { ...headers, 'upload-offset': size, 'upload-length': size },
  })
}

/**
 * Resumable uploads by the tus protocol (https://tus.io, version 1.0.0) at /storage/v1/uploads. An upload's
 * id is its media_files id. Success is answered only once the row says 'ready'; refusals are plain
 * text for people. Files are up to VIDEO_MAX_MB (video), IMPORT_MAX_MB (course file), 10 MB (thumbnail and
 * image of a post) or 5 MB (avatar).
 */
export function createUploads(
  services: Services,
): (request: Request, visit: Visit) => Promise<Response> {
  const { db, features } = services
  const files = openUploadFiles(services)
  const viewers = new WeakMap<Request, Viewer>()
  const tus = createTusServer(services, files, (request) => {
    const viewer = viewers.get(request)
    if (!viewer) throw new UploadRefusal(401, 'User must be authenticated')
    return viewer
  })

  async function head(request: Request, row: MediaFile): Promise<Response> {
    let result: Finished = { status: 'uploading' }
    if (row.status !== 'uploading' || (await arrivedBytes(files, row.id)) === row.sizeBytes) {
      // All bytes are there: decided, or about to be, or the process died before it could.
      result = await finishUpload(services, row.id)
    }
    return result.status === 'uploading' ? tus.handleWeb(request) : describe(row, result)
  }

  async function cancel(request: Request, row: MediaFile): Promise<Response> {
    if (!(await deleteUnfinished(db, row.ownerId, row.id))) {
      return say(409, 'This upload is finished. Remove the file where it is used.')
    }
    const answer = await tus.handleWeb(request)
    // The bytes may be gone already, or may never have come.
    return answer.status === 404
      ? new Response(null, { status: 204, headers: answer.headers })
      : answer
  }

  return async (request, visit) => {
    if (request.method === 'OPTIONS') return tus.handleWeb(request)
    const viewer = await visit.visitor()
    if (!viewer) return say(401, 'User must be authenticated')
    viewers.set(request, viewer)

    const id = uploadId(request)
    if (id === '') {
      if (request.method !== 'POST') return wrongMethod('POST, OPTIONS')
      if (features.off.uploads) return say(403, features.off.uploads)
      if (request.headers.has('upload-defer-length') || request.headers.has('upload-concat')) {
        return say(
          400,
          'An upload has to say its length at its start, and has to come in one piece.',
        )
      }
      return tus.handleWeb(request)
    }

    const row = isUuid(id) ? await ownMediaFile(db, viewer.id, id) : null
    if (!row) return say(404, 'This upload does not exist, or it is not yours.')
    if (request.method === 'HEAD') return head(request, row)
    if (request.method === 'DELETE') return cancel(request, row)
    if (request.method !== 'PATCH') return wrongMethod('HEAD, PATCH, DELETE, OPTIONS')
    if (row.status === 'ready') return say(409, 'This upload is finished already.')
    if (row.status === 'failed') return say(410, row.problem ?? 'This upload has failed.')
    return tus.handleWeb(request)
  }
}

/** Uploads whose last byte came just before the end of the previous process. */
export async function finishInterruptedUploads(
  services: Services,
  signal?: AbortSignal,
): Promise<void> {
  const files = openUploadFiles(services)
  const waiting = (await unfinishedFiles(services.db)).values()
  let isStoreAway = false
  async function finishRest() {
    for (const { id, sizeBytes } of waiting) {
      // Each is finished when its client asks for it.
      if (isStoreAway || signal?.aborted) return
      try {
        if ((await arrivedBytes(files, id)) === sizeBytes) await finishUpload(services, id)
      } catch (error) {
        isStoreAway = error instanceof StoreFailure
        services.log.error(
          { err: error, mediaId: id },
          'an interrupted upload could not be finished',
        )
      }
    }
  }
  await Promise.all(Array.from({ length: lookedAtAtOnce }, finishRest))
}

/** Nobody's start waits for them: in an object store each takes several requests. `stop` waits for those at hand. */
export function startFinishingUploads(services: Services): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const finishing = finishInterruptedUploads(services, stopping.signal).catch((error: unknown) =>
    services.log.error({ err: error }, 'interrupted uploads could not be looked for'),
  )
  return {
    stop() {
      stopping.abort()
      return finishing
    },
  }
}

/** Removes what belongs to no row any more, such as what a process left behind that died while it worked. */
async function removeOrphans(
  { db, storage }: Services,
  keyOf: (id: string) => string,
  whoseStay = knownIds,
) {
  const folder = keyOf('').slice(0, -1)
  const names = (await storage.names(folder)).filter(isUuid)
  for (let at = 0; at < names.length; at += 500) {
    const batch = names.slice(at, at + 500)
    const stay = await whoseStay(db, batch)
    for (const name of batch.filter((id) => !stay.has(id.toLowerCase()))) {
      const changedAt = await storage.changedAt(keyOf(name))
      if (changedAt && changedAt.getTime() < Date.now() - day) await storage.remove(keyOf(name))
    }
  }
}

/**
 * A job: removes uploads that were not finished in 7 days, avatars, pictures and looks of courses, videos, course files and
 * files of posts that nobody uses, and bytes that belong to no row any more.
 */
export async function removeStaleUploads(services: Services): Promise<void> {
  const { db, storage } = services
  const expired = await deleteExpired(db)
  for (const id of expired) await storage.remove(uploadKey(id))
  for (const id of await deleteUnusedAvatars(db)) await storage.remove(imagesFolder(id))
  for (const id of await deleteUnusedCoursePictures(db)) await storage.remove(imagesFolder(id))
  for (const id of await deleteUnusedThumbnails(db)) await storage.remove(imagesFolder(id))
  for (const id of await deleteUnusedCourseFiles(db)) await storage.remove(uploadKey(id))
  for (const id of await deleteUnusedVideos(db)) {
    await storage.remove(uploadKey(id))
    await storage.remove(derivedFolder(id))
  }
  for (const id of await deleteUnusedPostFiles(db)) {
    await storage.remove(uploadKey(id))
    await storage.remove(postImagesFolder(id))
    await storage.remove(derivedFolder(id))
  }
  // Of a picture only what was made of it stays: the file itself may say where it was taken.
  await removeOrphans(services, uploadKey, (executor, ids) =>
    idsWithUpload(executor, ids, keptAsUploaded),
  )
  await removeOrphans(services, imagesFolder)
  await removeOrphans(services, postImagesFolder)
  await removeOrphans(services, derivedFolder)
  if (expired.length > 0)
    services.log.info({ uploads: expired.length }, 'stale uploads were removed')
}
