export const issuedPage = (slug: string) => `/course/${slug}/certificates`

export const revokePage = (slug: string, certificateId: string) =>
  `${issuedPage(slug)}/${certificateId}/revoke`

/** Leads to the viewer's certificate of a course; a form sent there asks for it. */
export const ownPage = (slug: string) => `/course/${slug}/certificate`
