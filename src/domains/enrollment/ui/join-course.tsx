import { useEffect, useRef } from 'react'
import { Form, Link, useNavigation, useRevalidator } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import { ApplyToJoin } from '../../applications/ui/apply-to-join.tsx'
import {
  ApplicationBanner,
  WithdrawApplication,
  withdrawIntent,
} from '../../applications/ui/own-application.tsx'
import { priceLabel } from '../../courses/rules.ts'
import type { CoursePage } from '../../courses/schema.ts'
import { wayIn } from './way-in.ts'

/** Why it did not work, and what was tried. */
export type JoinRefusal = { problem: string; intent: 'join' | typeof withdrawIntent }

type JoinCourseProps = { course: CoursePage; refusal?: JoinRefusal }

/** The join button of the public page: a link for visitors, else forms that need no script. */
export function JoinCourse({ course, refusal }: JoinCourseProps) {
  return course.standing === 'visitor' ? (
    <div className="grid gap-4">
      <SignUpToJoin slug={course.slug} />
      {course.applicationRequired && <ApplicationHint />}
    </div>
  ) : (
    <SignedInJoin course={course} refusal={refusal} />
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

function ApplicationHint() {
  return (
    <p className="text-center text-sm text-pretty text-muted">
      Joining takes an application: you answer a few questions, and the instructor decides.
    </p>
  )
}

function SignedInJoin({ course, refusal }: JoinCourseProps) {
  const { application } = course
  const way = wayIn(course)
  const part = useRef<HTMLDivElement>(null)
  const before = useRef(way)

  useEffect(() => {
    if (before.current === way) return
    before.current = way
    // What was pressed is gone with its dialog. Who is elsewhere on the page stays there.
    const { activeElement } = document
    if (activeElement === document.body || part.current?.contains(activeElement)) {
      part.current?.focus({ preventScroll: true })
    }
  }, [way])

  return (
    <div ref={part} tabIndex={-1} className="grid gap-4 outline-none">
      {course.applicationRequired && (
        <>
          <FollowDecision courseId={course.id} />
          {application && <ApplicationBanner application={application} />}
        </>
      )}
      {refusal?.intent === 'join' && <Banner tone="danger">{refusal.problem}</Banner>}
      {way === 'join' && <Join course={course} />}
      {way === 'apply' && <ApplyToJoin course={course} label="Apply to Join" />}
      {way === 'applyAgain' && <ApplyToJoin course={course} label="Apply Again" />}
      {way === 'pending' && application && (
        <>
          <Button size="lg" className="w-full" disabled>
            Apply to Join
          </Button>
          <WithdrawApplication
            application={application}
            problem={refusal?.intent === withdrawIntent ? refusal.problem : undefined}
          />
        </>
      )}
      {way === 'apply' && <ApplicationHint />}
    </div>
  )
}

/** Shows a decision when it falls; who was let in is led on by the page's loader. */
function FollowDecision({ courseId }: { courseId: string }) {
  const { revalidate } = useRevalidator()
  useLiveEvents({
    onEvent: (event) =>
      void (event.type === 'application' && event.courseId === courseId && revalidate()),
    onGap: () => void revalidate(),
  })
  return null
}

function Join({ course }: { course: CoursePage }) {
  const { formData } = useNavigation()
  const isFree = course.pricingType === 'free'
  return (
    <Form method="post">
      <input type="hidden" name="courseId" value={course.id} />
      <Button
        type="submit"
        size="lg"
        className="w-full"
        busy={formData?.get('courseId') === course.id}
        busyText={isFree ? 'Enrolling...' : 'Processing...'}
      >
        {isFree ? 'Join Course' : `Join for ${priceLabel(course, 'month')}`}
      </Button>
    </Form>
  )
}
