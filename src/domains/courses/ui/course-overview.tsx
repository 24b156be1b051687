import { ListVideo } from 'lucide-react'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { CourseDashboard } from '../schema.ts'
import { CourseOutline } from './course-outline.tsx'
import { CourseProgress, type CourseProgressProps } from './course-progress.tsx'

/** The member page's first tab: what is in the course, and how far this person has come. */
export function CourseOverview({ course, certificate }: CourseProgressProps) {
  return (
    <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-12">
      {/* First on phones and by keyboard: going on is what most people came for. */}
      <CourseProgress course={course} certificate={certificate} />
      <div className="lg:col-start-1 lg:row-start-1">
        {course.lessonsCount === 0 ? (
          <NoLessons course={course} />
        ) : (
          <CourseOutline course={course} />
        )}
      </div>
    </div>
  )
}

function NoLessons({ course }: { course: CourseDashboard }) {
  const isInstructor = course.standing === 'instructor'
  return (
    <EmptyState
      icon={ListVideo}
      title="No lessons yet"
      description={
        isInstructor
          ? 'Set down the chapters first, then fill the lessons in any order.'
          : 'The instructor is still working on this course. Lessons appear here.'
      }
      action={
        isInstructor && <ButtonLink to={`/create-lessons/${course.id}`}>Edit Content</ButtonLink>
      }
    />
  )
}
