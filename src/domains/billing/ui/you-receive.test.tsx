import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { YouReceive } from './you-receive.tsx'

/** What is said of $29.00, as it is read. */
function said(root: object): string {
  const Stub = createRoutesStub([
    {
      id: 'root',
      path: '/',
      Component: () => <YouReceive price={2900} isMonthly={false} />,
      HydrateFallback: () => null,
    },
  ])
  const html = renderToStaticMarkup(<Stub hydrationData={{ loaderData: { root } }} />)
  return html.replaceAll(/<[^>]+>/g, '')
}

test.each([
  ['while nobody is known', { me: null }],
  ['where the answer is missing', {}],
  ['on the Free plan', { me: { plan: 'free' } }],
])('five percent of a sale are ours %s', (_, root) => {
  expect(said(root)).toContain('You receive $26.41 of each sale: $29.00 less our fee of 5% ($1.45)')
})

test('nothing of it is ours with Pro', () => {
  expect(said({ me: { plan: 'pro' } })).toContain('You receive $27.86')
  expect(said({ me: { plan: 'pro' } })).toContain('no fee of ours')
})
