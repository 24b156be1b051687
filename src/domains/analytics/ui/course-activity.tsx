import { Card, CardHeader } from '../../../ui/card.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { client } from '../../../web/api-client.ts'
import { useAnswer } from '../../../web/use-answer.ts'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import type { Activity } from '../schema.ts'
import { ActivityLine } from './activity-line.tsx'
import { type CourseActivities, loadActivities } from './course-activities.ts'

type CourseActivityProps = {
  course: { id: string }
  /** As the page came with it. */
  first: CourseActivities | null
}

/** For the instructor: what happened in the course of late. */
export function CourseActivity({ course, first }: CourseActivityProps) {
  const { answer, hasFailed, again } = useAnswer(
    course.id,
    () => loadActivities(client.analytics, course.id),
    first,
  )
  useLiveEvents({
    looksBack: true,
    onEvent: (event) => {
      if (event.type === 'joined' && event.courseId === course.id) again()
    },
    onGap: again,
  })

  return (
    <Card as="section" aria-label="Recent Activity">
      <CardHeader title="Recent Activity" />
      {answer ? (
        <ActivityList {...answer} />
      ) : hasFailed ? (
        <FailedBanner onRetry={again}>
          The activity could not be loaded. Please check your connection.
        </FailedBanner>
      ) : (
        <Loading label="Loading activity…" className="grid gap-3">
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
        </Loading>
      )}
    </Card>
  )
}

function ActivityList({ activities, at }: { activities: Activity[]; at: Date }) {
  if (activities.length === 0) {
    return <p className="text-muted">Nothing has happened here yet.</p>
  }
  return (
    <ul aria-label="Recent Activity" className="grid gap-4">
      {activities.map((activity) => (
        <ActivityLine key={activity.id} activity={activity} at={at} />
      ))}
    </ul>
  )
}
