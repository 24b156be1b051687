import { MessageSquare } from 'lucide-react'
import { data, redirect } from 'react-router'
import type { Route } from './+types/reviews-page'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { formDataOf } from '../../../web/form-data-of.ts'
import { formApi, pageApi } from '../../../web/page-context.ts'
import { withoutLightning } from '../../courses/rules.ts'
import { courseSharingPicture, wayToCourse } from '../../courses/ui/course-head.ts'
import { PageProblem } from '../../courses/ui/page-problem.tsx'
import { brand } from '../../site/brand.ts'
import { breadcrumbs, pageMeta, unlisted, wholeAddress } from '../../site/ui/page-meta.ts'
import { reviewSearch, type CourseReviews } from '../schema.ts'
import { OwnReviewLater } from './own-review-later.tsx'
import { reviewsForMachines } from './reviews-for-machines.ts'
import { ReviewList } from './review-list.tsx'
import { ReviewStats } from './review-stats.tsx'
import {
  type ReviewForms,
  type ReviewProblem,
  reviewsAddress,
  sendReviewForm,
} from './review-calls.ts'

export const handle = { still: true }

export async function loader({ context, params: { slug }, url }: Route.LoaderArgs) {
  const { page } = reviewSearch.parse({ page: url.searchParams.get('page') })
  const review = url.searchParams.get('review') ?? undefined
  const list = await context.get(pageApi).reviews.getCourseReviews({ slug, page, review })
  if (list.reviews.some(({ id }) => id === review)) {
    throw redirect(`${reviewsAddress(list.course.slug, list.page)}#review-${review}`)
  }
  if (list.course.slug !== slug) {
    // Not kept by the browser: a course that gets its earlier name back would redirect in circles.
    const headers = { 'cache-control': 'no-cache' }
    const address = `/course/${list.course.slug}/reviews${url.search}`
    throw redirect(address, { status: 301, headers })
  }
  return { list, isReviewGone: review !== undefined }
}

/** Every form about a review, wherever it stands, as a plain form. */
export async function action({ request, context, params: { slug }, url }: Route.ActionArgs) {
  const form = await formDataOf(request)
  const failure = await sendReviewForm(form, context.get(formApi).reviews)
  const { page } = reviewSearch.parse({ page: url.searchParams.get('page') })
  const isAbout = form.get('back') === 'about'
  const back = isAbout ? `/course/${slug}/dashboard?tab=about` : reviewsAddress(slug, page)
  if (failure?.status === 401) throw redirect(`/login?to=${encodeURIComponent(back)}`)
  if (failure) return data(failure, { status: failure.status })
  const reviewId = form.get('reviewId')
  throw redirect(`${back}#${reviewId ? `review-${String(reviewId)}` : 'your-review'}`)
}

export const meta = ({ loaderData }: Route.MetaArgs) => {
  if (!loaderData) return pageMeta('Course not found', notFoundText)
  const { list } = loaderData
  const { course } = list
  const title = withoutLightning(course.title)
  const path = reviewsAddress(course.slug, list.page)
  const description = `What members think of the course ${title}.`
  return [
    ...pageMeta(`Reviews of ${title}`, description, {
      path,
      image: courseSharingPicture(course.slug, title),
    }),
    ...(course.status === 'draft' ? [unlisted] : []),
    ...(list.stats.total > 0
      ? [
          {
            'script:ld+json': {
              '@context': 'https://schema.org',
              '@type': 'Course',
              '@id': wholeAddress(`/course/${course.slug}`),
              name: title,
              description,
              url: wholeAddress(`/course/${course.slug}`),
              provider: { '@type': 'Organization', name: brand.name, sameAs: brand.appUrl },
              ...reviewsForMachines(list),
            },
          },
        ]
      : []),
    breadcrumbs([...wayToCourse(course), { name: 'Reviews', path }]),
  ]
}

export default function ReviewsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { list, isReviewGone } = loaderData
  const { course, stats, reviews, page } = list
  const forms: ReviewForms = { back: 'reviews', page, problem: actionData }
  const isInside = list.standing === 'member' || list.standing === 'instructor'
  const back = isInside ? `/course/${course.slug}/dashboard?tab=about` : `/course/${course.slug}`

  return (
    <div key={course.id} className="page-width grid grid-cols-1 gap-8 pt-6 pb-16 lg:pt-8 lg:pb-24">
      <PageHeader
        back={{ to: back, label: 'Back to the course' }}
        title={
          <>
            Reviews of <bdi>{withoutLightning(course.title)}</bdi>
          </>
        }
      />
      {isReviewGone && <Banner>This review was removed.</Banner>}
      {actionData && isWithoutForm(actionData, reviews) && (
        <Banner tone="danger">{actionData.problem}</Banner>
      )}
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[24rem_minmax(0,1fr)] lg:gap-12">
        <div className="grid grid-cols-1 gap-6 lg:sticky lg:top-22">
          {stats.total > 0 && <ReviewStats stats={stats} />}
          <OwnReviewLater list={list} forms={forms} level={2} />
        </div>
        <div className="grid grid-cols-1 gap-8">
          {reviews.length > 0 ? (
            <ReviewList list={list} forms={forms} />
          ) : (
            <EmptyState
              icon={MessageSquare}
              title="No reviews yet"
              description="Members of this course can write the first one."
            />
          )}
          <Pages list={list} />
        </div>
      </div>
    </div>
  )
}

/** Of a form about a review that is gone, or answered elsewhere, so that the form is not there to say it. */
function isWithoutForm({ intent, reviewId }: ReviewProblem, reviews: CourseReviews['reviews']) {
  if (reviewId === '') return false
  const review = reviews.find(({ id }) => id === reviewId)
  return !review || (intent === 'answer' && review.answer !== null)
}

function Pages({ list: { course, page, pages } }: { list: CourseReviews }) {
  if (pages === 1) return null
  const at = (number: number) => reviewsAddress(course.slug, number)
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-4">
      {page > 1 ? (
        <ButtonLink to={at(page - 1)} rel="prev" variant="secondary" size="sm">
          Newer
        </ButtonLink>
      ) : (
        <span className="w-20" />
      )}
      <span className="text-sm text-muted tabular-nums">
        Page {page} of {pages}
      </span>
      {page < pages ? (
        <ButtonLink to={at(page + 1)} rel="next" variant="secondary" size="sm">
          Older
        </ButtonLink>
      ) : (
        <span className="w-20" />
      )}
    </nav>
  )
}

const notFoundText = "The course you're looking for doesn't exist or may have been removed."

export function ErrorBoundary() {
  return (
    <PageProblem
      icon={MessageSquare}
      notFound="Course not found"
      description={notFoundText}
      back={{ to: '/explore', label: 'Back to courses' }}
      failed="Could not load these reviews"
    />
  )
}
