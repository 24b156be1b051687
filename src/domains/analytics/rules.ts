// What people did, in words (spec 2, section 4).

export type ActivityType =
  | 'course_created'
  | 'first_enrollment'
  | 'lesson_completed'
  | 'post_created'

const words: Record<string, string> = {
  course_created: 'Course created',
  first_enrollment: 'First student joined',
  lesson_completed: 'Lesson completed',
  post_created: 'Post created',
}

export const activityLabel = (activityType: string): string =>
  (Object.hasOwn(words, activityType) && words[activityType]) || 'Activity recorded'

/** The two that a creator celebrates. */
export const isHighlight = (activityType: string): boolean =>
  activityType === 'course_created' || activityType === 'first_enrollment'
