import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { CaseDetails } from '../schema.ts'
import { ReportedText } from './case-facts.tsx'

const details: CaseDetails = {
  id: '01a21f3c-13e5-7eeb-add7-0ee70af69183',
  course: { id: '01a21f3c-13e5-7eeb-add7-0ee70af69184', slug: 'knots', title: 'Knots' },
  subject: 'post',
  postId: '01a21f3c-13e5-7eeb-add7-0ee70af69185',
  commentId: null,
  subjectStatus: 'published',
  ownStatus: 'published',
  postIsHidden: false,
  content: 'Buy this',
  currentContent: null,
  showsElse: true,
  author: null,
  authorIsMember: false,
  aboutInstructor: false,
  status: 'open',
  outcome: null,
  reportsCount: 1,
  reasons: [],
  createdAt: '2026-11-27T12:00:00.000Z',
  closedAt: null,
  attachments: [],
  pollAnswers: [],
  reports: [],
  history: [],
}

const shown = (about: Partial<CaseDetails>) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <ReportedText details={{ ...details, ...about }} />
    </MemoryRouter>,
  )

test('of what was edited and says the same nothing is said that is not known', () => {
  expect(shown({})).toContain(
    'Its author has edited it since it was reported. It says the same now; if it had images or videos then, they may have been others.',
  )
  expect(shown({ showsElse: false })).not.toContain('edited')
})

test('the answers of a poll stand below its question', () => {
  const page = shown({ pollAnswers: ['Yes', 'Never, you fools'] })
  expect(page).toMatch(/>Poll<.*Yes.*Never, you fools/)
  expect(shown({})).not.toContain('Poll')
})
