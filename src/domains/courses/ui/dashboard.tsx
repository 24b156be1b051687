import { BookOpen, Check, Compass, Plus, Presentation, Wallet } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRouteLoaderData } from 'react-router'
import type { Route } from './+types/dashboard'
import type { loader as rootLoader } from '../../../root.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { pageApi } from '../../../web/page-context.ts'
import { usePlainAddress } from '../../../web/use-plain-address.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { progressMessage, withoutLightning } from '../rules.ts'
import type { MyDashboard } from '../schema.ts'
import { CertificateLink } from '../../certificates/ui/course-certificate.tsx'
import { CourseFileMenu } from '../../course-transfer/ui/course-file-menu.tsx'
import { ImportLink } from '../../course-transfer/ui/import-link.tsx'
import { CourseCardGrid } from './course-card-grid.tsx'
import { CourseCard } from './course-card.tsx'
import { PageProblem } from './page-problem.tsx'
import { placeLabel } from './place-label.ts'

export const meta = () => pageMeta('Dashboard', 'The courses you take and the courses you made.')

/** Milliseconds. */
const noticeTime = 5000
/** What has just happened, said where it led. */
const notices = {
  left: 'You left the course. What you completed is there when you join it again.',
  deleted: 'The course is deleted. Whoever was in it is told.',
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const done = url.searchParams.get('done')
  const notice = done === 'left' || done === 'deleted' ? notices[done] : null
  return { ...(await context.get(pageApi).courses.getMyDashboard()), notice }
}

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  const name = useRouteLoaderData<typeof rootLoader>('root')?.me?.name
  const { enrolled, created, notice } = loaderData
  const own = new Set(created.map(({ id }) => id))
  return (
    <div className="page-width grid grid-cols-1 gap-14 pt-10 pb-8 lg:pt-14">
      <PageHeader
        title={name ? `Hello, ${name}` : 'Hello'}
        // Who makes a course is in it from the start, without having joined it.
        description={whatIsNext(enrolled.filter(({ id }) => !own.has(id)))}
      />
      {notice && <Notice>{notice}</Notice>}
      <MyCourses courses={enrolled} own={own} />
      <CreatedCourses courses={created} />
    </div>
  )
}

type Enrolled = MyDashboard['enrolled'][number]

function whatIsNext(courses: Enrolled[]): string {
  if (courses.length === 0) return 'Find a course you want to finish.'
  const withLessons = courses.filter(({ lessonsCount }) => lessonsCount > 0)
  if (withLessons.length > 0 && withLessons.every(isCompleted)) {
    return 'You have completed every course you joined.'
  }
  return courses.some(isBegun) ? 'Carry on where you left off.' : 'Your first course is waiting.'
}

const isCompleted = ({ completedCount, lessonsCount }: Enrolled) =>
  (completedCount ?? 0) >= lessonsCount

const isBegun = ({ completedCount, continueWith }: Enrolled) =>
  (completedCount ?? 0) > 0 || (continueWith !== null && continueWith.position > 0)

type MyCoursesProps = { courses: Enrolled[]; own: Set<string> }

function MyCourses({ courses, own }: MyCoursesProps) {
  return (
    <Section
      id="my-courses"
      title="My Courses"
      action={
        courses.length > 0 && (
          <ButtonLink to="/explore" variant="secondary">
            <Compass size={18} aria-hidden />
            Explore Courses
          </ButtonLink>
        )
      }
    >
      {courses.length === 0 ? (
        <EmptyState
          level={3}
          icon={BookOpen}
          title="No enrolled courses"
          description="Courses you join appear here, with your progress."
          action={<ButtonLink to="/explore">Explore Courses</ButtonLink>}
        />
      ) : (
        <CourseCardGrid label="My Courses">
          {courses.map((course, index) => (
            <CourseCard
              key={course.id}
              course={course}
              level={3}
              to={`/course/${course.slug}/dashboard`}
              progress={{
                percent: course.progressPercent ?? 0,
                completed: course.completedCount ?? 0,
              }}
              actions={<GoOn course={course} isOwn={own.has(course.id)} />}
              lazy={index > 2}
            />
          ))}
        </CourseCardGrid>
      )}
    </Section>
  )
}

