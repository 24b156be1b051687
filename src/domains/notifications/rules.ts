import { brand } from '../site/brand.ts'
import { type NoticeKindName, noticeKinds, type Switch, switches } from './kinds.ts'

/** How what belongs to a switch comes by email. */
export const paces = ['at_once', 'daily', 'off'] as const
export type Pace = (typeof paces)[number]

export const paceWords: Record<Pace, string> = {
  at_once: 'At once',
  daily: 'Daily digest',
  off: 'Off',
}

export interface Preference {
  /** Shown under the bell. */
  inApp: boolean
  email: Pace
}
export type Preferences = Record<Switch, Preference>
/** What is not named stays as it is. */
export type PreferenceChanges = Partial<Record<Switch, Partial<Preference>>>

/** What holds until a person says something else (spec 2, section 4: all are on). */
export const defaultPreferences: Preferences = {
  // A popular course has many new members in a day.
  new_signup: { inApp: true, email: 'daily' },
  system_announcements: { inApp: true, email: 'at_once' },
  comment_alert: { inApp: true, email: 'at_once' },
  sales_alert: { inApp: true, email: 'at_once' },
}

/** The switches as people read them, in this order. */
export const switchWords: Record<Switch, { label: string; description: string }> = {
  new_signup: {
    label: 'New members and applications',
    description: 'Somebody joins a course of yours, or applies to one.',
  },
  comment_alert: {
    label: 'Comments and reviews',
    description: 'Somebody reviews a course of yours, answers what you wrote, or mentions you.',
  },
  sales_alert: {
    label: 'Sales and refunds',
    description: 'Somebody buys a course of yours, or is paid back. You always hear of payouts.',
  },
  system_announcements: {
    label: 'News and announcements',
    // The brand is not known yet when this is loaded.
    get description() {
      return `Announcements of the instructors whose courses you joined, and news from ${brand.name}.`
    },
  },
}

/** Everything that this switch decides about. */
export const kindsOf = (name: Switch): NoticeKindName[] =>
  (Object.keys(noticeKinds) as NoticeKindName[]).filter((kind) => noticeKinds[kind].switch === name)

/** What a stored notice belongs to; null for what always goes, and for kinds that no longer exist. */
export function switchOf(kind: string): Switch | null {
  return switches.find((name) => (kindsOf(name) as string[]).includes(kind)) ?? null
}
