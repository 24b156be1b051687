import { afterEach, describe, expect, test, vi } from 'vitest'
import { isOfPage, withPatience } from './patient-reading.ts'

const at = (address: string) => new URL(address, 'https://thunder.test')
const shown = (address: string) => vi.stubGlobal('location', at(address))

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('whether data are those of the page that is shown', () => {
  test.each([
    ['/course/a/lesson/b.data', '/course/a/lesson/b', true],
    ['/course/a.data?_routes=x%2Cy&tab=members', '/course/a?tab=members', true],
    ['/_.data', '/', true],
    ['/course/a.data?tab=members', '/course/a', false],
    ['/course/a.data', '/course/b', false],
    ['/rest/v1/me', '/rest/v1/me', false],
  ])('%s at %s: %s', (asked, page, expected) => {
    expect(isOfPage(at(asked), at(page))).toBe(expected)
  })
})

describe('patience', () => {
  const page = at('/dashboard.data')
  const ok = new Response('there')
  const noConnection = () => Promise.reject(new TypeError('Failed to fetch'))

  test('the page that is shown is asked for until there is an answer', async () => {
    vi.useFakeTimers()
    vi.stubGlobal('addEventListener', () => {})
    shown('/dashboard')
    const ask = vi
      .fn<typeof fetch>()
      .mockImplementationOnce(noConnection)
      .mockResolvedValueOnce(new Response('', { status: 502 }))
      .mockResolvedValueOnce(ok)
    const answer = withPatience(ask)(page)
    await vi.advanceTimersByTimeAsync(3000)
    expect(await answer).toBe(ok)
    expect(ask).toHaveBeenCalledTimes(3)
  })

  test('at once when the connection is back', async () => {
    const back = new EventTarget()
    vi.stubGlobal('addEventListener', back.addEventListener.bind(back))
    vi.useFakeTimers()
    shown('/dashboard')
    const ask = vi.fn<typeof fetch>().mockImplementationOnce(noConnection).mockResolvedValueOnce(ok)
    const answer = withPatience(ask)(page)
    await vi.advanceTimersByTimeAsync(0)
    back.dispatchEvent(new Event('online'))
    expect(await answer).toBe(ok)
  })

  test.each([
    ['another page', '/elsewhere', page, undefined],
    ['a form', '/dashboard', page, { method: 'POST' }],
    ['a call', '/dashboard', at('/rest/v1/me'), undefined],
    ['what nobody waits for', '/dashboard', page, { signal: AbortSignal.abort() }],
  ])('%s fails at once', async (_what, where, address, init) => {
    shown(where)
    const ask = vi.fn<typeof fetch>().mockImplementation(noConnection)
    await expect(withPatience(ask)(address, init)).rejects.toThrow('Failed to fetch')
    expect(ask).toHaveBeenCalledTimes(1)
  })

  test('an error of ours is an answer', async () => {
    shown('/dashboard')
    const ask = vi.fn<typeof fetch>().mockResolvedValue(new Response('', { status: 500 }))
    expect((await withPatience(ask)(page)).status).toBe(500)
    expect(ask).toHaveBeenCalledTimes(1)
  })
})
