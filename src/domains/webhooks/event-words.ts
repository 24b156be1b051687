import type { ChosenEventType } from './events.ts'

/** Those that an endpoint chooses from, in words. */
export const eventWords: Record<ChosenEventType, string> = {
  'enrollment.created': 'Somebody joined a course',
  'enrollment.ended': 'Somebody left a course or was removed',
  'application.submitted': 'Somebody applied to a course',
  'application.decided': 'An application was approved or rejected',
  'lesson.completed': 'A learner completed a lesson',
  'course.completed': 'A learner completed a course and has its certificate',
  'course.published': 'A course was published',
  'post.created': 'A post was written in a community',
  'comment.created': 'A comment was written in a community',
  'review.created': 'A review was written',
  'review.updated': 'A review was changed',
  'sale.completed': 'A course was paid for (once or monthly)',
  'sale.refunded': 'A payment was refunded',
  'sale.refund_failed': 'A refund did not arrive: the money is yours again',
  'sale.disputed': 'A payment was disputed, or its dispute won or lost',
  'subscription.ended': 'A monthly purchase has ended',
}

export const chosenEventTypes = Object.keys(eventWords) as [ChosenEventType, ...ChosenEventType[]]
