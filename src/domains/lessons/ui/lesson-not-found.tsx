import { NotebookText } from 'lucide-react'
import { PageProblem } from '../../courses/ui/page-problem.tsx'

/** For the ErrorBoundary of pages that show a lesson. */
export function LessonNotFound() {
  return (
    <PageProblem
      icon={NotebookText}
      notFound="Lesson not found"
      description="The lesson you're looking for doesn't exist or may have been removed."
      back={{ to: '/dashboard', label: 'Back to dashboard' }}
      failed="Could not load this lesson"
    />
  )
}
