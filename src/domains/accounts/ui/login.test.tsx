import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub, RouterContextProvider } from 'react-router'
import { describe, expect, test } from 'vitest'
import { type ApiClient } from '../../../server/contract-calls.ts'
import { pageApi, type Shell, shellContext } from '../../../web/page-context.ts'
import Login, { loader } from './login.tsx'

const appUrl = 'http://localhost:3000'

/** What the page is told that is opened by this address, with a link on another page. */
async function load(address: string, { referer, signedIn = false }: Coming = {}) {
  const context = new RouterContextProvider()
  context.set(shellContext, { signedIn, appUrl } as Shell)
  const getSignInWays = async () => ({ providers: [], sso: false, signUpOpen: true })
  context.set(pageApi, { accounts: { getSignInWays } } as unknown as ApiClient)
  const url = new URL(address, appUrl)
  const request = new Request(url, referer ? { headers: { referer } } : {})
  return loader({ request, context, url } as unknown as Parameters<typeof loader>[0])
}

type Coming = { referer?: string; signedIn?: boolean }

/** The page as it is opened by this address. */
async function opened(address: string): Promise<string> {
  const loaderData = await load(address)
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

describe('the page that somebody came from', () => {
  /** Where the loader leads, or else where a log-in would. */
  const whither = (address: string, coming: Coming) =>
    load(address, coming).then(
      ({ to }) => to,
      (answer: Response) => answer.headers.get('location'),
    )

  test.each([
    '/course/bread?invitation=abc123',
    '/course/bread?coupon=HALF',
    '/invite/abc123',
    '/explore?search=old+bread&sort=newest',
    '/user/baker?tab=reviews',
  ])('is remembered: %s', async (path) => {
    const referer = appUrl + path
    const remembering = `/login?to=${encodeURIComponent(path)}`
    const led = await whither('/login', { referer })
    expect(led).toMatch(/^\/login\?to=/)
    expect(new URL(led!, appUrl).searchParams.get('to')).toBe(path)
    expect(await whither(remembering, { referer: `${appUrl}/login` })).toBe(path)
    expect(await whither('/login', { referer, signedIn: true })).toBe(path)
  })

  test('stands back behind the one that is asked for, and keeps what else is said', async () => {
    const referer = `${appUrl}/explore`
    expect(await whither('/login?to=%2Fdashboard', { referer })).toBe('/dashboard')
    expect(await whither('/login?error=access_denied', { referer })).toBe(
      '/login?error=access_denied&to=%2Fexplore',
    )
  })

  test.each([
    'https://evil.example/course/bread',
    'http://localhost:3001/explore',
    `${appUrl}//evil.example`,
    `${appUrl}/`,
    `${appUrl}/?account=deleted`,
    `${appUrl}/login?to=%2Fexplore`,
    `${appUrl}/login/link?token=secret`,
    `${appUrl}/signup`,
    `${appUrl}/reset-password?token=secret`,
    `${appUrl}/forgot-password`,
    `${appUrl}/confirm-email?token=secret`,
    `${appUrl}/explore?search=${'x'.repeat(2000)}`,
    'about:blank',
    'no address',
  ])('is none to come back to: %s', async (referer) => {
    expect(await whither('/login', { referer })).toBe('/dashboard')
  })
})
