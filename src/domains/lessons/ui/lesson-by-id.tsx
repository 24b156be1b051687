import { replace } from 'react-router'
import type { Route } from './+types/lesson-by-id'
import { pageApi } from '../../../web/page-context.ts'
import { toItsPublicPage } from '../../courses/ui/to-public-page.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { LessonNotFound } from './lesson-not-found.tsx'

export const meta = () => pageMeta('Lesson not found', 'This lesson is not here.')

/** A lesson's address by its id leads to the one by its name; who is not in its course comes to the course's page. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { courseSlug, lessonSlug } = await context
    .get(pageApi)
    .lessons.findLesson(params)
    .catch(toItsPublicPage)
  throw replace(`/course/${courseSlug}/lesson/${lessonSlug}${url.search}`)
}

export default function LessonById() {
  return null
}

export function ErrorBoundary() {
  return <LessonNotFound />
}
