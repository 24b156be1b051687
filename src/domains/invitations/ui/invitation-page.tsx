import { safe } from '@orpc/client'
import { MailX } from 'lucide-react'
import { data, Form, Link, redirect, useNavigation } from 'react-router'
import type { Route } from './+types/invitation-page'
import { Avatar } from '../../../ui/avatar.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { afterRefusal } from '../../../web/after-refusal.ts'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { unreached } from '../../../web/unreached.ts'
import { privateMeta } from '../../accounts/ui/sign-in/private-meta.ts'
import { lessonsLabel, priceLabel, withoutLightning } from '../../courses/rules.ts'
import { CoursePicture } from '../../courses/ui/course-picture.tsx'
import { CreatorLink } from '../../courses/ui/creator-link.tsx'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { joinFailed, joinProblem } from '../../enrollment/ui/join-problem.ts'
import { coursePath } from '../../purchases/ui/offer.ts'
import { unlisted } from '../../site/ui/page-meta.ts'
import { closedInvitation } from '../rules.ts'
import type { FollowedInvitation } from '../schema.ts'

// Not in still-pages.ts: nobody keeps what only those with the link may see.
export const handle = { still: true }

export async function loader({ context, params }: Route.LoaderArgs) {
  const { code } = params
  const { state, course } = await context.get(pageApi).invitations.getInvitation({ code })
  if (course?.standing === 'member' || course?.standing === 'instructor') {
    throw redirect(`/course/${course.slug}/dashboard`)
  }
  return data({ code, state, course }, { status: state === 'unknown' ? 404 : 200 })
}

export const shouldRevalidate = afterRefusal

export const meta = ({ loaderData }: Route.MetaArgs) => {
  const title = loaderData?.course ? withoutLightning(loaderData.course.title) : null
  const head = privateMeta(
    title ? `You are invited to join ${title}` : 'Invitation',
    'An invitation to a course.',
  )
  return [...head, unlisted]
}

type Refusal = { problem: string }

/** Joining, as a plain form. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const courseId = String((await formDataOf(request)).get('courseId'))
  const joining = { courseId, invitation: params.code }
  const [error, joined] = await safe(context.get(formApi).enrollment.enroll(joining))
  if (!error) return redirect(`/course/${joined.slug}/dashboard`)
  const { problem, status } = joinProblem(error)
  if (status === 401) return redirect(`/signup?to=${hereOf(params.code)}`)
  const refusal: Refusal = { problem }
  return data(refusal, { status })
}

/** Without a connection the page stays, and says so. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return serverAction().catch((error: unknown) => {
    if (error instanceof Response) throw error
    return unreached<Refusal>({ problem: joinFailed })
  })
}

const hereOf = (code: string) => `/invite/${encodeURIComponent(code)}`

type Course = NonNullable<FollowedInvitation['course']>

export default function InvitationPage({ loaderData, actionData }: Route.ComponentProps) {
  const { code, state, course } = loaderData
  const isHere = course?.status === 'published'
  if (state !== 'open') {
    return <Closed title={closedInvitation[state]} course={isHere ? course : null} />
  }
  if (!isHere) return <Closed title="This course is not open at the moment." course={null} />
  return (
    <div className="page-width grid max-w-[56rem] grid-cols-1 py-8 lg:py-12">
      <Card padding="none" className="overflow-hidden md:grid md:grid-cols-2">
        <CoursePicture
          course={course}
          sizes="(min-width: 48rem) 28rem, 92vw"
          priority
          className="md:aspect-auto md:h-full"
        />
        <div className="grid content-start gap-6 p-5 sm:p-8">
          <Invited course={course} />
          <WayIn code={code} course={course} problem={actionData?.problem} />
        </div>
      </Card>
    </div>
  )
}

function Invited({ course }: { course: Course }) {
  return (
    <div className="grid gap-4">
      <h1 className="text-3xl wrap-anywhere">
        You are invited to join {withoutLightning(course.title)}
      </h1>
      <p className="flex items-center gap-3">
        <Avatar name={course.instructor.name} src={course.instructor.avatarUrl} />
        <span>
          by{' '}
          <CreatorLink
            {...course.instructor}
            className="font-semibold underline underline-offset-4"
          />
        </span>
      </p>
      {course.summary && <p className="text-pretty text-muted">{course.summary}</p>}
      <p className="text-muted tabular-nums">
        <span className="font-semibold text-ink">{priceLabel(course, 'month')}</span>
        {course.lessonsCount > 0 && ` · ${lessonsLabel(course.lessonsCount)}`}
      </p>
    </div>
  )
}

type WayInProps = { code: string; course: Course; problem: string | undefined }

/** The course's own terms: an invitation changes nothing of them. */
function WayIn({ code, course, problem }: WayInProps) {
  // Who signs up, applies or pays there still comes by this invitation.
  const page = coursePath(course.slug, { invitation: code })
  const isOpen = course.pricingType === 'free' && !course.applicationRequired
  if (course.standing === 'visitor') return <SignUpToJoin code={code} page={page} />
  if (!isOpen) {
    return (
      <ButtonLink to={page} size="lg" className="w-full">
        {course.applicationRequired ? 'See the course and apply' : 'See the course and join'}
      </ButtonLink>
    )
  }
  return (
    <div className="grid gap-4">
      {problem && <Banner tone="danger">{problem}</Banner>}
      <Join courseId={course.id} />
      <CourseLink page={page} />
    </div>
  )
}

function Join({ courseId }: { courseId: string }) {
  const busy = useNavigation().formMethod === 'POST'
  return (
    <Form method="post">
      <input type="hidden" name="courseId" value={courseId} />
      <Button type="submit" size="lg" className="w-full" busy={busy} busyText="Enrolling...">
        Join Course
      </Button>
    </Form>
  )
}

const textLink = 'font-semibold text-primary underline underline-offset-4'

function SignUpToJoin({ code, page }: { code: string; page: string }) {
  const back = `?to=${hereOf(code)}`
  return (
    <div className="grid gap-4">
      <ButtonLink to={`/signup${back}`} size="lg" className="w-full">
        Sign Up to Join
      </ButtonLink>
      <p className="text-center text-sm text-muted">
        Already have an account?{' '}
        <Link to={`/login${back}`} className={textLink}>
          Login
        </Link>
      </p>
      <CourseLink page={page} />
    </div>
  )
}

function CourseLink({ page }: { page: string }) {
  return (
    <p className="text-center text-sm">
      <Link to={page} className={textLink}>
        See the course first
      </Link>
    </p>
  )
}

/** Nobody comes by this invitation; the course itself may be there. */
function Closed({ title, course }: { title: string; course: Course | null }) {
  return (
    <div className="page-width py-12 lg:py-16">
      <EmptyState
        level={1}
        icon={MailX}
        title={title}
        description={
          course
            ? `You can still have a look at “${withoutLightning(course.title)}”.`
            : 'Ask the person who invited you for another one.'
        }
        action={
          course ? (
            <ButtonLink to={`/course/${course.slug}`}>See the course</ButtonLink>
          ) : (
            <ButtonLink to="/explore">Browse courses</ButtonLink>
          )
        }
      />
    </div>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={MailX}
      notFound={closedInvitation.unknown}
      description="Ask the person who invited you for another one."
      back={{ to: '/explore', label: 'Browse courses' }}
      failed="Could not load this invitation"
    />
  )
}
