import type { Transaction } from '../../server/db.ts'
import { createCourse } from '../courses/create-course.ts'
import { fillCourse } from '../courses/fill-course.ts'
import { addCaptions, type NewCaptions } from '../media/add-captions.ts'
import { addReadyFiles, giveFilesToCourse, type ReadyFile } from '../media/add-ready-files.ts'
import type { CourseParts } from './check-course-file.ts'

/**
 * Makes a draft of this person out of the parts of a course; the bytes of its files are stored already.
 * Asks for no limit: the caller did.
 */
export async function storeCourse(
  transaction: Transaction,
  ownerId: string,
  { form, chapters }: CourseParts,
  files: ReadyFile[],
  captions: NewCaptions[],
): Promise<{ id: string; slug: string }> {
  await addReadyFiles(transaction, ownerId, files)
  await addCaptions(transaction, captions)
  const course = await createCourse(transaction, ownerId, form)
  await giveFilesToCourse(transaction, ownerId, files, course.id)
  if (chapters.length > 0) await fillCourse(transaction, course.id, chapters)
  return course
}
