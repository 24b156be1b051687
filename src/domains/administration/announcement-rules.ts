/** Whom administrators can tell something at once. */
export const audiences = ['everybody', 'creators', 'pro'] as const
export type Audience = (typeof audiences)[number]

export const audienceWords: Record<Audience, string> = {
  everybody: 'Everybody',
  creators: 'Creators',
  pro: 'People with Pro',
}

export const announcementLimits = { title: 120, message: 2000, href: 500 } as const

export const announcementsPage = '/admin/announcements'
export const newAnnouncementPage = `${announcementsPage}/new`

const people = (count: number) =>
  count === 1 ? '1 person' : `${count.toLocaleString('en-US')} people`

/** 'Announce to 1,234 people' */
export const announceToWords = (count: number) => `Announce to ${people(count)}`

interface Progress {
  toldCount: number
  /** How many would have been told when it was announced. */
  people: number
  finishedAt: string | null
}

/** 'Told 5,000 people', or how far it has come. */
export function progressWords({ toldCount, people: expected, finishedAt }: Progress): string {
  if (finishedAt !== null) return toldCount === 0 ? 'Told nobody' : `Told ${people(toldCount)}`
  const [told, about] = [toldCount, expected].map((count) => count.toLocaleString('en-US'))
  return `${told} of about ${about} told so far`
}
