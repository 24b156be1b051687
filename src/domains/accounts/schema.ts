import * as z from 'zod'

/** The signed-in person, for the header. Only ever sent to that person. */
export const me = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  username: z.string().nullable(),
  avatarUrl: z.string().nullable(),
  plan: z.enum(['free', 'pro']),
  /** Enrolled courses for the logo menu, newest first. */
  courses: z.array(z.object({ slug: z.string(), title: z.string() })),
})
