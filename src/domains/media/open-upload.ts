import * as z from 'zod'
import { uuid } from '../../fields.ts'
import { hasRoomFor } from '../../server/keep-room.ts'
import type { Services } from '../../server/services.ts'
import type { Viewer } from '../../server/viewer.ts'
import { courseAccess } from '../courses/access.ts'
import { admitCourseFile } from './admit-course-file.ts'
import { admitPostFile } from './admit-post-file.ts'
import { addMediaFile, countUnfinished, lockUploadsOf } from './queries.ts'
import { fileProblem, isPostPurpose, problems, unfinishedPerPerson } from './rules.ts'
import { UploadRefusal } from './upload-refusal.ts'

/** The tus `Upload-Metadata` of this product. */
const uploadMetadata = z.object({
  purpose: z.enum(
    [
      'video',
      'thumbnail',
      'avatar',
      'course_logo',
      'course_cover',
      'import',
      'post_image',
      'post_video',
    ],
    'The purpose of an upload must be video, thumbnail, avatar, course_logo, course_cover, import, post_image or post_video.',
  ),
  courseId: uuid('The course').optional(),
  filename: z
    .string('The upload needs a filename.')
    .transform((name) =>
      name
        .replace(/\p{Cc}/gu, '')
        .toWellFormed()
        .trim(),
    )
    .pipe(
      z
        .string()
        .min(1, 'The upload needs a filename.')
        .max(255, 'A filename can have at most 255 characters'),
    ),
  filetype: z.string().max(255, 'A file type can have at most 255 characters').nullish(),
})

const statusOfProblem = { type: 415, size: 413, empty: 400 } as const

/**
 * Checks what a person is about to upload and makes its row; answers the id.
 * @throws {UploadRefusal} 400 malformed or empty, 403 or 404 for the course, 403 over the course limit, 413
 * too large, 415 wrong type, 429 too many unfinished uploads, too many for posts today or another import under way,
 * 507 no room.
 */
export async function openUpload(
  { db, config, storage }: Pick<Services, 'db' | 'config' | 'storage'>,
  viewer: Viewer,
  metadata: Record<string, string | null>,
  sizeBytes: number,
): Promise<string> {
  const parsed = uploadMetadata.safeParse(metadata)
  if (!parsed.success)
    throw new UploadRefusal(400, parsed.error.issues[0]?.message ?? 'Invalid metadata')
  const { purpose, courseId, filename, filetype } = parsed.data

  if (purpose === 'video' && !courseId)
    throw new UploadRefusal(400, 'A video belongs to a course: courseId is missing.')
  if (isPostPurpose(purpose) && !courseId)
    throw new UploadRefusal(400, 'A post belongs to a course: courseId is missing.')
  if (courseId) {
    const course = await courseAccess(db, viewer, { courseId })
    if (!course?.canSee) throw new UploadRefusal(404, 'Course not found')
    if (isPostPurpose(purpose)) {
      if (course.standing !== 'member' && course.standing !== 'instructor')
        throw new UploadRefusal(403, 'Only members of this course can take part in its discussion.')
    } else if (!course.canEdit)
      throw new UploadRefusal(403, 'Only the instructor of this course may do this.')
  }
  const problem = fileProblem(
    purpose,
    { name: filename, type: filetype ?? '', size: sizeBytes },
    purpose === 'import' ? config.importMaxMb : config.videoMaxMb,
  )
  if (problem) throw new UploadRefusal(statusOfProblem[problem.kind], problem.message)

  if (!(await hasRoomFor(storage, sizeBytes))) throw new UploadRefusal(507, problems.noRoom)

  return db.transaction(async (transaction) => {
    await lockUploadsOf(transaction, viewer.id)
    if (purpose === 'import') await admitCourseFile(transaction, viewer.id)
    if ((await countUnfinished(transaction, viewer.id)) >= unfinishedPerPerson) {
      throw new UploadRefusal(429, problems.tooManyUnfinished)
    }
    if (isPostPurpose(purpose)) await admitPostFile(transaction, viewer.id, purpose)
    return addMediaFile(transaction, {
      ownerId: viewer.id,
      courseId: courseId ?? null,
      purpose,
      filename,
      sizeBytes,
    })
  })
}
