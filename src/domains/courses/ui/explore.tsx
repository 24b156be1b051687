import { SearchX } from 'lucide-react'
import { data, Link, useRouteLoaderData } from 'react-router'
import type { Route } from './+types/explore'
import type { loader as rootLoader } from '../../../root.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LightningMark } from '../../../ui/logo.tsx'
import { pageApi, shellContext } from '../../../web/page-context.ts'
import { brand } from '../../site/brand.ts'
import { pageMeta } from '../../site/ui/page-meta.ts'
import { courseSearch, maxShown, pageSize } from '../schema.ts'
import { countLabel } from './count-label.ts'
import { CourseCardGrid } from './course-card-grid.tsx'
import { CourseCard } from './course-card.tsx'
import { CourseSearchForm } from './course-search-form.tsx'
import { PageProblem } from './page-problem.tsx'

export const handle = { still: true }

export async function loader({ context, url }: Route.LoaderArgs) {
  const { appUrl } = context.get(shellContext)
  const parsed = courseSearch.safeParse(Object.fromEntries(url.searchParams))
  if (!parsed.success) {
    const problem = parsed.error.issues[0]?.message ?? 'This search is not understood.'
    const search = (url.searchParams.get('search') ?? '').slice(0, 200)
    const filters = { search, category: 'All' }
    return data({ ...filters, courses: [], more: null, problem, appUrl }, { status: 400 })
  }
  const { search, category, show } = parsed.data
  const { courses, hasMore } = await context.get(pageApi).courses.listCourses(parsed.data)
  const next = show + pageSize
  const more = hasMore && next <= maxShown ? next : null
  return data({ search, category, courses, more, problem: null, appUrl })
}

export const meta = ({ loaderData }: Route.MetaArgs) => [
  ...pageMeta(
    'Explore All Courses',
    `Find a course on ${brand.name}: browse by category or search, read what is inside, and join.`,
  ),
  ...(loaderData
    ? [{ tagName: 'link', rel: 'canonical', href: `${loaderData.appUrl}/explore` }]
    : []),
]

export default function Explore({ loaderData }: Route.ComponentProps) {
  const { search, category, courses, more, problem } = loaderData
  const filtered = search !== '' || category !== 'All'

  return (
    <>
      <section className="page-width grid grid-cols-1 gap-7 pt-10 pb-16 lg:pt-14 lg:pb-24">
        <header className="grid max-w-3xl gap-3">
          <h1 className="text-4xl">Explore All Courses</h1>
          <p className="text-lg text-pretty text-muted">
            Read what a course covers, who teaches it and which lessons are inside. Join when it is
            the one.
          </p>
        </header>
        {/* The fields hold what is typed, so new filters need new fields. */}
        <CourseSearchForm key={`${search} ${category}`} search={search} category={category} />
        {problem ? (
          <Banner tone="danger">{problem}</Banner>
        ) : (
          <>
            <output className="text-muted tabular-nums">
              {courses.length > 0 && foundText(courses.length, more !== null, search, category)}
            </output>
            {courses.length === 0 ? (
              <NothingFound filtered={filtered} />
            ) : (
              <CourseCardGrid label="Courses" anchored>
                {courses.map((course, index) => (
                  <CourseCard key={course.id} course={course} lazy={index > 2} />
                ))}
              </CourseCardGrid>
            )}
            {more && (
              <LoadMore search={search} category={category} shown={courses.length} next={more} />
            )}
          </>
        )}
      </section>
      <CallToAction />
    </>
  )
}

/** '5 courses for “bread” in Cooking', 'The 12 newest courses'. */
function foundText(count: number, hasMore: boolean, search: string, category: string): string {
  const courses = countLabel(count, 'course')
  const matching = [
    hasMore ? `The ${count} newest courses` : courses,
    search && `for “${search}”`,
    category !== 'All' && `in ${category}`,
  ]
  return matching.filter(Boolean).join(' ')
}

function NothingFound({ filtered }: { filtered: boolean }) {
  return (
    <EmptyState
      icon={SearchX}
      title="No courses found"
      description={
        filtered
          ? 'Try fewer or other words, or look in all categories.'
          : 'Nobody has published a course yet. Yours could be the first.'
      }
      action={filtered && <ButtonLink to="/explore">Clear Filters</ButtonLink>}
    />
  )
}

type LoadMoreProps = { search: string; category: string; shown: number; next: number }

/** A link to the longer page, at the first course that is new there. */
function LoadMore({ search, category, shown, next }: LoadMoreProps) {
  const parameters = new URLSearchParams()
  if (search) parameters.set('search', search)
  if (category !== 'All') parameters.set('category', category)
  parameters.set('show', String(next))

  return (
    <div className="grid justify-items-center pt-4">
      <ButtonLink
        to={{ search: `?${parameters}`, hash: `course-${shown + 1}` }}
        variant="secondary"
        size="lg"
        replace
      >
        Load More Courses
      </ButtonLink>
    </div>
  )
}

function CallToAction() {
  const signedIn = Boolean(useRouteLoaderData<typeof rootLoader>('root')?.me)
  const start = signedIn ? '/create-course' : '/signup'

  return (
    <section aria-labelledby="teach" className="border-t bg-primary-soft">
      <div className="page-width py-14 text-center lg:py-20">
        <LightningMark className="mx-auto size-11" />
        <h2 id="teach" className="mt-5 text-3xl">
          Know something that is missing here?
        </h2>
        <p className="mx-auto mt-3 mb-7 max-w-[34rem] text-lg text-pretty text-muted">
          Somebody is looking for it right now. You can{' '}
          <Link to={start} className="font-semibold text-primary underline underline-offset-4">
            create your own
          </Link>{' '}
          course this afternoon, and share it with one link.
        </p>
        <ButtonLink to={start} size="lg">
          {signedIn ? 'Create a Course' : 'Start Creating Today'}
        </ButtonLink>
      </div>
    </section>
  )
}

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={SearchX}
      notFound="No courses found"
      description="This search is not understood."
      back={{ to: '/explore', label: 'Clear Filters' }}
      failed="Could not load the courses"
    />
  )
}
