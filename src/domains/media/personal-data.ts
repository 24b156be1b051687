import { and, count, eq, type SQL, sql, sum } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { type PersonalData, type PersonalFile, personalTable } from '../../server/personal-data.ts'
import { deleteFilesOf } from './delete-files.ts'
import { uploadKey } from './finish-upload.ts'
import { bytesPerMb, isVideo, pictureShapes, postImageVersions } from './rules.ts'
import { imageKey, postImageKey } from './store-image.ts'
import { mediaFiles, playingStreams, videoCaptions, videoProcessings } from './tables.ts'

/** Good on every disk: no folders, nothing hidden, nothing that a system reserves. */
const safeName = (filename: string) =>
  filename
    .replace(/[\p{Cc}/\\:*?"<>|]/gu, '_')
    .replace(/^\.+/, '')
    .slice(-100)
    .toWellFormed()

const withoutEnding = (filename: string) => filename.replace(/\.[^.]*$/, '')

async function filesOf(executor: Executor, ownerId: string): Promise<PersonalFile[]> {
  const rows = await executor
    .select()
    .from(mediaFiles)
    .where(and(eq(mediaFiles.ownerId, ownerId), eq(mediaFiles.status, 'ready')))
    .orderBy(mediaFiles.id)
  return rows.map(({ id, purpose, filename, createdAt, width, height }) =>
    isVideo(purpose) || purpose === 'import'
      ? {
          path: `files/${id} ${safeName(filename)}`,
          storageKey: uploadKey(id),
          uploadedAt: createdAt,
        }
      : {
          // Pictures are kept resized; this is the largest of them.
          path: `files/${id} ${safeName(withoutEnding(filename))}.webp`,
          storageKey:
            purpose === 'post_image'
              ? postImageKey(id, postImageVersions({ width: width!, height: height! }).at(-1)!.name)
              : imageKey(id, pictureShapes[purpose].widths.at(-1)!),
          uploadedAt: createdAt,
        },
  )
}

const inOwnFile = (mediaId: SQL, ownerId: string) =>
  sql`${mediaId} in (select m.id from media_files m where m.owner_id = ${ownerId})`

export const mediaData: PersonalData = {
  tables: {
    files: personalTable(mediaFiles, {
      about:
        'The files that you uploaded; they lie in the folder files, each under its id and name.',
      rowsOf: ({ id }) => eq(mediaFiles.ownerId, id),
      columns: {
        id: 'exported',
        ownerId: { withheld: 'always you' },
        courseId: 'exported',
        purpose: 'exported',
        status: 'exported',
        problem: 'exported',
        filename: 'exported',
        contentType: 'exported',
        sizeBytes: 'exported',
        durationSeconds: 'exported',
        width: 'exported',
        height: 'exported',
        createdAt: 'exported',
        updatedAt: 'exported',
      },
      onDeletion: 'anonymised',
    }),
    captions: personalTable(videoCaptions, {
      about: 'The captions of your videos.',
      rowsOf: ({ id }) => inOwnFile(sql`video_captions.media_id`, id),
      columns: {
        id: 'exported',
        mediaId: 'exported',
        language: 'exported',
        cues: 'exported',
        createdAt: 'exported',
        updatedAt: 'exported',
      },
      onDeletion: 'anonymised',
    }),
    videoProcessings: personalTable(videoProcessings, {
      about: 'What was made of your videos so that they play well everywhere.',
      rowsOf: ({ id }) => inOwnFile(sql`video_processings.media_id`, id),
      columns: {
        mediaId: 'exported',
        status: 'exported',
        percent: 'exported',
        problem: 'exported',
        attempts: 'exported',
        heartbeatAt: { withheld: 'a sign of life of our machine' },
        hasPoster: 'exported',
        hasPreview: 'exported',
        heights: 'exported',
        sizeBytes: 'exported',
        createdAt: 'exported',
        updatedAt: 'exported',
      },
      onDeletion: 'anonymised',
    }),
    playingStreams: personalTable(playingStreams, {
      about: 'The browsers in which you played the video of a lesson, and when last.',
      rowsOf: ({ id }) => eq(playingStreams.userId, id),
      columns: {
        id: 'exported',
        userId: { withheld: 'always you' },
        sessionId: 'exported',
        startedAt: 'exported',
        seenAt: 'exported',
        endedAt: 'exported',
        endedBy: 'exported',
      },
      onDeletion: 'deleted',
    }),
  },

  files: (executor, { id }) => filesOf(executor, id),

  async consequences(executor, { id }) {
    const [files] = await executor
      .select({ total: count(), bytes: sum(mediaFiles.sizeBytes).mapWith(Number) })
      .from(mediaFiles)
      .where(and(eq(mediaFiles.ownerId, id), eq(mediaFiles.status, 'ready')))
    if (!files || files.total === 0) return []
    const size = `${Math.max(1, Math.round(files.bytes / bytesPerMb)).toLocaleString('en-US')} MB`
    const what =
      files.total === 1
        ? 'The file that you uploaded'
        : `The ${files.total} files that you uploaded`
    return [
      {
        text: `${what} (${size}) ${files.total === 1 ? 'is' : 'are'} removed, except in courses that you keep for their members.`,
        stays: false,
      },
    ]
  },

  leave: (transaction, { person }) => deleteFilesOf(transaction, person.id),
}
