import { BookX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '../../../ui/card.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { PageProblem } from './page-problem.tsx'

type CourseQuestionProps = {
  /** The course's own page, to go back to. */
  back: string
  title: string
  /** In place of the question, where it cannot be asked. */
  instead?: ReactNode
  children: ReactNode
}

/** A question about a course as a page, for browsers without JavaScript. */
export function CourseQuestion({ back, title, instead, children }: CourseQuestionProps) {
  return (
    <div className="page-width grid max-w-[40rem] grid-cols-1 gap-8 py-8 lg:py-12">
      <PageHeader
        back={{ to: back, label: 'Back to Course' }}
        title={<span className="wrap-anywhere">{title}</span>}
      />
      {instead ?? <Card className="grid gap-6">{children}</Card>}
    </div>
  )
}

/** For a page about one course that could not be shown. */
export function CourseProblem() {
  return (
    <PageProblem
      icon={BookX}
      notFound="Course not found"
      description="The course you're looking for doesn't exist or may have been removed."
      back={{ to: '/dashboard', label: 'Back to dashboard' }}
      failed="Could not load this course"
    />
  )
}
