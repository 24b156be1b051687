import { describe, expect, test } from 'vitest'
import {
  categories,
  chapterHeading,
  courseLengthLabel,
  lengthLabel,
  completedLabel,
  lessonsLabel,
  priceLabel,
  progressMessage,
  progressPercent,
  slugOf,
  summaryOf,
  thumbnailUrls,
  withoutLightning,
} from './rules.ts'
import { courseSearch } from '../search/schema.ts'
import { courseUpdate } from './schema.ts'

test('the categories are the 16 of the specification; explore adds All', () => {
  const sixteen =
    'Art, Business, Cooking, Crypto, Gaming, Gardening, Hobbies, Marketing, Music, Photography, Relationships, Self-improvement, Sports, Sports Betting, Tech, Wellness'
  expect(categories.join(', ')).toBe(sixteen)
  for (const category of ['All', ...categories]) {
    expect(courseSearch.parse({ category }).category).toBe(category)
  }
  expect(courseSearch.parse({}).category).toBe('All')
})

describe('slugOf', () => {
  test.each([
    ['Thunder Bootcamp', 'thunder-bootcamp'],
    ['  Knots & Ropes:  the   basics! ', 'knots-ropes-the-basics'],
    ['C++ -- for poets', 'c-for-poets'],
    ['-edges-', 'edges'],
    ['Übung', 'bung'],
    ['漢字', ''],
    ['⚡', ''],
    ['<script>alert(1)</script>', 'scriptalert1script'],
  ])('%j is %j', (title, slug) => {
    expect(slugOf(title)).toBe(slug)
  })

  test('has at most 120 characters and never ends with a hyphen', () => {
    expect(slugOf(`${'a'.repeat(119)} b`)).toBe('a'.repeat(119))
    expect(slugOf('x'.repeat(10_000))).toHaveLength(120)
  })
})

describe('progressPercent', () => {
  test.each([
    [0, 0, 0],
    [0, 7, 0],
    [1, 3, 33],
    [2, 3, 67],
    [3, 3, 100],
    [4, 3, 100],
  ])('%i of %i is %i', (completed, total, percent) => {
    expect(progressPercent(completed, total)).toBe(percent)
  })

  test('is 100 only when everything is completed', () => {
    expect(progressPercent(999, 1000)).toBe(99)
    expect(progressMessage(progressPercent(999, 1000))).toBe('Keep Going!')
  })
})

test('progressMessage says where somebody is', () => {
  expect([0, 1, 99, 100].map(progressMessage)).toEqual([
    'Get Started',
    'Keep Going!',
    'Keep Going!',
    'Course Completed!',
  ])
})

test('priceLabel', () => {
  expect(priceLabel({ pricingType: 'free', priceAmount: 0 })).toBe('Free')
  expect(priceLabel({ pricingType: 'one_time', priceAmount: 0 })).toBe('Free')
  expect(priceLabel({ pricingType: 'one_time', priceAmount: 2900 })).toBe('$29')
  expect(priceLabel({ pricingType: 'monthly', priceAmount: 1950 })).toBe('$19.50/mo')
  expect(priceLabel({ pricingType: 'one_time', priceAmount: 1_000_000 })).toBe('$10,000')
  expect(priceLabel({ pricingType: 'monthly', priceAmount: 1900 }, 'month')).toBe('$19/month')
  expect(priceLabel({ pricingType: 'one_time', priceAmount: 1900 }, 'month')).toBe('$19')
})

test('completedLabel', () => {
  const label = (completedCount: number, lessonsCount: number) =>
    completedLabel({ completedCount, lessonsCount })
  expect(label(0, 1)).toBe('0 of 1 lesson completed')
  expect(label(3, 12)).toBe('3 of 12 lessons completed')
})

test('lessonsLabel', () => {
  expect([0, 1, 2].map(lessonsLabel)).toEqual(['0 lessons', '1 lesson', '2 lessons'])
})

test('withoutLightning takes only a mark at the end', () => {
  expect(withoutLightning('Fast Bread ⚡')).toBe('Fast Bread')
  expect(withoutLightning('Fast Bread ⚡️')).toBe('Fast Bread')
  expect(withoutLightning('⚡ Fast Bread')).toBe('⚡ Fast Bread')
})

test.each(['⚡', '⚡️'])(
  'withoutLightning leaves %j, which would be no title without it',
  (title) => {
    expect(withoutLightning(title)).toBe(title)
  },
)

describe('summaryOf', () => {
  test('prefers the short description', () => {
    expect(summaryOf('Short.', 'Long.')).toBe('Short.')
  })

  test('leaves a short text whole', () => {
    expect(summaryOf('', 'x'.repeat(160))).toBe('x'.repeat(160))
  })

  test('cuts between words', () => {
    const summary = summaryOf('', 'word '.repeat(50))
    expect(summary).toBe(`${'word '.repeat(32).trim()}…`)
    expect(summary.length).toBeLessThanOrEqual(161)
  })

  test('does not leave half a character behind', () => {
    expect(summaryOf('', '😀'.repeat(100)).isWellFormed()).toBe(true)
  })
})

test.each([
  [0, '0 min'],
  [1, '1 min'],
  [59, '59 min'],
  [60, '1 h'],
  [200, '3 h 20 min'],
  [60_000, '1,000 h'],
])('%d minutes are %j', (minutes, label) => {
  expect(lengthLabel(minutes)).toBe(label)
})

test('a length that leaves lessons out says so', () => {
  expect(courseLengthLabel(75, true)).toBe('1 h 15 min')
  expect(courseLengthLabel(1, false)).toBe('1 min of video')
})

test('chapterHeading says the number once', () => {
  expect(chapterHeading(1, 'Chapter 1')).toBe('Chapter 1')
  expect(chapterHeading(2, 'Chapter 1')).toBe('Chapter 2: Chapter 1')
})

test('thumbnailUrls has the three widths', () => {
  expect(thumbnailUrls('m')).toEqual({
    small: '/storage/v1/images/m/320.webp',
    medium: '/storage/v1/images/m/640.webp',
    large: '/storage/v1/images/m/1280.webp',
  })
})

test('an update fills in nothing that was not sent', () => {
  const courseId = '01999999-9999-7999-8999-999999999999'
  expect(courseUpdate.parse({ courseId, title: ' A  title ' })).toEqual({
    courseId,
    title: 'A title',
  })
  expect(courseUpdate.parse({ courseId, shortDescription: '', thumbnailId: null })).toEqual({
    courseId,
    shortDescription: '',
    thumbnailId: null,
  })
})
