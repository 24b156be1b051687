import type { MetaDescriptor } from 'react-router'
import { brand } from '../../site/brand.ts'
import { withoutLightning } from '../rules.ts'
import type { CoursePage } from '../schema.ts'

/** Characters that search engines and messengers show of a description. */
const shownLength = 200

/** The public page's head: for search engines, for messengers, for whoever shares the link. */
export function courseHead(course: CoursePage, appUrl: string): MetaDescriptor[] {
  const title = withoutLightning(course.title)
  const url = `${appUrl}/course/${course.slug}`
  const description =
    shorten(course.shortDescription || course.descriptionText) ||
    `${title}: a course by ${course.instructor.name} on ${brand.name}.`
  const image = course.thumbnail && new URL(course.thumbnail.large, appUrl).href

  return [
    { title: `${title} · ${brand.name}` },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: url },
    { property: 'og:type', content: 'website' },
    { property: 'og:site_name', content: brand.name },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: url },
    ...(image
      ? [
          { property: 'og:image', content: image },
          { property: 'og:image:alt', content: title },
          { name: 'twitter:image', content: image },
        ]
      : []),
    { name: 'twitter:card', content: image ? 'summary_large_image' : 'summary' },
    { name: 'twitter:title', content: title },
    { name: 'twitter:description', content: description },
    ...(course.status === 'draft' ? [{ name: 'robots', content: 'noindex' }] : []),
    { 'script:ld+json': courseForMachines(course, { title, url, description, image }) },
  ]
}

type Texts = { title: string; url: string; description: string; image: string | null }

/** https://schema.org/Course */
function courseForMachines(course: CoursePage, { title, url, description, image }: Texts) {
  return {
    '@context': 'https://schema.org',
    '@type': 'Course',
    name: title,
    description,
    url,
    ...(image && { image }),
    ...(course.publishedAt && { datePublished: course.publishedAt }),
    dateModified: course.updatedAt,
    about: course.category,
    educationalLevel: course.level,
    provider: { '@type': 'Organization', name: brand.name, sameAs: new URL(url).origin },
    author: {
      '@type': 'Person',
      name: course.instructor.name,
      ...(course.instructor.username && {
        url: new URL(`/user/${course.instructor.username}`, url).href,
      }),
    },
    offers: {
      '@type': 'Offer',
      category: course.priceAmount === 0 ? 'Free' : 'Paid',
      price: course.priceAmount / 100,
      priceCurrency: 'USD',
      url,
    },
    hasCourseInstance: {
      '@type': 'CourseInstance',
      courseMode: 'Online',
      instructor: { '@type': 'Person', name: course.instructor.name },
    },
    ...(course.reviewsCount > 0 && {
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: course.rating,
        reviewCount: course.reviewsCount,
        bestRating: 5,
        worstRating: 1,
      },
    }),
    interactionStatistic: {
      '@type': 'InteractionCounter',
      interactionType: 'https://schema.org/RegisterAction',
      userInteractionCount: course.studentsCount,
    },
  }
}

/** Ends at a word and with an ellipsis when it has to be cut. */
export function shorten(text: string): string {
  if (text.length <= shownLength) return text
  const cut = text.slice(0, shownLength - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), shownLength / 2))}…`
}
