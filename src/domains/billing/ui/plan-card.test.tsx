import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { describe, expect, test } from 'vitest'
import type { BillingPage } from '../schema.ts'
import { PlanCard } from './plan-card.tsx'

const invitation = 'Upgrade to Pro'
const lure = 'Upgrade to unlock unlimited courses and advanced features'
const free: BillingPage = {
  plan: 'free',
  isGranted: false,
  subscription: {
    customer_id: null,
    subscription_id: null,
    subscription_status: 'inactive',
    price_id: null,
    current_period_start: null,
    current_period_end: null,
    cancel_at_period_end: false,
    payment_method_brand: null,
    payment_method_last4: null,
  },
  mayBeUnpaid: false,
  checkout: 'none',
  isTest: true,
  hasDemoUpgrade: true,
  purchases: [],
  hasMorePurchases: false,
}

function cardOf(billing: BillingPage, isConfirming = false): string {
  const Stub = createRoutesStub([
    { path: '/', Component: () => <PlanCard billing={billing} isConfirming={isConfirming} /> },
  ])
  return renderToStaticMarkup(<Stub />)
}

describe('on Pro that an administrator gave', () => {
  const given: BillingPage = { ...free, plan: 'pro', isGranted: true }

  test('there is nothing to pay, and no date', () => {
    const html = cardOf(given)
    expect(html).toContain('An administrator gave it to you: nothing to pay.')
    expect(html).toContain('Active')
    expect(html).not.toMatch(/Renews on|Update Payment|payment failed|Cancel/)
  })

  test('a renewal of one’s own that failed is said, without a day on which it renews', () => {
    const subscription = {
      ...free.subscription,
      subscription_status: 'past_due',
      price_id: 'pro_annual' as const,
      current_period_end: 1_799_107_200,
    }
    const html = cardOf({ ...given, subscription })
    expect(html).toContain('Past Due')
    expect(html).toContain('You have access to all Pro features')
    expect(html).toContain('An administrator gave it to you, whatever becomes of your own')
    expect(html).toContain('Your last payment failed')
    expect(html).toContain('you keep Pro either way')
    expect(html).toContain('Update Payment')
    expect(html).not.toMatch(/Renews on|nothing to pay|on the Free plan/)
  })
})

test('on Pro that is paid for, the day on which it renews is said', () => {
  const subscription = {
    ...free.subscription,
    subscription_status: 'active',
    current_period_end: 1_799_107_200,
  }
  const html = cardOf({ ...free, plan: 'pro', subscription })
  expect(html).toContain('Renews on')
  expect(html).not.toMatch(/payment failed|administrator/)
})

describe('on the Free plan', () => {
  test('Pro is offered', () => {
    expect(cardOf(free)).toContain(invitation)
    expect(cardOf(free)).toContain(lure)
  })

  test('nothing invites to pay twice while a payment is being confirmed', () => {
    expect(cardOf(free, true)).toContain('Free Plan')
    expect(cardOf(free, true)).not.toContain(invitation)
  })

  test('whose payment failed is asked for a card, and not offered Pro', () => {
    const { subscription } = free
    const html = cardOf({
      ...free,
      subscription: { ...subscription, subscription_status: 'past_due', price_id: 'pro_annual' },
    })
    expect(html).toContain('Your last payment failed')
    expect(html).toMatch(/bg-primary [^>]*><span[^>]*>Update Payment/)
    expect(html).not.toContain(invitation)
    expect(html).not.toContain(lure)
  })
})
