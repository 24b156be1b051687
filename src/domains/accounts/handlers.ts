import { api } from '../../server/api.ts'
import { planOf } from '../billing/plan.ts'
import { enrolledTitles } from '../enrollment/queries.ts'

export const accounts = {
  getMe: api.accounts.getMe.handler(async ({ context: { visitor, services } }) => {
    if (!visitor) return null
    const [plan, courses] = await Promise.all([
      planOf(services.db, visitor.id),
      enrolledTitles(services.db, visitor.id),
    ])
    return { ...visitor, plan, courses }
  }),
}
