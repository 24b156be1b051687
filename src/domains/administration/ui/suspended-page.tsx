import { redirect } from 'react-router'
import type { Route } from './+types/suspended-page'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { afterRefusal } from '../../../web/after-refusal.ts'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { DownloadDataLink } from '../../accounts/ui/security/your-data.tsx'
import { brand } from '../../site/brand.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { suspendedPage } from '../suspension-pages.ts'
import { answered, orUnreached, refusalOf } from './admin-answer.ts'
import { OwnSuspensionCards } from './appeal-form.tsx'

export const meta = () => pageMeta('Account suspended', 'Why, and what you can do.')

export async function loader({ context }: Route.LoaderArgs) {
  const suspension = await context.get(pageApi).administration.getMySuspension()
  if (!suspension) throw redirect('/dashboard')
  return { suspension }
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const appeal = String(form.get('appeal') ?? '')
  const call = context.get(formApi).administration.appealMySuspension({ appeal })
  return answered(call, {
    intent: 'appeal',
    form,
    here: suspendedPage,
    done: 'Your appeal was sent.',
  })
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  serverAction().catch(orUnreached('appeal'))

/** All that is open to who is suspended: why, an appeal, and the ways out. */
/** Another administrator may have done it, or an earlier try whose answer was lost. */
export const shouldRevalidate = afterRefusal

export default function SuspendedPage({ loaderData, actionData }: Route.ComponentProps) {
  const { suspension } = loaderData
  return (
    <div className="page-width grid max-w-[46rem] grid-cols-1 gap-8 py-8 lg:py-12">
      <PageHeader
        title="Your account is suspended"
        description={`The administrators of ${brand.name} have suspended it. Members of your courses keep them; nobody else sees them, or your profile. Your earnings are kept, and payouts are on hold.`}
      />
      <OwnSuspensionCards suspension={suspension} refusal={refusalOf(actionData, 'appeal')} />
      <Card as="section" aria-label="What you can do">
        <CardHeader
          title="What you can do"
          description="Your data is yours, and you can leave at any time."
        />
        <div className="flex flex-wrap gap-3">
          <DownloadDataLink />
          <ButtonLink to="/billing" variant="secondary">
            Plan and purchases
          </ButtonLink>
          <ButtonLink to="/settings/delete-account" variant="secondary">
            Delete my account
          </ButtonLink>
        </div>
      </Card>
    </div>
  )
}
