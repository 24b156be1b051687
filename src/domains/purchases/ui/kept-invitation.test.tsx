// Who comes by an invitation still comes by it after a coupon, and after second thoughts at the payment page; whose
// invitation is closed meanwhile can join without it.
import { ORPCError } from '@orpc/client'
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { applyPage } from '../../applications/ui/apply-answers.ts'
import { action as apply } from '../../applications/ui/apply-page.tsx'
import { action } from '../../courses/ui/course-page.tsx'
import type { CoursePage } from '../../courses/schema.ts'
import { JoinCourse, type JoinRefusal } from '../../enrollment/ui/join-course.tsx'
import { CouponField } from './coupon-field.tsx'
import { coursePath, type Offer } from './offer.ts'

const course = { id: 'c', slug: 'knots', pricingType: 'one_time', priceAmount: 2900 } as CoursePage
const coupon: Offer = {
  code: 'EARLY-20',
  quote: { code: 'EARLY-20', amount: 2320, percentOff: 20 } as Offer['quote'],
  problem: null,
}

function fieldOf(offer: Offer | null, invitation: string | null): string {
  const Component = () => <CouponField course={course} offer={offer} invitation={invitation} />
  const Stub = createRoutesStub([{ path: '/', Component }])
  return renderToStaticMarkup(<Stub />)
}

const submitted = (path: string, fields: Record<string, string>, calls: object) =>
  ({
    request: new Request(`http://localhost${path}`, {
      method: 'POST',
      body: new URLSearchParams({ courseId: 'c', ...fields }),
    }),
    context: { get: () => calls },
    params: { slug: 'knots' },
  }) as unknown

/** What the form of the course page is answered with by the server's calls. */
const answerTo = (fields: Record<string, string>, calls: object) =>
  action(submitted('/course/knots', fields, calls) as Parameters<typeof action>[0])

/** What is asked of the server when somebody is to pay. */
async function ordered(fields: Record<string, string>) {
  const orders: Record<string, string>[] = []
  const courseCheckout = async (order: Record<string, string>) => {
    orders.push(order)
    return { url: 'https://pay.example' }
  }
  await answerTo({ intent: 'pay', ...fields }, { purchases: { courseCheckout } })
  return orders
}

test('the payment page leads back to the invitation and the coupon', async () => {
  expect(await ordered({ invitation: 'by-mail', coupon: 'EARLY-20' })).toMatchObject([
    {
      success_url: '/course/knots?success=true&coupon=EARLY-20&invitation=by-mail',
      cancel_url: '/course/knots?canceled=true&coupon=EARLY-20&invitation=by-mail',
      invitation: 'by-mail',
    },
  ])
  expect(await ordered({})).toMatchObject([{ cancel_url: '/course/knots?canceled=true' }])
})

test('a coupon that is applied, or removed, leaves the invitation where it is', () => {
  expect(fieldOf(null, 'by-mail')).toMatch(/<input type="hidden" name="invitation" value="by-mail"/)
  expect(fieldOf(null, null)).not.toContain('invitation')
  expect(fieldOf(coupon, 'by-mail')).toContain('href="/course/knots?invitation=by-mail"')
  expect(fieldOf(coupon, null)).toContain('href="/course/knots"')
})

test('who is to apply by an invitation takes it to the questions, without a script as well', () => {
  const guarded = {
    ...course,
    standing: 'signedIn',
    applicationRequired: true,
    application: null,
    purchase: null,
  } as CoursePage
  const applying = (invitation: string | null) => {
    const Component = () => <JoinCourse course={guarded} offer={null} invitation={invitation} />
    const Stub = createRoutesStub([{ path: '/', Component }])
    return renderToStaticMarkup(<Stub />)
  }
  expect(applying('by-mail')).toMatch(
    /<form [^>]*><input type="hidden" name="invitation" value="by-mail"/,
  )
  expect(applying(null)).not.toContain('invitation')
  expect(applyPage('knots', 'by-mail')).toBe('/course/knots/apply?invitation=by-mail')
  expect(applyPage('knots', null)).toBe('/course/knots/apply')
})

test('who has applied without a script is led back with the invitation', async () => {
  const calls = { applications: { submitApplication: async () => ({}) } }
  const ledTo = async (fields: Record<string, string>) => {
    const path = '/course/knots/apply'
    const answer = await apply(submitted(path, fields, calls) as Parameters<typeof apply>[0])
    return (answer as Response).headers.get('location')
  }
  expect(await ledTo({ invitation: 'by-mail' })).toBe('/course/knots?invitation=by-mail')
  expect(await ledTo({})).toBe('/course/knots')
})

test('who signs up on the page of the course comes back to it with the invitation and the coupon', () => {
  const shown = { ...course, standing: 'visitor', applicationRequired: true } as CoursePage
  const Component = () => <JoinCourse course={shown} offer={coupon} invitation="by-mail" />
  const Stub = createRoutesStub([{ path: '/', Component }])
  const back = encodeURIComponent('/course/knots?coupon=EARLY-20&invitation=by-mail')
  const page = renderToStaticMarkup(<Stub />)
  for (const way of ['signup', 'login']) expect(page).toContain(`href="/${way}?to=${back}"`)
})

test('the address of a course is plain without either', () => {
  expect(coursePath('knots', {})).toBe('/course/knots')
  expect(coursePath('knots', { invitation: null })).toBe('/course/knots')
  expect(coursePath('knots', { coupon: 'EARLY-20', invitation: 'by-mail' })).toBe(
    '/course/knots?coupon=EARLY-20&invitation=by-mail',
  )
})

const closed = async () => {
  const message = 'This invitation has been used up.'
  throw new ORPCError('INVITATION_CLOSED', { status: 410, message })
}

test.each([
  ['pay', { intent: 'pay' }],
  ['join', {}],
])(
  'who is to %s by a closed invitation is told, and goes without it at the next press',
  async (_to, intent) => {
    const calls = { purchases: { courseCheckout: closed }, enrollment: { enroll: closed } }
    const answer = await answerTo({ invitation: 'by-mail', ...intent }, calls)
    const { data: refusal, init } = answer as unknown as { data: JoinRefusal; init: ResponseInit }
    expect(init.status).toBe(410)
    expect(refusal.problem).toBe('This invitation has been used up. You can join without it.')
    const free = {
      ...course,
      pricingType: 'free',
      standing: 'signedIn',
      purchase: null,
    } as CoursePage
    const joining = (told?: JoinRefusal) => {
      const Component = () => (
        <JoinCourse course={free} offer={null} invitation="by-mail" refusal={told} />
      )
      const Stub = createRoutesStub([{ path: '/', Component }])
      return renderToStaticMarkup(<Stub />)
    }
    expect(joining()).toContain('name="invitation"')
    expect(joining(refusal)).toContain('Join Course')
    expect(joining(refusal)).not.toContain('name="invitation"')
  },
)
