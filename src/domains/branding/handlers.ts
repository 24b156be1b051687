import { api } from '../../server/api.ts'
import { planOf } from '../billing/plan.ts'
import { brandingOf } from './queries.ts'
import { saveBranding } from './save-branding.ts'

const notFound = { message: 'Course not found' }
const noLogo = { message: 'The logo was not found. Please upload it again.' }
const noCover = { message: 'The cover was not found. Please upload it again.' }

export const branding = {
  getBranding: api.branding.getBranding.handler(async ({ context: { services, course } }) => ({
    isPro: (await planOf(services.db, course.instructorId)) === 'pro',
    branding: await brandingOf(services.db, course.courseId),
  })),

  saveBranding: api.branding.saveBranding.handler(({ input, context, errors }) => {
    const { services, course } = context
    const { courseId: _named, ...asked } = input
    const { courseId, instructorId } = course
    return services.db.transaction(async (transaction) => {
      const saving = { courseId, instructorId, branding: asked }
      const saved = await saveBranding(transaction, saving)
      if (saved === 'gone') throw errors.NOT_FOUND(notFound)
      if (saved === 'no pro') throw errors.PRO_ONLY()
      if (saved === 'no logo') throw errors.BAD_REQUEST(noLogo)
      if (saved === 'no cover') throw errors.BAD_REQUEST(noCover)
      return {
        isPro: (await planOf(transaction, instructorId)) === 'pro',
        branding: await brandingOf(transaction, courseId),
      }
    })
  }),
}
