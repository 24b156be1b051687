// What can be asked, how it stands, and the words for both.

export const topics = ['account', 'learning', 'teaching', 'payments', 'abuse', 'other'] as const
export type Topic = (typeof topics)[number]

export const topicWords: Record<Topic, string> = {
  account: 'My account',
  learning: 'Taking a course',
  teaching: 'Making a course',
  payments: 'Payments and billing',
  abuse: 'Something that should not be here',
  other: 'Something else',
}

export const isTopic = (value: unknown): value is Topic =>
  (topics as readonly unknown[]).includes(value)

export const requestStatuses = ['waiting', 'answered', 'closed'] as const
export type RequestStatus = (typeof requestStatuses)[number]

export const isRequestStatus = (value: unknown): value is RequestStatus =>
  (requestStatuses as readonly unknown[]).includes(value)

export const statusWords: Record<RequestStatus, string> = {
  waiting: 'Waiting',
  answered: 'Answered',
  closed: 'Closed',
}

export const supportLimits = {
  name: 80,
  email: 254,
  subject: 200,
  message: 5_000,
  /** Of the first message: fewer characters say nothing that can be answered. */
  shortestMessage: 10,
  /** Of one request, by both sides. */
  messages: 100,
} as const

export const requestsPerPage = 20

export const supportPath = '/support'
export const requestPath = (requestId: string) => `${supportPath}/${requestId}`
export const queuePath = '/admin/support'
export const queuedRequestPath = (requestId: string) => `${queuePath}/${requestId}`

/**
 * Without what nobody sees but programs: control characters, and signs that turn the direction of what
 * follows them. Lines and tabs stay.
 */
export const visibleText = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, (sign) =>
    /[\t\n\r]/.test(sign) ? sign : '',
  )
