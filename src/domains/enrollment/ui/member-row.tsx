import { UserMinus } from 'lucide-react'
import { Avatar } from '../../../ui/avatar.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmailAddress } from '../../../ui/email-address.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { lessonsLabel } from '../../courses/rules.ts'
import { CreatorLink } from '../../courses/ui/creator-link.tsx'
import { VerifiedTick } from '../../courses/ui/verified-badge.tsx'
import { ReviewDay } from '../../reviews/ui/review-day.tsx'
import type { CourseMember } from '../schema.ts'

type MemberRowProps = {
  member: CourseMember
  /** For the instructor. */
  onRemove?: (member: CourseMember) => void
}

/** One member in the list. */
export function MemberRow({ member, onRemove }: MemberRowProps) {
  const { name, username, avatarUrl, verified, email, isInstructor, joinedAt, progress } = member
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 bg-surface px-4 py-4 sm:px-5">
      <Avatar name={name} src={avatarUrl} lazy />
      <div className="grid min-w-0 flex-1 basis-40 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
          <CreatorLink name={name} username={username} className="wrap-anywhere" />
          {verified && <VerifiedTick />}
          {isInstructor && <Badge tone="primary">Instructor</Badge>}
        </p>
        {email !== null && (
          <p className="text-sm text-muted">
            <EmailAddress address={email} />
          </p>
        )}
        <p className="text-sm text-muted">
          Joined <ReviewDay moment={joinedAt} />
        </p>
      </div>
      {progress && <MemberProgress name={name} progress={progress} />}
      {onRemove && !isInstructor && (
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={`Remove ${name}`}
          aria-haspopup="dialog"
          title="Remove"
          onClick={() => onRemove(member)}
          className="text-muted hover:text-danger"
        >
          <UserMinus size={18} aria-hidden />
        </Button>
      )}
    </li>
  )
}

type MemberProgressProps = { name: string; progress: NonNullable<CourseMember['progress']> }

function MemberProgress({ name, progress }: MemberProgressProps) {
  const { completedCount, lessonsCount, percent, lastActiveAt } = progress
  return (
    <div className="grid w-full gap-1 max-sm:order-last sm:w-44">
      <Progress
        label={
          <>
            <span className="sr-only">Progress of {name}: </span>
            {completedCount} of {lessonsLabel(lessonsCount)}
          </>
        }
        percent={percent}
        size="sm"
        className="gap-1"
      />
      <p className="text-xs text-muted">
        {lastActiveAt === null ? (
          'Not started yet'
        ) : (
          <>
            Last active <ReviewDay moment={lastActiveAt} />
          </>
        )}
      </p>
    </div>
  )
}
