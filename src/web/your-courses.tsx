import type { Me } from '../domains/accounts/contract.ts'
import { withoutLightning } from '../domains/courses/rules.ts'
import { MenuLink } from '../ui/menu.tsx'

type YourCoursesProps = { courses: Me['courses']; hasMore: boolean }

/** The newest courses of a person in the menu of every page; the dashboard has all. */
export function YourCourses({ courses, hasMore }: YourCoursesProps) {
  if (courses.length === 0) return <p className="px-2.5 pb-2 text-sm text-muted">None yet</p>
  return (
    <ul>
      {courses.map((course) => (
        <li key={course.slug}>
          <MenuLink to={`/course/${course.slug}/dashboard`}>
            <bdi>{withoutLightning(course.title)}</bdi>
          </MenuLink>
        </li>
      ))}
      {hasMore && (
        <li>
          <MenuLink to="/dashboard">All your courses</MenuLink>
        </li>
      )}
    </ul>
  )
}
