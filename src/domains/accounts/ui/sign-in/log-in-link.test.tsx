import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub, RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { featureOff, offSentence } from '../../../administration/features.ts'
import { authApi } from '../../../../web/page-context.ts'
import type { AuthAnswer } from '../../auth-calls-of.ts'
import LogInLink, { action } from './log-in-link.tsx'

type Props = Parameters<typeof LogInLink>[0]

/** What the page answers to somebody who presses the button of a good link, and then shows. */
async function pressed(answer: Partial<AuthAnswer>) {
  const context = new RouterContextProvider()
  context.set(authApi, async () => ({
    ok: false,
    status: 400,
    code: '',
    message: '',
    body: {},
    cookies: [],
    location: null,
    ...answer,
  }))
  const url = new URL('http://localhost:3000/login/link?token=good&to=%2Fcourse%2Fknots')
  const request = new Request(url, { method: 'POST', body: new URLSearchParams({ token: 'good' }) })
  const given = await action({ request, context, url } as unknown as Parameters<typeof action>[0])
  if (given instanceof Response) throw new Error('it was accepted')
  const props = {
    loaderData: { to: '/course/knots', token: 'good' },
    actionData: given.data,
  } as unknown as Props
  const Stub = createRoutesStub([{ path: '/', Component: () => <LogInLink {...props} /> }])
  return { status: given.init?.status, page: renderToStaticMarkup(<Stub />) }
}

test.each([
  [503, 'SERVICE_UNAVAILABLE'],
  [500, 'INTERNAL_SERVER_ERROR'],
  [429, 'TOO_MANY_ATTEMPTS'],
])('a link that was not looked at (%i) can be pressed again', async (status, code) => {
  const message = 'As the server says.'
  const { status: told, page } = await pressed({ status, code, message })
  expect(told).toBe(status)
  expect(page).toContain(message)
  expect(page).toContain('name="token" value="good"')
})

test('who has no account reads that sign-up is switched off, and what the administrator adds', async () => {
  const words = offSentence('sign_up', 'Back at noon.')
  const search = new URLSearchParams({ error: featureOff, error_description: words })
  const { status, page } = await pressed({ status: 302, location: `/?${search}` })
  expect(status).toBe(400)
  expect(page).toContain(words)
})

test('a link that is used up is replaced by another', async () => {
  const location = '/dashboard?error=INVALID_TOKEN'
  const { status, page } = await pressed({ status: 302, location })
  expect(status).toBe(400)
  expect(page).toContain('This link does not work any more')
  expect(page).toContain('Send the link')
  expect(page).not.toContain('name="token"')
})
