import { BookX } from 'lucide-react'
import type { ShouldRevalidateFunctionArgs } from 'react-router'
import type { Route } from './+types/edit-content'
import { pageApi } from '../../../web/page-context.ts'
import { CourseSuspendedBanner } from '../../administration/ui/course-suspended-banner.tsx'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { withoutLightning } from '../rules.ts'
import { ContentEditor } from './content-editor.tsx'
import { PageProblem } from './page-problem.tsx'

export const meta = ({ loaderData }: Route.MetaArgs) =>
  pageMeta(
    loaderData
      ? `Edit the lessons of ${withoutLightning(loaderData.title)}`
      : 'Edit Course Content',
    'Update your course chapters and lessons.',
  )

export async function loader({ context, params }: Route.LoaderArgs) {
  const { courseId } = params
  const { courses, administration } = context.get(pageApi)
  const [content, suspension] = await Promise.all([
    courses.getCourseContent({ courseId }),
    administration.getCourseSuspension({ slug: courseId }),
  ])
  return { ...content, suspension }
}

/** What the editor holds is newer than what the loader would bring. */
export const shouldRevalidate = ({ currentParams, nextParams }: ShouldRevalidateFunctionArgs) =>
  currentParams.courseId !== nextParams.courseId

export default function EditContent({ loaderData }: Route.ComponentProps) {
  const { suspension, ...course } = loaderData
  return (
    <>
      {suspension && (
        <div className="page-width pt-6">
          <CourseSuspendedBanner slug={course.slug} suspension={suspension} />
        </div>
      )}
      <ContentEditor key={course.id} course={course} />
    </>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={BookX}
      notFound="Course not found"
      description="It may have been deleted, or it belongs to somebody else. You can edit the courses you created."
      back={{ to: '/dashboard', label: 'Back to dashboard' }}
      failed="Could not load this course"
    />
  )
}
