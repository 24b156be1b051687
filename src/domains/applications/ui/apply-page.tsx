import { safe } from '@orpc/client'
import { BookX } from 'lucide-react'
import { data, Form, redirect, useNavigation } from 'react-router'
import type { Route } from './+types/apply-page'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { formDataOf } from '../../../web/form-data-of.ts'
import { afterRefusal } from '../../../web/after-refusal.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { unreached } from '../../../web/unreached.ts'
import { withoutLightning } from '../../courses/rules.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { wayIn } from '../../enrollment/ui/way-in.ts'
import { coursePath } from '../../purchases/ui/offer.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { answerList, answersIn, applyPage, type ApplyProblem } from './apply-answers.ts'
import { ApplyFields, useAnswerCheck } from './apply-fields.tsx'
import { questionsFailed, refusalOf, submitFailed } from './apply-words.ts'

export const meta = () =>
  pageMeta('Apply to Join', 'Answer a few questions; the instructor decides who joins.')

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { slug } = params
  const invitation = url.searchParams.get('invitation')
  const course = await context.get(pageApi).courses.getCoursePage({ slug })
  const way = wayIn(course)
  const mayApply = course.standing === 'signedIn' && course.status === 'published'
  if (!mayApply || (way !== 'apply' && way !== 'applyAgain')) {
    throw redirect(coursePath(course.slug, { invitation }))
  }
  if (course.slug !== slug) throw redirect(applyPage(course.slug, invitation))
  const [, form] = await safe(
    context.get(formApi).applications.getApplicationQuestions({ courseId: course.id }),
  )
  return { course, form: form ?? null, invitation }
}

/** Sends the application. */
export async function action({ request, context, params }: Route.ActionArgs) {
  const fields = await formDataOf(request)
  const typed = answersIn(fields)
  const courseId = String(fields.get('courseId'))
  const given = fields.get('invitation')
  const invitation = typeof given === 'string' && given !== '' ? given : undefined
  const [error] = await safe(
    context
      .get(formApi)
      .applications.submitApplication({ courseId, answers: answerList(fields), invitation }),
  )
  if (!error) return redirect(coursePath(encodeURIComponent(params.slug), { invitation }))
  const { problem, status } = refusalOf(error, submitFailed)
  if (status === 401) {
    throw redirect(`/login?to=${encodeURIComponent(applyPage(params.slug, invitation ?? null))}`)
  }
  const refusal: ApplyProblem = { problem, typed }
  return data(refusal, { status })
}

// The questions may be others by now.
export const shouldRevalidate = afterRefusal

/** Without a connection the form stays, and says so. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return serverAction().catch((error: unknown) => {
    if (error instanceof Response) throw error
    return unreached<ApplyProblem>({ problem: submitFailed, typed: {} })
  })
}

/** The questions as a page, for browsers without JavaScript. */
export default function ApplyPage({ loaderData, actionData }: Route.ComponentProps) {
  const { course, form, invitation } = loaderData
  const busy = useNavigation().formMethod === 'POST'
  const check = useAnswerCheck(form?.questions)
  const here = coursePath(course.slug, { invitation })
  return (
    <div className="page-width grid max-w-[44rem] grid-cols-1 gap-8 py-8 lg:py-12">
      <PageHeader
        back={{ to: here, label: 'Back to Course' }}
        title="Apply to Join"
        description={<span className="wrap-anywhere">{withoutLightning(course.title)}</span>}
      />
      {form ? (
        <Card>
          <Form method="post" replace noValidate onSubmit={check.onSubmit} className="grid gap-5">
            {invitation && <input type="hidden" name="invitation" value={invitation} />}
            <ApplyFields
              courseId={course.id}
              form={form}
              answers={actionData?.typed ?? {}}
              busy={busy}
              problem={busy ? undefined : actionData?.problem}
              cancel={
                <ButtonLink to={here} variant="secondary">
                  Cancel
                </ButtonLink>
              }
              check={check}
            />
          </Form>
        </Card>
      ) : (
        <ErrorState
          title={questionsFailed}
          action={
            <ButtonLink to={applyPage(course.slug, invitation)} reloadDocument>
              Try again
            </ButtonLink>
          }
        />
      )}
    </div>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={BookX}
      notFound="Course not found"
      description="The course you're looking for doesn't exist or may have been removed."
      back={{ to: '/explore', label: 'Back to courses' }}
      failed="Could not load this course"
    />
  )
}
