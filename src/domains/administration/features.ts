// What administrators can switch off in an emergency, in one closed list. A call says in its row of the
// contract by which of these it is stopped.

interface Feature {
  /** Begins the sentence for people who find it switched off. */
  label: string
  stops: string
  goesOn: string
}

export const features = {
  sign_up: {
    label: 'Sign-up',
    stops: 'Nobody can make a new account, by whatever way.',
    goesOn: 'Whoever has an account logs in as ever.',
  },
  create_courses: {
    label: 'Creating courses',
    stops: 'Nobody can make, copy or import a course.',
    goesOn: 'Courses can be edited and published, and an import that has begun is finished.',
  },
  checkout: {
    label: 'Buying',
    stops: 'Nobody can buy a course or Pro.',
    goesOn:
      'Free courses can be joined. Subscriptions, cancellation and refunds go on, and payment pages that are open can be paid.',
  },
  uploads: {
    label: 'Uploading files',
    stops: 'No new video, picture or course file is taken.',
    goesOn: 'Uploads that have begun are finished, and everything that is here is shown.',
  },
  community_writing: {
    label: 'Writing in communities',
    stops: 'Nobody can write or change a post or a comment.',
    goesOn:
      'Reading, likes, votes, deleting, reports and moderation. Posts that are scheduled appear at their time.',
  },
  reviews: {
    label: 'Reviewing courses',
    stops: 'Nobody can write or change a review.',
    goesOn: 'Reviews can be read, answered and removed.',
  },
  payouts: {
    label: 'Paying out',
    stops:
      'No creator is paid out, on request or by itself, and payouts that were not sent yet wait.',
    goesOn:
      'Earnings are kept, and how one is paid can be changed. Payouts on their way arrive. What was due meanwhile goes within a day of the switch back on.',
  },
} as const satisfies Record<string, Feature>

export type FeatureName = keyof typeof features

export const featureNames = Object.keys(features) as [FeatureName, ...FeatureName[]]

/** What is switched off, each with what people are told. */
export type SwitchedOff = Partial<Record<FeatureName, string>>

/** The code of the refusal. */
export const featureOff = 'FEATURE_OFF'

/** `notice` is what the administrator adds for people; may be empty. */
export const offSentence = (name: FeatureName, notice = ''): string =>
  `${features[name].label} is switched off at the moment.${notice && ` ${notice}`}`

/** What is kept of a feature that is switched off, under its key of the settings; without it, it is on. */
export interface OffSetting {
  off: true
  since: string
  notice: string
}

export const featureKey = (name: FeatureName) => `feature:${name}` as const
