import { Award, Download, Users } from 'lucide-react'
import { lazy, useRef } from 'react'
import { useRevalidator, useRouteLoaderData } from 'react-router'
import type { loader } from '../../../root.tsx'
import { ButtonLink, buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { UpgradeLink } from '../../billing/ui/upgrade-link.tsx'
import { issuedPage } from '../../certificates/ui/certificates-address.ts'
import type { CourseDashboard } from '../../courses/schema.ts'
import { countLabel } from '../../courses/ui/count-label.ts'
import type { MemberPage } from '../schema.ts'
import { MemberList } from './member-list.tsx'
import { MemberSearch } from './member-search.tsx'
import type { MembersTab } from './members-tab.ts'
import { whyNobodyJoins } from './why-nobody-joins.ts'

// Only the instructor sees these. Without a Suspense around them the server sends them in the first piece of
// the page, and a change of tabs waits for them instead of flashing.
const InvitePeople = lazy(async () => ({
  default: (await import('../../invitations/ui/invite-people.tsx')).InvitePeople,
}))
const CourseActivity = lazy(async () => ({
  default: (await import('../../analytics/ui/course-activity.tsx')).CourseActivity,
}))

type CourseMembersProps = { course: CourseDashboard; tab: MembersTab }

/** The Members tab: who is in the course; for the instructor also how far they are, and how more come. */
export function CourseMembers({ course, tab }: CourseMembersProps) {
  const isInstructor = course.standing === 'instructor'
  if (!isInstructor) return <Members course={course} tab={tab} />
  return (
    <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-12">
      <Members course={course} tab={tab} />
      <div className="grid grid-cols-1 gap-8">
        <InvitePeople course={course} links={tab.links} mails={tab.mails} />
        <CourseActivity course={course} first={tab.activities} />
      </div>
    </div>
  )
}

function Members({ course, tab: { search, page } }: CourseMembersProps) {
  const { revalidate, state } = useRevalidator()
  const place = useRef<HTMLElement>(null)
  if (!page) {
    return (
      <ErrorState
        title="Could not load the members"
        description="Something went wrong on our side. Please try again in a moment."
        onRetry={() => void revalidate()}
        retrying={state !== 'idle'}
      />
    )
  }
  const isAlone = page.total <= 1 && search === '' && course.standing === 'instructor'
  return (
    <section
      ref={place}
      tabIndex={-1}
      aria-labelledby="members"
      className="grid grid-cols-1 gap-5 outline-none"
    >
      <MembersHead course={course} page={page} />
      {isAlone ? (
        <NobodyYet course={course} />
      ) : (
        <>
          <MemberSearch
            key={search}
            slug={course.slug}
            search={search}
            byEmail={course.standing === 'instructor'}
          />
          <MemberList
            key={`list ${search}`}
            course={course}
            search={search}
            page={page}
            place={place}
          />
        </>
      )}
    </section>
  )
}

function MembersHead({ course, page }: { course: CourseDashboard; page: MemberPage }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="grid gap-0.5">
        <h2 id="members" className="text-2xl">
          Members
        </h2>
        <p aria-live="polite" className="text-muted tabular-nums">
          {countLabel(page.studentsCount, 'member')}
          {page.total > page.studentsCount && ' and the instructor'}
        </p>
      </div>
      {course.standing === 'instructor' && (
        <div className="flex flex-wrap items-center gap-3">
          <ButtonLink to={issuedPage(course.slug)} variant="ghost" size="sm">
            <Award size={16} aria-hidden />
            Certificates
          </ButtonLink>
          <ExportMembers courseId={course.id} />
        </div>
      )}
    </div>
  )
}

/** The file of members for those who have Pro, a line about it for everybody else. */
function ExportMembers({ courseId }: { courseId: string }) {
  const isPro = useRouteLoaderData<typeof loader>('root')?.me?.plan === 'pro'
  if (!isPro) {
    return (
      <p className="text-sm text-muted">
        Exporting members is a Pro benefit. <UpgradeLink />
      </p>
    )
  }
  return (
    <a
      href={`/rest/v1/courses/${courseId}/members/export`}
      download
      className={buttonClass({ variant: 'secondary', size: 'sm' })}
    >
      <span className="inline-flex items-center gap-2">
        <Download size={16} aria-hidden />
        Export CSV
      </span>
    </a>
  )
}

function NobodyYet({ course }: { course: CourseDashboard }) {
  return (
    <EmptyState
      level={3}
      icon={Users}
      title="Only you are here yet"
      description={
        whyNobodyJoins(course) ??
        'Invite people with a link or by email. Whoever joins appears here, with their progress.'
      }
    />
  )
}
