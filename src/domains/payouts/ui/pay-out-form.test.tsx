import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import type { Earnings } from '../../earnings/schema.ts'
import { PayOutForm, type PayOutFormProps } from './pay-out-form.tsx'

const payee: Omit<PayOutFormProps['method'], 'method'> = {
  accountType: 'individual',
  firstName: 'Cleo',
  lastName: 'Creator',
  label: 'A bank',
  last4: '6789',
  paypalEmail: 'cleo@example.com',
  schedule: 'manual',
}

function formOf(method: PayOutFormProps['method']['method'], available: number): string {
  const earnings = { available, currency: 'usd' } as Earnings
  const form = {
    method: { ...payee, method },
    earnings,
    cancel: null,
    onDone: () => undefined,
  }
  const Stub = createRoutesStub([{ path: '/', Component: () => <PayOutForm {...form} /> }])
  return renderToStaticMarkup(<Stub />)
}

const limit = 'PayPal sends $20,000.00 at most at once. Pay out the rest when this has arrived.'

test('all that is available is filled in, as far as PayPal sends so much at once', () => {
  const much = formOf('paypal', 3_000_000)
  expect(much).toContain('value="20400.00"')
  expect(much).toContain(`$30,000.00 is available. ${limit}`)
  expect(much).toContain('$400.00')
  const all = formOf('paypal', 2_040_000)
  expect(all).toContain('value="20400.00"')
  expect(all).not.toContain('at most at once')
  expect(formOf('bank_account', 3_000_000)).toContain('value="30000.00"')
  expect(formOf('bank_account', 3_000_000)).not.toContain('at most at once')
})
