import {
  CircleCheck,
  MessageSquare,
  Rocket,
  Sparkles,
  UserPlus,
  type LucideIcon,
} from 'lucide-react'
import { cn } from '../../../ui/cn.ts'
import { relativeTime } from '../../../ui/relative-time.ts'
import { withoutLightning } from '../../courses/rules.ts'
import { activityLabel, isHighlight } from '../rules.ts'
import type { Activity } from '../schema.ts'

const icons: Record<string, LucideIcon> = {
  course_created: Rocket,
  first_enrollment: UserPlus,
  lesson_completed: CircleCheck,
  post_created: MessageSquare,
}

type ActivityLineProps = {
  activity: Activity
  /** The moment that 'ago' is counted from. */
  at: Date
  /** Where the page is not about one course. */
  showCourse?: boolean
}

/** What happened, who did it, and how long ago. */
export function ActivityLine({ activity, at, showCourse }: ActivityLineProps) {
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
        <p className="text-sm wrap-anywhere text-muted">
          <bdi>{user.name}</bdi>{' '}
          {showCourse && (
            <>
              · <bdi>{withoutLightning(activity.course.title)}</bdi>{' '}
            </>
          )}
          <span className="whitespace-nowrap">
            · <time dateTime={createdAt}>{relativeTime(new Date(createdAt), at)}</time>
          </span>
        </p>
      </div>
    </li>
  )
}
