import { BookOpen, Globe, MessageSquare, Pencil, Presentation, UserX } from 'lucide-react'
import { redirect, useRouteLoaderData } from 'react-router'
import type { Route } from './+types/public-profile'
import type { loader as rootLoader } from '../../../root.tsx'
import { Avatar } from '../../../ui/avatar.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LinkTabs } from '../../../ui/link-tabs.tsx'
import { pageApi } from '../../../web/page-context.ts'
import { maxShown, pageSize } from '../../courses/schema.ts'
import { CourseCardGrid } from '../../courses/ui/course-card-grid.tsx'
import { CourseCard } from '../../courses/ui/course-card.tsx'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { ProfileReviews } from '../../reviews/ui/profile-reviews.tsx'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { platformLabel, websiteLabel } from '../profile-links.ts'
import { profileSearch, type PublicProfile } from '../schema.ts'
import { profileHead } from './profile-head.ts'
import { SocialGlyph } from './social-glyph.tsx'

export const handle = { still: true }

export async function loader({ context, params: { username }, url }: Route.LoaderArgs) {
  const search = profileSearch.parse(Object.fromEntries(url.searchParams))
  const profile = await context.get(pageApi).accounts.getProfile({ username, ...search })
  if (profile.username !== username) {
    // Not kept by the browser: the name that led here may be another person's tomorrow.
    const headers = { 'cache-control': 'no-cache' }
    throw redirect(`/user/${profile.username}${url.search}`, { headers })
  }
  const next = search.show + pageSize
  const more = profile.hasMore && next <= maxShown ? next : null
  return { profile, more }
}

const notFoundText = "The user profile you're looking for doesn't exist."

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? profileHead(loaderData.profile) : pageMeta('User not found', notFoundText)

export default function PublicProfilePage({ loaderData: { profile, more } }: Route.ComponentProps) {
  const here = `/user/${profile.username}`
  const { tab } = profile

  return (
    <div className="page-width grid grid-cols-1 gap-8 pt-8 pb-16 lg:pt-12 lg:pb-24">
      <Person profile={profile} />
      <LinkTabs
        label="Courses"
        tabs={[
          {
            to: here,
            label: <CoursesTab which="Enrolled" count={profile.coursesEnrolled} />,
            current: tab === 'enrolled',
          },
          {
            to: `${here}?tab=created`,
            label: <CoursesTab which="Created" count={profile.coursesCreated} />,
            current: tab === 'created',
          },
          {
            to: `${here}?tab=reviews`,
            label: `Reviews (${profile.reviewsCount})`,
            current: tab === 'reviews',
          },
        ]}
      />
      <Shown profile={profile} />
      {more && <LoadMore profile={profile} next={more} />}
    </div>
  )
}

/** On phones the three have to fit beside each other: 'Courses' is only said there. */
function CoursesTab({ which, count }: { which: string; count: number }) {
  return (
    <span>
      {which}
      <span className="max-sm:sr-only"> Courses</span> ({count})
    </span>
  )
}

function Shown({ profile }: { profile: PublicProfile }) {
  const { tab, courses, reviews } = profile
  if (courses.length + reviews.length === 0) return <Nothing profile={profile} />
  if (tab === 'reviews') return <ProfileReviews reviews={reviews} />
  return (
    <CourseCardGrid label={tab === 'created' ? 'Created Courses' : 'Enrolled Courses'} anchored>
      {courses.map((course, index) => (
        <CourseCard key={course.id} course={course} lazy={index > 2} />
      ))}
    </CourseCardGrid>
  )
}

