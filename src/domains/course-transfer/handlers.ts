import { api } from '../../server/api.ts'
import type { Executor, Transaction } from '../../server/db.ts'
import { deleteCourseFile } from '../media/delete-files.ts'
import { lockCreator, mayCreateCourse } from '../courses/create-course.ts'
import { CourseChanged, duplicateCourse } from './duplicate-course.ts'
import { exportCourse } from './export-course.ts'
import { leavingNothing } from './media-bytes.ts'
import {
  addImport,
  deleteImport,
  hasImportUnderWay,
  importsOf,
  isOwnCourseFile,
  ownImport,
  renewImport,
} from './queries.ts'

const notFound = { message: 'Course not found' }
const courseChanged = {
  message: 'This course was changed while it was being copied. Please try again.',
}
const noImport = { message: 'This import does not exist, or it is not yours.' }

export const courseTransfer = {
  exportCourse: api.courseTransfer.exportCourse.handler(async ({ context, errors }) => {
    const exported = await exportCourse(context.services, context.course)
    if (!exported) throw errors.NOT_FOUND(notFound)
    return {
      headers: {
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${exported.filename}"`,
        'content-length': exported.length,
        'cache-control': 'private, no-store',
      },
      body: exported.zip,
    }
  }),

  duplicateCourse: api.courseTransfer.duplicateCourse.handler(async ({ context, errors }) => {
    const { services, viewer, course } = context
    const mayCopy = async (executor: Executor) => {
      if (!(await mayCreateCourse(executor, viewer.id))) throw errors.COURSE_LIMIT()
    }
    // Before gigabytes are copied for nothing.
    await mayCopy(services.db)
    const admit = async (transaction: Transaction) => {
      await lockCreator(transaction, viewer.id)
      await mayCopy(transaction)
    }
    try {
      return await leavingNothing(services, async (copies) => {
        const copy = await duplicateCourse(services, course, admit, copies)
        if (!copy) throw errors.NOT_FOUND(notFound)
        return copy
      })
    } catch (error) {
      if (error instanceof CourseChanged) throw errors.CONFLICT(courseChanged)
      throw error
    }
  }),

  listImports: api.courseTransfer.listImports.handler(async ({ context: { viewer, services } }) => {
    const [imports, canCreateCourse] = await Promise.all([
      importsOf(services.db, viewer.id),
      mayCreateCourse(services.db, viewer.id),
    ])
    return { imports, canCreateCourse, importMaxMb: services.config.importMaxMb }
  }),

  startImport: api.courseTransfer.startImport.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      await lockCreator(transaction, viewer.id)
      if (await hasImportUnderWay(transaction, viewer.id)) throw errors.IMPORT_UNDER_WAY()
      if (!(await mayCreateCourse(transaction, viewer.id))) throw errors.COURSE_LIMIT()
      if (!(await isOwnCourseFile(transaction, viewer.id, input.mediaId))) {
        throw errors.BAD_REQUEST({
          message: 'The course file was not found. Please upload it again.',
        })
      }
      const importId = await addImport(transaction, viewer.id, input.mediaId)
      return (await ownImport(transaction, viewer.id, importId))!
    })
  }),

  retryImport: api.courseTransfer.retryImport.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      await lockCreator(transaction, viewer.id)
      const failed = await ownImport(transaction, viewer.id, input.importId)
      if (!failed) throw errors.NOT_FOUND(noImport)
      if (await hasImportUnderWay(transaction, viewer.id)) throw errors.IMPORT_UNDER_WAY()
      if (!failed.canRetry) throw errors.FILE_REMOVED()
      if (!(await mayCreateCourse(transaction, viewer.id))) throw errors.COURSE_LIMIT()
      if (!(await renewImport(transaction, viewer.id, input.importId))) throw errors.FILE_REMOVED()
      return (await ownImport(transaction, viewer.id, input.importId))!
    })
  }),

  removeImport: api.courseTransfer.removeImport.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      const removed = await deleteImport(transaction, viewer.id, input.importId)
      if (!removed) throw errors.NOT_FOUND(noImport)
      if (removed.fileId) await deleteCourseFile(transaction, viewer.id, removed.fileId)
      return { removed: true as const }
    })
  }),
}
