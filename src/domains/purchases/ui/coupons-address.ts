/** Where the instructor manages the coupons of a course. */
export const couponsPage = (slug: string) => `/course/${slug}/coupons`
