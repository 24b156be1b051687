// What a personal access token may be allowed to do, and how long it lives.

/** Each part of the product that tokens reach, with what reading and changing it means to people. */
export const scopeAreas = [
  {
    area: 'profile',
    label: 'Profile',
    read: 'See your profile, your email address and your plan',
    write: 'Change your profile',
  },
  {
    area: 'courses',
    label: 'Courses',
    read: 'See courses, which of them you take, and all that is in yours, drafts too',
    write: 'Make, change and publish courses',
  },
  {
    area: 'learning',
    label: 'Learning',
    read: 'See lessons, notes, progress and certificates',
    write: 'Join and leave courses, tick lessons off, write notes and reviews',
  },
  {
    area: 'community',
    label: 'Community',
    read: 'See posts and comments',
    write: 'Write, change and delete posts and comments, like and vote',
  },
  {
    area: 'moderation',
    label: 'Moderation',
    read: 'See reports in your courses',
    write: 'Decide about reports in your courses',
  },
  {
    area: 'members',
    label: 'Members',
    read: 'See members of your courses, applications and invitations',
    write: 'Invite and remove members, decide about applications',
  },
  {
    area: 'sales',
    label: 'Sales',
    read: 'See sales, earnings and coupons',
    write: 'Refund sales, make and change coupons',
  },
  {
    area: 'analytics',
    label: 'Analytics',
    read: 'See how your courses are doing, and what they earn',
    write: null,
  },
  {
    area: 'notifications',
    label: 'Notifications',
    read: 'See your notifications',
    write: 'Mark notifications as read, and delete them',
  },
] as const

type Areas = (typeof scopeAreas)[number]
type Writable<Area> = Area extends { write: string; area: infer Name extends string }
  ? `${Name}:write`
  : never

/** What a call asks of a token, as `courses:read`. */
export type Scope = `${Areas['area']}:read` | Writable<Areas>

export const scopes: Scope[] = scopeAreas.flatMap(({ area, write }) =>
  write === null ? [`${area}:read` as Scope] : [`${area}:read` as Scope, `${area}:write` as Scope],
)

export const longestTokenName = 60

/** How many a person can have at once, expired ones included. */
export const mostTokens = 20

/** Days for which a token can be good; null is for ever. */
export const lifetimes = [30, 90, 365, null] as const

export type Lifetime = (typeof lifetimes)[number]
