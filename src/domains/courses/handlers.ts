import { api } from '../../server/api.ts'
import type { Services } from '../../server/services.ts'
import type { Viewer } from '../../server/viewer.ts'
import { openSuspension } from '../administration/queries.ts'
import { ownApplication, pendingApplications } from '../applications/queries.ts'
import { courseOutline } from '../lessons/outline-queries.ts'
import { holdThumbnail } from '../media/hold-course-picture.ts'
import { ownVideoUrl } from '../media/video-address.ts'
import { shownPurchase } from '../purchases/live-purchase.ts'
import { monthlyPayersOf } from '../purchases/sold-courses.ts'
import { listCourses } from '../search/list-courses.ts'
import { courseAccess } from './access.ts'
import { createCourse, lockCreator, mayCreateCourse } from './create-course.ts'
import { deleteCourse, deletionFacts, deletionObstacle, holdCourse } from './delete-course.ts'
import { newItems, planContent } from './plan-content.ts'
import { publishChecklist } from './publish-checklist.ts'
import { publishCourse, unpublishCourse } from './publish-course.ts'
import { courseContent, courseFormValues, coursePage, myDashboard } from './queries.ts'
import { isTitleOf } from './rules.ts'
import { knownContent, lockContent, newIds, storeContent } from './save-content.ts'
import { updateCourse } from './update-course.ts'

const notFound = { message: 'Course not found' }
const noThumbnail = { message: 'The thumbnail was not found. Please upload it again.' }

const videoSettings = ({ config, ffmpeg }: Services) => ({
  videoMaxMb: config.videoMaxMb,
  processesVideos: ffmpeg !== null,
})

type Content = NonNullable<Awaited<ReturnType<typeof courseContent>>>
type Editing = { services: Services; viewer: Viewer }

/** What the editor needs besides: where videos play, and what they may be. */
function forEditor(content: Content, { services, viewer }: Editing) {
  const played = <Video extends { id: string; status: string }>(video: Video) => ({
    ...video,
    url: ownVideoUrl(video, viewer.id, services.secret),
  })
  return {
    ...content,
    ...videoSettings(services),
    chapters: content.chapters.map((chapter) => ({
      ...chapter,
      lessons: chapter.lessons.map((lesson) => ({
        ...lesson,
        video: lesson.video && played(lesson.video),
      })),
    })),
  }
}

