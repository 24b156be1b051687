import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub, RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { type ApiClient } from '../../../server/contract-calls.ts'
import { pageApi, type Shell, shellContext } from '../../../web/page-context.ts'
import Login, { loader } from './login.tsx'

/** The page as it is opened by this address. */
async function opened(address: string): Promise<string> {
  const context = new RouterContextProvider()
  context.set(shellContext, { signedIn: false } as Shell)
  const getSignInWays = async () => ({ providers: [], sso: false, signUpOpen: true })
  context.set(pageApi, { accounts: { getSignInWays } } as unknown as ApiClient)
  const url = new URL(address, 'http://localhost:3000')
  const loaderData = await loader({ context, url } as unknown as Parameters<typeof loader>[0])
  const props = { loaderData } as unknown as Parameters<typeof Login>[0]
  const Stub = createRoutesStub([{ path: '/', Component: () => <Login {...props} /> }])
  return renderToStaticMarkup(<Stub />)
}

test('whose address is not confirmed can have another link, and comes back to the wanted page', async () => {
  const link = 'href="/confirm-email?to=%2Fcourse%2Fknots"'
  for (const error of ['email_not_verified', 'EMAIL_NOT_VERIFIED', 'email not verified']) {
    const search = new URLSearchParams({ error, to: '/course/knots' })
    const page = await opened(`/login?${search}`)
    expect(page).toContain('click the confirmation link before signing in.')
    expect(page).toContain(link)
  }
  expect(await opened('/login?error=access_denied&to=%2Fcourse%2Fknots')).not.toContain(link)
  expect(await opened('/login?to=%2Fcourse%2Fknots')).not.toContain(link)
})
