import { Form, Link, useNavigation } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { priceLabel } from '../../courses/rules.ts'
import type { CoursePage } from '../../courses/schema.ts'

type JoinCourseProps = {
  course: Pick<CoursePage, 'id' | 'slug' | 'standing' | 'pricingType' | 'priceAmount'>
  /** Why it did not work. */
  problem?: string
}

/** The join button of the public page: a link for visitors, else a form that needs no script. */
export function JoinCourse({ course, problem }: JoinCourseProps) {
  return (
    <div className="grid gap-4">
      {problem && <Banner tone="danger">{problem}</Banner>}
      {course.standing === 'visitor' ? (
        <SignUpToJoin slug={course.slug} />
      ) : (
        <Join id={course.id} label={joinLabel(course)} />
      )}
    </div>
  )
}

function SignUpToJoin({ slug }: { slug: string }) {
  const here = `?to=/course/${slug}`
  return (
    <>
      <ButtonLink to={`/signup${here}`} size="lg" className="w-full">
        Sign Up to Join
      </ButtonLink>
      <p className="text-center text-sm text-muted">
        Already have an account?{' '}
        <Link
          to={`/login${here}`}
          className="font-semibold text-primary underline underline-offset-4"
        >
          Login
        </Link>
      </p>
    </>
  )
}

type Price = Pick<CoursePage, 'pricingType' | 'priceAmount'>

/** What a signed-in person presses. */
const joinLabel = (price: Price) =>
  price.pricingType === 'free' ? 'Join Course' : `Join for ${priceLabel(price, 'month')}`

function Join({ id, label }: { id: string; label: string }) {
  const { formData } = useNavigation()
  return (
    <Form method="post">
      <input type="hidden" name="courseId" value={id} />
      <Button
        type="submit"
        size="lg"
        className="w-full"
        busy={formData?.get('courseId') === id}
        busyText="Enrolling..."
      >
        {label}
      </Button>
    </Form>
  )
}
