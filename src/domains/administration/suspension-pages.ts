// Where a suspension is told of, apart from the rules of administrators: every page of the signed-in loads this.

export const suspendedPage = '/suspended'
export const courseSuspensionPage = (slug: string) => `/course/${slug}/suspension`

/** Pages of the signed-in that stay open to who is suspended: to learn why, to stop paying, for receipts, and to leave. */
const openWhileSuspended =
  /^\/(?:suspended|support(?:\/[^/]+)?|settings\/delete-account|billing(?:\/cancel|\/courses\/[^/]+\/cancel|\/receipts(?:\/[^/]+\/[^/]+)?)?)$/
export const isOpenWhileSuspended = (pathname: string): boolean => openWhileSuspended.test(pathname)
