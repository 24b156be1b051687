import { replace } from 'react-router'
import type { Route } from './+types/continue-page'
import { pageApi } from '../../../web/page-context.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { CourseProblem } from './course-question.tsx'
import { toPublicPage } from './to-public-page.ts'

export const meta = () => pageMeta('Course not found', 'This course is not here.')

/** The address for emails: to the lesson where this person goes on, whichever that is by then. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const course = await context
    .get(pageApi)
    .courses.getCourseDashboard(params)
    .catch(toPublicPage(params.slug))
  const lesson = course.continueWith
  throw replace(`/course/${course.slug}/${lesson ? `lesson/${lesson.slug}` : 'dashboard'}`)
}

export default function ContinuePage() {
  return null
}

export function ErrorBoundary() {
  return <CourseProblem />
}
