// The tabs of the member page: who has them, what they load, and what they show.
import type { ApiClient } from '../../../server/contract-calls.ts'
import type { TabLink } from '../../../ui/link-tabs.tsx'
import { lazyPart } from '../../../web/lazy-part.tsx'
import { type ApplicationsTab, loadApplications } from '../../applications/ui/applications-tab.ts'
import { CourseApplications } from '../../applications/ui/course-applications.tsx'
import { type DiscussionTab, loadDiscussion } from '../../community/ui/discussion-tab.ts'
import type { CertificateOfCourse } from '../../certificates/schema.ts'
import { loadMembers, type MembersTab } from '../../enrollment/ui/members-tab.ts'
import { newestReviews } from '../../reviews/rules.ts'
import type { CourseReviews } from '../../reviews/schema.ts'
import type { CourseDashboard } from '../schema.ts'

// Only the code of the tab that is shown. Without a Suspense around it, the server sends it in the first piece of
// the page, and a change of tabs waits for it instead of flashing.
const CourseOverview = lazyPart(
  'src/domains/courses/ui/course-overview.tsx',
  async () => (await import('./course-overview.tsx')).CourseOverview,
)
const CourseAbout = lazyPart(
  'src/domains/courses/ui/course-about.tsx',
  async () => (await import('./course-about.tsx')).CourseAbout,
)
const Discussion = lazyPart(
  'src/domains/community/ui/discussion.tsx',
  async () => (await import('../../community/ui/discussion.tsx')).Discussion,
)
const CourseMembers = lazyPart(
  'src/domains/enrollment/ui/course-members.tsx',
  async () => (await import('../../enrollment/ui/course-members.tsx')).CourseMembers,
)

const labels = {
  overview: 'Overview',
  about: 'About',
  discussion: 'Discussion',
  members: 'Members',
  applications: 'Applications',
} as const
type TabName = keyof typeof labels
const names = Object.keys(labels) as TabName[]

export type TabContent =
  | { name: 'overview'; certificate: CertificateOfCourse }
  | { name: 'about'; reviews: CourseReviews }
  | { name: 'discussion'; tab: DiscussionTab }
  | { name: 'members'; tab: MembersTab }
  | { name: 'applications'; tab: ApplicationsTab }

/** Applications are the instructor's business, where there are any. */
const hasTab = (course: CourseDashboard, name: TabName) =>
  name !== 'applications' || course.pendingApplications !== null

type Asked = {
  /** A refusal becomes the page for it. */
  api: ApiClient
  /** Errors as they are. */
  calls: ApiClient
  slug: string
  /** Under way: only tabs that need it wait for it. */
  course: Promise<CourseDashboard>
  url: URL
}

/** What the tab in the address shows; the overview where the viewer has no such tab. */
export async function loadTab({ api, calls, slug, course, url }: Asked): Promise<TabContent> {
  const name = url.searchParams.get('tab')
  if (name === 'about') {
    return { name, reviews: await api.reviews.getCourseReviews({ slug, perPage: newestReviews }) }
  }
  if (name === 'discussion') {
    return { name, tab: await loadDiscussion(calls.community, slug, url) }
  }
  if (name === 'members') return { name, tab: await loadMembers(calls, slug, course, url) }
  if (name === 'applications') {
    const known = await course
    // Also where none waits any more: who decides about the last one stays where they are.
    if (known.standing === 'instructor') {
      return { name, tab: await loadApplications(calls.applications, known.id, url) }
    }
  }
  const { id, standing, lessonsCount, completedCount } = await course
  // Only who is there can have one.
  const mayHave = standing === 'member' && lessonsCount > 0 && completedCount >= lessonsCount
  const own = mayHave ? await api.certificates.getOwnCertificate({ courseId: id }) : null
  return { name: 'overview', certificate: own?.certificate ?? null }
}

/** The row of tabs that this viewer has. */
export function tabLinks(course: CourseDashboard, current: TabName): TabLink[] {
  const overview = `/course/${course.slug}/dashboard`
  return names
    .filter((name) => name === current || hasTab(course, name))
    .map((name) => ({
      to: name === 'overview' ? overview : `${overview}?tab=${name}`,
      label: labels[name],
      count: name === 'applications' ? (course.pendingApplications ?? 0) : undefined,
      current: name === current,
    }))
}

export function MemberTab({ course, content }: { course: CourseDashboard; content: TabContent }) {
  switch (content.name) {
    case 'about':
      return <CourseAbout course={course} reviews={content.reviews} />
    case 'discussion':
      return <Discussion tab={content.tab} />
    case 'members':
      return <CourseMembers course={course} tab={content.tab} />
    case 'applications':
      return <CourseApplications course={course} tab={content.tab} />
    default:
      return <CourseOverview course={course} certificate={content.certificate} />
  }
}
