import { Link2, Mail } from 'lucide-react'
import { useState } from 'react'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { LaterDialog } from '../../../ui/later-dialog.tsx'
import { client } from '../../../web/api-client.ts'
import { useAnswer } from '../../../web/use-answer.ts'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import type { CourseDashboard } from '../../courses/schema.ts'
import { whyNobodyJoins } from '../../enrollment/ui/why-nobody-joins.ts'
import {
  type CourseInvitations,
  type InvitationKind,
  loadInvitations,
} from './course-invitations.ts'
import { InvitationList } from './invitation-list.tsx'

const loadLinkDialog = () => import('./new-link-dialog.tsx')
const loadListDialog = () => import('./invite-list-dialog.tsx')

type InvitePeopleProps = {
  course: CourseDashboard
  /** As the page came with them. */
  links: CourseInvitations | null
  mails: CourseInvitations | null
}

type Open = 'link' | 'list' | null

/** For the instructor: links and mails that invite to the course, and what became of them. */
export function InvitePeople({ course, ...first }: InvitePeopleProps) {
  const [open, setOpen] = useState<Open>(null)
  // Kept for who closes the dialog by mistake.
  const [csv, setCsv] = useState('')
  const links = useInvitations(course.id, 'links', first.links)
  const mails = useInvitations(course.id, 'mails', first.mails)
  const obstacle = whyNobodyJoins(course)
  const close = () => setOpen(null)
  const again = () => {
    links.again()
    mails.again()
  }
  useLiveEvents({
    looksBack: true,
    onEvent: (event) => {
      if (event.type === 'joined' && event.courseId === course.id) again()
    },
    onGap: again,
  })

  return (
    <Card as="section" aria-label="Invite people">
      <CardHeader
        title="Invite people"
        description={termsFor(course)}
        actions={
          <>
            <Button size="sm" aria-haspopup="dialog" onClick={() => setOpen('link')}>
              <Link2 size={16} aria-hidden />
              Create Link
            </Button>
            <Button
              variant="secondary"
              size="sm"
              aria-haspopup="dialog"
              onClick={() => setOpen('list')}
            >
              <Mail size={16} aria-hidden />
              Invite by Email
            </Button>
          </>
        }
      />
      <div className="grid grid-cols-1 gap-5">
        <noscript>
          <Banner>Inviting and removing people needs JavaScript.</Banner>
        </noscript>
        {obstacle && <Banner tone="warning">{obstacle}</Banner>}
        <Invitations
          title="Links"
          none="There is no link yet. Create one and send it to whomever you like."
          course={course}
          list={links}
        />
        {mails.answer !== null && mails.answer.invitations.length > 0 && (
          <Invitations title="Mailed invitations" none="" course={course} list={mails} />
        )}
      </div>
      {open === 'link' && (
        <LaterDialog load={loadLinkDialog} onFailed={close}>
          {({ NewLinkDialog }) => (
            <NewLinkDialog courseId={course.id} onMade={links.again} onClose={close} />
          )}
        </LaterDialog>
      )}
      {open === 'list' && (
        <LaterDialog load={loadListDialog} onFailed={close}>
          {({ InviteListDialog }) => (
            <InviteListDialog
              courseId={course.id}
              csv={csv}
              onChange={setCsv}
              onSent={() => {
                setCsv('')
                mails.again()
              }}
              onUnknown={mails.again}
              onClose={close}
            />
          )}
        </LaterDialog>
      )}
    </Card>
  )
}

/** What an invitation does not change. */
function termsFor(course: CourseDashboard): string {
  if (course.applicationRequired) return 'People who come by an invitation still apply to join.'
  return course.pricingType === 'free'
    ? 'People who come by an invitation see the course and join with one press.'
    : 'People who come by an invitation still pay to join.'
}

function useInvitations(courseId: string, kind: InvitationKind, first: CourseInvitations | null) {
  const [shown, setShown] = useState(1)
  const { again, ...told } = useAnswer(
    courseId,
    () => loadInvitations(client.invitations, courseId, kind, shown),
    first,
  )
  return {
    ...told,
    again,
    showMore() {
      setShown((told.answer?.invitations.length ?? 0) + 1)
      again()
    },
  }
}

type InvitationsProps = {
  title: string
  /** Said when there is none. */
  none: string
  course: CourseDashboard
  list: ReturnType<typeof useInvitations>
}

function Invitations({ title, none, course, list }: InvitationsProps) {
  const { answer, hasFailed, again, showMore } = list
  return (
    <div className="grid grid-cols-1 gap-3">
      <h3 className="text-base">{title}</h3>
      {answer ? (
        <>
          {answer.invitations.length === 0 ? (
            <p className="text-muted">{none}</p>
          ) : (
            <InvitationList
              label={title}
              courseId={course.id}
              invitations={answer.invitations}
              at={answer.at}
              onRevoked={again}
            />
          )}
          {answer.hasMore && (
            <Button variant="secondary" size="sm" className="w-fit" onClick={showMore}>
              Show More
            </Button>
          )}
        </>
      ) : hasFailed ? (
        <FailedBanner onRetry={again}>
          The invitations could not be loaded. Please check your connection.
        </FailedBanner>
      ) : (
        <Loading label="Loading invitations…">
          <Skeleton className="h-16 rounded-card" />
        </Loading>
      )}
    </div>
  )
}
