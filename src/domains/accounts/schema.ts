import * as z from 'zod'
import { clearableLine, clearableText, uuid } from '../../fields.ts'
import { courseCard, shownCards } from '../courses/schema.ts'
import { profileReview } from '../reviews/schema.ts'
import {
  isWebAddress,
  type Platform,
  platformLabel,
  platforms,
  socialProblem,
} from './profile-links.ts'
import { limits, nameProblem, readSignUp, usernameProblem } from './rules.ts'

/** What the log-in and sign-up pages offer; a way that is not set up is not shown. */
export const signInWays = z.object({
  signUpOpen: z.boolean(),
  /** A new account works once its email address is confirmed. */
  confirmsEmail: z.boolean(),
  providers: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Some organisation brings its own log-in. */
  sso: z.boolean(),
})
export type SignInWays = z.output<typeof signInWays>

/** The signed-in person, for the header. Only ever sent to that person. */
export const me = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  username: z.string().nullable(),
  avatarUrl: z.string().nullable(),
  plan: z.enum(['free', 'pro']),
  role: z.enum(['user', 'admin']),
  /** Then next to nothing is open: see /suspended. */
  suspended: z.boolean(),
  /** Under the bell; 10 stands for 10 and more. */
  unreadNotifications: z.number().int(),
  /** Enrolled courses for the logo menu, newest first; at most 50. */
  courses: z.array(z.object({ slug: z.string(), title: z.string() })),
  /** Whether there are courses beyond these. */
  hasMoreCourses: z.boolean(),
})

// The profile ------------------------------------------------------------------------------------

/** A field that a rule of this domain decides about, in that rule's words. */
const ruledBy =
  (problemOf: (value: string) => string | null) => (value: string, context: z.RefinementCtx) => {
    const problem = problemOf(value)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  }

const socialValue = (platform: Platform) =>
  clearableLine(platformLabel(platform), limits.social).superRefine(
    ruledBy((value) => socialProblem(platform, value)),
  )

/** One text per platform. */
const socialValues = z.object(
  Object.fromEntries(platforms.map((platform) => [platform, socialValue(platform)])) as Record<
    Platform,
    ReturnType<typeof socialValue>
  >,
)

const profileFields = z.object({
  name: z
    .string('Display name is required')
    .transform((name) => readSignUp({ name }).name)
    .superRefine(ruledBy(nameProblem)),
  username: z
    .string('Username is required')
    .transform((username) => username.trim())
    .superRefine(ruledBy(usernameProblem)),
  bio: clearableText('Bio', limits.bio),
  website: clearableLine('Website', limits.website).refine(
    (website) => website === '' || isWebAddress(website),
    'Website must be an address that starts with http:// or https://',
  ),
  social: socialValues,
})

/** Only what is set changes. */
export const profileUpdate = profileFields
  .extend({ social: socialValues.partial() })
  .partial()
  .extend({
    /** The one that the form started from; another one in the database means a conflict. */
    version: z.string('The version of the profile is missing'),
  })
export type ProfileUpdate = z.output<typeof profileUpdate>

/** What a person edits. Only ever sent to that person. */
export const myProfile = z.object({
  name: z.string(),
  email: z.string(),
  username: z.string(),
  bio: z.string(),
  website: z.string(),
  social: z.record(z.enum(platforms), z.string()),
  avatarUrl: z.string().nullable(),
  version: z.string(),
})
export type MyProfile = z.output<typeof myProfile>

export const uploadedAvatar = z.object({ mediaId: uuid('The picture') })
export const avatar = z.object({ avatarUrl: z.string().nullable() })

const profileTab = z.enum(['enrolled', 'created', 'reviews'])

export const profileSearch = z.object({
  tab: profileTab.catch('enrolled').default('enrolled'),
  show: shownCards,
})

/** What everybody may know of a person. Nothing joins this that is not written on the profile's page. */
export const publicProfile = z.object({
  username: z.string(),
  name: z.string(),
  bio: z.string(),
  website: z.string(),
  avatarUrl: z.string().nullable(),
  socialLinks: z.array(z.object({ platform: z.enum(platforms), url: z.string() })),
  coursesCreated: z.number().int(),
  coursesEnrolled: z.number().int(),
  reviewsCount: z.number().int(),
  tab: profileTab,
  /** Published courses of the tab, newest first. */
  courses: z.array(courseCard),
  /** What the person wrote about published courses, newest first, on the tab for it. */
  reviews: z.array(profileReview),
  hasMore: z.boolean(),
})
export type PublicProfile = z.output<typeof publicProfile>
