/** Where the instructor gives a course a look of its own. */
export const brandingPage = (slug: string) => `/course/${slug}/branding`
