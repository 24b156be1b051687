import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub, RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { authApi } from '../../../web/page-context.ts'
import type { AuthAnswer } from '../auth-calls-of.ts'
import LogOut, { action } from './logout.tsx'

test('who could not be signed out reads so, and can try again for the same page', async () => {
  const context = new RouterContextProvider()
  const refused = { ok: false, status: 503, message: 'As the server says.' }
  context.set(authApi, async () => refused as AuthAnswer)
  const body = new URLSearchParams({ to: '/login?to=%2Fsettings' })
  const request = new Request('http://localhost:3000/logout', { method: 'POST', body })
  const answer = await action({ request, context } as unknown as Parameters<typeof action>[0])
  if (answer instanceof Response) throw new Error('it was taken for done')
  expect(answer.init?.status).toBe(503)
  const props = { actionData: answer.data } as unknown as Parameters<typeof LogOut>[0]
  const Stub = createRoutesStub([{ path: '/', Component: () => <LogOut {...props} /> }])
  const page = renderToStaticMarkup(<Stub />)
  expect(page).toContain('You may still be signed in')
  expect(page).toContain('As the server says.')
  expect(page).toContain('action="/logout" method="post"')
  expect(page).toContain('name="to" value="/login?to=%2Fsettings"')
})
