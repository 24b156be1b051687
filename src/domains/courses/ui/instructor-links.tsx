import { Eye, Palette, Pencil, Tag } from 'lucide-react'
import { ButtonLink } from '../../../ui/button.tsx'
import { brandingPage } from '../../branding/ui/branding-address.ts'
import { couponsPage } from '../../purchases/ui/coupons-address.ts'
import type { CourseDashboard } from '../schema.ts'
import { DeleteCourse } from './delete-course.tsx'

/** What the instructor can do with a course, from its page for members. */
export function InstructorLinks({ course }: { course: CourseDashboard }) {
  return (
    <>
      <ButtonLink to={`/course/${course.slug}?preview=1`} variant="ghost">
        <Eye size={18} aria-hidden />
        Public page
      </ButtonLink>
      {course.pricingType !== 'free' && (
        <ButtonLink to={couponsPage(course.slug)} variant="ghost">
          <Tag size={18} aria-hidden />
          Coupons
        </ButtonLink>
      )}
      <ButtonLink to={brandingPage(course.slug)} variant="ghost">
        <Palette size={18} aria-hidden />
        Branding
      </ButtonLink>
      <ButtonLink to={`/create-course?courseId=${course.id}`} variant="secondary">
        <Pencil size={18} aria-hidden />
        Edit Course
      </ButtonLink>
      <DeleteCourse course={course} />
    </>
  )
}
