import { ArrowLeft, BookX, Check, Clock } from 'lucide-react'
import { ORPCError, safe } from '@orpc/client'
import { lazy } from 'react'
import { data, Link, redirect, redirectDocument, useSearchParams } from 'react-router'
import type { Route } from './+types/course-page'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { afterRefusal } from '../../../web/after-refusal.ts'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { unreached } from '../../../web/unreached.ts'
import { refusalOf, withdrawFailed, withdrawIntent } from '../../applications/ui/apply-words.ts'
import { CourseCover, CourseLogo, CourseLook } from '../../branding/ui/course-look.tsx'
import { joinFailed, joinProblem } from '../../enrollment/ui/join-problem.ts'
import { JoinCourse, type JoinRefusal, payIntent } from '../../enrollment/ui/join-course.tsx'
import { RichTextView } from '../../lessons/ui/rich-text-view.tsx'
import { CoursePrice } from '../../purchases/ui/course-price.tsx'
import { coursePath, type Offer, readOffer } from '../../purchases/ui/offer.ts'
import { noAddress, payProblem, unreachable } from '../../purchases/ui/pay-words.ts'
import {
  type PaymentReturn,
  readReturn,
  saysPaid,
  withoutReturn,
} from '../../purchases/ui/payment-return.ts'
import { newestReviews } from '../../reviews/rules.ts'
import { CourseReviews } from '../../reviews/ui/course-reviews.tsx'
import { RatingLine } from '../../reviews/ui/rating-line.tsx'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { courseLengthLabel, minutesLabel, withoutLightning } from '../rules.ts'
import type { CoursePage as Course } from '../schema.ts'
import { courseHead } from './course-head.ts'
import { CoursePicture } from './course-picture.tsx'
import { CreatorLink } from './creator-link.tsx'
import { PageProblem } from './page-problem.tsx'
import { VerifiedBadge } from './verified-badge.tsx'

// Only who comes back from paying sees it. Without a Suspense around it, the page waits for it.
const PaymentBanner = lazy(async () => ({
  default: (await import('../../purchases/ui/payment-banner.tsx')).PaymentBanner,
}))

// Only who made a suspended course sees it.
const CourseSuspendedBanner = lazy(async () => ({
  default: (await import('../../administration/ui/course-suspended-banner.tsx'))
    .CourseSuspendedBanner,
}))

export const handle = { still: true }

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const calls = context.get(formApi)
  const page = () => context.get(pageApi).courses.getCoursePage({ slug: params.slug })
  const found = await page().catch(async (error: unknown) => {
    if (!saysPaid(url.searchParams)) throw error
    // Of a course that became a draft meanwhile, asking about the payment is what lets its buyer in.
    await safe(calls.purchases.getCourseCheckout({ slug: params.slug }))
    return page()
  })
  if (found.slug !== params.slug) {
    // Not kept by the browser: a course that gets its earlier name back would redirect in circles.
    const headers = { 'cache-control': 'no-cache' }
    throw redirect(`/course/${found.slug}${url.search}`, { status: 301, headers })
  }
  const { payment, course } = await readReturn(calls, found, url.searchParams)
  const offer = await readOffer(calls, course, url.searchParams.get('coupon'))
  const { standing } = course
  // Also a member who paid a second time: what becomes of that is said here.
  const isTold = payment === 'open' || payment === 'paid' || payment === 'refused'
  const preview = standing === 'instructor' && url.searchParams.get('preview') === '1'
  if ((standing === 'member' || standing === 'instructor') && !preview && !isTold) {
    throw redirect(`/course/${course.slug}/dashboard`)
  }
  // No payment behind it: there is nothing to say, and nothing that would clean the address later.
  const plain = payment === null ? withoutReturn(course.slug, url.searchParams) : null
  if (plain !== null) throw redirect(plain)
  const { reviews: reviewCalls, administration } = context.get(pageApi)
  const isOwnDraft = standing === 'instructor' && course.status === 'draft'
  const [reviews, suspension] = await Promise.all([
    reviewCalls.getCourseReviews({ slug: course.slug, perPage: newestReviews }),
    isOwnDraft ? administration.getCourseSuspension({ slug: course.slug }) : null,
  ])
  return {
    course,
    reviews,
    suspension,
    payment,
    offer,
    invitation: url.searchParams.get('invitation'),
  }
}

