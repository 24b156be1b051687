import { NotebookText } from 'lucide-react'
import { useParams } from 'react-router'
import { PageProblem } from '../../courses/ui/page-problem.tsx'

/** For a lesson that is no preview (any more), and for one that never was. */
export function PreviewNotFound() {
  const { slug = '' } = useParams()
  return (
    <PageProblem
      icon={NotebookText}
      notFound="Lesson not found"
      description="This lesson doesn't exist, or it is only for members of its course."
      back={{ to: `/course/${encodeURIComponent(slug)}`, label: 'Go to the course' }}
      failed="Could not load this lesson"
    />
  )
}
