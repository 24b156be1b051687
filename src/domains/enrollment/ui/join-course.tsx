import { lazy, useEffect, useRef } from 'react'
import { Form, Link, useNavigation, useRevalidator } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import { useSwitchedOff } from '../../../web/use-switched-off.ts'
import { ApplyToJoin } from '../../applications/ui/apply-to-join.tsx'
import { withdrawIntent } from '../../applications/ui/apply-words.ts'
import { BillingDay } from '../../billing/ui/billing-day.tsx'
import { priceLabel } from '../../courses/rules.ts'
import type { CoursePage } from '../../courses/schema.ts'
import type { CoursePurchase } from '../../purchases/schema.ts'
import { CouponField } from '../../purchases/ui/coupon-field.tsx'
import { coursePath, type Offer } from '../../purchases/ui/offer.ts'
import { priceNow } from '../../purchases/ui/price-now.ts'
import { hasToPay, wayIn } from './way-in.ts'

// For who has applied. Without a Suspense around them, the page waits for them.
const loadOwn = () => import('../../applications/ui/own-application.tsx')
const ApplicationBanner = lazy(async () => ({ default: (await loadOwn()).ApplicationBanner }))
const WithdrawApplication = lazy(async () => ({ default: (await loadOwn()).WithdrawApplication }))

export const payIntent = 'pay'

/** Why it did not work, and what was tried. */
export type JoinRefusal = {
  problem: string
  intent: 'join' | typeof withdrawIntent
  /** The invitation is closed, and nothing else stands in the way. */
  isUninvited?: boolean
}

type JoinCourseProps = {
  course: CoursePage
  /** The coupon in the address. */
  offer: Offer | null
  /** The code of the invitation by which the person comes. */
  invitation: string | null
  refusal?: JoinRefusal
}

/** The join button of the public page: a link for visitors, else forms that need no script. */
export function JoinCourse(props: JoinCourseProps) {
  const { course, offer, invitation } = props
  return course.standing === 'visitor' ? (
    <div className="grid gap-4">
      <SignUpToJoin back={coursePath(course.slug, { coupon: offer?.code, invitation })} />
      {offer && (
        <p className="text-center text-sm text-pretty text-muted">
          The coupon <span className="font-semibold wrap-anywhere text-ink">{offer.code}</span>{' '}
          waits for you: you see your price when you are signed in.
        </p>
      )}
      {course.applicationRequired && <ApplicationHint />}
    </div>
  ) : (
    <SignedInJoin {...props} />
  )
}

function SignUpToJoin({ back }: { back: string }) {
  const here = `?to=${back.includes('?') ? encodeURIComponent(back) : back}`
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

function SignedInJoin({ course, offer, refusal, ...props }: JoinCourseProps) {
  const { application } = course
  const invitation = refusal?.isUninvited ? null : props.invitation
  const way = wayIn(course)
  const { checkout: off } = useSwitchedOff()
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
      {(course.applicationRequired || course.pricingType !== 'free') && (
        <FollowRight courseId={course.id} />
      )}
      {course.applicationRequired && application && way !== 'comeBack' && (
        <ApplicationBanner application={application} />
      )}
      {refusal?.intent === 'join' && <Banner tone="danger">{refusal.problem}</Banner>}
      {course.purchase && <ComeBack purchase={course.purchase} />}
      {(way === 'join' || way === 'comeBack') && (
        <Join course={course} offer={offer} invitation={invitation} />
      )}
      {way === 'join' && hasToPay(course) && !off && (
        <CouponField course={course} offer={offer} invitation={invitation} />
      )}
      {way === 'apply' && (
        <ApplyToJoin course={course} invitation={invitation} label="Apply to Join" />
      )}
      {way === 'applyAgain' && (
        <ApplyToJoin course={course} invitation={invitation} label="Apply Again" />
      )}
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

/** For who has bought the course and left it: until when they can come back. */
export function ComeBack({ purchase }: { purchase: CoursePurchase }) {
  const { amount, cancelAtPeriodEnd, currentPeriodEnd } = purchase
  return (
    <p className="text-center text-sm text-pretty text-muted">
      {amount === 0 ? (
        'You have this course by a coupon: come back whenever you like.'
      ) : cancelAtPeriodEnd ? (
        <>
          You have paid for this course until <BillingDay at={currentPeriodEnd} />: come back until
          then.
        </>
      ) : (
        'You have paid for this course: come back whenever you like.'
      )}
    </p>
  )
}

/** Shows a decision or a payment when it is there; who was let in is led on by the page's loader. */
function FollowRight({ courseId }: { courseId: string }) {
  const { revalidate } = useRevalidator()
  useLiveEvents({
    onEvent: (event) => {
      const isAbout = event.type === 'application' || event.type === 'purchase'
      if (isAbout && event.courseId === courseId) void revalidate()
    },
    onGap: () => void revalidate(),
  })
  return null
}

type JoinProps = Pick<JoinCourseProps, 'course' | 'offer' | 'invitation'>

function Join({ course, offer, invitation }: JoinProps) {
  const { formData } = useNavigation()
  const pays = hasToPay(course)
  const price = priceNow(course, offer)
  const isFree = !pays || price.priceAmount === 0
  const { checkout: off } = useSwitchedOff()
  useFreshPage()
  if (pays && off) return <Banner tone="warning">{off}</Banner>
  return (
    <Form method="post">
      <input type="hidden" name="courseId" value={course.id} />
      {invitation !== null && <input type="hidden" name="invitation" value={invitation} />}
      {pays && <input type="hidden" name="intent" value={payIntent} />}
      {pays && offer?.quote && <input type="hidden" name="coupon" value={offer.quote.code} />}
      <Button
        type="submit"
        size="lg"
        className="w-full"
        busy={formData?.get('courseId') === course.id}
        busyText={isFree ? 'Enrolling...' : 'Processing...'}
      >
        {isFree ? 'Join Course' : `Join for ${priceLabel(price, 'month')}`}
      </Button>
    </Form>
  )
}

/** Who comes back from the payment page with the browser's button finds no button that is still busy. */
function useFreshPage() {
  useEffect(() => {
    const refresh = (event: PageTransitionEvent) => event.persisted && location.reload()
    addEventListener('pageshow', refresh)
    return () => removeEventListener('pageshow', refresh)
  }, [])
}
