import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import type { SubscriptionRecord } from '../schema.ts'
import { PaymentMethod } from './payment-method.tsx'

function shown(brand: string | null, last4: string | null): string {
  const subscription: SubscriptionRecord = {
    customer_id: 'cus_1',
    subscription_id: 'sub_1',
    subscription_status: 'active',
    price_id: 'pro_annual',
    current_period_start: null,
    current_period_end: null,
    cancel_at_period_end: false,
    payment_method_brand: brand,
    payment_method_last4: last4,
  }
  const Stub = createRoutesStub([
    { path: '/', Component: () => <PaymentMethod subscription={subscription} /> },
  ])
  return renderToStaticMarkup(<Stub />)
}

test.each([
  ['visa', '4242', 'Visa'],
  ['STRIPE TEST BANK', '6789', 'STRIPE TEST BANK'],
  ['us_bank_account', '6789', 'Bank account'],
  ['paypal', null, 'PayPal'],
  ['amazon_pay', null, 'Amazon pay'],
  [null, '4242', 'Card'],
])('what pays, %s with the digits %s, is called %s', (brand, last4, name) => {
  const html = shown(brand, last4)
  expect(html).toContain(`>${name}</span>`)
  expect(html).toContain('Default')
  expect(html).not.toContain('No payment method on file')
  expect(html.includes('ending in')).toBe(last4 !== null)
})

test('without any that is said', () => {
  expect(shown(null, null)).toContain('No payment method on file')
})
