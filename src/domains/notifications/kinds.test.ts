// What people are told at all: which kinds are mailed, who decides about them, and what open pages hear.
import { expect, test } from 'vitest'
import { noticeKinds, noticeTypes, switches } from './kinds.ts'
import { defaultPreferences, kindsOf, paces, switchWords } from './rules.ts'
import { liveEvent } from './schema.ts'

type Kind = keyof typeof noticeKinds
const all = Object.keys(noticeKinds) as Kind[]

test('these are shown and not mailed', () => {
  expect(all.filter((kind) => !noticeKinds[kind].mail)).toEqual([
    'welcome',
    'joined',
    'creator_left',
    'report_decided',
    'payout_paid',
    'support_received',
    'challenge_drawn',
    'challenge_dropped',
    'challenge_canceled',
  ])
})

test('these can be switched off, and no others', () => {
  expect(Object.fromEntries(switches.map((name) => [name, kindsOf(name)]))).toEqual({
    new_signup: ['new_member', 'application_received'],
    system_announcements: ['course_announcement', 'system_announcement'],
    comment_alert: [
      'review_written',
      'review_answered',
      'comment_written',
      'comment_replied',
      'mentioned',
    ],
    sales_alert: ['sale_made', 'sale_refunded'],
  })
})

test('a switch is called what it decides: payouts are told anyway, and it says so', () => {
  const { label, description } = switchWords.sales_alert
  expect([label, description]).toEqual([
    'Sales and refunds',
    'Somebody buys a course of yours, or is paid back. You always hear of payouts.',
  ])
  expect(switchWords.comment_alert.description).toContain('mentions you')
})

test('these look like good news, trouble or a mistake; all others like news', () => {
  const of = (type: string) => all.filter((kind) => noticeKinds[kind].type === type)
  expect(of('success')).toEqual([
    'welcome',
    'joined',
    'application_approved',
    'payment_received',
    'plan_started',
    'sale_made',
    'payout_sent',
    'payout_paid',
    'suspension_lifted',
    'certificate_issued',
    'challenge_won',
  ])
  expect(of('error')).toEqual(['account_suspended', 'course_suspended'])
  expect(of('warning')).toEqual([
    'application_rejected',
    'member_removed',
    'course_deleted',
    'applications_not_admitted',
    'content_reported',
    'content_moderated',
    'payment_failed',
    'payment_not_refunded',
    'purchase_ended',
    'plan_ended',
    'sale_refunded',
    'sale_disputed',
    'refund_refused',
    'payout_failed',
    'payout_attention',
    'appeal_refused',
    'appeal_received',
    'webhook_disabled',
    'certificate_revoked',
    'challenge_dropped',
    'challenge_canceled',
  ])
  const named = noticeTypes.flatMap(of)
  expect(named.toSorted()).toEqual(all.toSorted())
})

test('until somebody says otherwise everything is on, new members once a day', () => {
  const on = { inApp: true, email: 'at_once' }
  expect(defaultPreferences).toEqual({
    new_signup: { inApp: true, email: 'daily' },
    system_announcements: on,
    comment_alert: on,
    sales_alert: on,
  })
  expect(paces).toEqual(['at_once', 'daily', 'off'])
  expect(Object.keys(switchWords)).toEqual([
    'new_signup',
    'comment_alert',
    'sales_alert',
    'system_announcements',
  ])
  expect(switchWords.system_announcements.description).toContain('news from Thunder.')
})

const id = '0198f0a2-7b1c-7e2d-9d41-3a5b6c7d8e9f'
const course = { courseId: id }
const events = [
  { type: 'notification' },
  { type: 'applications', ...course },
  { type: 'application', ...course },
  { type: 'members', ...course },
  { type: 'accessEnded', ...course },
  { type: 'reset' },
  { type: 'progress', ...course },
  { type: 'joined', ...course },
  { type: 'left', ...course },
  { type: 'post', ...course, postId: id, change: 'created' },
  { type: 'post', ...course, postId: id, change: 'changed' },
  { type: 'post', ...course, postId: id, change: 'removed' },
  { type: 'comment', ...course, postId: id, commentId: id, change: 'created', commentsCount: 1 },
  { type: 'comment', ...course, postId: id, commentId: id, change: 'changed', commentsCount: 1 },
  { type: 'comment', ...course, postId: id, commentId: id, change: 'removed', commentsCount: 0 },
  { type: 'likes', ...course, postId: id, commentId: null, likesCount: 2 },
  { type: 'votes', ...course, postId: id },
  { type: 'channels', ...course },
  { type: 'moderation', ...course },
  { type: 'purchase', ...course },
  { type: 'checkout', ...course },
  { type: 'earnings' },
  { type: 'plan' },
  { type: 'video', mediaId: id, courseId: null },
  { type: 'courseImport', importId: id, courseId: null },
  { type: 'streamEnded', streamId: id, endedBy: id },
  { type: 'webhook', endpointId: id },
  { type: 'announcement' },
]

test.each(events)('open pages hear $type, with all that it says', (event) => {
  expect(liveEvent.parse(event)).toEqual(event)
  for (const name of Object.keys(event)) {
    const { [name as 'type']: _left, ...less } = event
    expect(liveEvent.safeParse(less).success, `without ${name}`).toBe(false)
    expect(liveEvent.safeParse({ ...event, [name]: 'x' }).success, `another ${name}`).toBe(false)
  }
})
