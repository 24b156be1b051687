import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { YourCourses } from './your-courses.tsx'

const bread = { slug: 'bread', title: 'Bread ⚡' }

function menuOf(courses: (typeof bread)[], hasMore: boolean): string {
  const Stub = createRoutesStub([
    { path: '/', Component: () => <YourCourses courses={courses} hasMore={hasMore} /> },
  ])
  return renderToStaticMarkup(<Stub />)
}

test('each course leads to its dashboard, and all of them are a link away only where there are more', () => {
  expect(menuOf([bread], false)).toMatch(/href="\/course\/bread\/dashboard".*>Bread</)
  expect(menuOf([bread], false)).not.toContain('All your courses')
  expect(menuOf([bread], true)).toMatch(/href="\/dashboard".*>All your courses</)
})

test('who is in no course reads so', () => {
  expect(menuOf([], false)).toContain('None yet')
})
