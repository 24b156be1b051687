import { Card, CardHeader } from '../../../ui/card.tsx'
import type { Activity } from '../schema.ts'
import { ActivityLine } from './activity-line.tsx'
import { inRange, type TimeRange } from './time-range.ts'

type RecentActivityProps = {
  activities: Activity[]
  /** When they were read. */
  at: Date
  days: TimeRange | undefined
}

const shownAtOnce = 8

/** What the creator did, and what happened in the courses. */
export function RecentActivity({ activities, at, days }: RecentActivityProps) {
  const range = inRange(days)
  const first = activities.slice(0, shownAtOnce)
  const rest = activities.slice(shownAtOnce)
  return (
    <Card as="section" aria-label="Recent Activity" className="self-start">
      <CardHeader title="Recent Activity" />
      {activities.length === 0 ? (
        <p className="text-muted">
          {range ? `Nothing happened ${range}.` : 'Nothing has happened here yet.'}
        </p>
      ) : (
        <div className="group-data-busy/figures:animate-skeleton">
          <Activities activities={first} at={at} />
          {rest.length > 0 && (
            <details className="group/more mt-4">
              <summary className="-mx-2 w-fit rounded-control px-2 py-2 text-sm font-semibold text-primary">
                <span className="group-open/more:hidden">Show {rest.length} more</span>
                <span className="hidden group-open/more:inline">Show fewer</span>
              </summary>
              <div className="mt-2">
                <Activities activities={rest} at={at} />
              </div>
            </details>
          )}
        </div>
      )}
    </Card>
  )
}

function Activities({ activities, at }: Pick<RecentActivityProps, 'activities' | 'at'>) {
  return (
    <ul className="grid gap-4">
      {activities.map((activity) => (
        <ActivityLine key={activity.id} activity={activity} at={at} showCourse />
      ))}
    </ul>
  )
}
