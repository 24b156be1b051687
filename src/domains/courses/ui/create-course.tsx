import { safe } from '@orpc/client'
import { BookX } from 'lucide-react'
import type { Route } from './+types/create-course'
import { Badge } from '../../../ui/badge.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { ImportLink } from '../../course-transfer/ui/import-link.tsx'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { useSwitchedOff } from '../../../web/use-switched-off.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { withoutLightning } from '../rules.ts'
import { CourseInformation } from './course-form.tsx'
import { PageProblem } from './page-problem.tsx'

export const meta = ({ loaderData }: Route.MetaArgs) =>
  pageMeta(
    loaderData?.course ? `Edit ${withoutLightning(loaderData.course.title)}` : 'Create Course',
    'Course Information: title, description, category and picture.',
  )

/** With `?courseId=…` an existing course of one's own, else a new one. */
export async function loader({ context, url }: Route.LoaderArgs) {
  const courseId = url.searchParams.get('courseId')
  if (courseId) {
    const course = await context.get(pageApi).courses.getCourseForm({ courseId })
    // Without them the form goes on with the default ones (spec 1, section 8).
    const [error, answer] = await safe(
      context.get(formApi).applications.getApplicationQuestions({ courseId }),
    )
    return { course, questions: error ? null : answer.questions, mayCreate: true }
  }
  // A check that failed disables the form, it does not replace the page (spec 1, section 8).
  const [error, mayCreate] = await safe(context.get(formApi).courses.canCreateCourse())
  return { course: null, questions: null, mayCreate: error ? null : mayCreate }
}

export default function CreateCourse({ loaderData }: Route.ComponentProps) {
  const { course, questions, mayCreate } = loaderData
  const { create_courses } = useSwitchedOff()
  const off = course ? undefined : create_courses
  return (
    <div className="page-width max-w-[64rem] py-8 lg:py-12">
      <PageHeader
        back={{ to: '/dashboard', label: 'Back to Dashboard' }}
        title="Course Information"
        badges={<Badge tone="primary">Step 1 of 2</Badge>}
        description={
          course
            ? `What visitors read about “${withoutLightning(course.title)}”. The lessons come next.`
            : 'What your course is about. In the next step you write its lessons.'
        }
        actions={!course && !off && mayCreate !== false && <ImportLink size="sm" />}
        className="mb-8"
      />
      <CourseInformation
        key={course?.id ?? 'new'}
        course={course}
        questions={questions}
        mayCreate={off ? false : mayCreate}
        off={off}
      />
    </div>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={BookX}
      notFound="Course not found"
      description="It may have been deleted, or it belongs to somebody else. You can edit the courses you created."
      back={{ to: '/dashboard', label: 'Back to dashboard' }}
      failed="Could not load this page"
    />
  )
}
