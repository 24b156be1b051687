// Pure decisions about courses: names, prices, slugs, limits, progress.
import { isolated, quoted } from '../../isolated.ts'

export const categories = [
  'Art',
  'Business',
  'Cooking',
  'Crypto',
  'Gaming',
  'Gardening',
  'Hobbies',
  'Marketing',
  'Music',
  'Photography',
  'Relationships',
  'Self-improvement',
  'Sports',
  'Sports Betting',
  'Tech',
  'Wellness',
] as const
export type Category = (typeof categories)[number]

export const levels = ['Beginner', 'Intermediate', 'Advanced'] as const

export const limits = {
  title: 120,
  shortDescription: 300,
  chapters: 100,
  lessons: 1000,
  linksPerLesson: 20,
  linkAddress: 2000,
  lessonMinutes: 1440,
  freePlanCourses: 1,
  freePlanStudents: 25,
} as const

export type PricingType = 'free' | 'one_time' | 'monthly'

/** Characters from which on a description tells visitors enough. */
export const goodDescription = 200

/** 'Free', '$29' or '$29/mo' (spec 1, section 9), on its own page '$29/month'; amount in minor units. */
export function priceLabel(
  price: { pricingType: PricingType; priceAmount: number },
  per: 'mo' | 'month' = 'mo',
): string {
  if (price.pricingType === 'free' || price.priceAmount === 0) return 'Free'
  const dollars = (price.priceAmount / 100).toLocaleString('en-US', {
    minimumFractionDigits: price.priceAmount % 100 === 0 ? 0 : 2,
  })
  return price.pricingType === 'monthly' ? `$${dollars}/${per}` : `$${dollars}`
}

/** Lower case; only a-z, 0-9, space and hyphen stay; spaces become hyphens; hyphens collapse. May be empty. */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .trim()
    .replace(/ +/g, '-')
    .replace(/-+/g, '-')
    .slice(0, 120)
    .replace(/^-|-$/g, '')
}

/** Titles are shown without a trailing lightning mark; one of nothing else is shown as it is. */
export function withoutLightning(title: string): string {
  return title.replace(/\s*⚡\uFE0F?\s*$/u, '') || title
}

/** A course's title in a line of ours that is plain text, as a notice, a mail or a refusal is. */
export const quotedTitle = (title: string) => quoted(withoutLightning(title))

/** What somebody types to confirm is the title, with its mark or without. */
export function isTitleOf(typed: string, title: string): boolean {
  const said = typed.normalize('NFC')
  const meant = title.normalize('NFC')
  return said === meant || said === withoutLightning(meant)
}

/** Completed of total lessons, in whole percent; 100 only when every lesson is completed. */
export function progressPercent(completed: number, total: number): number {
  if (total === 0) return 0
  return completed >= total ? 100 : Math.min(99, Math.round((completed / total) * 100))
}

/** What the course says to a learner at this percent (spec 2, 'Member course page'). */
export function progressMessage(percent: number): string {
  if (percent <= 0) return 'Get Started'
  return percent >= 100 ? 'Course Completed!' : 'Keep Going!'
}

/** How long a lesson takes: '5 min'. */
export function minutesLabel(minutes: number): string {
  return `${minutes} min`
}

/** How long a whole course takes: '45 min', '3 h', '3 h 20 min'. */
export function lengthLabel(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  if (hours === 0) return minutesLabel(rest)
  const whole = `${hours.toLocaleString('en-US')} h`
  return rest === 0 ? whole : `${whole} ${minutesLabel(rest)}`
}

/** What is known of a course's length is its length only where that of each lesson is known. */
export function courseLengthLabel(minutes: number, allLengthsKnown: boolean): string {
  const length = lengthLabel(minutes)
  return allLengthsKnown ? length : `${length} of video`
}

export function lessonsLabel(count: number): string {
  return count === 1 ? '1 lesson' : `${count} lessons`
}

/** '3 of 12 lessons completed', '0 of 1 lesson completed'. */
export const completedLabel = (course: { completedCount: number; lessonsCount: number }) =>
  `${course.completedCount} of ${lessonsLabel(course.lessonsCount)} completed`

/** A chapter that kept the name it was given says its number once. */
export function chapterHeading(number: number, title: string): string {
  const name = `Chapter ${number}`
  return title === name ? name : `${name}: ${isolated(title)}`
}

const summaryLength = 160

/** What a card says: the short description, else the beginning of the description, cut between words. */
export function summaryOf(shortDescription: string, descriptionText: string): string {
  if (shortDescription !== '') return shortDescription
  if (descriptionText.length <= summaryLength) return descriptionText
  const cut = descriptionText.slice(0, summaryLength + 1)
  const space = cut.lastIndexOf(' ')
  return `${cut.slice(0, space > summaryLength / 2 ? space : summaryLength).toWellFormed()}…`
}

/** Addresses of an uploaded picture in its three widths. */
export function thumbnailUrls(mediaId: string) {
  const at = (width: number) => `/storage/v1/images/${mediaId}/${width}.webp`
  return { small: at(320), medium: at(640), large: at(1280) }
}
