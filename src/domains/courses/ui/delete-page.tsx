import { ORPCError, safe } from '@orpc/client'
import { data, Form, redirect, useNavigation } from 'react-router'
import type { Route } from './+types/delete-page'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { afterRefusal } from '../../../web/after-refusal.ts'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { unreached } from '../../../web/unreached.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import {
  DeletionFields,
  type DeletionRefusal,
  deletionTitle,
  WhatIsLost,
} from './course-deletion.tsx'
import { CourseProblem, CourseQuestion } from './course-question.tsx'
import { deletionPage } from './deletion-address.ts'
import { toPublicPage } from './to-public-page.ts'

const failed = 'Failed to delete course'

export const meta = () => pageMeta('Delete Course', 'What is lost, and how to confirm.')

export async function loader({ context, params }: Route.LoaderArgs) {
  const { slug } = params
  const course = await context
    .get(pageApi)
    .courses.getCourseDashboard({ slug })
    .catch(toPublicPage(slug))
  if (course.standing !== 'instructor') throw redirect(`/course/${course.slug}/dashboard`)
  if (course.slug !== slug) throw redirect(deletionPage(course.slug))
  return { course }
}

export async function action({ request, context, params }: Route.ActionArgs) {
  // Whatever the form sends is checked by the call.
  const form = Object.fromEntries(await formDataOf(request)) as { courseId: string; title: string }
  const [error] = await safe(context.get(formApi).courses.deleteCourse(form))
  if (!error) return redirect('/dashboard?done=deleted')
  const isRefusal = error instanceof ORPCError && error.status < 500
  if (isRefusal && error.status === 401) {
    throw redirect(`/login?to=${encodeURIComponent(deletionPage(params.slug))}`)
  }
  const refusal: DeletionRefusal = {
    problem: isRefusal ? error.message : failed,
    isTitle: isRefusal && (error.code === 'WRONG_TITLE' || error.code === 'BAD_REQUEST'),
  }
  return data(refusal, { status: isRefusal ? error.status : 500 })
}

/** Without a connection the question stays open, and says so. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return serverAction().catch((error: unknown) => {
    if (error instanceof Response) throw error
    return unreached<DeletionRefusal>({ problem: failed, isTitle: false })
  })
}

/** The course may have another title by now, or be gone by an earlier try. */
export const shouldRevalidate = afterRefusal

/** The question as a page, for browsers without JavaScript. */
export default function DeletePage({ loaderData, actionData }: Route.ComponentProps) {
  const { course } = loaderData
  const busy = useNavigation().formMethod === 'POST'
  const here = `/course/${course.slug}/dashboard`
  return (
    <CourseQuestion
      back={here}
      title={deletionTitle(course)}
      instead={course.deletionObstacle && <Banner tone="warning">{course.deletionObstacle}</Banner>}
    >
      <WhatIsLost course={course} />
      <Form method="post" replace noValidate className="grid gap-5">
        <DeletionFields
          course={course}
          busy={busy}
          refusal={actionData}
          keep={
            <ButtonLink to={here} variant="secondary">
              Cancel
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
