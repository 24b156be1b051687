import { type SQL, sql } from 'drizzle-orm'
import { keepingEvent } from '../webhooks/keep-event.ts'

/** What programs of the creator are told of a completion, as parts of a WITH. */
export const lessonCompleted = (place: {
  userId: string
  courseId: string
  lessonId: string
}): SQL =>
  keepingEvent({
    type: 'lesson.completed',
    courseId: place.courseId,
    personId: place.userId,
    more: sql`
      select jsonb_build_object('lesson', jsonb_build_object('id', l.id, 'slug', l.slug, 'title', l.title))
        from lessons l where l.id = ${place.lessonId}::uuid`,
  })
