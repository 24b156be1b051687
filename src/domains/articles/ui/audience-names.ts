import type { Audience } from '../schema.ts'

/** What the two halves of the help are called. */
export const audienceNames: Record<Audience, string> = {
  learners: 'For learners',
  creators: 'For creators',
}
