import { Eye, Palette, Pencil, Tag } from 'lucide-react'
import { ButtonLink } from '../../../ui/button.tsx'
import { brandingPage } from '../../branding/ui/branding-address.ts'
import { couponsPage } from '../../purchases/ui/coupons-address.ts'
import type { CourseDashboard } from '../schema.ts'
import { DeleteCourse } from './delete-course.tsx'

/** With an edge, so that all of them end where the others do. */
const onPhones = 'max-sm:border-edge/50 max-sm:bg-surface max-sm:shadow-card'

/** What the instructor can do with a course, from its page for members. */
export function InstructorLinks({ course }: { course: CourseDashboard }) {
  return (
    <>
      <ButtonLink to={`/course/${course.slug}?preview=1`} variant="ghost" className={onPhones}>
        <Eye size={18} aria-hidden />
        Public page
      </ButtonLink>
      {course.pricingType !== 'free' && (
        <ButtonLink to={couponsPage(course.slug)} variant="ghost" className={onPhones}>
          <Tag size={18} aria-hidden />
          Coupons
        </ButtonLink>
      )}
      <ButtonLink to={brandingPage(course.slug)} variant="ghost" className={onPhones}>
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
