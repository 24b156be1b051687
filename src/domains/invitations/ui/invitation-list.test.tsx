import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { InvitationList } from './invitation-list.tsx'

const before = process.env.TZ
beforeEach(() => void (process.env.TZ = 'America/New_York'))
afterEach(() => {
  if (before === undefined) delete process.env.TZ
  else process.env.TZ = before
})

test('the server says by UTC on which day a link expires, so that every browser can take over', () => {
  const invitation = {
    id: '0191e7a0-0000-7000-8000-000000000000',
    url: 'https://thunder.example/invite/abc',
    email: null,
    state: 'open',
    maxUses: null,
    usesCount: 0,
    expiresAt: '2026-12-01T02:00:00.000Z',
    createdAt: '2026-11-22T12:00:00.000Z',
  } as const
  const page = renderToStaticMarkup(
    <InvitationList
      label="Links"
      courseId="0191e7a0-0000-7000-8000-000000000001"
      invitations={[invitation]}
      at={new Date('2026-11-22T13:00:00.000Z')}
      onRevoked={() => {}}
    />,
  )
  expect(page).toContain('expires Dec 1, 2026')
})
