import { Link } from 'react-router'
import type { Route } from './+types/overview-page'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { pageApi } from '../../../web/page-context.ts'
import { useSwitchedOff } from '../../../web/use-switched-off.ts'
import { useNow } from '../../notifications/ui/use-now.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { ScrollText } from 'lucide-react'
import type { Overview } from '../schema.ts'
import { featureNames, features } from '../features.ts'
import { ActList } from './act-list.tsx'
import { TextLink } from './text-link.tsx'

export const meta = () => pageMeta('Administration', 'What waits for somebody.')

export async function loader({ context }: Route.LoaderArgs) {
  const overview = await context.get(pageApi).administration.getOverview()
  return { overview, now: new Date().toISOString() }
}

type Count = Exclude<keyof Overview, 'acts'>

const counts: { to: string; count: Count; one: string; many: string }[] = [
  { to: '/moderation', count: 'openReports', one: 'open report', many: 'open reports' },
  { to: '/admin/appeals', count: 'appeals', one: 'appeal', many: 'appeals' },
  {
    to: '/admin/support',
    count: 'supportRequests',
    one: 'request for support',
    many: 'requests for support',
  },
  {
    to: '/admin/payments?status=failed',
    count: 'failedPaymentEvents',
    one: 'failed payment event',
    many: 'failed payment events',
  },
  { to: '/admin/jobs', count: 'failingJobs', one: 'failing job', many: 'failing jobs' },
  {
    to: '/admin/people?filter=suspended',
    count: 'suspendedAccounts',
    one: 'suspended account',
    many: 'suspended accounts',
  },
  {
    to: '/admin/courses?filter=suspended',
    count: 'suspendedCourses',
    one: 'suspended course',
    many: 'suspended courses',
  },
]

/** What waits for somebody, and what was done last. */
export default function OverviewPage({
  loaderData: { overview, now: asOf },
}: Route.ComponentProps) {
  const now = useNow(asOf)
  const { acts } = overview
  return (
    <div className="grid grid-cols-1 gap-10">
      <PageHeader
        title="Administration"
        description="What needs attention, and what was done last."
      />
      <WhatIsOff />
      <section
        aria-label="Waiting and suspended"
        className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 xl:grid-cols-4"
      >
        {counts.map(({ to, count, one, many }) => (
          <CountCard key={to} to={to} count={overview[count]} one={one} many={many} />
        ))}
      </section>
      <section aria-labelledby="newest" className="grid grid-cols-1 gap-4">
        <div className="flex flex-wrap items-baseline justify-between gap-3">
          <h2 id="newest" className="text-xl">
            Latest actions
          </h2>
          <TextLink to="/admin/log">Audit log</TextLink>
        </div>
        {acts.length > 0 ? (
          <ActList acts={acts} now={now} label="Latest actions" />
        ) : (
          <EmptyState
            level={3}
            icon={ScrollText}
            title="Nothing yet"
            description="Whatever administrators do appears here and in the audit log."
          />
        )}
      </section>
    </div>
  )
}

function WhatIsOff() {
  const off = useSwitchedOff()
  const labels = featureNames.filter((name) => off[name]).map((name) => features[name].label)
  if (labels.length === 0) return null
  return (
    <Banner
      tone="warning"
      title="Switched off at the moment"
      action={
        <ButtonLink to="/admin/features" variant="secondary" size="sm">
          Features
        </ButtonLink>
      }
    >
      {labels.join(' · ')}
    </Banner>
  )
}

function CountCard({
  to,
  count,
  one,
  many,
}: {
  to: string
  count: number
  one: string
  many: string
}) {
  return (
    <Card padding="sm" className="grid gap-1">
      <Link
        to={to}
        className="grid content-start gap-1 text-inherit no-underline hover:text-primary"
      >
        <span className="font-display text-3xl font-bold tabular-nums">
          {count.toLocaleString('en-US')}
        </span>
        <span className="text-sm text-muted">{count === 1 ? one : many}</span>
      </Link>
    </Card>
  )
}
