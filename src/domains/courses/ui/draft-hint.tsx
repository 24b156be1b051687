import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import type { CourseDashboard } from '../schema.ts'

/** Who sees the course, and what it still needs. */
export function DraftHint({ course }: { course: CourseDashboard }) {
  // Who joined while it was published keeps it.
  const seenBy = course.studentsCount === 0 ? 'Only you' : 'Only you and its members'
  return (
    <Banner
      tone="warning"
      title="This course is a draft"
      action={
        <ButtonLink to={`/create-lessons/${course.id}`} variant="secondary" size="sm">
          Edit Content
        </ButtonLink>
      }
    >
      {course.lessonsCount === 0
        ? `${seenBy} can see it. Add at least one lesson, then press Publish in the editor.`
        : `${seenBy} can see it. Press Publish in the editor when it is ready.`}
    </Banner>
  )
}
