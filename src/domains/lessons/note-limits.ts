/** Of one person's notes: characters of each, and how many beside a lesson. */
export const noteLimits = { text: 2000, perLesson: 500 } as const
