import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createPositionSaver } from './position-saver.ts'

const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
const saved = () => fetched.mock.calls.map(([, init]) => JSON.parse(String(init.body)).seconds)

beforeEach(() => {
  fetched.mockReset().mockImplementation(async () => Response.json({}))
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => vi.unstubAllGlobals())

describe('the position in a video', () => {
  test('is not saved again while it is where it was', async () => {
    const saver = createPositionSaver('lesson-1', 7)
    saver.save(7.001)
    saver.saveBeforeLeaving(7)
    await vi.waitFor(() => expect(saved()).toEqual([]))
  })

  test('outlives the page', async () => {
    createPositionSaver('lesson-1', 0).save(7.126)
    expect(fetched.mock.calls).toEqual([
      [
        '/rest/v1/lessons/lesson-1/position',
        expect.objectContaining({ method: 'PUT', keepalive: true, body: '{"seconds":7.13}' }),
      ],
    ])
  })

  test('is saved one after the other, and only the latest of those that waited', async () => {
    const answers: (() => void)[] = []
    fetched.mockImplementation(
      () => new Promise((resolve) => answers.push(() => resolve(Response.json({})))),
    )
    const saver = createPositionSaver('lesson-1', 0)
    for (const seconds of [5, 10, 15]) saver.save(seconds)
    expect(saved()).toEqual([5])
    answers.shift()?.()
    await vi.waitFor(() => expect(saved()).toEqual([5, 15]))
  })

  test('is saved at once when the person leaves', () => {
    fetched.mockImplementation(() => new Promise(() => {}))
    const saver = createPositionSaver('lesson-1', 0)
    saver.save(5)
    saver.saveBeforeLeaving(6)
    expect(saved()).toEqual([5, 6])
  })

  test('is tried again after a failure', async () => {
    fetched.mockRejectedValueOnce(new TypeError('offline'))
    const saver = createPositionSaver('lesson-1', 0)
    saver.save(5)
    await new Promise((resolve) => setTimeout(resolve))
    saver.save(5)
    expect(saved()).toEqual([5, 5])
  })
})
