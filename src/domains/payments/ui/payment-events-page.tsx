import { CreditCard } from 'lucide-react'
import { data, redirect } from 'react-router'
import type { Route } from './+types/payment-events-page'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { LinkTabs } from '../../../ui/link-tabs.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { isServerError, safe } from '../../../web/call-outcome.ts'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { unreached } from '../../../web/unreached.ts'
import { callProblem } from '../../courses/ui/call-problem.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { useNow } from '../../notifications/ui/use-now.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { isEventStatus, statusWords } from './event-words.ts'
import { PaymentEventList } from './payment-event-list.tsx'
import { PaymentEventSearch } from './payment-event-search.tsx'
import { ProviderCard } from './provider-card.tsx'
import { ReplayedBanner, useReplayed } from './replayed-event.tsx'

const here = '/admin/payments'

export const meta = () => pageMeta('Payment events', 'What the payment provider told us.')

export async function loader({ context, url }: Route.LoaderArgs) {
  const chosen = url.searchParams.get('status')
  const status = isEventStatus(chosen) ? chosen : undefined
  const search = (url.searchParams.get('search') ?? '').trim().slice(0, 100)
  const page = await context.get(pageApi).payments.getPaymentEvents({ status, search })
  return { page, status, search, now: new Date().toISOString() }
}

const failed = 'The event could not be replayed. Please try again.'

export async function action({ request, context }: Route.ActionArgs) {
  const eventId = String((await formDataOf(request)).get('eventId'))
  const [error, replayed] = await safe(
    context.get(formApi).payments.replayPaymentEvent({ eventId }),
  )
  if (!error) return { replayed }
  const status = isServerError(error) ? error.status : 500
  if (status === 401) throw redirect(`/login?to=${encodeURIComponent(here)}`)
  return data({ problem: callProblem(error, failed) }, { status })
}

/** Without a connection the list stays, and says so. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  return serverAction().catch((error: unknown) => {
    if (error instanceof Response) throw error
    return unreached({ problem: failed })
  })
}

/** For administrators: what the payment provider told us, what it did, and whether all is well. */
export default function PaymentEventsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { page, status, search } = loaderData
  const now = useNow(loaderData.now)
  const { sandboxUrl } = page.provider
  const replayed = useReplayed(actionData && 'replayed' in actionData ? actionData.replayed : null)
  const address = (shown?: string) => {
    const parameters = new URLSearchParams({
      ...(shown && { status: shown }),
      ...(search && { search }),
    })
    return parameters.size > 0 ? `${here}?${parameters}` : here
  }

  return (
    <div className="grid max-w-[60rem] grid-cols-1 gap-8">
      <PageHeader
        title="Payment events"
        description="What the payment provider told us, and what it did here."
        actions={
          sandboxUrl && (
            // A document of its own: the sandbox's pages are none of ours.
            <ButtonLink to={sandboxUrl} reloadDocument variant="secondary" size="sm">
              Open the sandbox
            </ButtonLink>
          )
        }
      />
      <ProviderCard provider={page.provider} now={now} />
      <section aria-label="Events" className="grid grid-cols-1 gap-5">
        <PaymentEventSearch status={status} search={search} />
        <LinkTabs
          label="Status"
          tabs={[
            { to: address(), label: 'All', current: !status },
            ...Object.entries(statusWords).map(([value, label]) => ({
              to: address(value),
              label,
              current: status === value,
            })),
          ]}
        />
        {actionData && 'problem' in actionData && (
          <Banner tone="danger">{actionData.problem}</Banner>
        )}
        {replayed && <ReplayedBanner {...replayed} />}
        <PaymentEventList
          key={`${status} ${search}`}
          page={page}
          status={status}
          search={search}
          replayed={replayed}
          now={now}
        />
      </section>
    </div>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={CreditCard}
      notFound="Page not found"
      description="This page is for administrators."
      back={{ to: '/dashboard', label: 'Back to dashboard' }}
      failed="Could not load the payment events"
    />
  )
}
