import { ORPCError, safe } from '@orpc/client'
import { data, Form, redirect, useNavigation } from 'react-router'
import type { Route } from './+types/leave-page'
import { ButtonLink } from '../../../ui/button.tsx'
import { afterRefusal } from '../../../web/after-refusal.ts'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { unreached } from '../../../web/unreached.ts'
import { CourseProblem, CourseQuestion } from '../../courses/ui/course-question.tsx'
import { toPublicPage } from '../../courses/ui/to-public-page.ts'
import { tellWorker } from '../../offline/ui/use-worker.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { LeaveFields, type LeaveRefusal, leaveTitle, WhatLeavingMeans } from './course-leaving.tsx'
import { leavePage } from './leave-address.ts'

const failed = 'Failed to leave course'

export const meta = () => pageMeta('Leave Course', 'What goes, what stays, and the way back.')

export async function loader({ context, params }: Route.LoaderArgs) {
  const { slug } = params
  const course = await context
    .get(pageApi)
    .courses.getCourseDashboard({ slug })
    .catch(toPublicPage(slug))
  if (course.standing !== 'member') throw redirect(`/course/${course.slug}/dashboard`)
  if (course.slug !== slug) throw redirect(leavePage(course.slug))
  return { course }
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const courseId = String((await formDataOf(request)).get('courseId'))
  const [error] = await safe(context.get(formApi).enrollment.leaveCourse({ courseId }))
  if (!error) return redirect('/dashboard?done=left')
  if (error instanceof ORPCError && error.status === 401) {
    throw redirect(`/login?to=${encodeURIComponent(leavePage(params.slug))}`)
  }
  const isRefusal = error instanceof ORPCError && error.status < 500
  const refusal: LeaveRefusal = { problem: isRefusal ? error.message : failed }
  return data(refusal, { status: isRefusal ? error.status : 500 })
}

/** Without a connection the question stays open, and says so. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const courseId = String((await request.clone().formData()).get('courseId'))
  return serverAction().catch((error: unknown) => {
    if (!(error instanceof Response)) return unreached<LeaveRefusal>({ problem: failed })
    // It leads on: nothing of the course is kept for reading offline.
    void tellWorker({ type: 'left', courseId })
    throw error
  })
}

/** They may have left by an earlier try. */
export const shouldRevalidate = afterRefusal

/** The question as a page, for browsers without JavaScript. */
export default function LeavePage({ loaderData, actionData }: Route.ComponentProps) {
  const { course } = loaderData
  const busy = useNavigation().formMethod === 'POST'
  const here = `/course/${course.slug}/dashboard`
  return (
    <CourseQuestion back={here} title={leaveTitle(course)}>
      <WhatLeavingMeans course={course} />
      <Form method="post" replace className="grid gap-5">
        <LeaveFields
          course={course}
          busy={busy}
          problem={actionData?.problem}
          stay={
            <ButtonLink to={here} variant="secondary">
              Stay
            </ButtonLink>
          }
        />
      </Form>
    </CourseQuestion>
  )
}

export function ErrorBoundary() {
  return <CourseProblem />
}
