import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import Privacy from './privacy.tsx'

test('the policy names every way to log in and to be paid that is stored, and who hears of it', () => {
  const Stub = createRoutesStub([{ path: '/', Component: Privacy }])
  const words = renderToStaticMarkup(<Stub initialEntries={['/']} />).replaceAll(/\s+/g, ' ')
  for (const stored of [
    'hash of your password',
    'passkeys',
    'two-step verification',
    'telephone number',
    'wallet address',
    'which account of another service',
    'address of your PayPal account',
    'carries our text messages',
  ]) {
    expect(words).toContain(stored)
  }
})
