import { Webhook } from 'lucide-react'
import type { Route } from './+types/endpoint-page'
import { Badge } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { LocalTime } from '../../../ui/local-time.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useFreshPage } from '../../../web/use-fresh-page.ts'
import { pageApi } from '../../../web/page-context.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { useNow } from '../../notifications/ui/use-now.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { webhooksPath } from '../rules.ts'
import type { Endpoint } from '../schema.ts'
import { DeliveryList } from './delivery-list.tsx'
import { EndpointCard } from './endpoint-card.tsx'
import { endpointBadge } from './endpoint-words.ts'

export const meta = () => pageMeta('Webhook', 'What was sent to it, and what became of it.')

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { endpointId } = params
  const { webhooks } = context.get(pageApi)
  const cursor = url.searchParams.get('after') ?? undefined
  const [endpoint, page, { courses }] = await Promise.all([
    webhooks.getWebhook({ endpointId }),
    webhooks.getWebhookDeliveries({ endpointId, cursor }),
    webhooks.getWebhooks({}),
  ])
  const isFirstPage = cursor === undefined
  return { endpoint, page, courses, isFirstPage, now: new Date().toISOString() }
}

/** One webhook: what it is told, its secret, and the log of what was sent to it. */
export default function EndpointPage({ loaderData }: Route.ComponentProps) {
  const { endpoint, page, courses, isFirstPage } = loaderData
  const now = useNow(loaderData.now)
  useFreshPage(['webhook'])
  const { label, tone } = endpointBadge(endpoint)
  return (
    <div
      // The secret that is shown is that of one webhook.
      key={endpoint.id}
      className="page-width grid max-w-[56rem] grid-cols-1 gap-8 py-8 lg:py-12"
    >
      <PageHeader
        back={{ to: webhooksPath, label: 'Back to Settings' }}
        title={<span className="wrap-anywhere">{endpoint.url}</span>}
        badges={<Badge tone={tone}>{label}</Badge>}
        description={endpoint.description}
      />
      <StateBanner endpoint={endpoint} />
      <EndpointCard endpoint={endpoint} courses={courses} />
      <DeliveryList endpoint={endpoint} page={page} isFirstPage={isFirstPage} now={now} />
    </div>
  )
}

function StateBanner({ endpoint: { status, failingSince } }: { endpoint: Endpoint }) {
  if (status === 'paused') {
    return (
      <Banner title="This webhook is paused.">
        What happens meanwhile is not kept for it. What waited for it goes on when you resume.
      </Banner>
    )
  }
  if (status === 'disabled') {
    return (
      <Banner tone="danger" title="This webhook was turned off.">
        Nothing could be delivered to it, and what happens meanwhile is not kept for it. When its
        server works again, turn it on, and send again what could not be delivered before.
      </Banner>
    )
  }
  if (!failingSince) return null
  return (
    <Banner tone="warning" title="Deliveries are failing.">
      Since <LocalTime at={failingSince} withSeconds /> nothing was delivered. What waits is tried
      again; after five days without any success the webhook is turned off.
    </Banner>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={Webhook}
      notFound="Webhook not found"
      description="It does not exist, or is somebody else's."
      back={{ to: webhooksPath, label: 'Back to Settings' }}
      failed="Could not load this webhook"
    />
  )
}
