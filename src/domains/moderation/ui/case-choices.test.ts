import { expect, test } from 'vitest'
import { choicesOf, wordsOf } from './case-choices.ts'

const open = {
  status: 'open',
  ownStatus: 'published',
  postIsHidden: false,
  authorIsMember: true,
  aboutInstructor: false,
} as const

test.each([
  ['a new case', open, ['dismiss', 'hide', 'delete', 'warn', 'remove_member', 'note']],
  [
    'something hidden in another case',
    { ...open, ownStatus: 'hidden' },
    ['dismiss', 'restore', 'delete', 'warn', 'remove_member', 'note'],
  ],
  [
    'what its author deleted',
    { ...open, ownStatus: 'deleted' },
    ['dismiss', 'warn', 'remove_member', 'note'],
  ],
  [
    'somebody who left the course',
    { ...open, authorIsMember: false },
    ['dismiss', 'hide', 'delete', 'note'],
  ],
  [
    'the instructor, who stays',
    { ...open, aboutInstructor: true },
    ['dismiss', 'hide', 'delete', 'warn', 'note'],
  ],
  ['a closed case', { ...open, status: 'closed' }, ['note']],
  [
    'a closed case about something hidden',
    { ...open, status: 'closed', ownStatus: 'hidden' },
    ['restore', 'note'],
  ],
  [
    'a hidden comment below a hidden post, which would not be read again',
    { ...open, ownStatus: 'hidden', postIsHidden: true },
    ['dismiss', 'delete', 'warn', 'remove_member', 'note'],
  ],
] as const)('what can be done about %s', (_what, about, choices) => {
  expect(choicesOf(about)).toEqual(choices)
})

test('of what was deleted nobody says that it stays, or is hidden', () => {
  const meanings = (ownStatus: 'published' | 'deleted') =>
    (['dismiss', 'warn', 'remove_member'] as const).map(
      (action) => wordsOf(action, { subject: 'post', author: null, ownStatus }).meaning,
    )
  expect(meanings('published').join(' ')).toMatch(/stays as it is.*The post stays\..*is hidden/)
  expect(meanings('deleted').join(' ')).not.toMatch(/stays|hidden/)
})
