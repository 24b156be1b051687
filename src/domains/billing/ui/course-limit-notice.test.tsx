import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { CourseLimitNotice } from './course-limit-notice.tsx'

test.each([
  ['free', 'Free plan users can create up to 1 course. You have reached this limit.'],
  ['pro', 'You have reached your course creation limit.'],
])('on the %s plan: %s', (plan, words) => {
  const Stub = createRoutesStub([
    { id: 'root', path: '/', Component: CourseLimitNotice, HydrateFallback: () => null },
  ])
  const html = renderToStaticMarkup(
    <Stub hydrationData={{ loaderData: { root: { me: { plan } } } }} />,
  )
  expect(html).toContain(words)
  expect(html).toContain('href="/billing"')
})
