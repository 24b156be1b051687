import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import type { MyDashboard } from '../schema.ts'
import Dashboard from './dashboard.tsx'
import { DraftHint } from './draft-hint.tsx'

const card = {
  id: '00000000-0000-7000-8000-000000000001',
  slug: 'knots',
  title: 'Knots',
  summary: '',
  thumbnail: null,
  category: 'Hobbies',
  level: 'Beginner',
  pricingType: 'free',
  priceAmount: 0,
  instructorName: 'Ida Instructor',
  instructorUsername: 'ida',
  studentsCount: 1,
  lessonsCount: 2,
  rating: 0,
  reviewsCount: 0,
  applicationRequired: false,
  verified: false,
} satisfies Partial<MyDashboard['created'][number]>

const completed: MyDashboard['enrolled'][number] = {
  ...card,
  completedCount: 2,
  progressPercent: 100,
  continueWith: null,
}

function page(created: MyDashboard['created'], enrolled = [completed]) {
  const loaderData = { enrolled, created, notice: null }
  const props = { loaderData } as unknown as Parameters<typeof Dashboard>[0]
  const Stub = createRoutesStub([{ path: '/', Component: () => <Dashboard {...props} /> }])
  return renderToStaticMarkup(<Stub />)
}

test('who completed a course is led to its certificate, but not its creator, who gets none', () => {
  expect(page([])).toContain('/course/knots/certificate')
  const own = page([{ ...card, status: 'published' }])
  expect(own).toContain('Course Completed!')
  expect(own).not.toContain('/course/knots/certificate')
})

test('what comes next is said as it is: to find one, to begin, to carry on, or nothing any more', () => {
  const untouched = { ...completed, completedCount: 0, progressPercent: 0 }
  const begun = { ...completed, completedCount: 1, progressPercent: 50 }
  const withoutLessons = { ...untouched, lessonsCount: 0 }
  const done = 'You have completed every course you joined.'
  for (const [enrolled, words] of [
    [[], 'Find a course you want to finish.'],
    [[untouched], 'Your first course is waiting.'],
    [[withoutLessons], 'Your first course is waiting.'],
    [[completed, begun], 'Carry on where you left off.'],
    [[completed, untouched], 'Carry on where you left off.'],
    [[completed], done],
    [[completed, withoutLessons], done],
  ] as const) {
    expect(page([], [...enrolled])).toContain(words)
  }
  const made = { ...card, id: '00000000-0000-7000-8000-000000000002', status: 'draft' as const }
  const own = { ...untouched, id: made.id }
  expect(page([made], [completed, own])).toContain(done)
  expect(page([made], [own])).toContain('Find a course you want to finish.')
})

test.each([
  [0, 'Only you can see it. Press Publish'],
  [3, 'Only you and its members can see it. Press Publish'],
])('a draft with %i members says who sees it', (studentsCount, words) => {
  const course = { ...card, studentsCount } as unknown as Parameters<typeof DraftHint>[0]['course']
  const Stub = createRoutesStub([{ path: '/', Component: () => <DraftHint course={course} /> }])
  expect(renderToStaticMarkup(<Stub />)).toContain(words)
})