export const courses = {
  listCourses: api.courses.listCourses.handler(({ input, context }) =>
    listCourses(context.services.pool, input),
  ),

  getCoursePage: api.courses.getCoursePage.handler(async ({ input, context, errors }) => {
    const { services, visitor } = context
    const access = await courseAccess(services.db, visitor, { slug: input.slug })
    const page = access?.canSee && (await coursePage(services.pool, access.courseId))
    if (!page) throw errors.NOT_FOUND(notFound)
    const { courseId, standing } = access
    const own = visitor && standing === 'signedIn' ? { userId: visitor.id, courseId } : null
    const [application, purchase] = await Promise.all([
      own && ownApplication(services.db, own),
      own && shownPurchase(services.db, own, access),
    ])
    return {
      ...page,
      standing,
      application,
      purchase,
    }
  }),

  getCourseDashboard: api.courses.getCourseDashboard.handler(async ({ context, errors }) => {
    const { services, viewer, course } = context
    const { courseId } = course
    const [page, outline, deletion, pending, purchase, suspension] = await Promise.all([
      coursePage(services.pool, course.courseId),
      courseOutline(services.pool, course.courseId, viewer.id),
      course.canEdit ? deletionFacts(services.db, courseId) : null,
      course.canEdit ? pendingApplications(services.db, course.courseId) : null,
      course.canEdit ? null : shownPurchase(services.db, { userId: viewer.id, courseId }, course),
      course.canEdit ? openSuspension(services.pool, { courseId }) : null,
    ])
    if (!page) throw errors.NOT_FOUND(notFound)
    return {
      ...page,
      ...outline,
      standing: course.standing,
      application: null,
      purchase,
      // Those that wait when a course stops asking for applications can still be decided.
      pendingApplications: page.applicationRequired ? pending : pending || null,
      deletionObstacle: deletion?.obstacle ?? null,
      hasBuyers: deletion?.hasBuyers ?? false,
      postsCount: deletion?.postsCount ?? null,
      suspension,
    }
  }),

  getMyDashboard: api.courses.getMyDashboard.handler(async ({ context: { services, viewer } }) => {
    const mine = await myDashboard(services.pool, viewer.id)
    const maySeeProgress = viewer.scopes?.includes('learning:read') ?? true
    if (maySeeProgress) return mine
    const untold = { progressPercent: null, completedCount: null, continueWith: null }
    return { ...mine, enrolled: mine.enrolled.map((course) => ({ ...course, ...untold })) }
  }),

  createCourse: api.courses.createCourse.handler(({ input, context, errors }) => {
    const { services, viewer } = context
    return services.db.transaction(async (transaction) => {
      await lockCreator(transaction, viewer.id)
      if (!(await mayCreateCourse(transaction, viewer.id))) throw errors.COURSE_LIMIT()
      const { thumbnailId } = input
      if (thumbnailId !== null && !(await holdThumbnail(transaction, viewer.id, thumbnailId))) {
        throw errors.BAD_REQUEST(noThumbnail)
      }
      return createCourse(transaction, viewer.id, input)
    })
  }),

  getCourseForm: api.courses.getCourseForm.handler(async ({ context, errors }) => {
    const { services, course } = context
    const [values, monthlyPayers] = await Promise.all([
      courseFormValues(services.db, course),
      monthlyPayersOf(services.db, course.courseId),
    ])
    if (!values) throw errors.NOT_FOUND(notFound)
    return { ...values, monthlyPayers }
  }),

  updateCourse: api.courses.updateCourse.handler(({ input, context, errors }) => {
    const { services, viewer, course } = context
    const { courseId: _named, ...update } = input
    return services.db.transaction(async (transaction) => {
      const updated = await updateCourse(transaction, viewer.id, course.courseId, update)
      if (updated === 'gone') throw errors.NOT_FOUND(notFound)
      if (updated === 'no thumbnail') throw errors.BAD_REQUEST(noThumbnail)
      if (updated === 'other description') throw errors.DESCRIPTION_CHANGED()
      return updated
    })
  }),

  getCourseContent: api.courses.getCourseContent.handler(async ({ context, errors }) => {
    const { services, course } = context
    const content = await courseContent(services.db, course)
    if (!content) throw errors.NOT_FOUND(notFound)
    return forEditor(content, context)
  }),

  saveCourseContent: api.courses.saveCourseContent.handler(({ input, context, errors }) => {
    const { services, course } = context
    return services.db.transaction(async (transaction) => {
      const contentVersion = await lockContent(transaction, course)
      if (contentVersion !== input.contentVersion) throw errors.CONTENT_CHANGED()
      const known = await knownContent(transaction, course.courseId)
      const nextId = await newIds(transaction, newItems(input.chapters))
      const plan = planContent(input.chapters, known, nextId)
      if ('problem' in plan) throw errors.BAD_REQUEST({ message: plan.problem })
      await storeContent(transaction, course.courseId, plan)
      const content = await courseContent(transaction, course)
      if (!content) throw errors.NOT_FOUND(notFound)
      return forEditor(content, context)
    })
  }),

  publishCourse: api.courses.publishCourse.handler(async ({ context, errors }) => {
    const { services, course } = context
    const result = await services.db.transaction((transaction) =>
      publishCourse(transaction, course),
    )
    if (result === 'gone') throw errors.NOT_FOUND(notFound)
    if (result === 'suspended') throw errors.SUSPENDED()
    if (result === 'no lessons') throw errors.NOTHING_TO_PUBLISH()
    return { slug: course.slug }
  }),

  getPublishChecklist: api.courses.getPublishChecklist.handler(async ({ context, errors }) => {
    const checklist = await publishChecklist(context.services.pool, context.course)
    if (!checklist) throw errors.NOT_FOUND(notFound)
    return checklist
  }),

  unpublishCourse: api.courses.unpublishCourse.handler(async ({ context }) => {
    const { services, course } = context
    await services.db.transaction((transaction) => unpublishCourse(transaction, course))
    return { slug: course.slug }
  }),

  deleteCourse: api.courses.deleteCourse.handler(({ input, context, errors }) => {
    const { services, course } = context
    return services.db.transaction(async (transaction) => {
      const title = await holdCourse(transaction, course)
      if (title === null) throw errors.NOT_FOUND(notFound)
      const obstacle = await deletionObstacle(transaction, course.courseId)
      if (obstacle) throw errors.OBSTACLE({ message: obstacle })
      if (!isTitleOf(input.title, title)) throw errors.WRONG_TITLE()
      await deleteCourse(transaction, { ...course, title })
      return { id: course.courseId }
    })
  }),

  canCreateCourse: api.courses.canCreateCourse.handler(({ context: { services, viewer } }) =>
    mayCreateCourse(services.db, viewer.id),
  ),
}
