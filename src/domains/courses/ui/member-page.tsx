import { BookX } from 'lucide-react'
import { lazy } from 'react'
import {
  redirect,
  type ShouldRevalidateFunctionArgs,
  useFetchers,
  useRevalidator,
} from 'react-router'
import type { Route } from './+types/member-page'
import { Badge } from '../../../ui/badge.tsx'
import { LinkTabs } from '../../../ui/link-tabs.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { afterRefusal } from '../../../web/after-refusal.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import { CourseCover, CourseLogo, CourseLook } from '../../branding/ui/course-look.tsx'
import { leavePage } from '../../enrollment/ui/leave-address.ts'
import type { LiveEvent } from '../../notifications/schema.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { withoutLightning } from '../rules.ts'
import { deletionPage } from './deletion-address.ts'
import { loadTab, MemberTab, tabLinks } from './member-tabs.tsx'
import { PageProblem } from './page-problem.tsx'
import { toPublicPage } from './to-public-page.ts'
import { VerifiedBadge } from './verified-badge.tsx'

// Few see these. Without a Suspense around them, the page waits for them.
const CourseSuspendedBanner = lazy(async () => ({
  default: (await import('../../administration/ui/course-suspended-banner.tsx'))
    .CourseSuspendedBanner,
}))
const PurchaseNotice = lazy(async () => ({
  default: (await import('../../purchases/ui/purchase-notice.tsx')).PurchaseNotice,
}))
const InstructorLinks = lazy(async () => ({
  default: (await import('./instructor-links.tsx')).InstructorLinks,
}))
const DraftHint = lazy(async () => ({
  default: (await import('./draft-hint.tsx')).DraftHint,
}))

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { slug } = params
  const api = context.get(pageApi)
  const asked = api.courses.getCourseDashboard({ slug })
  const shown = loadTab({ api, calls: context.get(formApi), slug, course: asked, url })
  // Where the course is refused, that is the answer, whatever becomes of the tab.
  shown.catch(() => {})
  const course = await asked.catch(toPublicPage(slug))
  if (course.slug !== slug) throw redirect(`/course/${course.slug}/dashboard${url.search}`)
  return { course, content: await shown }
}

export const meta = ({ loaderData }: Route.MetaArgs) => {
  const title = loaderData ? withoutLightning(loaderData.course.title) : 'Course not found'
  return pageMeta(title, `${title}: chapters, lessons and your progress.`)
}

/** The address no longer names a post: what is shown stays. What was refused is older than what is there. */
export function shouldRevalidate(asked: ShouldRevalidateFunctionArgs) {
  const { currentUrl, nextUrl } = asked
  const named = new URL(currentUrl)
  named.searchParams.delete('post')
  named.searchParams.delete('comment')
  const isSame = named.pathname === nextUrl.pathname && named.search === nextUrl.search
  return isSame && currentUrl.searchParams.has('post') ? false : afterRefusal(asked)
}

/** What only one tab shows. The discussion reads again by itself what changed in it. */
const eventsOfTabs = new Set<LiveEvent['type']>([
  'members',
  'post',
  'comment',
  'likes',
  'votes',
  'channels',
  'moderation',
])

export default function MemberPage({ loaderData }: Route.ComponentProps) {
  const { course, content } = loaderData
  const { revalidate } = useRevalidator()
  // Who leaves or deletes it is led on by that itself: looking again meanwhile would take its place, with another page.
  const ends = [leavePage(course.slug), deletionPage(course.slug)]
  const isLeaving = useFetchers().some(({ formAction }) => ends.includes(formAction ?? ''))
  const followed = content.name === 'members' ? content.name : undefined
  useLiveEvents({
    // Who comes and goes is shown on this tab only.
    courseId: followed && course.id,
    onEvent: (event) => {
      if (isLeaving) return
      if (eventsOfTabs.has(event.type) && event.type !== followed) return
      if ('courseId' in event && event.courseId === course.id) void revalidate()
    },
    onGap: () => {
      if (!isLeaving) void revalidate()
    },
  })

  return (
    // A notice can lead from one course to another: what was begun in one is not carried along.
    <CourseLook key={course.id} branding={course.branding}>
      <CourseCover branding={course.branding} low />
      <div className="page-width grid grid-cols-1 gap-8 pt-6 pb-8 lg:pt-8">
        <PageHeader
          back={{ to: '/dashboard', label: 'Back to Dashboard' }}
          title={
            <span className="flex items-center gap-4 wrap-anywhere">
              <CourseLogo branding={course.branding} size={48} />
              <bdi>{withoutLightning(course.title)}</bdi>
            </span>
          }
          badges={
            <>
              {course.verified && <VerifiedBadge />}
              {course.suspension ? (
                <Badge tone="danger">Suspended</Badge>
              ) : (
                course.status === 'draft' && <Badge tone="warning">Draft</Badge>
              )}
            </>
          }
          actions={course.standing === 'instructor' && <InstructorLinks course={course} />}
        />
        {course.suspension ? (
          <CourseSuspendedBanner slug={course.slug} suspension={course.suspension} />
        ) : (
          course.standing === 'instructor' &&
          course.status === 'draft' && <DraftHint course={course} />
        )}
        {course.purchase && <PurchaseNotice purchase={course.purchase} />}
        <LinkTabs label="Course" tabs={tabLinks(course, content.name)} />
        <MemberTab course={course} content={content} />
      </div>
    </CourseLook>
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
