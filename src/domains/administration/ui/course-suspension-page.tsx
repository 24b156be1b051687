import { BookX } from 'lucide-react'
import { redirect } from 'react-router'
import type { Route } from './+types/course-suspension-page'
import { Banner } from '../../../ui/banner.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { afterRefusal } from '../../../web/after-refusal.ts'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { courseSuspensionPage } from '../suspension-pages.ts'
import { answered, orUnreached, refusalOf } from './admin-answer.ts'
import { OwnSuspensionCards } from './appeal-form.tsx'

export const meta = () => pageMeta('Course suspended', 'Why, and how to appeal.')

export async function loader({ context, params }: Route.LoaderArgs) {
  const { slug } = params
  const suspension = await context.get(pageApi).administration.getCourseSuspension({ slug })
  if (!suspension) throw redirect(`/course/${slug}/dashboard`)
  return { suspension }
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { slug } = params
  const form = await formDataOf(request)
  const appeal = String(form.get('appeal') ?? '')
  const call = context.get(formApi).administration.appealCourseSuspension({ slug, appeal })
  return answered(call, {
    intent: 'appeal',
    form,
    here: courseSuspensionPage(slug),
    done: 'Your appeal was sent.',
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached('appeal'))

/** For the creator: why the course is suspended, and the appeal. */
/** Another administrator may have done it, or an earlier try whose answer was lost. */
export const shouldRevalidate = afterRefusal

export default function CourseSuspensionPage({
  loaderData,
  actionData,
  params,
}: Route.ComponentProps) {
  return (
    <div className="page-width grid max-w-[46rem] grid-cols-1 gap-8 py-8 lg:py-12">
      <PageHeader
        back={{ to: `/course/${params.slug}/dashboard`, label: 'Back to Course' }}
        title="This course is suspended"
        description="Nobody new can find, join or buy it. Its members keep it, and you can change it."
      />
      {actionData && 'done' in actionData && <Banner tone="success">{actionData.done}</Banner>}
      <OwnSuspensionCards
        key={loaderData.suspension.id}
        suspension={loaderData.suspension}
        refusal={refusalOf(actionData, 'appeal')}
      />
    </div>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={BookX}
      notFound="Course not found"
      description="It may have been deleted, or it belongs to somebody else."
      back={{ to: '/dashboard', label: 'Back to dashboard' }}
      failed="Could not load this course"
    />
  )
}
