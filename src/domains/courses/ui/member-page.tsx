import { BookX, Eye, Pencil } from 'lucide-react'
import { redirect, useRevalidator } from 'react-router'
import type { Route } from './+types/member-page'
import { Badge } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { LinkTabs } from '../../../ui/link-tabs.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { pageApi } from '../../../web/page-context.ts'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import { newestReviews } from '../../reviews/schema.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { withoutLightning } from '../rules.ts'
import type { CourseDashboard } from '../schema.ts'
import { CourseAbout } from './course-about.tsx'
import { CourseOverview } from './course-overview.tsx'
import { DeleteCourse } from './delete-course.tsx'
import { PageProblem } from './page-problem.tsx'
import { toPublicPage } from './to-public-page.ts'
import { VerifiedBadge } from './verified-badge.tsx'

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { slug } = params
  const course = await context
    .get(pageApi)
    .courses.getCourseDashboard({ slug })
    .catch(toPublicPage(slug))
  if (course.slug !== slug) throw redirect(`/course/${course.slug}/dashboard${url.search}`)
  if (url.searchParams.get('tab') !== 'about') return { course, reviews: null }
  const reviews = await context
    .get(pageApi)
    .reviews.getCourseReviews({ slug, perPage: newestReviews })
  return { course, reviews }
}

export const meta = ({ loaderData }: Route.MetaArgs) => {
  const title = loaderData ? withoutLightning(loaderData.course.title) : 'Course not found'
  return pageMeta(title, `${title}: chapters, lessons and your progress.`)
}

export default function MemberPage({ loaderData }: Route.ComponentProps) {
  const { course, reviews } = loaderData
  const tab = reviews ? 'about' : 'overview'
  const { revalidate } = useRevalidator()
  useLiveEvents({
    onEvent: (event) => void (event.courseId === course.id && revalidate()),
    onGap: () => void revalidate(),
  })
  const here = `/course/${course.slug}/dashboard`

  return (
    <div className="page-width grid grid-cols-1 gap-8 pt-6 pb-8 lg:pt-8">
      <PageHeader
        back={{ to: '/dashboard', label: 'Back to Dashboard' }}
        title={withoutLightning(course.title)}
        badges={
          <>
            {course.verified && <VerifiedBadge />}
            {course.status === 'draft' && <Badge tone="warning">Draft</Badge>}
          </>
        }
        actions={course.standing === 'instructor' && <InstructorLinks course={course} />}
      />
      {course.standing === 'instructor' && course.status === 'draft' && (
        <DraftHint course={course} />
      )}
      <LinkTabs
        label="Course"
        tabs={[
          { to: here, label: 'Overview', current: tab === 'overview' },
          { to: `${here}?tab=about`, label: 'About', current: tab === 'about' },
        ]}
      />
      {reviews ? (
        <CourseAbout course={course} reviews={reviews} />
      ) : (
        <CourseOverview course={course} />
      )}
    </div>
  )
}

function InstructorLinks({ course }: { course: CourseDashboard }) {
  return (
    <>
      <ButtonLink to={`/course/${course.slug}?preview=1`} variant="ghost">
        <Eye size={18} aria-hidden />
        Public page
      </ButtonLink>
      <ButtonLink to={`/create-course?courseId=${course.id}`} variant="secondary">
        <Pencil size={18} aria-hidden />
        Edit Course
      </ButtonLink>
      <DeleteCourse course={course} />
    </>
  )
}

function DraftHint({ course }: { course: CourseDashboard }) {
  return (
    <Banner
      tone="warning"
      title="This course is a draft"
      action={
        <ButtonLink to={`/create-lessons/${course.id}`} variant="secondary" size="sm">
          Edit Content
        </ButtonLink>
      }
    >
      {course.lessonsCount === 0
        ? 'Only you can see it. Add at least one lesson, then press Publish in the editor.'
        : 'Only you can see it. Press Publish in the editor when it is ready.'}
    </Banner>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={BookX}
      notFound="Course not found"
      description="The course you're looking for doesn't exist or may have been removed."
      back={{ to: '/dashboard', label: 'Back to dashboard' }}
      failed="Could not load this course"
    />
  )
}
