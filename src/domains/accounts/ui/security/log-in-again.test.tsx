import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { returnPath } from '../../rules.ts'
import { action } from '../logout.tsx'
import { LogInAgain } from './log-in-again.tsx'

/** Where the log-out leads whose form has these fields. */
async function ledTo(fields: Record<string, string>) {
  const context = { get: () => async () => ({ ok: true, cookies: [] }) }
  const body = new URLSearchParams(fields)
  const request = new Request('http://localhost:3000/logout', { method: 'POST', body })
  const answer = await action({ request, context } as unknown as Parameters<typeof action>[0])
  if (!(answer instanceof Response)) throw new Error('the log-out was refused')
  return answer.headers.get('location')
}

test('who has to log in again comes back to where the account is deleted', async () => {
  const page = renderToStaticMarkup(<LogInAgain />)
  const [, to = ''] = /name="to" value="([^"]+)"/.exec(page) ?? []
  const led = await ledTo({ to })
  expect(led).toBe('/login?to=%2Fsettings%2Fdelete-account')
  expect(returnPath(new URL(led!, 'http://localhost:3000').searchParams.get('to'))).toBe(
    '/settings/delete-account',
  )
})

test('any other log-out leads home, and to no other site', async () => {
  expect(await ledTo({})).toBe('/')
  expect(await ledTo({ to: 'https://evil.example' })).toBe('/')
  expect(await ledTo({ to: '//evil.example' })).toBe('/')
})
