// What a challenge can be, when it is what, and the words for it.

export const challengeKinds = ['challenge', 'giveaway'] as const
export type ChallengeKind = (typeof challengeKinds)[number]

export const kindWords: Record<ChallengeKind, string> = {
  challenge: 'Prize challenge',
  giveaway: 'Giveaway',
}

export const challengeLimits = {
  title: 120,
  prize: 300,
  rules: 5_000,
  reason: 2_000,
  /** Days from opening to closing. */
  days: 366,
} as const

/** How many of those that are over are shown. */
export const pastShown = 50

type Status = 'draft' | 'published' | 'closed' | 'drawn' | 'canceled'

/** What a challenge is at a moment: `closing` is the short while until the list is frozen. */
export const phases = ['draft', 'coming', 'open', 'closing', 'closed', 'drawn', 'canceled'] as const
export type Phase = (typeof phases)[number]

export function phaseOf(
  { status, opensAt, closesAt }: { status: Status; opensAt: Date; closesAt: Date },
  now: Date,
): Phase {
  if (status !== 'published') return status
  if (now < opensAt) return 'coming'
  return now < closesAt ? 'open' : 'closing'
}

const phaseWords: Record<Phase, string> = {
  draft: 'Draft',
  coming: 'Coming',
  open: 'Open',
  closing: 'Closing',
  closed: 'Closed, to be drawn',
  drawn: 'Winner drawn',
  canceled: 'Canceled',
}

/** In words; a list without a line needs no draw. */
export const phaseLabel = (phase: Phase, entriesCount: number) =>
  phase === 'closed' && entriesCount === 0 ? 'Closed, without entries' : phaseWords[phase]

export const challengesPath = '/challenges'
export const challengePath = (slug: string) => `${challengesPath}/${slug}`
export const drawAddress = (slug: string) => `/rest/v1/challenges/${slug}/draw`
export const adminChallengesPath = '/admin/challenges'
export const adminChallengePath = (challengeId: string) => `${adminChallengesPath}/${challengeId}`
/** The same, where it says that the draft is saved. */
export const savedDraftPath = (challengeId: string) => `${adminChallengePath(challengeId)}?saved`

/** What holds in every challenge, beside its own rules. */
export const alwaysHolds = [
  'Creators on Pro enter one published course of their own, and can change or withdraw it until the end.',
  'Every entry has the same chance. Entering costs nothing beyond Pro, and nothing else improves the chance.',
  'At the end an entry counts when its course is published, its creator is on Pro, and neither is suspended. Other entries are dropped.',
  'Then the list of entries is frozen, numbered and published with its hash. If an account is deleted later, its entry stays in the list without a name.',
]
