import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { DeliveryItem } from './delivery-item.tsx'

const before = process.env.TZ
beforeEach(() => void (process.env.TZ = 'America/New_York'))
afterEach(() => {
  if (before === undefined) delete process.env.TZ
  else process.env.TZ = before
})

test('the server names the zone of the next attempt, wherever it stands itself', () => {
  const delivery = {
    id: '0191e7a0-0000-7000-8000-000000000000',
    type: 'post.created',
    status: 'pending',
    attempts: 1,
    createdAt: '2026-11-22T21:55:00.000Z',
    nextAttemptAt: '2026-11-22T22:00:12.000Z',
  } as const
  const element = (
    <DeliveryItem
      endpointId="0191e7a0-0000-7000-8000-000000000001"
      delivery={delivery}
      canReplay
      now={new Date('2026-11-22T21:56:00.000Z')}
    />
  )
  const router = createMemoryRouter([{ path: '/', element }])
  const words = renderToStaticMarkup(<RouterProvider router={router} />).replace(/<[^>]*>/g, '')
  expect(words.replaceAll(/\s/g, ' ')).toContain('1 attempt · next Nov 22, 2026, 10:00:12 PM UTC')
})
