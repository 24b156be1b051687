// What the billing page says to who comes back from the payment page.
import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import type { BillingPage } from '../schema.ts'
import { loader } from './billing-page.tsx'
import { ReturnBanner } from './return-banner.tsx'

type Became = Pick<BillingPage, 'plan' | 'checkout'>

function bannerOf(billing: Became): string {
  const Component = () => <ReturnBanner billing={billing as BillingPage} />
  const Stub = createRoutesStub([{ path: '/billing', Component }])
  return renderToStaticMarkup(<Stub initialEntries={['/billing?success=true&plan=annual']} />)
}

const pageOf = (billing: Became, search: string) =>
  loader({
    context: {
      get: () => ({
        billing: { getBilling: async () => ({ ...billing, subscription: { customer_id: null } }) },
      }),
    },
    url: new URL(`http://localhost/billing${search}`),
  } as never).catch((error: unknown) => error)

test.each([
  ['free', 'open', 'Your payment is being confirmed'],
  ['free', 'expired', 'Payment not finished'],
  ['free', 'refused', 'Your payment is on its way back'],
  ['pro', 'refused', 'Your payment is on its way back'],
  ['pro', 'paid', 'Payment Successful!'],
  ['pro', 'none', 'Payment Successful!'],
] as const)('on %s, the payment page being %s: %s', async (plan, checkout, title) => {
  expect(bannerOf({ plan, checkout })).toContain(title)
  expect(await pageOf({ plan, checkout }, '?success=true')).toMatchObject({ billing: { plan } })
})

test.each(['none', 'paid'] as const)(
  'an address that speaks of no payment of theirs becomes the plain one: %s',
  async (checkout) => {
    const plain = (await pageOf({ plan: 'free', checkout }, '?success=true')) as Response
    expect([plain.status, plain.headers.get('location')]).toEqual([302, '/billing'])
    expect(await pageOf({ plan: 'free', checkout }, '')).toMatchObject({ billing: { checkout } })
  },
)
