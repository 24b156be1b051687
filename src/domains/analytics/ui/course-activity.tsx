import {
  CircleCheck,
  MessageSquare,
  Rocket,
  Sparkles,
  UserPlus,
  type LucideIcon,
} from 'lucide-react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { cn } from '../../../ui/cn.ts'
import { relativeTime } from '../../../ui/relative-time.ts'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { client } from '../../../web/api-client.ts'
import { useAnswer } from '../../../web/use-answer.ts'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import { activityLabel, isHighlight } from '../rules.ts'
import type { Activity } from '../schema.ts'

/** For the instructor: what happened in the course of late. */
export function CourseActivity({ course }: { course: { id: string } }) {
  const { answer, hasFailed, again } = useAnswer(course.id, async () => {
    const { activities } = await client.analytics.getCourseActivity({ courseId: course.id })
    return { activities, at: new Date() }
  })
  useLiveEvents({
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
        <Banner
          tone="danger"
          action={
            <Button variant="secondary" size="sm" onClick={again}>
              Try again
            </Button>
          }
        >
          The activity could not be loaded. Please check your connection.
        </Banner>
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

const icons: Record<string, LucideIcon> = {
  course_created: Rocket,
  first_enrollment: UserPlus,
  lesson_completed: CircleCheck,
  post_created: MessageSquare,
}

function ActivityLine({ activity, at }: { activity: Activity; at: Date }) {
  const { activityType, createdAt, lessonTitle, user } = activity
  const Icon = icons[activityType] ?? Sparkles
  const isBig = isHighlight(activityType)
  return (
    <li className="flex gap-3">
      <span
        className={cn(
          'grid size-9 shrink-0 place-items-center rounded-full',
          isBig ? 'bg-spark text-on-spark' : 'bg-wash text-muted',
        )}
      >
        <Icon size={18} aria-hidden />
      </span>
      <div className="grid min-w-0 gap-0.5">
        <p className={cn('wrap-anywhere', isBig && 'font-semibold')}>
          {activityLabel(activityType)}
          {lessonTitle !== null && <>: {lessonTitle}</>}
        </p>
        <p className="text-sm text-muted">
          <bdi>{user.name}</bdi> ·{' '}
          <time dateTime={createdAt}>{relativeTime(new Date(createdAt), at)}</time>
        </p>
      </div>
    </li>
  )
}
