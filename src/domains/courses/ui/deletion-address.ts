/** Where a course is deleted: a page for browsers without JavaScript, and the action of the dialog. */
export const deletionPage = (slug: string) => `/course/${slug}/delete`
