import type { MetaDescriptor } from 'react-router'
import { reviewsForMachines } from '../../reviews/ui/reviews-for-machines.ts'
import type { CourseReviews } from '../../reviews/schema.ts'
import { brand } from '../../site/brand.ts'
import { breadcrumbs, pageMeta, unlisted, wholeAddress } from '../../site/ui/page-meta.ts'
import { withoutLightning } from '../rules.ts'
import type { CoursePage } from '../schema.ts'

/** Characters that search engines and messengers show of a description. */
const shownLength = 200

/** The picture that messengers show of a course. */
export const courseSharingPicture = (slug: string, alt: string) => ({
  path: `/og/course/${slug}.png`,
  alt,
})

/** The steps that lead to a course. */
export const wayToCourse = (course: { slug: string; title: string; category?: string }) => [
  { name: 'Explore', path: '/explore' },
  ...(course.category
    ? [
        {
          name: course.category,
          path: `/explore?${new URLSearchParams({ category: course.category })}`,
        },
      ]
    : []),
  { name: withoutLightning(course.title), path: `/course/${course.slug}` },
]

/** The public page's head: for search engines, for messengers, for whoever shares the link. */
export function courseHead(course: CoursePage, reviews: CourseReviews | null): MetaDescriptor[] {
  const title = withoutLightning(course.title)
  const path = `/course/${course.slug}`
  const description =
    shorten(course.shortDescription || course.descriptionText) ||
    `${title}: a course by ${course.instructor.name} on ${brand.name}.`
  return [
    ...pageMeta(title, description, {
      path,
      // Of what is not published none is drawn.
      ...(course.status === 'published' && {
        image: courseSharingPicture(course.slug, `${title}, a course by ${course.instructor.name}`),
      }),
    }),
    ...(course.status === 'draft' ? [unlisted] : []),
    { 'script:ld+json': courseForMachines(course, reviews, { title, description, path }) },
    breadcrumbs(wayToCourse(course)),
  ]
}

type Texts = { title: string; description: string; path: string }

/** https://schema.org/Course */
function courseForMachines(
  course: CoursePage,
  reviews: CourseReviews | null,
  { title, description, path }: Texts,
) {
  const url = wholeAddress(path)
  const { instructor, thumbnail, totalMinutes, allLengthsKnown } = course
  const person = {
    '@type': 'Person',
    name: instructor.name,
    ...(instructor.username && { url: wholeAddress(`/user/${instructor.username}`) }),
  }
  return {
    '@context': 'https://schema.org',
    '@type': 'Course',
    '@id': url,
    name: title,
    description,
    url,
    image: wholeAddress(thumbnail?.large ?? courseSharingPicture(course.slug, '').path),
    ...(course.publishedAt && { datePublished: course.publishedAt }),
    dateModified: course.updatedAt,
    about: course.category,
    educationalLevel: course.level,
    provider: { '@type': 'Organization', name: brand.name, sameAs: brand.appUrl },
    author: person,
    offers: {
      '@type': 'Offer',
      category:
        course.priceAmount === 0
          ? 'Free'
          : course.pricingType === 'monthly'
            ? 'Subscription'
            : 'Paid',
      price: course.priceAmount / 100,
      priceCurrency: 'USD',
      url,
    },
    hasCourseInstance: {
      '@type': 'CourseInstance',
      courseMode: 'Online',
      ...(totalMinutes !== null &&
        totalMinutes > 0 &&
        allLengthsKnown && { courseWorkload: workload(totalMinutes) }),
      instructor: person,
    },
    ...(reviews && reviewsForMachines(reviews)),
    interactionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: 'https://schema.org/RegisterAction',
      userInteractionCount: course.studentsCount,
    },
  }
}

/** ISO 8601: 'PT2H30M'. */
function workload(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  return `PT${hours > 0 ? `${hours}H` : ''}${rest > 0 ? `${rest}M` : ''}`
}

/** Ends at a word and with an ellipsis when it has to be cut. */
export function shorten(text: string): string {
  if (text.length <= shownLength) return text
  const cut = text.slice(0, shownLength - 1)
  const end = Math.max(cut.lastIndexOf(' '), shownLength / 2)
  // No half of an emoji stays.
  return `${cut.slice(0, end).replace(/[\ud800-\udbff]$/, '')}…`
}
