// Pure decisions about webhooks: how many, how often, and when it is enough.

export const webhookLimits = {
  endpoints: 10,
  url: 2000,
  description: 120,
  /** Tests and replays within 24 hours, of one person. */
  byHandPerDay: 500,
  keptDays: 30,
  /** Of failures and nothing else, until an endpoint is turned off. */
  failingDays: 5,
  /** Of the same event, by then: some two and a half hours. */
  failuresToGiveUp: 5,
  /** For which a secret signs beside the one that followed it. */
  rotationHours: 24,
  /** Of one endpoint that sign beside the newest. */
  formerSecrets: 5,
} as const

/** What somebody is told who asked for more of these; until when stands behind it. */
export const tooOftenByHand = `Tests and repeated deliveries are limited to ${webhookLimits.byHandPerDay} in 24 hours.`

const minute = 60
const hour = 60 * minute

/** Seconds from a failed attempt to the next one; after the last of them it is given up. */
const retryPauses = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 24 * hour] as const

/** Seconds until the next attempt after so many that failed; null when it is given up. */
export const pauseAfter = (failures: number): number | null => retryPauses[failures - 1] ?? null

/** Seconds. */
export const longestRest = 15 * minute

/**
 * Seconds in which nothing is sent to an endpoint that gave no answer: the longer it has been failing, the
 * longer, so that those that hang for ten seconds each time do not fill the places of the others.
 */
export const restAfter = (failingSeconds: number): number =>
  Math.min(Math.max(failingSeconds, minute), longestRest)

/** Whether an attempt held its place for long, for nothing. */
export const isHanging = (status: number | null, milliseconds: number): boolean =>
  status === null && milliseconds >= 1000

export const isDelivered = (status: number | null): boolean =>
  status !== null && status >= 200 && status < 300

/** What its server says when it is never to be asked again. */
export const isGone = (status: number | null): boolean => status === 410

/**
 * After days of nothing but failures. The event has to have failed for hours as well: where the last one came long ago,
 * nobody has tried meanwhile.
 */
export const mayBeGivenUp = (failingSeconds: number, failures: number): boolean =>
  failingSeconds >= webhookLimits.failingDays * 24 * hour &&
  failures >= webhookLimits.failuresToGiveUp

export const endpointPath = (endpointId: string) => `/settings/webhooks/${endpointId}`

/** The settings, where endpoints are listed. */
export const webhooksPath = '/settings#developers'
