import { refusalOf } from '../../applications/ui/apply-words.ts'

export const joinFailed = 'Failed to enroll in course. Please try again.'

/** What to say when joining failed (spec 2, section 8): our server's words, or the spec's fallback. */
export const joinProblem = (error: unknown) => refusalOf(error, joinFailed)
