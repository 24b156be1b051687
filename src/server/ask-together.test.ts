// Who gets which answer, and who waits for whom. That statements of this kind answer each with the own row is in visit.test.ts,
// in lessons/progress.test.ts and wherever else they are asked.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DatabaseError, type Pool } from 'pg'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { askTogether, gatherOn, question, questionNamed } from './ask-together.ts'
import { underWay, type Work } from './under-way.ts'

const echo = question(
  'echo',
  { word: 'text', times: 'integer' },
  (asked) => `select * from ${asked}`,
)

interface Sent {
  words: string[]
  values: unknown[][]
  name: string
  text: string
  work: Work | undefined
  /** With the rows of all who asked, the last first. */
  answer: () => void
  fail: (error: Error) => void
}

/** A database that answers when it is told to. */
function slowly({ gathers = true, onSent = () => {} } = {}) {
  const sent: Sent[] = []
  const query = (statement: { name: string; text: string; values: [string[], number[]] }) => {
    const { promise, resolve, reject } = Promise.withResolvers<{ rows: object[] }>()
    const [words, times] = statement.values
    const rows = words.flatMap((word, at) =>
      Array.from({ length: times[at]! }, (_, turn) => ({
        n: String(at + 1),
        said: `${word}${turn}`,
      })),
    )
    sent.push({
      ...statement,
      words,
      work: underWay.getStore(),
      answer: () => resolve({ rows: rows.toReversed() }),
      fail: reject,
    })
    onSent()
    return promise
  }
  const pool = { query } as unknown as Pool
  if (gathers) gatherOn(pool)
  const ask = async (word: string, times: number | null = 1) => {
    const rows = await askTogether<{ said: string }>(pool, echo, { word, times })
    return rows.map(({ said }) => String(said)).join(' ')
  }
  return { ask, sent }
}

const refusal = () => Object.assign(new DatabaseError('no', 2, 'error'), { severity: 'ERROR' })