/** Joining, paying, and withdrawing one's application, as plain forms. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const fields = await formDataOf(request)
  const here = `/course/${encodeURIComponent(params.slug)}`
  const api = context.get(formApi)
  if (fields.get('intent') === withdrawIntent) {
    const applicationId = String(fields.get('applicationId'))
    const [error] = await safe(api.applications.withdrawApplication({ applicationId }))
    if (!error) {
      // Whoever applies again still comes by the same invitation.
      const invitation = url.searchParams.get('invitation')
      return redirect(coursePath(encodeURIComponent(params.slug), { invitation }))
    }
    const { problem, status } = refusalOf(error, withdrawFailed)
    if (status === 401) return redirect(`/login?to=${here}`)
    const refusal: JoinRefusal = { problem, intent: withdrawIntent }
    return data(refusal, { status })
  }
  const courseId = String(fields.get('courseId'))
  const invitation = textOf(fields, 'invitation')
  const signUp = (coupon?: string) =>
    `/signup?to=${encodeURIComponent(coursePath(params.slug, { coupon, invitation }))}`
  if (fields.get('intent') === payIntent) {
    const coupon = textOf(fields, 'coupon')
    const kept = { ...(coupon && { coupon }), ...(invitation && { invitation }) }
    const flag = (name: string) => `${here}?${new URLSearchParams({ [name]: 'true', ...kept })}`
    const [error, started] = await safe(
      api.purchases.courseCheckout({
        course_id: courseId,
        success_url: flag('success'),
        cancel_url: flag('canceled'),
        coupon,
        invitation,
      }),
    )
    // A new document: the payment page is no page of ours.
    if (started?.url) return redirectDocument(started.url, 303)
    const { problem, status } = error ? payProblem(error) : { problem: noAddress, status: 502 }
    if (status === 401) return redirect(signUp(coupon))
    return data(joinRefusal(problem, error), { status })
  }
  const [error, joined] = await safe(api.enrollment.enroll({ courseId, invitation }))
  if (!error) return redirect(`/course/${joined.slug}/dashboard`)
  const { problem, status } = joinProblem(error)
  if (status === 401) return redirect(signUp())
  return data(joinRefusal(problem, error), { status })
}

/** An invitation opens no door, and a closed one closes none: the next press goes without it. */
function joinRefusal(problem: string, error: unknown): JoinRefusal {
  const isUninvited = error instanceof ORPCError && error.code === 'INVITATION_CLOSED'
  return {
    problem: isUninvited ? `${problem} You can join without it.` : problem,
    intent: 'join',
    isUninvited,
  }
}

