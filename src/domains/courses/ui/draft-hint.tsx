import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import type { CourseDashboard } from '../schema.ts'

/** That nobody else sees the course, and what it still needs. */
export function DraftHint({ course }: { course: CourseDashboard }) {
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
        ? 'Only you can see it. Add at least one lesson, then press Publish in the editor.'
        : 'Only you can see it. Press Publish in the editor when it is ready.'}
    </Banner>
  )
}
