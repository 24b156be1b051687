import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { NextSteps } from './next-steps.tsx'

test('what happens next says in which order requests are worked through', () => {
  for (const isSignedIn of [true, false]) {
    const words = renderToStaticMarkup(<NextSteps isSignedIn={isSignedIn} />)
    expect(words).toContain('requests with Pro first, then who waits longest.')
  }
})
