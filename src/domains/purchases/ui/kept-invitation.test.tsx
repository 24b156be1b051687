// Who comes by an invitation still comes by it after a coupon, and after second thoughts at the payment page.
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { action } from '../../courses/ui/course-page.tsx'
import type { CoursePage } from '../../courses/schema.ts'
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

/** What the course page's form asks of the server, and where it is led. */
async function pressed(fields: Record<string, string>) {
  const asked: Record<string, string>[] = []
  const courseCheckout = async (order: Record<string, string>) => {
    asked.push(order)
    return { url: 'https://pay.example' }
  }
  const request = new Request('http://localhost/course/knots', {
    method: 'POST',
    body: new URLSearchParams({ courseId: 'c', intent: 'pay', ...fields }),
  })
  const context = { get: () => ({ purchases: { courseCheckout } }) }
  const params = { slug: 'knots' }
  await action({ request, context, params } as unknown as Parameters<typeof action>[0])
  return asked
}

test('the payment page leads back to the invitation and the coupon', async () => {
  expect(await pressed({ invitation: 'by-mail', coupon: 'EARLY-20' })).toMatchObject([
    {
      success_url: '/course/knots?success=true&coupon=EARLY-20&invitation=by-mail',
      cancel_url: '/course/knots?canceled=true&coupon=EARLY-20&invitation=by-mail',
      invitation: 'by-mail',
    },
  ])
  expect(await pressed({})).toMatchObject([{ cancel_url: '/course/knots?canceled=true' }])
})

test('a coupon that is applied, or removed, leaves the invitation where it is', () => {
  expect(fieldOf(null, 'by-mail')).toMatch(/<input type="hidden" name="invitation" value="by-mail"/)
  expect(fieldOf(null, null)).not.toContain('invitation')
  expect(fieldOf(coupon, 'by-mail')).toContain('href="/course/knots?invitation=by-mail"')
  expect(fieldOf(coupon, null)).toContain('href="/course/knots"')
})

test('the address of a course is plain without either', () => {
  expect(coursePath('knots', {})).toBe('/course/knots')
  expect(coursePath('knots', { invitation: null })).toBe('/course/knots')
  expect(coursePath('knots', { coupon: 'EARLY-20', invitation: 'by-mail' })).toBe(
    '/course/knots?coupon=EARLY-20&invitation=by-mail',
  )
})
