// Every kind of thing that people are told, and which of the four switches decides whether they are.

export const switches = [
  'new_signup',
  'system_announcements',
  'comment_alert',
  'sales_alert',
] as const
export type Switch = (typeof switches)[number]

/** How a notice looks; news of any other sort is 'info'. */
export const noticeTypes = ['success', 'warning', 'error', 'info'] as const

export interface NoticeKind {
  type: (typeof noticeTypes)[number]
  /** The switch that it belongs to; null for security, payment and access, of which everybody is told. */
  switch: Switch | null
  /** Whether it is mailed too; with a switch, in the way that the person chose. */
  mail: boolean
}

export const noticeKinds = {
  /** Has a mail of its own. */
  welcome: { type: 'success', switch: null, mail: false },
  /** To who joined: they did it themselves a moment ago. */
  joined: { type: 'success', switch: null, mail: false },
  application_approved: { type: 'success', switch: null, mail: true },
  application_rejected: { type: 'warning', switch: null, mail: true },
  member_removed: { type: 'warning', switch: null, mail: true },
  /** To members, and to those whose application nobody can decide any more. */
  course_deleted: { type: 'warning', switch: null, mail: true },
  /** To members; who pays monthly is told of that. */
  creator_left: { type: 'info', switch: null, mail: false },
  /** To the creator. */
  new_member: { type: 'info', switch: 'new_signup', mail: true },
  /** To the creator. */
  application_received: { type: 'info', switch: 'new_signup', mail: true },
  /** To the creator: the course was full when a decision about many was carried out. */
  applications_not_admitted: { type: 'warning', switch: null, mail: true },
  review_written: { type: 'info', switch: 'comment_alert', mail: true },
  review_answered: { type: 'info', switch: 'comment_alert', mail: true },
  /** To the author of the post. */
  comment_written: { type: 'info', switch: 'comment_alert', mail: true },
  /** To the author of what was answered. */
  comment_replied: { type: 'info', switch: 'comment_alert', mail: true },
  mentioned: { type: 'info', switch: 'comment_alert', mail: true },
  /** To those who moderate. */
  content_reported: { type: 'warning', switch: null, mail: true },
  /** To who reported. */
  report_decided: { type: 'info', switch: null, mail: false },
  /** To the author of what was hidden or deleted, or who is warned. */
  content_moderated: { type: 'warning', switch: null, mail: true },
  /** To who bought a course or its next month: the receipt. */
  payment_received: { type: 'success', switch: null, mail: true },
  /** To who pays: a payment failed, and when it is tried again. */
  payment_failed: { type: 'warning', switch: null, mail: true },
  /** To who paid: money went back. */
  payment_refunded: { type: 'info', switch: null, mail: true },
  /** To who paid: what went back did not arrive. */
  payment_not_refunded: { type: 'warning', switch: null, mail: true },
  /** To who had bought a course: it is over, and why. */
  purchase_ended: { type: 'warning', switch: null, mail: true },
  /** To who pays a course monthly: its creator has left. */
  no_further_payments: { type: 'info', switch: null, mail: true },
  plan_started: { type: 'success', switch: null, mail: true },
  plan_ended: { type: 'warning', switch: null, mail: true },
  /** To the creator. */
  sale_made: { type: 'success', switch: 'sales_alert', mail: true },
  /** To the creator. */
  sale_refunded: { type: 'warning', switch: 'sales_alert', mail: true },
  /** To the creator: a bank takes money back, or gives it again. */
  sale_disputed: { type: 'warning', switch: null, mail: true },
  /** To the creator: the provider did not pay a sale back, or what was paid back did not arrive. */
  refund_refused: { type: 'warning', switch: null, mail: true },
  /** To the creator: money is on its way. */
  payout_sent: { type: 'success', switch: null, mail: true },
  payout_paid: { type: 'success', switch: null, mail: false },
  /** To the creator: it came back, and is in the balance again. */
  payout_failed: { type: 'warning', switch: null, mail: true },
  /** To the creator: the provider asks for something, or pays nothing out. */
  payout_attention: { type: 'warning', switch: null, mail: true },
  /** To administrators: the queue says who, so that many requests bring no flood of mails. */
  support_received: { type: 'info', switch: null, mail: false },
  /** To who asked for support. */
  support_answered: { type: 'info', switch: null, mail: true },
  /** To who is suspended, or whose course is, and what becomes of it. */
  account_suspended: { type: 'error', switch: null, mail: true },
  course_suspended: { type: 'error', switch: null, mail: true },
  suspension_lifted: { type: 'success', switch: null, mail: true },
  appeal_refused: { type: 'warning', switch: null, mail: true },
  /** To administrators. */
  appeal_received: { type: 'warning', switch: null, mail: true },
  /** To the creator: nothing was delivered to it for days. */
  webhook_disabled: { type: 'warning', switch: null, mail: true },
  certificate_issued: { type: 'success', switch: null, mail: true },
  certificate_revoked: { type: 'warning', switch: null, mail: true },
  challenge_won: { type: 'success', switch: null, mail: true },
  /** To those who took part and did not win. */
  challenge_drawn: { type: 'info', switch: null, mail: false },
  /** To those whose entry did not count at the end. */
  challenge_dropped: { type: 'warning', switch: null, mail: false },
  /** To those who took part. */
  challenge_canceled: { type: 'warning', switch: null, mail: false },
  /** To all members of a course, by its instructor. */
  course_announcement: { type: 'info', switch: 'system_announcements', mail: true },
  system_announcement: { type: 'info', switch: 'system_announcements', mail: true },
} as const satisfies Record<string, NoticeKind>
export type NoticeKindName = keyof typeof noticeKinds