function CreatedCourses({ courses }: { courses: MyDashboard['created'] }) {
  return (
    <Section
      id="created-courses"
      title="Courses You Created"
      action={
        courses.length > 0 && (
          <div className="grid w-full gap-3 sm:flex sm:w-auto sm:flex-row-reverse sm:flex-wrap sm:justify-end">
            <ButtonLink to="/create-course">
              <Plus size={18} aria-hidden />
              Create Course
            </ButtonLink>
            <ImportLink />
            <ButtonLink to="/payments" variant="secondary">
              <Wallet size={18} aria-hidden />
              Payments
            </ButtonLink>
          </div>
        )
      }
    >
      {courses.length === 0 ? (
        <EmptyState
          level={3}
          icon={Presentation}
          title="No courses yet"
          description="Turn something you know into chapters, lessons and video."
          action={
            <div className="grid gap-3 sm:flex sm:flex-wrap sm:justify-center">
              <ButtonLink to="/create-course">Create Course</ButtonLink>
              <ImportLink />
            </div>
          }
        />
      ) : (
        <CourseCardGrid label="Courses You Created">
          {courses.map((course) => (
            <CourseCard
              key={course.id}
              course={course}
              level={3}
              to={`/course/${course.slug}/dashboard`}
              badges={<PublishState status={course.status} />}
              actions={<EditLinks course={course} />}
              lazy
            />
          ))}
        </CourseCardGrid>
      )}
    </Section>
  )
}

/** Where to go on, or that there is nothing left to do. */
function GoOn({ course, isOwn }: { course: MyDashboard['enrolled'][number]; isOwn: boolean }) {
  const next = course.continueWith
  if (next) {
    return (
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5">
        <ButtonLink to={`/course/${course.slug}/lesson/${next.slug}`} size="sm">
          <span>
            Continue
            <span className="sr-only">
              {' '}
              {withoutLightning(course.title)}: {placeLabel(next)}
            </span>
          </span>
        </ButtonLink>
        {next.position > 0 && (
          <span aria-hidden className="min-w-0 text-sm text-muted tabular-nums">
            {placeLabel(next)}
          </span>
        )}
      </div>
    )
  }
  if (course.lessonsCount === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-x-5">
      <p className="flex min-h-9 items-center gap-1.5 text-sm font-semibold text-success">
        <Check size={16} strokeWidth={3} aria-hidden />
        {progressMessage(100)}
      </p>
      {/* Nobody gets one for a course of their own. */}
      {!isOwn && <CertificateLink slug={course.slug} title={withoutLightning(course.title)} />}
    </div>
  )
}

function PublishState({ status }: Pick<MyDashboard['created'][number], 'status'>) {
  return status === 'draft' ? <Badge tone="warning">Draft</Badge> : <Badge>Published</Badge>
}

function EditLinks({ course }: { course: MyDashboard['created'][number] }) {
  const whose = <span className="sr-only">: {withoutLightning(course.title)}</span>
  return (
    <>
      <ButtonLink to={`/create-course?courseId=${course.id}`} variant="secondary" size="sm">
        <span>Edit Course{whose}</span>
      </ButtonLink>
      <ButtonLink to={`/create-lessons/${course.id}`} variant="secondary" size="sm">
        <span>Edit Content{whose}</span>
      </ButtonLink>
      <CourseFileMenu course={course} />
    </>
  )
}

type SectionProps = { id: string; title: string; action: ReactNode; children: ReactNode }

function Section({ id, title, action, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 id={id} className="text-2xl">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={BookOpen}
      notFound="Page not found"
      description="There is nothing at this address."
      back={{ to: '/explore', label: 'Explore Courses' }}
      failed="Could not load your courses"
    />
  )
}

/** What has happened is not told again by a reload, or on the way back. */
function Notice({ children }: { children: string }) {
  usePlainAddress('/dashboard', noticeTime)
  return (
    <Banner tone="success" className="-my-6">
      {children}
    </Banner>
  )
}
