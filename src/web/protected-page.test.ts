import type { RouteConfigEntry } from '@react-router/dev/routes'
import { describe, expect, test } from 'vitest'
import routes from '../routes.ts'
import { isProtectedPage } from './protected-page.ts'

const addressOf = ({ path }: RouteConfigEntry) =>
  `/${(path ?? '').replaceAll(/:\w+/g, 'a-name').replace('*', 'no/such/page')}`

/** Without the layouts around some of them. */
const pagesOf = (entries: RouteConfigEntry[] = []): RouteConfigEntry[] =>
  entries.flatMap((entry) => (entry.children ? pagesOf(entry.children) : [entry]))

const layout = routes.find(({ file }) => file === 'web/signed-in.tsx')
const publicRoutes = routes.filter((route) => route !== layout)

describe('a browser knows which pages need an account', () => {
  test.each(pagesOf(layout?.children).map(addressOf))('%s does', (address) => {
    expect(isProtectedPage(address)).toBe(true)
  })
  test.each(publicRoutes.map(addressOf))('%s does not', (address) => {
    expect(isProtectedPage(address)).toBe(false)
  })
})
