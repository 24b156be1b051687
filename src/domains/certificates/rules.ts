// Pure decisions about certificates.

export const reasonMaxLength = 2000

/** In place of the name of a creator whose account is gone. */
export const departedCreator = 'A creator who has left'

export const defaultHeading = 'Certificate of completion'

export const certificatePath = (id: string) => `/certificates/${id}`

/** 'November 21, 2026', in UTC, so that a certificate says the same to everybody. */
export const certificateDay = (moment: string | Date) =>
  new Date(moment).toLocaleDateString('en-US', {
    month: 'long',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  })

interface Linked {
  id: string
  courseTitle: string
  issuedAt: string
}

/** Opens LinkedIn's own form for a certificate, filled in; a link like any other. */
export function linkedInAddress({ id, courseTitle, issuedAt }: Linked, appUrl: string, by: string) {
  const day = new Date(issuedAt)
  const query = new URLSearchParams({
    startTask: 'CERTIFICATION_NAME',
    name: courseTitle,
    organizationName: by,
    issueYear: String(day.getUTCFullYear()),
    issueMonth: String(day.getUTCMonth() + 1),
    certUrl: appUrl + certificatePath(id),
    certId: id,
  })
  return `https://www.linkedin.com/profile/add?${query}`
}
