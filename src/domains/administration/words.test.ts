// What the pages of administrators call things, and where they are.
import { expect, test } from 'vitest'
import {
  announcementsPage,
  audiences,
  audienceWords,
  newAnnouncementPage,
} from './announcement-rules.ts'
import { jobKindLabel } from './job-kinds.ts'
import { actions, appealsPage, subjectKinds } from './rules.ts'
import { courseSuspensionPage, suspendedPage } from './suspension-pages.ts'

test('the log says each act in words of its own, before the name of its subject', () => {
  const words = Object.values(actions)
  expect(new Set(words).size).toBe(words.length)
  for (const one of words) expect(one).toMatch(/^[A-Z][a-z]+(?: [A-Za-z’]+){0,6}$/)
  expect(actions.lift_account).toBe('Lifted the suspension of the account')
})

test('each kind of subject, and each audience, is called by a name of its own', () => {
  const kinds = Object.values(subjectKinds)
  expect(new Set(kinds).size).toBe(kinds.length)
  for (const one of kinds) expect(one).toMatch(/^[A-Z][a-z]+(?: [a-z]+)?$/)
  expect(audiences.map((audience) => audienceWords[audience])).toEqual([
    'Everybody',
    'Creators',
    'People with Pro',
  ])
})

test('a job of a kind that another version knew is told from one of today', () => {
  expect(jobKindLabel('sendDigest')).toBe('Sends a daily mail')
  expect(jobKindLabel('toString')).toBe('Unknown to this version: toString')
})

test('pages have addresses that mails and other pages lead to', () => {
  expect([announcementsPage, newAnnouncementPage, appealsPage, suspendedPage]).toEqual([
    '/admin/announcements',
    '/admin/announcements/new',
    '/admin/appeals',
    '/suspended',
  ])
  expect(courseSuspensionPage('knots')).toBe('/course/knots/suspension')
})
