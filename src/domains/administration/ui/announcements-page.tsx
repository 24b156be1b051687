import { Megaphone } from 'lucide-react'
import type { Route } from './+types/announcements-page'
import { Badge } from '../../../ui/badge.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { client } from '../../../web/api-client.ts'
import { pageApi } from '../../../web/page-context.ts'
import { useFreshPage } from '../../../web/use-fresh-page.ts'
import { CaseTime } from '../../moderation/ui/case-time.tsx'
import { useNow } from '../../notifications/ui/use-now.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { audienceWords, newAnnouncementPage, progressWords } from '../announcement-rules.ts'
import type { Announcement, AnnouncementPage } from '../announcement-schema.ts'
import { LoadMore } from './load-more.tsx'
import { TextLink } from './text-link.tsx'
import { useMore } from './use-more.ts'

export const meta = () => pageMeta('Announcements', 'What everybody was told, or some.')

export async function loader({ context, url }: Route.LoaderArgs) {
  const cursor = url.searchParams.get('cursor') ?? undefined
  const page = await context.get(pageApi).administration.getAnnouncements({ cursor })
  return { page, now: new Date().toISOString() }
}

/** For administrators: what was announced, and how far the telling has come. */
export default function AnnouncementsPage({ loaderData }: Route.ComponentProps) {
  const { page } = loaderData
  useFreshPage(['announcement'])
  return (
    <div className="grid grid-cols-1 gap-8">
      <PageHeader
        title="Announcements"
        description="Under the bell and by email, as each person chose. What was announced cannot be taken back."
        actions={<ButtonLink to={newAnnouncementPage}>New announcement</ButtonLink>}
      />
      <AnnouncementList
        key={page.announcements.map(({ id }) => id).join(' ')}
        page={page}
        asOf={loaderData.now}
      />
    </div>
  )
}

function AnnouncementList({ page, asOf }: { page: AnnouncementPage; asOf: string }) {
  const now = useNow(asOf)
  const { items, ...rest } = useMore(
    { items: page.announcements, nextCursor: page.nextCursor },
    async (cursor) => {
      const next = await client.administration.getAnnouncements({ cursor })
      return { items: next.announcements, nextCursor: next.nextCursor }
    },
  )
  const [newest] = items
  if (!newest) {
    return (
      <EmptyState
        icon={Megaphone}
        title="No announcements"
        description="What you announce to everybody, to creators or to people with Pro is listed here."
      />
    )
  }
  return (
    <div className="grid grid-cols-1 gap-5">
      <output className="sr-only">{progressWords(newest)}</output>
      <ul
        // Safari forgets that a list without bullets is one, unless told.
        // oxlint-disable-next-line jsx-a11y/no-redundant-roles
        role="list"
        aria-label="Announcements"
        className="grid grid-cols-1 gap-5"
      >
        {items.map((one) => (
          <AnnouncementItem key={one.id} announcement={one} now={now} />
        ))}
      </ul>
      <LoadMore {...rest} />
    </div>
  )
}

function AnnouncementItem({ announcement, now }: { announcement: Announcement; now: Date }) {
  const { title, message, href, audience, announcedBy, createdAt } = announcement
  return (
    <Card as="li" className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="text-xl wrap-anywhere">{title}</h2>
        <Badge>{audienceWords[audience]}</Badge>
      </div>
      <p className="wrap-anywhere whitespace-pre-line">{message}</p>
      {href && (
        <p className="text-sm wrap-anywhere">
          <TextLink to={href}>{href}</TextLink>
        </p>
      )}
      <p className="text-sm text-muted">
        {announcedBy ? (
          <TextLink to={`/admin/people/${announcedBy.id}`}>{announcedBy.name}</TextLink>
        ) : (
          'The command line, or an account that was deleted'
        )}
        {' · '}
        <CaseTime at={createdAt} now={now} />
      </p>
      <ToldSoFar announcement={announcement} />
    </Card>
  )
}

function ToldSoFar({ announcement }: { announcement: Announcement }) {
  const { toldCount, people, finishedAt } = announcement
  const words = progressWords(announcement)
  if (finishedAt !== null) return <p className="text-sm font-semibold">{words}</p>
  const percent = people === 0 ? undefined : Math.min(100, (toldCount / people) * 100)
  return <Progress label="On its way" percent={percent} valueText={words} size="sm" />
}
