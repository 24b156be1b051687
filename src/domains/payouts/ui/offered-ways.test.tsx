import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import type { PayoutSetup } from '../schema.ts'
import { HowPaymentsWork } from './how-payments-work.tsx'
import { PayoutMethodCard } from './payout-method-card.tsx'

function wordsOf(offersPaypal: boolean): string {
  const setup: PayoutSetup = {
    method: null,
    standing: 'not_connected',
    explanation: '',
    tokens: null,
    offersPaypal,
    isTestMode: false,
  }
  const Component = () => (
    <>
      <PayoutMethodCard setup={setup} />
      <HowPaymentsWork feePercent={5} offersPaypal={offersPaypal} />
    </>
  )
  const Stub = createRoutesStub([{ path: '/', Component }])
  return renderToStaticMarkup(<Stub />).replaceAll(/<[^>]*>/g, '')
}

test('PayPal is offered where it is, with its fee', () => {
  const words = wordsOf(true)
  expect(words).toContain('a bank account, a debit card, or PayPal.')
  expect(words).toContain(
    'your bank account or debit card, or to PayPal, whose processing fee is 2%.',
  )
})

test('where PayPal is not offered, it is not named', () => {
  const words = wordsOf(false)
  expect(words).not.toContain('PayPal')
  expect(words).toContain('a bank account or a debit card.')
  expect(words).toContain('Then it goes to your bank account or debit card.')
})
