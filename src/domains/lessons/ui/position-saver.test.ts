import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createPositionSaver, united, type Unsaved } from './position-saver.ts'

type Body = {
  seconds: number
  secondsAgo?: number
  played?: { from: number; to: number }[]
  ended?: boolean
}

const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
/** Without the video, which each of them names. */
const bodies = () =>
  fetched.mock.calls.map(([, init]) => {
    const { video: _, ...body } = JSON.parse(String(init.body)) as Body & { video: string }
    return body as Body
  })
const saved = () => bodies().map(({ seconds }) => seconds)
/** To the latest request. */
const answer = (more = {}) =>
  Response.json({ seconds: saved().at(-1), accepted: true, completed: false, ...more })

/** What a player says in one moment is sent after it; then answers arrive. */
const settle = () => vi.advanceTimersByTimeAsync(0)
const online = vi.fn(() => true)

beforeEach(() => {
  vi.useFakeTimers()
  fetched.mockReset().mockImplementation(async () => answer())
  online.mockReturnValue(true)
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  vi.stubGlobal('navigator', {
    get onLine() {
      return online()
    },
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function begin(savedSeconds = 0) {
  const kept: (Unsaved | null)[] = []
  const answers: unknown[] = []
  const overtaken: number[] = []
  const onReplaced = vi.fn<() => void>()
  const saver = createPositionSaver('lesson-1', 'video-1', savedSeconds)
  const stop = saver.start({
    onSaved: (told) => answers.push(told),
    onOvertaken: (seconds) => overtaken.push(seconds),
    keep: (unsaved) => kept.push(unsaved),
    onReplaced,
  })
  return { saver, kept, answers, overtaken, onReplaced, stop }
}

/** Answers when it is told to. */
function slowly() {
  const waiting: (() => void)[] = []
  fetched.mockImplementation(() => {
    const late = answer()
    return new Promise((resolve) => waiting.push(() => resolve(late)))
  })
  return waiting
}

describe('the position in a video', () => {
  test('is not saved again while it is where it was', async () => {
    const { saver } = begin(7)
    saver.isAt(7.001)
    saver.isAt(7, true)
    await settle()
    expect(saved()).toEqual([])
  })

  test('outlives the page', async () => {
    begin().saver.isAt(7.126)
    await settle()
    expect(fetched.mock.calls).toEqual([
      [
        '/rest/v1/lessons/lesson-1/position',
        expect.objectContaining({
          method: 'PUT',
          keepalive: true,
          body: '{"video":"video-1","seconds":7.13}',
        }),
      ],
    ])
  })

  test('is saved one after the other, and only the latest of those that waited', async () => {
    const waiting = slowly()
    const { saver } = begin()
    for (const seconds of [5, 10, 15]) {
      saver.isAt(seconds)
      await settle()
    }
    expect(saved()).toEqual([5])
    waiting.shift()?.()
    await settle()
    expect(saved()).toEqual([5, 15])
  })

  test('is saved at once when the person leaves', async () => {
    slowly()
    const { saver } = begin()
    saver.isAt(5)
    await settle()
    saver.isAt(6, true)
    await settle()
    expect(saved()).toEqual([5, 6])
  })

  test('is tried again after a failure, also without news', async () => {
    fetched.mockRejectedValueOnce(new TypeError('offline'))
    const { saver } = begin()
    saver.isAt(5)
    await settle()
    expect(saved()).toEqual([5])
    await vi.advanceTimersByTimeAsync(5000)
    expect(saved()).toEqual([5, 5])
  })
})

describe('a position that is told late', () => {
  const ages = () => bodies().map(({ seconds, secondsAgo }) => [seconds, secondsAgo])
  const sleep = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
  const offline = () => fetched.mockRejectedValue(new TypeError('offline'))
  const backOnline = (more = {}) => fetched.mockImplementation(async () => answer(more))

  test('says how long ago that was', async () => {
    offline()
    const { saver } = begin()
    saver.isAt(5)
    await vi.advanceTimersByTimeAsync(5000 + 10_000)
    expect(ages()).toEqual([
      [5, undefined],
      [5, undefined],
      [5, 15],
    ])
    saver.isAt(9)
    await settle()
    expect(ages().at(-1)).toEqual([9, undefined])
  })

  test('is as old as it is, also after a sleep, and when the page is left there', async () => {
    offline()
    const { saver } = begin()
    saver.isAt(5)
    await settle()
    sleep(3600)
    saver.isAt(5, true)
    await settle()
    expect(ages().at(-1)).toEqual([5, 3600])
  })

  test('makes way for another device that was there later', async () => {
    offline()
    const { saver, overtaken, kept } = begin()
    saver.isAt(720)
    await settle()
    sleep(3600)
    backOnline({ seconds: 2400 })
    await vi.advanceTimersByTimeAsync(5000)
    expect(ages().at(-1)).toEqual([720, 3605])
    expect(overtaken).toEqual([2400])
    expect(kept.at(-1)).toBeNull()
    saver.isAt(2400)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(saved()).toEqual([720, 720])
  })

  test('is of no interest any more, when the person has moved on here', async () => {
    offline()
    const { saver, overtaken } = begin()
    saver.isAt(720)
    await settle()
    sleep(3600)
    fetched.mockImplementationOnce(async () => {
      saver.isAt(725)
      return answer({ seconds: 2400 })
    })
    backOnline()
    await vi.advanceTimersByTimeAsync(5000)
    expect(overtaken).toEqual([])
    expect(ages().at(-1)).toEqual([725, undefined])
  })

  test('that another visit kept has been theirs since then', async () => {
    offline()
    const { saver, kept } = begin()
    saver.isAt(5)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(kept.at(-1)).toMatchObject({ seconds: 5, secondsAgo: 15 })
    backOnline()
    const next = begin()
    next.saver.goOnWith({ ...kept.at(-1)!, secondsAgo: 600 })
    await settle()
    expect(ages().at(-1)).toEqual([5, 600])
  })
})

describe('a page that is read anew', () => {
  const minutePasses = () => vi.advanceTimersByTimeAsync(60_000)

  test('says where another device is by now', async () => {
    const { saver } = begin(720)
    await minutePasses()
    expect(saver.takesOver(720)).toBe(false)
    expect(saver.takesOver(2400)).toBe(true)
    saver.isAt(2400, true)
    await settle()
    expect(saved()).toEqual([])
  })

  test('may have been read before what was told here', async () => {
    const { saver } = begin(720)
    await minutePasses()
    saver.isAt(730)
    await settle()
    expect(saver.takesOver(720)).toBe(false)
    await minutePasses()
    expect(saver.takesOver(720)).toBe(true)
  })

  test('says nothing to whoever has something to tell', async () => {
    fetched.mockRejectedValue(new TypeError('offline'))
    const { saver } = begin(720)
    saver.isAt(730)
    await minutePasses()
    expect(saver.takesOver(2400)).toBe(false)
  })
})

describe('what was played', () => {
  test('goes with the position and the end in one request', async () => {
    const { saver, answers } = begin()
    fetched.mockImplementation(async () => answer({ completed: true }))
    saver.hasPlayed({ from: 5.001, to: 9.999 })
    saver.isAt(0)
    saver.isAt(9.999)
    saver.hasEnded(10)
    await settle()
    expect(bodies()).toEqual([
      { seconds: 10, played: [{ from: 5, to: 10 }], duration: 10, ended: true },
    ])
    expect(answers).toMatchObject([{ completed: true }])
  })

  test('is told until it is answered, and then no more', async () => {
    fetched.mockRejectedValueOnce(new TypeError('offline'))
    const { saver } = begin()
    saver.hasPlayed({ from: 0, to: 5 })
    await settle()
    saver.hasPlayed({ from: 5, to: 10 })
    await settle()
    saver.hasPlayed({ from: 20, to: 25 })
    await settle()
    expect(bodies().map(({ played }) => played)).toEqual([
      [{ from: 0, to: 5 }],
      [{ from: 0, to: 10 }],
      [{ from: 20, to: 25 }],
    ])
  })

  test('while a request was under way comes next', async () => {
    const waiting = slowly()
    const { saver } = begin()
    saver.hasPlayed({ from: 0, to: 5 })
    await settle()
    saver.hasPlayed({ from: 5, to: 10 })
    await settle()
    waiting.shift()?.()
    await settle()
    expect(bodies().map(({ played }) => played)).toEqual([
      [{ from: 0, to: 5 }],
      [{ from: 5, to: 10 }],
    ])
  })

  test('that the server does not believe yet is told in smaller parts, later', async () => {
    fetched.mockImplementationOnce(async () => answer({ accepted: false }))
    const { saver } = begin()
    saver.hasPlayed({ from: 0, to: 60 })
    await settle()
    expect(bodies()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(5000)
    expect(bodies().map(({ played }) => played)).toEqual([
      [{ from: 0, to: 60 }],
      [{ from: 0, to: 30 }],
      [{ from: 30, to: 60 }],
    ])
  })

  test('is told with the end of the video last, when it is told in parts', async () => {
    fetched.mockImplementationOnce(async () => answer({ accepted: false }))
    const { saver } = begin()
    saver.hasPlayed({ from: 0, to: 60 })
    saver.hasEnded(60)
    await vi.advanceTimersByTimeAsync(5000)
    expect(bodies().map(({ played, ended }) => ({ played, ended }))).toEqual([
      { played: [{ from: 0, to: 60 }], ended: true },
      { played: [{ from: 0, to: 30 }], ended: undefined },
      { played: [{ from: 30, to: 60 }], ended: true },
    ])
  })

  test('is told with the end of the video last, when it is more than the server takes at once', async () => {
    const { saver } = begin()
    for (let from = 0; from < 250; from += 10) saver.hasPlayed({ from, to: from + 5 })
    saver.hasEnded(250)
    await settle()
    expect(bodies().map(({ played, ended }) => [played?.length, ended])).toEqual([
      [20, undefined],
      [5, true],
    ])
  })

  test('is dropped by somebody who may not be here any more', async () => {
    fetched.mockImplementation(async () => new Response('{}', { status: 403 }))
    const { saver } = begin()
    saver.hasPlayed({ from: 0, to: 5 })
    await vi.advanceTimersByTimeAsync(100_000)
    expect(bodies()).toHaveLength(1)
  })

  test('is kept for whose log-in has ended', async () => {
    fetched.mockImplementation(async () => new Response('{}', { status: 401 }))
    const { saver, kept } = begin(3)
    saver.hasPlayed({ from: 3, to: 8 })
    saver.isAt(8)
    await settle()
    expect(kept.at(-1)).toMatchObject({ seconds: 8, savedSeconds: 3, played: [{ from: 3, to: 8 }] })
  })

  test('waits longer and longer for a server that is away', async () => {
    fetched.mockImplementation(async () => new Response('', { status: 503 }))
    const { saver, stop } = begin()
    saver.hasPlayed({ from: 0, to: 5 })
    await vi.advanceTimersByTimeAsync(5000 + 10_000 + 20_000)
    expect(bodies()).toHaveLength(4)
    stop()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(bodies()).toHaveLength(4)
  })
})

describe('without a connection', () => {
  test('everything is kept for the next visit, and told by it', async () => {
    fetched.mockRejectedValue(new TypeError('offline'))
    online.mockReturnValue(false)
    const { saver, kept } = begin(3)
    saver.hasPlayed({ from: 3, to: 8 })
    saver.hasPlayed({ from: 8, to: 10 })
    saver.isAt(0)
    saver.hasEnded(10)
    await settle()
    const unsaved = {
      video: 'video-1',
      seconds: 0,
      savedSeconds: 3,
      secondsAgo: 0,
      told: [0],
      played: [{ from: 3, to: 10 }],
      endedAt: 10,
    }
    expect(kept.at(-1)).toEqual(unsaved)

    fetched.mockReset().mockImplementation(async () => answer())
    const next = begin(3)
    expect(next.saver.goOnWith(unsaved)).toBe(true)
    await settle()
    expect(bodies()).toEqual([
      { seconds: 0, played: [{ from: 3, to: 10 }], duration: 10, ended: true },
    ])
    expect(next.kept).toEqual([null])
  })

  test('the place of another device in the meantime wins', async () => {
    const next = begin(44)
    const played = [{ from: 3, to: 9 }]
    const places = { seconds: 9, savedSeconds: 3, secondsAgo: 5, told: [5, 7] }
    const unsaved = { video: 'video-1', ...places, played, endedAt: null }
    expect(next.saver.goOnWith(unsaved)).toBe(false)
    await settle()
    expect(bodies()).toEqual([{ seconds: 44, played: [{ from: 3, to: 9 }] }])
  })

  test('whoever leaves with a connection keeps it until the answer: the next page may be read before', async () => {
    const { saver, kept } = begin()
    saver.isAt(5, true)
    await settle()
    expect(kept).toEqual([expect.objectContaining({ seconds: 5, savedSeconds: 0 }), null])
    const next = begin()
    expect(next.saver.goOnWith(kept[0]!)).toBe(true)
    const later = begin(5)
    expect(later.saver.goOnWith(kept[0]!)).toBe(false)
  })
})

test('of a video that the lesson has no more, nothing is told or kept any longer, and it is said once', async () => {
  const waiting: (() => void)[] = []
  fetched.mockImplementation(
    () =>
      new Promise((resolve) =>
        waiting.push(() => resolve(Response.json({ code: 'OTHER_VIDEO' }, { status: 409 }))),
      ),
  )
  const { saver, kept, onReplaced } = begin()
  saver.hasPlayed({ from: 0, to: 5 })
  saver.isAt(5)
  await settle()
  saver.isAt(6, true)
  await settle()
  for (const arrive of waiting) arrive()
  await settle()
  saver.isAt(12)
  saver.hasPlayed({ from: 6, to: 12 })
  saver.hasEnded(12)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(saved()).toEqual([5, 6])
  expect(onReplaced).toHaveBeenCalledOnce()
  expect(kept.at(-1)).toBeNull()
})

test('of a video that was replaced whoever has gone on to another lesson hears nothing', async () => {
  const waiting: (() => void)[] = []
  fetched.mockImplementation(
    () =>
      new Promise((resolve) =>
        waiting.push(() => resolve(Response.json({ code: 'OTHER_VIDEO' }, { status: 409 }))),
      ),
  )
  const { saver, onReplaced, stop } = begin()
  saver.hasPlayed({ from: 0, to: 5 })
  saver.isAt(5, true)
  await settle()
  stop()
  for (const arrive of waiting) arrive()
  await settle()
  expect(onReplaced).not.toHaveBeenCalled()
})

test('of another device that was there later whoever has gone on to another lesson hears nothing', async () => {
  const waiting: (() => void)[] = []
  fetched.mockImplementation(
    () => new Promise((resolve) => waiting.push(() => resolve(answer({ seconds: 2400 })))),
  )
  const { saver, overtaken, kept, stop } = begin()
  saver.isAt(720, true)
  await settle()
  stop()
  for (const arrive of waiting) arrive()
  await settle()
  expect(overtaken).toEqual([])
  expect(kept.at(-1)).toBeNull()
})

describe('on a bad line', () => {
  const never = () => new Promise<Response>(() => {})

  test('whoever leaves while a request is under way has everything kept', async () => {
    fetched.mockImplementation(never)
    const { saver, kept } = begin()
    saver.hasPlayed({ from: 0, to: 5 })
    saver.isAt(5)
    await settle()
    expect(kept).toEqual([])
    saver.isAt(12, true)
    await settle()
    const places = { seconds: 12, savedSeconds: 0, secondsAgo: 0, told: [5] }
    const played = [{ from: 0, to: 5 }]
    expect(kept).toEqual([{ video: 'video-1', ...places, played, endedAt: null }])
  })

  test('what was kept on leaving is forgotten, when the answers come all the same', async () => {
    const waiting = slowly()
    const { saver, kept } = begin()
    saver.isAt(5)
    await settle()
    saver.isAt(12, true)
    await settle()
    for (const arrive of waiting) arrive()
    await settle()
    expect(kept).toEqual([expect.objectContaining({ seconds: 12 }), null])
  })

  test('a request that is never answered is given up, and told again', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
      const late = new AbortController()
      setTimeout(() => late.abort(), milliseconds)
      return late.signal
    })
    fetched.mockImplementationOnce(
      (_url, { signal }) =>
        new Promise((_resolve, reject) => {
          signal!.addEventListener('abort', () => reject(new DOMException('late', 'TimeoutError')))
        }),
    )
    const { saver, kept } = begin()
    saver.isAt(5)
    await settle()
    saver.isAt(10)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(saved()).toEqual([5])
    expect(kept.at(-1)).toMatchObject({ seconds: 10, savedSeconds: 0, told: [5] })
    await vi.advanceTimersByTimeAsync(5000)
    expect(saved()).toEqual([5, 10])
    expect(kept.at(-1)).toBeNull()
    vi.restoreAllMocks()
  })

  test('a place that was stored although its answer was lost is no other device', async () => {
    fetched.mockRejectedValue(new TypeError('offline'))
    const { saver, kept } = begin(95)
    for (const seconds of [100, 400]) {
      saver.isAt(seconds)
      await settle()
    }
    expect(kept.at(-1)).toMatchObject({ seconds: 400, savedSeconds: 95, told: [100, 400] })

    fetched.mockReset().mockImplementation(async () => answer())
    const next = begin(100)
    expect(next.saver.goOnWith(kept.at(-1)!)).toBe(true)
    await settle()
    expect(saved()).toEqual([400])
  })

  test('an answer ends what was told without one', async () => {
    fetched.mockRejectedValueOnce(new TypeError('offline'))
    const { saver, kept } = begin()
    for (const seconds of [5, 10]) {
      saver.isAt(seconds)
      await settle()
    }
    fetched.mockRejectedValue(new TypeError('offline'))
    saver.isAt(15)
    await settle()
    expect(kept.at(-1)).toMatchObject({ seconds: 15, savedSeconds: 10, told: [15] })
  })
})

test('united puts stretches in order and joins those that touch', () => {
  const stretches = [
    { from: 20, to: 25 },
    { from: 0, to: 5 },
    { from: 5, to: 7 },
    { from: 1, to: 2 },
  ]
  expect(united(stretches)).toEqual([
    { from: 0, to: 7 },
    { from: 20, to: 25 },
  ])
  expect(stretches[1]).toEqual({ from: 0, to: 5 })
})
