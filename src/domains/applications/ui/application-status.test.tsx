import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Application, OwnApplication } from '../schema.ts'
import { ApplicationStatus } from './application-status.tsx'
import { ApplicationBanner } from './own-application.tsx'

type Shown = Pick<Application, 'status' | 'dueDecision'>

/** Its words, and the tone that colours them. */
function badge(application: Shown, isGone = false) {
  const html = renderToStaticMarkup(<ApplicationStatus {...{ application, isGone }} />)
  const [, tone, label] = html.match(/bg-([a-z]+)(?:-soft)? .*>(.+)<\/span>$/) ?? []
  return { tone, label }
}

test.each([
  ['pending', 'Pending', 'warning'],
  ['approved', 'Approved', 'success'],
  ['rejected', 'Rejected', 'danger'],
  ['withdrawn', 'Withdrawn', 'wash'],
  ['revoked', 'Removed', 'wash'],
] as const)('an application that is %s reads %s in the tone %s', (status, label, tone) => {
  expect(badge({ status, dueDecision: null })).toEqual({ label, tone })
  expect(badge({ status, dueDecision: null }, true)).toEqual({
    label: 'No longer pending',
    tone: 'wash',
  })
})

test('who is approved is promised a place only as long as there is room', () => {
  const application = { status: 'approved', reviewerNotes: null } as OwnApplication
  const html = renderToStaticMarkup(<ApplicationBanner application={application} />)
  expect(html).toContain('You can join it as long as there is room.')
})
