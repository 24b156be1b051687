import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DraftChanged } from './draft-changed.tsx'

const challenge = {
  id: '01a21f3c-13e5-7eeb-add7-0ee70af69183',
  slug: 'spring',
  kind: 'challenge' as const,
  title: 'Spring',
  prize: 'Two ropes',
  rules: 'Enter a course.\nThat is all.',
  opensAt: '2026-12-01T10:00:00.000Z',
  closesAt: '2026-12-31T10:00:00.000Z',
  phase: 'draft' as const,
  entriesCount: 0,
  winner: null,
  seedHash: '',
  entriesHash: null,
  canceledReason: null,
  isPublic: false,
  version: '',
}

test('of a draft that somebody else has changed that is shown which the fields do not say', () => {
  const typed = {
    kind: 'challenge',
    title: ' Spring ',
    prize: 'A rope',
    rules: 'Enter a course.\r\nThat is all.',
    opensAt: '2026-12-01T10:00',
    closesAt: '2026-12-30T10:00',
  }
  const shown = renderToStaticMarkup(<DraftChanged challenge={challenge} typed={typed} />)
  const terms = [...shown.matchAll(/<dt[^>]*>(.*?)<\/dt>/g)].map(([, term]) => term)
  expect(terms).toEqual(['Prize', 'Closes'])
  expect(shown).toContain('Two ropes')
  expect(shown).toContain('December 31, 2026')
})
