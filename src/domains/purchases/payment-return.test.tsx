// Somebody comes back from the payment page to a course that is another one by now.
import { ORPCError } from '@orpc/client'
import { eq } from 'drizzle-orm'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { sessionCookieOf } from '../../../test/factories.ts'
import { payHere, switches } from '../../../test/sandbox.ts'
import { makeSoldCourse } from '../../../test/sold-course.ts'
import { createLocalCalls } from '../../server/contract-calls.ts'
import { beginVisit } from '../../server/visit.ts'
import { courses } from '../courses/tables.ts'
import type { CoursePage } from '../courses/schema.ts'
import { ErrorBoundary, loader } from '../courses/ui/course-page.tsx'
import { PaymentBanner } from './ui/payment-banner.tsx'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

/** Somebody is on the payment page of a course, and the provider's messages are lost. */
async function onPaymentPage() {
  const { buyer, course } = await makeSoldCourse(app.services)
  const cookie = await sessionCookieOf(app.services, buyer.id)
  const { body } = await app.request('/functions/v1/course-checkout', {
    body: { course_id: course.id },
    cookie,
  })
  await switches(app, { dropPercent: 100 })
  return { course, cookie, pay: () => payHere(app, body.url) }
}

const becomesDraft = ({ id }: { id: string }) =>
  app.services.db.update(courses).set({ status: 'draft' }).where(eq(courses.id, id))

/** What the page of the course is made of for who comes back to it. */
async function pageAfter({ slug }: { slug: string }, cookie: string) {
  const url = new URL(`${app.url}/course/${slug}?success=true`)
  const visit = beginVisit(app.services, new Request(url, { headers: { cookie } }), '127.0.0.1')
  const { requestId, address } = visit
  const calls = createLocalCalls({ services: app.services, visit, requestId, address })
  return loader({ context: { get: () => calls }, params: { slug }, url } as never)
}

test('whoever paid for a course that became a draft meanwhile is in it, before any webhook says so', async () => {
  const { course, cookie, pay } = await onPaymentPage()
  await becomesDraft(course)
  await pay()
  const { payment, course: seen } = await pageAfter(course, cookie)
  expect([payment, seen.standing, seen.status]).toEqual(['paid', 'member', 'draft'])
})

test('whoever did not pay for it does not find it', async () => {
  const { course, cookie } = await onPaymentPage()
  await becomesDraft(course)
  const refusal = await pageAfter(course, cookie).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ORPCError)
  expect(refusal).toMatchObject({ status: 404 })
})

test.each([
  ['?success=true', 'Go to Billing', '/billing#purchases'],
  ['', 'Back to courses', '/explore'],
])(
  'where it is not found, the page leads to the payment, if there is one: %s',
  (search, label, to) => {
    const Stub = createRoutesStub([
      { id: 'course', path: '/course/knots', Component: () => null, ErrorBoundary },
    ])
    const refusal = { status: 404, statusText: '', internal: false, data: null }
    const page = renderToStaticMarkup(
      <Stub
        initialEntries={[`/course/knots${search}`]}
        hydrationData={{ errors: { course: refusal } }}
      />,
    )
    expect(page).toContain('Course not found')
    expect(page).toContain(`href="${to}"`)
    expect(page).toContain(label)
    expect(page.includes('your money is not lost')).toBe(search !== '')
  },
)

test('whoever left the course since is not told of being in it', async () => {
  const { course, cookie, pay } = await onPaymentPage()
  await pay()
  expect((await pageAfter(course, cookie)).payment).toBe('paid')
  await app.request(`/rest/v1/enrollments/${course.id}`, { method: 'DELETE', cookie })
  const plain = await pageAfter(course, cookie).catch((error: unknown) => error)
  expect((plain as Response).headers.get('location')).toBe(`/course/${course.slug}`)
})

test('the receipt is said to be where everybody has one, also without a mailbox', () => {
  const Component = () => (
    <PaymentBanner
      course={{ slug: 'knots' } as CoursePage}
      payment="paid"
      offer={null}
      invitation={null}
    />
  )
  const Stub = createRoutesStub([{ path: '/', Component }])
  const page = renderToStaticMarkup(<Stub />)
  expect(page).toContain('href="/billing#purchases"')
  expect(page).not.toContain('email')
})
