import { describe, expect, test } from 'vitest'
import { createRouteNames } from './route-names.ts'

const names = createRouteNames([
  '/',
  '/course/:slug',
  '/course/:slug/edit',
  '/course/new',
  '/rest/v1/courses/{courseId}/lessons',
  '/assets/*',
  '/explore/:topic?',
  '/auth/v1/reset-password/:token',
])

describe('an address is called', () => {
  test.each([
    ['/', '/'],
    ['/course/wood', '/course/:slug'],
    ['/course/wood/', '/course/:slug'],
    // What is fixed goes before what may be anything.
    ['/course/new', '/course/new'],
    ['/course/new/edit', '/course/:slug/edit'],
    ['/rest/v1/courses/42/lessons', '/rest/v1/courses/{courseId}/lessons'],
    ['/assets/a/b.js', '/assets/*'],
    ['/explore', '/explore/:topic?'],
    ['/explore/wood', '/explore/:topic?'],
    ['/auth/v1/reset-password/secret', '/auth/v1/reset-password/:token'],
    ['/ada@example.com', '(none)'],
    ['/course/wood/ada@example.com', '(none)'],
    ['/__proto__/constructor', '(none)'],
  ])('%s: %s', (path, name) => {
    expect(names.of(path)).toBe(name)
  })

  test('by what was added later, too', () => {
    const few = createRouteNames()
    expect(few.of('/about')).toBe('(none)')
    few.add(['/about'])
    expect(few.of('/about')).toBe('/about')
  })
})