function Person({ profile }: { profile: PublicProfile }) {
  const me = useRouteLoaderData<typeof rootLoader>('root')?.me
  const { name, username, avatarUrl, bio } = profile

  return (
    <Card as="header" padding="lg" className="grid grid-cols-1 gap-6 sm:grid-cols-[auto_1fr]">
      <Avatar name={name} src={avatarUrl} size="xl" />
      <div className="grid min-w-0 content-start gap-4">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0">
            <h1 className="text-3xl wrap-anywhere">
              <bdi>{name}</bdi>
            </h1>
            <p className="mt-1 wrap-anywhere text-muted">@{username}</p>
          </div>
          {me?.username === username && (
            <ButtonLink to="/settings" variant="secondary" size="sm">
              <Pencil size={16} aria-hidden />
              Edit Profile
            </ButtonLink>
          )}
        </div>
        {bio && (
          <p className="max-w-[44rem] wrap-anywhere whitespace-pre-line">
            <bdi>{bio.replace(/\n{3,}/g, '\n\n')}</bdi>
          </p>
        )}
        <Links profile={profile} />
        <Counts profile={profile} />
      </div>
    </Card>
  )
}

/** Chosen by the person: nothing that we vouch for. */
const rel = 'noopener noreferrer nofollow ugc'

function Links({ profile: { website, socialLinks } }: { profile: PublicProfile }) {
  if (website === '' && socialLinks.length === 0) return null
  return (
    <ul aria-label="Links" className="flex flex-wrap items-center gap-2">
      {website !== '' && (
        <li className="mr-2 min-w-0">
          <a
            href={website}
            rel={rel}
            className="inline-flex min-h-10 items-center gap-2 rounded-control font-medium text-primary underline-offset-4 hover:underline"
          >
            <Globe size={18} className="shrink-0" aria-hidden />
            <span className="min-w-0 wrap-anywhere">{websiteLabel(website)}</span>
          </a>
        </li>
      )}
      {socialLinks.map(({ platform, url }) => (
        <li key={platform}>
          <a
            href={url}
            rel={rel}
            aria-label={platformLabel(platform)}
            title={platformLabel(platform)}
            className="inline-grid rounded-lg border border-edge/50 hover:border-edge"
          >
            <SocialGlyph platform={platform} className="size-10 text-sm" />
          </a>
        </li>
      ))}
    </ul>
  )
}

function Counts({ profile }: { profile: PublicProfile }) {
  const counts = [
    ['Courses Created', profile.coursesCreated],
    ['Courses Enrolled', profile.coursesEnrolled],
  ] as const
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-3 border-t pt-4">
      {counts.map(([label, count]) => (
        <div key={label} className="flex flex-col-reverse">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="font-display text-2xl font-bold tabular-nums">
            {count.toLocaleString('en-US')}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const nothing = {
  enrolled: {
    icon: BookOpen,
    title: 'No enrolled courses',
    said: "hasn't enrolled in any courses yet.",
  },
  created: {
    icon: Presentation,
    title: 'No courses created yet',
    said: "hasn't created any courses yet.",
  },
  reviews: {
    icon: MessageSquare,
    title: 'No reviews yet',
    said: "hasn't written any reviews yet.",
  },
}

function Nothing({ profile: { tab, name } }: { profile: PublicProfile }) {
  const { icon, title, said } = nothing[tab]
  return <EmptyState icon={icon} title={title} description={`${name} ${said}`} />
}

/** A link to the longer page, at the first one that is new there. */
function LoadMore({ profile, next }: { profile: PublicProfile; next: number }) {
  const parameters = new URLSearchParams()
  const isReviews = profile.tab === 'reviews'
  if (profile.tab !== 'enrolled') parameters.set('tab', profile.tab)
  parameters.set('show', String(next))
  const [what, shown] = isReviews
    ? ['review', profile.reviews.length]
    : ['course', profile.courses.length]
  return (
    <div className="grid justify-items-center">
      <ButtonLink
        to={{ search: `?${parameters}`, hash: `${what}-${shown + 1}` }}
        variant="secondary"
        size="lg"
        replace
      >
        {isReviews ? 'Load More Reviews' : 'Load More Courses'}
      </ButtonLink>
    </div>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={UserX}
      notFound="User not found"
      description={notFoundText}
      back={{ to: '/', label: 'Back home' }}
      failed="Could not load this profile"
    />
  )
}
