import { Trophy } from 'lucide-react'
import { PageProblem } from '../../courses/ui/page-problem.tsx'

export function AdminProblem() {
  return (
    <PageProblem
      icon={Trophy}
      notFound="Page not found"
      description="There is no such challenge, or this page is not for you."
      back={{ to: '/dashboard', label: 'Back to dashboard' }}
      failed="Could not load this page"
    />
  )
}
