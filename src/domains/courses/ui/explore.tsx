import { SearchX } from 'lucide-react'
import { data, Link, useRouteLoaderData } from 'react-router'
import type { Route } from './+types/explore'
import type { loader as rootLoader } from '../../../root.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { LightningMark } from '../../../ui/logo.tsx'
import { pageApi } from '../../../web/page-context.ts'
import { type CourseSearch, exploreSearch } from '../../search/schema.ts'
import { MoreLinks } from '../../articles/ui/more-links.tsx'
import { PaymentConnection } from '../../purchases/ui/payment-connection.tsx'
import { brand } from '../../site/brand.ts'
import { pageMeta, unlisted } from '../../site/ui/page-meta.ts'
import { maxShown, pageSize } from '../schema.ts'
import { countLabel } from './count-label.ts'
import { CourseCardGrid } from './course-card-grid.tsx'
import { CourseCard } from './course-card.tsx'
import { CourseSearchForm } from './course-search-form.tsx'
import { PageProblem } from './page-problem.tsx'

export const handle = { still: true }

export async function loader({ context, url }: Route.LoaderArgs) {
  const given = Object.fromEntries(url.searchParams)
  const parsed = exploreSearch.safeParse(given)
  if (!parsed.success) {
    const problem = parsed.error.issues[0]?.message ?? 'This search is not understood.'
    const typed = (given.search ?? '').slice(0, 200)
    const filters = { ...exploreSearch.parse({ ...given, search: '' }), search: typed }
    const nothing = { courses: [], hasMore: false, more: null, canPay: true }
    return data({ filters, ...nothing, problem }, { status: 400 })
  }
  const filters = parsed.data
  const { courses, hasMore, canPay } = await context.get(pageApi).courses.listCourses(filters)
  const next = filters.show + pageSize
  const more = hasMore && next <= maxShown ? next : null
  return data({ filters, courses, hasMore, more, canPay, problem: null })
}

export const meta = ({ loaderData }: Route.MetaArgs) => {
  // Each category is a page of its own; orders, prices and what people look for are views of it.
  const category = loaderData?.filters.category ?? 'All'
  const isAll = category === 'All'
  const path = isAll ? '/explore' : `/explore?${new URLSearchParams({ category })}`
  return [
    ...pageMeta(
      isAll ? 'Explore All Courses' : `${category} Courses`,
      `Find a course on ${brand.name}: browse by category or search, read what is inside, and join.`,
      { path },
    ),
    ...(loaderData?.filters.search ? [unlisted] : []),
  ]
}

/** The part of the address that says what is looked for; what is left out is as usual. */
function addressOf({ search, category, price, sort }: CourseSearch, show?: number): string {
  const parameters = new URLSearchParams()
  if (search) parameters.set('search', search)
  if (category !== 'All') parameters.set('category', category)
  if (price !== 'all') parameters.set('price', price)
  if (sort) parameters.set('sort', sort)
  if (show) parameters.set('show', String(show))
  return parameters.size > 0 ? `?${parameters}` : ''
}

export default function Explore({ loaderData }: Route.ComponentProps) {
  const { filters, courses, hasMore, more, canPay, problem } = loaderData

  return (
    <>
      <section className="page-width grid grid-cols-1 gap-7 pt-10 pb-16 lg:pt-14 lg:pb-24">
        <header className="grid max-w-3xl gap-3">
          <h1 className="text-4xl">Explore All Courses</h1>
          <p className="text-lg text-pretty text-muted">
            Read what a course covers, who teaches it and which lessons are inside. Join when you
            find the right one.
          </p>
        </header>
        <PaymentConnection canPay={canPay} />
        {/* The fields hold what is chosen, so new filters need new fields. */}
        <CourseSearchForm
          key={addressOf(filters)}
          filters={filters}
          problemId={problem ? 'search-problem' : undefined}
        />
        {problem ? (
          <div id="search-problem">
            <Banner tone="danger">{problem}</Banner>
          </div>
        ) : (
          <>
            <output className="text-muted tabular-nums">
              {courses.length > 0 && foundText(courses.length, hasMore, filters)}
            </output>
            {courses.length === 0 ? (
              <NothingFound filters={filters} />
            ) : (
              <CourseCardGrid label="Courses" anchored>
                {courses.map((course, index) => (
                  <CourseCard key={course.id} course={course} lazy={index > 2} />
                ))}
              </CourseCardGrid>
            )}
            {more && <LoadMore filters={filters} shown={courses.length} next={more} />}
            {hasMore && !more && (
              <p className="text-center text-muted">
                There are more. Search, or choose a category, to come to them.
              </p>
            )}
          </>
        )}
      </section>
      <CallToAction />
      <MoreLinks />
    </>
  )
}

const firstOf = {
  newest: 'newest',
  popular: 'most popular',
  trending: 'most trending',
  price_low: 'least expensive',
  price_high: 'most expensive',
}

/** '5 courses for “bread” in Cooking', 'The 12 newest courses', 'The 24 most popular free courses'. */
function foundText(
  count: number,
  hasMore: boolean,
  { search, category, price, sort }: CourseSearch,
): string {
  const kind = price === 'all' ? '' : `${price} `
  const first = sort ? firstOf[sort] : search === '' ? firstOf.newest : 'best matching'
  const courses = countLabel(count, `${kind}course`)
  const matching = [
    hasMore ? `The ${count} ${first} ${kind}courses` : courses,
    search && `for “${search}”`,
    category !== 'All' && `in ${category}`,
  ]
  return matching.filter(Boolean).join(' ')
}

/** What could find more than this. */
function whatToTry({ search, category, price }: CourseSearch): string {
  const places = [category !== 'All' && 'in all categories', price !== 'all' && 'at all prices']
  const look = places.filter(Boolean).join(' and ')
  if (search === '') return `Look ${look}.`
  return look ? `Try fewer or different words, or look ${look}.` : 'Try fewer or different words.'
}

function NothingFound({ filters }: { filters: CourseSearch }) {
  const { search, category, price } = filters
  const isFiltered = search !== '' || category !== 'All' || price !== 'all'
  return (
    <EmptyState
      icon={SearchX}
      title="No courses found"
      description={
        isFiltered
          ? whatToTry(filters)
          : 'Nobody has published a course yet. Yours could be the first.'
      }
      action={isFiltered && <ButtonLink to="/explore">Clear Filters</ButtonLink>}
    />
  )
}

type LoadMoreProps = { filters: CourseSearch; shown: number; next: number }

/** A link to the longer page, at the first course that is new there. */
function LoadMore({ filters, shown, next }: LoadMoreProps) {
  return (
    <div className="grid justify-items-center pt-4">
      <ButtonLink
        to={{ search: addressOf(filters, next), hash: `course-${shown + 1}` }}
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