const textOf = (fields: FormData, name: string) => {
  const value = fields.get(name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Without a connection the page stays, and says so. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const intent = (await formDataOf(request.clone())).get('intent')
  return serverAction().catch((error: unknown) => {
    if (error instanceof Response) throw error
    if (intent === withdrawIntent)
      return unreached<JoinRefusal>({ problem: withdrawFailed, intent })
    const problem = intent === payIntent ? unreachable : joinFailed
    return unreached<JoinRefusal>({ problem, intent: 'join' })
  })
}

export const shouldRevalidate = afterRefusal

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? courseHead(loaderData.course, loaderData.reviews)
    : pageMeta('Course not found', notFoundText)

export default function CoursePage({ loaderData, actionData }: Route.ComponentProps) {
  const { course, payment, offer, suspension } = loaderData

  return (
    <CourseLook key={course.id} branding={course.branding}>
      <CourseCover branding={course.branding} />
      <article className="page-width grid grid-cols-1 gap-x-14 gap-y-8 pt-6 pb-16 lg:grid-cols-[minmax(0,1fr)_24rem] lg:pt-8 lg:pb-24">
        <div className="grid gap-6 lg:col-start-1">
          <Link
            to="/explore"
            data-back
            className="-ml-1 inline-flex min-h-10 w-fit items-center gap-1.5 rounded-control px-1 text-sm font-semibold text-muted hover:text-ink"
          >
            <ArrowLeft size={16} aria-hidden />
            Back
          </Link>
          {payment && (
            <PaymentBanner
              key={payment}
              course={course}
              payment={payment}
              offer={offer}
              invitation={loaderData.invitation}
            />
          )}
          {suspension ? (
            <CourseSuspendedBanner slug={course.slug} suspension={suspension} />
          ) : (
            course.standing === 'instructor' && <InstructorBanner course={course} />
          )}
          <CourseTitle course={course} />
        </div>
        <aside
          aria-label="Join this course"
          className="lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:pt-16"
        >
          <JoinCard
            course={course}
            payment={payment}
            offer={offer}
            invitation={loaderData.invitation}
            refusal={actionData}
          />
        </aside>
        <div className="grid grid-cols-1 content-start gap-10 lg:col-start-1">
          <CourseUnits course={course} />
          {course.descriptionText !== '' && (
            <section aria-labelledby="about">
              <h2 id="about" className="mb-4 text-2xl">
                About this course
              </h2>
              <RichTextView content={course.description} topLevel={3} />
            </section>
          )}
          {course.firstLessons.length > 0 && <LessonsInside course={course} />}
          <CourseReviews list={loaderData.reviews} />
        </div>
      </article>
    </CourseLook>
  )
}

function InstructorBanner({ course }: { course: Course }) {
  const isDraft = course.status === 'draft'
  return (
    <Banner
      tone={isDraft ? 'warning' : 'info'}
      title={isDraft ? 'Draft: only you can see this page' : 'This is what visitors see'}
      action={
        <ButtonLink to={`/create-lessons/${course.id}`} variant="secondary" size="sm">
          Edit Content
        </ButtonLink>
      }
    >
      {isDraft &&
        (course.lessonsCount === 0
          ? 'Add at least one lesson, then press Publish in the editor.'
          : 'Press Publish in the editor when it is ready.')}
    </Banner>
  )
}

function CourseTitle({ course }: { course: Course }) {
  return (
    <header className="grid gap-5">
      <CourseLogo branding={course.branding} size={72} />
      <div className="flex flex-wrap gap-2">
        <Badge>{course.category}</Badge>
        <Badge>{course.level}</Badge>
        {course.totalMinutes !== null && (
          <Badge>
            <Clock aria-hidden />
            {courseLengthLabel(course.totalMinutes, course.allLengthsKnown)}
          </Badge>
        )}
        {course.status === 'draft' && <Badge tone="warning">Draft</Badge>}
        {course.verified && <VerifiedBadge />}
      </div>
      <h1 dir="auto" className="text-5xl">
        {withoutLightning(course.title)}
      </h1>
      {course.shortDescription && (
        <p dir="auto" className="max-w-[40rem] text-xl text-pretty text-muted">
          {course.shortDescription}
        </p>
      )}
      <RatingLine course={course} />
      <p className="flex items-center gap-3">
        <Avatar name={course.instructor.name} src={course.instructor.avatarUrl} />
        <span>
          Created by{' '}
          <CreatorLink
            {...course.instructor}
            className="font-semibold underline underline-offset-4"
          />
        </span>
      </p>
    </header>
  )
}

type JoinCardProps = {
  course: Course
  payment: PaymentReturn | null
  offer: Offer | null
  invitation: string | null
  refusal: JoinRefusal | undefined
}

function JoinCard({ course, payment, offer, invitation, refusal }: JoinCardProps) {
  return (
    <Card
      padding="none"
      className="overflow-hidden sm:max-lg:grid sm:max-lg:grid-cols-[11fr_9fr] lg:sticky lg:top-22"
    >
      <CoursePicture
        course={course}
        sizes="(min-width: 64rem) 24rem, (min-width: 40rem) 50vw, 92vw"
        priority
        className="sm:max-lg:h-full"
      />
      <div className="grid content-center gap-5 p-5 sm:p-6">
        <CoursePrice course={course} offer={offer} />
        {course.standing === 'instructor' || course.standing === 'member' ? (
          <ButtonLink to={`/course/${course.slug}/dashboard`} size="lg" className="w-full">
            {course.standing === 'member' ? 'Go to Course' : 'Go to your course'}
          </ButtonLink>
        ) : payment === 'open' ? (
          <Button size="lg" className="w-full" busy busyText="Confirming...">
            Join Course
          </Button>
        ) : course.status === 'draft' ? (
          <p className="text-muted">This course is a draft: nobody can join it.</p>
        ) : (
          <JoinCourse course={course} offer={offer} invitation={invitation} refusal={refusal} />
        )}
      </div>
    </Card>
  )
}

function CourseUnits({ course }: { course: Course }) {
  const units = [
    ['Member', course.studentsCount],
    ['Chapter', course.chaptersCount],
    ['Lesson', course.lessonsCount],
  ] as const
  return (
    <dl className="grid max-w-[36rem] grid-cols-3 divide-x rounded-card border bg-surface">
      {units.map(([name, count]) => (
        <div key={name} className="flex flex-col-reverse px-4 py-4 sm:px-6">
          <dt className="text-sm text-muted">{count === 1 ? name : `${name}s`}</dt>
          <dd className="font-display text-3xl font-bold tabular-nums">
            {count.toLocaleString('en-US')}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function LessonsInside({ course }: { course: Course }) {
  const { firstLessons, firstLessonsMinutes, firstLessonsPreviews, previewLessons } = course
  const otherPreviews = previewLessons.filter(({ slug }) => !firstLessonsPreviews.includes(slug))
  const rest = course.lessonsCount - firstLessons.length
  return (
    <section aria-labelledby="lessons-inside">
      <h2 id="lessons-inside" className="mb-4 text-2xl">
        Lessons Inside:
      </h2>
      <ul className="grid max-w-[44rem] gap-3">
        {firstLessons.map((title, index) => (
          // Titles may repeat; their order is what they are.
          <li key={index} className="flex gap-3">
            <Check
              size={20}
              strokeWidth={2.5}
              className="mt-0.5 shrink-0 text-success"
              aria-hidden
            />
            <bdi>{withoutLightning(title)}</bdi>{' '}
            <PreviewLink course={course} slug={firstLessonsPreviews[index] ?? null} title={title} />
            <Minutes minutes={firstLessonsMinutes[index] ?? null} />
          </li>
        ))}
        {rest > 0 && <li className="pl-8 text-muted">and {rest} more</li>}
      </ul>
      {otherPreviews.length > 0 && (
        <>
          <h3 className="mt-6 mb-2 pl-8 font-text text-base font-semibold tracking-normal">
            More free previews
          </h3>
          <ul className="grid max-w-[44rem] gap-2 pl-8">
            {otherPreviews.map(({ slug, title }) => (
              <li key={slug}>
                <Link
                  to={`/course/${course.slug}/preview/${slug}`}
                  className="underline underline-offset-4"
                >
                  <bdi>{withoutLightning(title)}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

type PreviewLinkProps = { course: Course; slug: string | null; title: string }

function PreviewLink({ course, slug, title }: PreviewLinkProps) {
  if (slug === null) return null
  return (
    <Link
      to={`/course/${course.slug}/preview/${slug}`}
      className="shrink-0 leading-6 font-semibold text-primary underline underline-offset-4"
    >
      Preview<span className="sr-only"> of {withoutLightning(title)}</span>
    </Link>
  )
}

function Minutes({ minutes }: { minutes: number | null }) {
  if (minutes === null) return null
  return (
    <span className="ml-auto shrink-0 text-sm leading-6 text-muted tabular-nums">
      {minutesLabel(minutes)}
    </span>
  )
}

const notFoundText = "The course you're looking for doesn't exist or may have been removed."

const paidText =
  'This course is not open to you. If you paid for it, your money is not lost: either the course appears among your courses on the billing page, or the payment goes back to where it came from.'

export function ErrorBoundary() {
  const [query] = useSearchParams()
  const isPaid = saysPaid(query)
  return (
    <PageProblem
      icon={BookX}
      notFound="Course not found"
      description={isPaid ? paidText : notFoundText}
      back={
        isPaid
          ? { to: '/billing#purchases', label: 'Go to Billing' }
          : { to: '/explore', label: 'Back to courses' }
      }
      failed="Could not load this course"
    />
  )
}
