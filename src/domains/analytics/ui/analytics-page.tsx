import { safe } from '@orpc/client'
import { ChartColumn, Presentation } from 'lucide-react'
import { useLocation, useNavigation } from 'react-router'
import type { Route } from './+types/analytics-page'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { LinkTabs } from '../../../ui/link-tabs.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { useFreshPage } from '../../../web/use-fresh-page.ts'
import { money } from '../../billing/ui/plan-words.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { pageMeta } from '../../site/ui/page-meta.ts'
import type { CreatorAnalytics } from '../schema.ts'
import { AdvancedAnalytics, Charts } from './advanced-analytics.tsx'
import { CoursePerformance } from './course-performance.tsx'
import { ProPanel } from './pro-panel.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { SummaryCards } from './summary-cards.tsx'
import { analyticsAddress, rangeIn, rangeInDays, timeRanges } from './time-range.ts'

export const meta = () =>
  pageMeta('Creator Analytics', 'Your students, your revenue, and how your courses are doing.')

export async function loader({ context, url }: Route.LoaderArgs) {
  const days = rangeIn(url.searchParams.get('days'))
  const calls = context.get(pageApi).analytics
  const [analytics, { activities }] = await Promise.all([
    calls.getCreatorAnalytics({ days }),
    calls.getUserActivities({ days }),
  ])
  const asked = url.searchParams.get('course')
  const courseId = analytics.courses.find(({ id }) => id === asked)?.id ?? null
  const first = { analytics, activities, days, courseId, at: new Date().toISOString() }
  if (!analytics.isPro || isEmpty(analytics)) return { ...first, advanced: null }
  // Where this part cannot be had, the rest is still worth reading.
  const [, advanced = null] = await safe(
    context.get(formApi).analytics.getAdvancedAnalytics({
      days,
      ...(courseId !== null && { courseId }),
    }),
  )
  return { ...first, advanced }
}

/** Who deleted every course still has what it brought in. */
const isEmpty = ({ courses, otherRevenue }: { courses: unknown[]; otherRevenue: number }) =>
  courses.length === 0 && otherRevenue === 0

export default function Analytics({ loaderData }: Route.ComponentProps) {
  const { analytics, activities, advanced, days, courseId, at } = loaderData
  const { state, location: next } = useNavigation()
  const { pathname } = useLocation()
  useFreshPage(['earnings', 'plan'])
  const isBusy = state !== 'idle' && next.pathname === pathname

  return (
    <div className="page-width grid grid-cols-1 gap-8 py-8 lg:py-12">
      <PageHeader
        back={{ to: '/dashboard', label: 'Back to Dashboard' }}
        title="Creator Analytics"
        description="How your courses are doing"
      />
      <div className="grid grid-cols-1 gap-3">
        <LinkTabs
          label="Time range"
          tabs={timeRanges.map((range) => ({
            to: analyticsAddress({ days: range.days, courseId }),
            label: range.label,
            current: range.days === days,
          }))}
        />
        <p className="text-sm text-muted">{rangeInDays(days)}</p>
      </div>
      <output className="sr-only">{isBusy && 'Loading the figures…'}</output>
      <div
        className="group/figures grid grid-cols-1 gap-8"
        aria-busy={isBusy}
        data-busy={isBusy ? '' : undefined}
      >
        <SummaryCards analytics={analytics} days={days} />
        <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          {analytics.courses.length === 0 ? (
            <NoCourses analytics={analytics} />
          ) : (
            <CoursePerformance analytics={analytics} />
          )}
          <RecentActivity activities={activities} at={new Date(at)} days={days} />
        </div>
        {isEmpty(analytics) ? null : analytics.isPro ? (
          <AdvancedAnalytics analytics={analytics} days={days} courseId={courseId}>
            {advanced ? (
              <Charts advanced={advanced} analytics={analytics} courseId={courseId} />
            ) : (
              <NoCharts address={analyticsAddress({ days, courseId })} />
            )}
          </AdvancedAnalytics>
        ) : (
          <ProPanel />
        )}
      </div>
    </div>
  )
}

/** Who has deleted all courses has money of them all the same. */
function NoCourses({ analytics: { otherRevenue, currency } }: { analytics: CreatorAnalytics }) {
  const hadSome = otherRevenue !== 0
  return (
    <EmptyState
      icon={Presentation}
      // Whether it is the first is not known here: one that was deleted may have earned nothing in these days.
      title="Create a course"
      description={
        hadSome
          ? `Courses that you deleted: ${money(otherRevenue, currency)}`
          : 'Its students, ratings and revenue appear here, from the first day.'
      }
      action={<ButtonLink to="/create-course">Create Course</ButtonLink>}
    />
  )
}

function NoCharts({ address }: { address: string }) {
  return (
    <ErrorState
      level={3}
      title="Could not load the charts"
      description="Something went wrong on our side. Please try again in a moment."
      action={
        // A link, so that it works where nothing is hydrated.
        <ButtonLink to={address} variant="secondary" reloadDocument>
          Try again
        </ButtonLink>
      }
    />
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={ChartColumn}
      notFound="Page not found"
      description="There is nothing at this address."
      back={{ to: '/dashboard', label: 'Back to Dashboard' }}
      failed="Could not load your analytics"
    />
  )
}