describe('what is asked at the same time', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('is one statement, and each gets the own rows', async () => {
    const { ask, sent } = slowly()
    const all = Promise.all([ask('a', 2), ask('b', 0), ask('c')])
    await nextTurn()
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({
      name: 'echo',
      text: 'select * from unnest((select $1::text[]), (select $2::integer[])) with ordinality as asked (word, times, n)',
      values: [
        ['a', 'b', 'c'],
        [2, 0, 1],
      ],
    })
    sent[0]!.answer()
    expect(await all).toEqual(['a1 a0', '', 'c0'])
    expect(sent).toHaveLength(1)
  })

  test('is what comes in one turn; who comes after it waits', async () => {
    const late: Promise<string>[] = []
    const { ask, sent } = slowly({ onSent: () => late.length === 0 && late.push(ask('c')) })
    const all = Promise.all([ask('a'), ask('b')])
    await nextTurn()
    await nextTurn()
    expect(sent.map(({ words }) => words)).toEqual([['a', 'b']])
    sent[0]!.answer()
    expect(await all).toEqual(['a0', 'b0'])
    await nextTurn()
    sent[1]!.answer()
    expect(await Promise.all(late)).toEqual(['c0'])
  })

  test('waits for the statement under way, whose answers may be too old', async () => {
    const { ask, sent } = slowly()
    const first = ask('a')
    await nextTurn()
    const others = Promise.all([ask('b'), ask('c')])
    await nextTurn()
    expect(sent).toHaveLength(1)
    sent[0]!.answer()
    expect(await first).toBe('a0')
    await nextTurn()
    expect(sent.map(({ words }) => words)).toEqual([['a'], ['b', 'c']])
    sent[1]!.answer()
    expect(await others).toEqual(['b0', 'c0'])
    const last = ask('d')
    await nextTurn()
    sent[2]!.answer()
    expect(await last).toBe('d0')
    expect(sent).toHaveLength(3)
  })

  test('waits no longer for a statement that is not answered in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { ask, sent } = slowly()
    const first = ask('a')
    await nextTurn()
    expect(vi.getTimerCount()).toBe(0)
    const others = Promise.all([ask('b'), ask('c')])
    await vi.advanceTimersByTimeAsync(49)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(sent.map(({ words }) => words)).toEqual([['a'], ['b', 'c']])
    const last = ask('d')
    sent[0]!.answer()
    expect(await first).toBe('a0')
    await nextTurn()
    // There is another one under way.
    expect(sent).toHaveLength(2)
    sent[1]!.answer()
    expect(await others).toEqual(['b0', 'c0'])
    await nextTurn()
    sent[2]!.answer()
    expect(await last).toBe('d0')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('has all of that time for the next statement', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { ask, sent } = slowly()
    void ask('a')
    await nextTurn()
    void ask('b')
    await vi.advanceTimersByTimeAsync(30)
    sent[0]!.answer()
    await nextTurn()
    void ask('c')
    await vi.advanceTimersByTimeAsync(49)
    expect(sent.map(({ words }) => words)).toEqual([['a'], ['b']])
    await vi.advanceTimersByTimeAsync(1)
    expect(sent.map(({ words }) => words)).toEqual([['a'], ['b'], ['c']])
  })

  test('is not more than 64 questions in a statement; the rest goes with the next', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { ask, sent } = slowly()
    const all = Promise.all(Array.from({ length: 129 }, (_, at) => ask(`w${at}-`)))
    await nextTurn()
    sent[0]!.answer()
    await nextTurn()
    expect(sent.map(({ words }) => words.length)).toEqual([64, 64])
    await vi.advanceTimersByTimeAsync(50)
    expect(sent.map(({ words }) => words.length)).toEqual([64, 64, 1])
    sent[1]!.answer()
    sent[2]!.answer()
    expect((await all).at(-1)).toBe('w128-0')
  })

  test('is asked again, each alone, where one of them is refused', async () => {
    const { ask, sent } = slowly()
    const all = Promise.allSettled([ask('a'), ask('b')])
    await nextTurn()
    sent[0]!.fail(refusal())
    await nextTurn()
    expect(sent.map(({ words }) => words)).toEqual([['a', 'b'], ['a'], ['b']])
    const error = refusal()
    sent[1]!.fail(error)
    sent[2]!.answer()
    expect(await all).toEqual([
      { status: 'rejected', reason: error },
      { status: 'fulfilled', value: 'b0' },
    ])
    expect(sent).toHaveLength(3)
  })

  test.each([
    ['the connection was lost', new Error('Connection terminated unexpectedly')],
    ['PostgreSQL ends', Object.assign(refusal(), { severity: 'FATAL' })],
  ])('is not asked again where %s: it may have been done', async (_why, error) => {
    const { ask, sent } = slowly()
    const all = Promise.allSettled([ask('a'), ask('b')])
    await nextTurn()
    sent[0]!.fail(error)
    expect((await all).map((one) => one.status)).toEqual(['rejected', 'rejected'])
    expect(sent).toHaveLength(1)
    const next = ask('c')
    await nextTurn()
    sent[1]!.answer()
    expect(await next).toBe('c0')
  })

  test('is noted with each request that asks', async () => {
    const { ask, sent } = slowly()
    const works: Work[] = [{ facts: { statements: 0 } }, { facts: { statements: 0 } }]
    const all = Promise.all([...works.map((work) => underWay.run(work, () => ask('a'))), ask('b')])
    await nextTurn()
    // The driver notes the statement with the first.
    expect(sent[0]!.work).toBe(works[0])
    expect(works.map(({ facts }) => facts.statements)).toEqual([0, 1])
    sent[0]!.answer()
    await all
  })

  test('is a statement each, where a pool does not gather', async () => {
    const { ask, sent } = slowly({ gathers: false })
    const all = Promise.all([ask('a'), ask('b')])
    expect(sent.map(({ words }) => words)).toEqual([['a'], ['b']])
    for (const one of sent) one.answer()
    expect(await all).toEqual(['a0', 'b0'])
  })

  test('may leave something out', async () => {
    const { ask, sent } = slowly({ gathers: false })
    void ask('a', null)
    expect(sent[0]!.values).toEqual([['a'], [null]])
  })
})

test('a question of several kinds is made once for each', () => {
  const make = vi.fn((name: string) => question(name, {}, () => ''))
  const first = questionNamed('of a kind', make)
  expect(questionNamed('of a kind', make)).toBe(first)
  expect(questionNamed('of another', make)).not.toBe(first)
  expect(make).toHaveBeenCalledTimes(2)
})
