import { SearchX } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { flushSync } from 'react-dom'
import { useRevalidator } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { toast } from '../../../ui/toast.ts'
import { LaterDialog } from '../../../ui/later-dialog.tsx'
import type { CourseDashboard } from '../../courses/schema.ts'
import type { CourseMember, MemberPage } from '../schema.ts'
import { MemberRow } from './member-row.tsx'
import { membersAddress } from './members-tab.ts'
import { useMemberList } from './use-member-list.ts'

const loadRemoval = () => import('./remove-member.tsx')

type MemberListProps = {
  course: CourseDashboard
  search: string
  page: MemberPage
  /** Takes the focus when a row is gone with the button that was pressed in it: the list may go with it. */
  place: RefObject<HTMLElement | null>
}

/** The members that were found, and more of them on demand. */
export function MemberList({ course, search, page, place }: MemberListProps) {
  const { members, hasMore, busy, hasFailed, loadMore, forget } = useMemberList(
    course.slug,
    search,
    page,
  )
  const [removing, setRemoving] = useState<CourseMember | null>(null)
  const { revalidate } = useRevalidator()
  const isInstructor = course.standing === 'instructor'

  async function onGone(member: CourseMember, removed: boolean) {
    await revalidate()
    // While the dialog is open, nothing else can have the focus.
    flushSync(() => {
      forget(member)
      setRemoving(null)
    })
    void toast.success(
      removed ? `${member.name} was removed.` : `${member.name} is not a member any more.`,
    )
    place.current?.focus({ preventScroll: true })
  }

  if (members.length === 0) return <NothingFound course={course} search={search} />
  return (
    <div className="grid gap-4">
      {search !== '' && (
        <p className="flex flex-wrap items-center justify-between gap-3 text-muted">
          <span className="wrap-anywhere">Members who match “{search}”</span>
          <ButtonLink to={membersAddress(course.slug)} variant="ghost" size="sm" preventScrollReset>
            Show Everybody
          </ButtonLink>
        </p>
      )}
      <ul
        aria-label="Members"
        className={cn(
          'grid grid-cols-1 gap-px overflow-hidden rounded-card border bg-line shadow-card',
          // Where nothing stands beside the list.
          !isInstructor && 'lg:grid-cols-2 lg:[&>:last-child:nth-child(odd)]:col-span-2',
        )}
      >
        {members.map((member) => (
          <MemberRow
            key={member.id}
            member={member}
            onRemove={isInstructor ? setRemoving : undefined}
          />
        ))}
      </ul>
      {hasFailed && (
        <Banner tone="danger">
          More members could not be loaded. Please check your connection.
        </Banner>
      )}
      {hasMore && (
        <Button
          variant="secondary"
          busy={busy}
          busyText="Loading..."
          onClick={() => void loadMore()}
          className="w-fit justify-self-center"
        >
          {hasFailed ? 'Try again' : 'Load More'}
        </Button>
      )}
      {removing && (
        <LaterDialog load={loadRemoval} onFailed={() => setRemoving(null)}>
          {({ RemoveMember }) => (
            <RemoveMember
              course={course}
              member={removing}
              onClose={() => setRemoving(null)}
              onGone={(removed) => onGone(removing, removed)}
            />
          )}
        </LaterDialog>
      )}
    </div>
  )
}

function NothingFound({ course, search }: { course: CourseDashboard; search: string }) {
  return (
    <EmptyState
      level={3}
      icon={SearchX}
      title="Nobody found"
      description={
        <span className="wrap-anywhere">No member of this course matches “{search}”.</span>
      }
      action={
        <ButtonLink to={membersAddress(course.slug)} variant="secondary" preventScrollReset>
          Show Everybody
        </ButtonLink>
      }
    />
  )
}
