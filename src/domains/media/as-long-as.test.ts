// A long answer goes on for as long as whoever gets it may have it.
import { beforeEach, expect, test, vi } from 'vitest'
import { asLongAs } from './as-long-as.ts'

let now = 0
beforeEach(() => {
  now = 1_000_000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  return () => clock.mockRestore()
})

/** What comes of pieces, each after so many milliseconds; and how often was asked. */
async function sent(pauses: number[], answers: boolean[] = []) {
  const mayGoOn = vi.fn(() => Promise.resolve(answers.shift() ?? true))
  let count = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const pause = pauses[count]
        if (pause === undefined) return controller.close()
        now += pause
        controller.enqueue(new Uint8Array([count++]))
      },
    },
    { highWaterMark: 0 },
  )
  const reader = asLongAs(body, mayGoOn).getReader()
  const got: number[] = []
  let ending: unknown = 'whole'
  for (;;) {
    const next = await reader.read().catch((error: unknown) => ({ error }))
    if ('error' in next) ending = next.error
    if ('error' in next || next.done) break
    got.push(...next.value)
  }
  return { got, ending, asked: mayGoOn.mock.calls.length }
}

test('nobody is asked within fifteen seconds', async () => {
  expect(await sent([0, 14_999, 0])).toEqual({ got: [0, 1, 2], ending: 'whole', asked: 0 })
})

test('somebody is asked every fifteen seconds, and once each time', async () => {
  const all = { got: [0, 1, 2, 3, 4], ending: 'whole' }
  expect(await sent([0, 15_000, 0, 14_999, 0])).toEqual({ ...all, asked: 1 })
  expect(await sent([0, 15_000, 0, 15_000, 0])).toEqual({ ...all, asked: 2 })
})

test('who may not go on gets no more, and the server makes no fuss of it', async () => {
  const { got, ending, asked } = await sent([0, 15_000, 15_000, 0], [true, false])
  expect([got, asked]).toEqual([[0, 1], 2])
  expect(ending).toMatchObject({
    code: 'ERR_STREAM_PREMATURE_CLOSE',
    message: expect.stringMatching(/\w+ \w+/),
  })
})
