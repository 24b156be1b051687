import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub, Meta, type MetaDescriptor } from 'react-router'
import { afterEach, describe, expect, test } from 'vitest'
import { courseHead } from '../../courses/ui/course-head.ts'
import type { CoursePage } from '../../courses/schema.ts'
import type { CourseReviews } from '../../reviews/schema.ts'
import { brand, brandText, defaultBrand, setBrand } from '../brand.ts'
import { breadcrumbs, headOf, pageMeta } from './page-meta.ts'

/** What a browser gets. */
function rendered(meta: MetaDescriptor[]): string {
  const Stub = createRoutesStub([{ path: '/', Component: () => <Meta />, meta: () => meta }])
  return renderToStaticMarkup(<Stub initialEntries={['/']} />)
}

const scriptsOf = (html: string) =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map((match) =>
    JSON.parse(match[1]!),
  )

afterEach(() => {
  setBrand({ ...defaultBrand })
})

const hostile = [
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '"quotes" and \\ backslashes \'',
  'Emoji 👩‍👩‍👧‍👦 🍞',
  'Line\u2028separators\u2029and\nbreaks',
  ']]> & &amp; &quot;',
  'half \ud83d of a sign',
]

const course = (title: string): CoursePage =>
  ({
    slug: 'a-course',
    title,
    shortDescription: title,
    descriptionText: '',
    category: 'Tech',
    level: 'Beginner',
    thumbnail: null,
    pricingType: 'monthly',
    priceAmount: 1950,
    totalMinutes: 150,
    allLengthsKnown: true,
    studentsCount: 3,
    instructor: { name: title, username: 'ann', avatarUrl: null, verified: false },
    status: 'published',
    publishedAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-02T00:00:00Z',
  }) as unknown as CoursePage

const reviews = (text: string): CourseReviews =>
  ({
    stats: { total: 2, average: 4.5, byStars: [0, 0, 0, 1, 1] },
    reviews: [
      {
        rating: 5,
        reviewText: text,
        createdAt: '2026-01-03T00:00:00Z',
        author: { name: text, username: null, avatarUrl: null },
      },
      { rating: 4, reviewText: 'Left', createdAt: '2026-01-03T00:00:00Z', author: null },
    ],
  }) as unknown as CourseReviews

describe('data for machines', () => {
  test.each(hostile)('is what it was, whatever a title holds: %j', (title) => {
    const html = rendered(courseHead(course(title), reviews(title)))
    const [data, way] = scriptsOf(html)
    const stored = title.toWellFormed()
    expect((data.name as string).toWellFormed()).toBe(stored)
    expect((data.review[0].reviewBody as string).toWellFormed()).toBe(stored)
    expect((way.itemListElement.at(-1).name as string).toWellFormed()).toBe(stored)
    // Two scripts of ours, and nothing that a title began or ended.
    expect(html.match(/<script/g)).toHaveLength(2)
    expect(html.match(/<\/script/g)).toHaveLength(2)
    expect(html).not.toMatch(/<!--|[\u2028\u2029](?=[^"]*<\/script)/)
  })

  test('says of a course what search engines ask for', () => {
    const [data] = scriptsOf(rendered(courseHead(course('Bread'), reviews('Good'))))
    expect(data).toMatchObject({
      '@type': 'Course',
      url: 'http://localhost:3000/course/a-course',
      provider: { '@type': 'Organization', name: 'Thunder' },
      offers: { category: 'Subscription', price: 19.5, priceCurrency: 'USD' },
      hasCourseInstance: { courseMode: 'Online', courseWorkload: 'PT2H30M' },
      aggregateRating: { ratingValue: 4.5, reviewCount: 2 },
    })
    expect(data.review).toHaveLength(1)
    const [without] = scriptsOf(
      rendered(
        courseHead(course('Bread'), {
          stats: { total: 0, average: 0, byStars: [0, 0, 0, 0, 0] },
          reviews: [],
        } as unknown as CourseReviews),
      ),
    )
    expect(without).not.toHaveProperty('aggregateRating')
    expect(without).not.toHaveProperty('review')
  })

  test('names the way to a page', () => {
    const [way] = scriptsOf(rendered([breadcrumbs([{ name: 'Explore', path: '/explore' }])]))
    expect(way.itemListElement).toEqual([
      {
        '@type': 'ListItem',
        position: 1,
        name: 'Explore',
        item: 'http://localhost:3000/explore',
      },
    ])
  })
})

describe('a head', () => {
  test('has the address that counts, and what messengers show', () => {
    setBrand({ ...defaultBrand, name: 'School', appUrl: 'https://school.example', version: 'v1' })
    const html = rendered(pageMeta('About “us”', 'Who <we> are', { path: '/about' }))
    expect(html).toContain('<title>About “us” · School</title>')
    expect(html).toContain('<link rel="canonical" href="https://school.example/about"/>')
    expect(html).toContain('<meta property="og:url" content="https://school.example/about"/>')
    expect(html).toContain('<meta property="og:title" content="About “us”"/>')
    expect(html).toContain('content="Who &lt;we&gt; are"')
    expect(html).toContain('content="https://school.example/og/site.png?v=v1"')
    expect(html).toContain('<meta name="twitter:card" content="summary_large_image"/>')
  })

  test('without an address has none', () => {
    expect(rendered(pageMeta('Settings', 'Yours'))).not.toContain('canonical')
  })

  test('may have a title of its own', () => {
    expect(rendered(headOf('All of it', { description: 'x', path: '/' }))).toContain(
      '<title>All of it</title>',
    )
  })

  test('a draft is for nobody to find', () => {
    const draft = { ...course('Bread'), status: 'draft' as const }
    expect(rendered(courseHead(draft, null))).toContain('<meta name="robots" content="noindex"/>')
  })
})

test('the brand in a page ends no element', () => {
  setBrand({ ...defaultBrand, name: '</script><b>' })
  expect(brandText()).not.toContain('<')
  expect(JSON.parse(brandText())).toEqual(brand)
})
