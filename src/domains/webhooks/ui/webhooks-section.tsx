import { Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { Badge } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { LaterDialog } from '../../../ui/later-dialog.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { client } from '../../../web/api-client.ts'
import { useAnswer } from '../../../web/use-answer.ts'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import { SettingList } from '../../accounts/ui/security/setting-list.tsx'
import { endpointPath, webhookLimits } from '../rules.ts'
import type { Endpoint, EndpointList } from '../schema.ts'
import { aboutWhich, endpointBadge, eventCount } from './endpoint-words.ts'

const loadDialog = () => import('./endpoint-dialog.tsx')

/** Where programs of this creator are told what happens. */
export function WebhooksSection() {
  const { answer, hasFailed, again } = useAnswer('webhooks', () => client.webhooks.getWebhooks({}))
  useLiveEvents({ onEvent: ({ type }) => type === 'webhook' && again(), onGap: again })
  const [isAdding, setAdding] = useState(false)
  const navigate = useNavigate()
  const isLoading = !answer && !hasFailed
  const isFull = (answer?.endpoints.length ?? 0) >= webhookLimits.endpoints

  return (
    <Card as="section" aria-label="Webhooks">
      <CardHeader
        title="Webhooks"
        description="Your own programs are told what happens in your courses: we post signed JSON to an address of yours."
        actions={
          isLoading ? (
            <Skeleton className="h-9 w-36 rounded-control" />
          ) : (
            answer &&
            answer.endpoints.length > 0 && (
              <Button
                size="sm"
                aria-haspopup="dialog"
                disabled={isFull}
                onClick={() => setAdding(true)}
              >
                <span className="flex items-center gap-2">
                  <Plus size={16} aria-hidden />
                  Add Webhook
                </span>
              </Button>
            )
          )
        }
      />
      <div className="grid grid-cols-1 gap-5">
        {isFull && (
          <Banner>
            You have {webhookLimits.endpoints} webhooks, which is the limit. Delete one to add
            another.
          </Banner>
        )}
        {answer ? (
          <Endpoints list={answer} onAdd={() => setAdding(true)} />
        ) : hasFailed ? (
          <FailedBanner onRetry={again}>
            Your webhooks could not be loaded. Please check your connection.
          </FailedBanner>
        ) : (
          <Loading label="Loading your webhooks…">
            <div className="grid gap-1 border-y py-4">
              <Skeleton className="h-6 max-w-80" />
              <Skeleton className="h-5 max-w-52" />
            </div>
          </Loading>
        )}
      </div>
      {isAdding && answer && (
        <LaterDialog load={loadDialog} onFailed={() => setAdding(false)}>
          {({ EndpointDialog }) => (
            <EndpointDialog
              courses={answer.courses}
              onClose={() => setAdding(false)}
              onSaved={(endpointId) => void navigate(endpointPath(endpointId))}
            />
          )}
        </LaterDialog>
      )}
    </Card>
  )
}

function Endpoints({ list, onAdd }: { list: EndpointList; onAdd: () => void }) {
  const { endpoints, courses } = list
  if (endpoints.length === 0 && courses.length === 0) {
    return (
      <EmptyState
        level={3}
        icon={Webhook}
        title="Webhooks are for creators"
        description="They tell of what happens in courses of yours. Make one first."
        action={<ButtonLink to="/create-course">Create a Course</ButtonLink>}
      />
    )
  }
  if (endpoints.length === 0) {
    return (
      <EmptyState
        level={3}
        icon={Webhook}
        title="No webhooks yet"
        description="Add an address to hear of new members, completed lessons, sales and more, the moment they happen."
        action={
          <Button aria-haspopup="dialog" onClick={onAdd}>
            Add Webhook
          </Button>
        }
      />
    )
  }
  return (
    <SettingList label="Your webhooks">
      {endpoints.map((endpoint) => (
        <EndpointRow key={endpoint.id} endpoint={endpoint} />
      ))}
    </SettingList>
  )
}

function EndpointRow({ endpoint }: { endpoint: Endpoint }) {
  const { label, tone } = endpointBadge(endpoint)
  const facts = [endpoint.description, aboutWhich(endpoint), eventCount(endpoint)]
  return (
    <li className="grid gap-1 py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link to={endpointPath(endpoint.id)} className="font-semibold wrap-anywhere">
          {endpoint.url}
        </Link>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className="text-sm text-muted wrap-anywhere">{facts.filter(Boolean).join(' · ')}</p>
    </li>
  )
}
