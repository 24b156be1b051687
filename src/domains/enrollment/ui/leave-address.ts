/** Where a member leaves a course. */
export const leavePage = (slug: string) => `/course/${slug}/leave`
