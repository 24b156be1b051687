import { Inbox, LifeBuoy } from 'lucide-react'
import type { Route } from './+types/queue-page'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card, CardLink } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LinkTabs } from '../../../ui/link-tabs.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { pageApi } from '../../../web/page-context.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { CaseTime } from '../../moderation/ui/case-time.tsx'
import { useReadAbout } from '../../notifications/ui/read-about.ts'
import { useNow } from '../../notifications/ui/use-now.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import {
  isRequestStatus,
  queuedRequestPath,
  queuePath,
  type RequestStatus,
  requestStatuses,
  statusWords,
  topicWords,
} from '../rules.ts'
import type { QueuedRequest } from '../schema.ts'
import { RequestBadges } from './request-badges.tsx'

export const meta = () => pageMeta('Support requests', 'What people asked.')

export async function loader({ context, url }: Route.LoaderArgs) {
  const chosen = url.searchParams.get('status')
  const status = isRequestStatus(chosen) ? chosen : 'waiting'
  const cursor = url.searchParams.get('after') ?? undefined
  const page = await context.get(pageApi).support.getSupportQueue({ status, cursor })
  return { page, status, isFirstPage: cursor === undefined, now: new Date().toISOString() }
}

const addressOf = (status: RequestStatus, after?: string) => {
  const parameters = new URLSearchParams({
    ...(status !== 'waiting' && { status }),
    ...(after && { after }),
  })
  return parameters.size > 0 ? `${queuePath}?${parameters}` : queuePath
}

/** For administrators: who waits for an answer, those with priority first. */
export default function QueuePage({ loaderData }: Route.ComponentProps) {
  const { page, status, isFirstPage } = loaderData
  const now = useNow(loaderData.now)
  useReadAbout(queuePath)
  return (
    <div className="grid max-w-[60rem] grid-cols-1 gap-8">
      <PageHeader title="Support requests" description="Priority first, then the longest wait." />
      <LinkTabs
        label="Status"
        tabs={requestStatuses.map((one) => ({
          to: addressOf(one),
          label: statusWords[one],
          count: one === 'waiting' ? page.waitingCount : 0,
          current: one === status,
        }))}
      />
      {page.requests.length === 0 ? (
        <EmptyState
          icon={Inbox}
          title={status === 'waiting' ? 'Nobody is waiting' : `No ${status} requests`}
          description={
            status === 'waiting'
              ? 'What people send through the support form appears here.'
              : 'Requests move here from the queue.'
          }
        />
      ) : (
        <ul
          // Safari forgets that a list without bullets is one, unless told.
          // oxlint-disable-next-line jsx-a11y/no-redundant-roles
          role="list"
          aria-label="Support requests"
          className="grid gap-3"
        >
          {page.requests.map((request) => (
            <QueueItem key={request.id} request={request} now={now} />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-3">
        {!isFirstPage && (
          <ButtonLink to={addressOf(status)} variant="ghost" size="sm">
            First page
          </ButtonLink>
        )}
        {page.nextCursor && (
          <ButtonLink to={addressOf(status, page.nextCursor)} variant="secondary" size="sm">
            Next page
          </ButtonLink>
        )}
      </div>
    </div>
  )
}

function QueueItem({ request, now }: { request: QueuedRequest; now: Date }) {
  const { id, subject, name, topic, status, priority, lastMessageAt, hasAccount } = request
  return (
    <Card
      as="li"
      padding="sm"
      interactive
      className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:px-5"
    >
      <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
        <h2 className="font-text text-base tracking-normal wrap-anywhere">
          <CardLink to={queuedRequestPath(id)}>{subject}</CardLink>
        </h2>
        <p className="text-sm wrap-anywhere text-muted">
          {name}
          {!hasAccount && ' (no account)'} · {topicWords[topic]} ·{' '}
          <CaseTime at={lastMessageAt} now={now} />
        </p>
      </div>
      <RequestBadges status={status} priority={priority} />
    </Card>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={LifeBuoy}
      notFound="Page not found"
      description="This page is for administrators."
      back={{ to: '/dashboard', label: 'Back to dashboard' }}
      failed="Could not load the support requests"
    />
  )
}
