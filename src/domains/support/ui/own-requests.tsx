import { LifeBuoy } from 'lucide-react'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card, CardLink } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { CaseTime } from '../../moderation/ui/case-time.tsx'
import { useNow } from '../../notifications/ui/use-now.ts'
import { requestPath, supportPath, topicWords } from '../rules.ts'
import type { OwnRequest } from '../schema.ts'
import { RequestBadges } from './request-badges.tsx'

type OwnRequestsProps = {
  page: { requests: OwnRequest[]; nextCursor: string | null }
  isFirstPage: boolean
  now: string
}

/** What this person asked, with how it stands. */
export function OwnRequests({ page, isFirstPage, now: asOf }: OwnRequestsProps) {
  const now = useNow(asOf)
  return (
    <section aria-labelledby="own-requests" className="grid gap-5 border-t pt-10">
      <h2 id="own-requests" className="text-2xl">
        Your requests
      </h2>
      {page.requests.length === 0 ? (
        <EmptyState
          level={3}
          icon={LifeBuoy}
          title={isFirstPage ? 'No requests yet' : 'No more requests'}
          description="What you send appears here, with our answers."
        />
      ) : (
        <ul
          // Safari forgets that a list without bullets is one, unless told.
          // oxlint-disable-next-line jsx-a11y/no-redundant-roles
          role="list"
          aria-label="Your requests"
          className="grid gap-3"
        >
          {page.requests.map(({ id, subject, topic, status, priority, lastMessageAt }) => (
            <Card
              as="li"
              key={id}
              padding="sm"
              interactive
              className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:px-5"
            >
              <div className="grid min-w-0 flex-1 basis-64 gap-0.5">
                <h3 className="font-text text-base tracking-normal wrap-anywhere">
                  <CardLink to={requestPath(id)}>{subject}</CardLink>
                </h3>
                <p className="text-sm text-muted">
                  {topicWords[topic]} · <CaseTime at={lastMessageAt} now={now} />
                </p>
              </div>
              <RequestBadges status={status} priority={priority} />
            </Card>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-3">
        {!isFirstPage && (
          <ButtonLink to={supportPath} variant="ghost" size="sm">
            Newest requests
          </ButtonLink>
        )}
        {page.nextCursor && (
          <ButtonLink to={`${supportPath}?after=${page.nextCursor}`} variant="secondary" size="sm">
            Older requests
          </ButtonLink>
        )}
      </div>
    </section>
  )
}
