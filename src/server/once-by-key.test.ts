// What is done once for a key, without a call around it. That calls keep to it is in idempotency.test.ts.
import { randomUUID } from 'node:crypto'
import { ORPCError } from '@orpc/server'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openCopy } from '../../test/database-copy.ts'
import { toldDatabase } from '../../test/told-database.ts'
import { onceByKey, removeOldIdempotencyKeys } from './idempotency.ts'
import type { Services } from './services.ts'

let database: Awaited<ReturnType<typeof openCopy>>
let services: Services
let userId: string
let key: string
beforeAll(async () => {
  database = await openCopy()
  services = { db: database.db, secret: 'kept' } as unknown as Services
  await run('create table effects (text text)')
  userId = await person()
})
afterAll(() => database?.pool.end())
beforeEach(async () => {
  key = randomUUID()
  await run('delete from effects')
})

const run = (text: string, ...values: unknown[]) => database.pool.query(text, values)
async function person(): Promise<string> {
  const { rows } = await run(
    `insert into users (name, email) values ('Ann', $1) returning id`,
    `${randomUUID()}@example.com`,
  )
  return rows[0].id
}

const call = 'POST /x'
type Work = (services: Services) => Promise<unknown>
const once = (work: Work, request: object = {}) =>
  onceByKey(services, { userId, key, call, input: {}, ...request }, work)
const answering = (answer: unknown) => vi.fn<Work>(async () => answer)
/** Does something in a transaction, then what else is wanted. */
const doing =
  (text: string, then: () => unknown = () => text): Work =>
  ({ db }) =>
    db
      .transaction((transaction) => transaction.execute(sql`insert into effects values (${text})`))
      .then(then)
const effects = async () => (await run('select text from effects')).rows.map(({ text }) => text)
const forEver = () => new Promise<never>(() => {})
const code = (name: string, status: number) => ({ code: name, status })
const inFlight = code('IDEMPOTENCY_IN_FLIGHT', 409)
const answerLost = code('IDEMPOTENCY_ANSWER_LOST', 409)
const otherRequest = code('IDEMPOTENCY_KEY_REUSED', 422)

/** As if the request with this key had begun so many seconds ago. */
const startedAgo = (seconds: number) =>
  run(
    'update idempotency_keys set started_at = now() - make_interval(secs => $2) where key = $1',
    key,
    seconds,
  )
const createdAgo = (ago: string) =>
  run('update idempotency_keys set created_at = now() - $2::interval where key = $1', key, ago)

/** A request that goes on when it is told to, and is under way now. */
async function begun(work: (gate: Promise<void>, isUnderWay: () => void) => Work) {
  const { promise: gate, resolve: goOn } = Promise.withResolvers<void>()
  const { promise: underWay, resolve: isUnderWay } = Promise.withResolvers<void>()
  const answer = once(work(gate, isUnderWay))
  answer.catch(() => {})
  await underWay
  return { answer, goOn }
}
const waiting = (gate: Promise<void>, isUnderWay: () => void): Work => {
  return async () => {
    isUnderWay()
    await gate
    return 'slow'
  }
}

describe('what was done', () => {
  test('is not done again, and answered alike', async () => {
    const answer = { text: 'done', list: [1, null] }
    expect(await once(answering(answer))).toEqual({ output: answer, isReplay: false })
    const again = answering('again')
    expect(await once(again)).toEqual({ output: answer, isReplay: true })
    expect(again).not.toHaveBeenCalled()
  })

  test('is another thing with another key, for another person, and none of them is mixed up', async () => {
    const others = [{ key: randomUUID() }, { userId: await person() }]
    await once(answering('first'))
    for (const [at, other] of others.entries()) await once(answering(at), other)
    expect((await once(answering('again'))).output).toBe('first')
    for (const [at, other] of others.entries()) {
      expect((await once(answering('again'), other)).output).toBe(at)
    }
  })

  test('with this key was this request', async () => {
    await once(answering('first'), { input: { one: 1 } })
    const again = answering('again')
    for (const other of [{ input: { one: 2 } }, { call: 'POST /y', input: { one: 1 } }]) {
      await expect(once(again, other)).rejects.toMatchObject(otherRequest)
    }
    expect(again).not.toHaveBeenCalled()
  })

  test('with the services of the request, whose transactions answer', async () => {
    const { output } = await once(async (given) => [
      given.secret,
      (await given.db.execute(sql`select 1 as plain`)).rows,
      await given.db.transaction(async () => 'in one', { isolationLevel: 'serializable' }),
    ])
    expect(output).toEqual(['kept', [{ plain: 1 }], 'in one'])
  })

  test('in a transaction of the kind that was wanted', async () => {
    const { output } = await once(({ db }) =>
      db.transaction(async (open) => (await open.execute(sql`show transaction_isolation`)).rows, {
        isolationLevel: 'serializable',
      }),
    )
    expect(output).toEqual([{ transaction_isolation: 'serializable' }])
  })
})

test('what is only looked at is not noted as done, and can be', async () => {
  const looking: Work = ({ db }) =>
    db.transaction((open) => open.execute(sql`select 1`), { accessMode: 'read only' })
  const failing: Work = async (given) => {
    await looking(given)
    throw new Error('the disk is full')
  }
  await expect(once(failing)).rejects.toThrow('the disk is full')
  const both: Work = async (given) => {
    await looking(given)
    return doing('once')(given)
  }
  expect(await once(both)).toEqual({ output: 'once', isReplay: false })
  expect(await effects()).toEqual(['once'])
})

describe('a key', () => {
  test.each([' ', '~', 'x'.repeat(255), '"quoted"'])('may be %j', async (good) => {
    expect((await once(answering('done'), { key: good })).output).toBe('done')
  })

  test.each(['', 'x'.repeat(256), 'xö', 'öx', '\u001F', '\u007F', 'x\n'])(
    'is not %j',
    async (bad) => {
      const work = answering('done')
      await expect(once(work, { key: bad })).rejects.toMatchObject(code('BAD_IDEMPOTENCY_KEY', 400))
      expect(work).not.toHaveBeenCalled()
    },
  )

  test('is free again after 24 hours, also for something else, and removed', async () => {
    await once(answering('first'))
    await createdAgo('23 hours 59 minutes')
    await removeOldIdempotencyKeys(services.db)
    expect((await once(answering('again'))).isReplay).toBe(true)
    await createdAgo('24 hours 1 minute')
    const next = await once(answering('next'), { input: 'something else' })
    expect(next).toEqual({ output: 'next', isReplay: false })
    // It counts from then on.
    await removeOldIdempotencyKeys(services.db)
    expect((await once(answering('again'), { input: 'something else' })).output).toBe('next')
    await createdAgo('24 hours 1 minute')
    await removeOldIdempotencyKeys(services.db)
    const { rows } = await run('select 1 from idempotency_keys where key = $1', key)
    expect(rows).toEqual([])
  })

  test('whose request is refused just now is said to be under way', async () => {
    const db = drizzle({ client: toldDatabase(() => []).pool })
    const request = { userId, key, call, input: {} }
    const work = answering('done')
    await expect(onceByKey({ db } as unknown as Services, request, work)).rejects.toMatchObject(
      inFlight,
    )
    expect(work).not.toHaveBeenCalled()
  })
})

describe('a request under way', () => {
  test('is not done beside itself', async () => {
    const slow = await begun(waiting)
    await startedAgo(40)
    await expect(once(answering('again'))).rejects.toMatchObject(inFlight)
    slow.goOn()
    expect(await slow.answer).toEqual({ output: 'slow', isReplay: false })
    expect((await once(answering('again'))).output).toBe('slow')
  })

  describe('for longer than others wait', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      onTestFinished(() => void vi.useRealTimers())
    })
    const secondsSinceSign = async () => {
      const { rows } = await run(
        'select extract(epoch from now() - started_at)::float as seconds from idempotency_keys where key = $1',
        key,
      )
      return rows[0].seconds
    }

    test('is not taken over as long as it is alive, and answers', async () => {
      const slow = await begun(waiting)
      for (const _minute of [1, 2, 3]) {
        await startedAgo(61)
        vi.advanceTimersByTime(20_000)
        await expect.poll(secondsSinceSign).toBeLessThan(60)
        await expect(once(answering('again'))).rejects.toMatchObject(inFlight)
      }
      slow.goOn()
      expect(await slow.answer).toEqual({ output: 'slow', isReplay: false })
      expect((await once(answering('again'))).output).toBe('slow')
    })

    test('is taken over once it gives no sign of life any more', async () => {
      await begun(waiting)
      vi.advanceTimersByTime(19_000)
      await startedAgo(61)
      expect((await once(answering('second'))).output).toBe('second')
      // What is heard of the first one now says nothing about the second.
      await startedAgo(61)
      vi.advanceTimersByTime(60_000)
      await run('select 1')
      await expect.poll(() => database.pool.totalCount - database.pool.idleCount).toBe(0)
      expect(await secondsSinceSign()).toBeGreaterThan(60)
    })

    test.each([
      ['answered', answering('done')],
      ['failed', () => Promise.reject(new Error('no'))],
    ])('gives no sign of life once it has %s', async (_how, work) => {
      await once(work).catch(() => {})
      expect(vi.getTimerCount()).toBe(0)
    })

    test('goes on where a sign of life does not come through', async () => {
      const slow = await begun(waiting)
      const where = vi.fn(() => Promise.reject(new Error('no database')))
      const update = vi.spyOn(services.db, 'update')
      update.mockReturnValueOnce({ set: () => ({ where }) } as never)
      vi.advanceTimersByTime(20_000)
      update.mockRestore()
      expect(where).toHaveBeenCalledOnce()
      slow.goOn()
      expect((await slow.answer).output).toBe('slow')
    })
  })

  test('is not freed by another that fails', async () => {
    const slow = await begun(waiting)
    const failing = once(() => Promise.reject(new Error('no')), { key: randomUUID() })
    await expect(failing).rejects.toThrow('no')
    await expect(once(answering('again'))).rejects.toMatchObject(inFlight)
    slow.goOn()
    await slow.answer
  })

  test('is not taken over by another request with its key', async () => {
    const slow = await begun(waiting)
    await startedAgo(61)
    const other = once(answering('again'), { input: 'something else' })
    await expect(other).rejects.toMatchObject(otherRequest)
    slow.goOn()
    expect((await slow.answer).output).toBe('slow')
  })

  test('that was taken for dead, and is not, undoes what it did and answers nothing', async () => {
    const slow = await begun(
      (gate, isUnderWay) =>
        ({ db }) =>
          db.transaction(async (open) => {
            await open.execute(sql`insert into effects values ('slow')`)
            isUnderWay()
            await gate
            return 'slow'
          }),
    )
    await startedAgo(61)
    expect(await once(doing('second'))).toEqual({ output: 'second', isReplay: false })
    slow.goOn()
    await expect(slow.answer).rejects.toMatchObject(inFlight)
    expect(await effects()).toEqual(['second'])
    expect((await once(answering('third'))).output).toBe('second')
  })

  test('that was taken for dead answers nothing to others, also where it did nothing', async () => {
    const slow = await begun(waiting)
    await startedAgo(61)
    await once(answering('second'))
    slow.goOn()
    expect((await slow.answer).output).toBe('slow')
    expect((await once(answering('third'))).output).toBe('second')
  })

  test('has done what it did for good, whatever becomes of its answer', async () => {
    const { promise: done, resolve: isDone } = Promise.withResolvers<void>()
    void once(
      doing('once', () => {
        isDone()
        return forEver()
      }),
    )
    await done
    await startedAgo(40)
    await expect(once(doing('again'))).rejects.toMatchObject(inFlight)
    await startedAgo(61)
    await expect(once(doing('again'))).rejects.toMatchObject(answerLost)
    expect(await effects()).toEqual(['once'])
  })
})

test('a node whose clock is ahead takes nobody’s answer for lost', async () => {
  const { promise: done, resolve: isDone } = Promise.withResolvers<void>()
  void once(
    doing('once', () => {
      isDone()
      return forEver()
    }),
  )
  await done
  vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  await expect(once(doing('again'))).rejects.toMatchObject(inFlight)
})

describe('a request that failed', () => {
  const failure = new Error('the disk is on fire')
  const fail = () => Promise.reject(failure)

  test('before it did anything, can be sent again, with something else as well', async () => {
    await expect(once(fail)).rejects.toBe(failure)
    expect((await once(answering('well'), { input: 'else' })).output).toBe('well')
  })

  test('in its transaction, has done nothing', async () => {
    const failing: Work = ({ db }) =>
      db.transaction(async (open) => {
        await open.execute(sql`insert into effects values ('never')`)
        throw failure
      })
    await expect(once(failing)).rejects.toBe(failure)
    expect(await once(doing('well'))).toEqual({ output: 'well', isReplay: false })
    expect(await effects()).toEqual(['well'])
  })

  test('after it did something, is not done again', async () => {
    await expect(once(doing('once', fail))).rejects.toBe(failure)
    await expect(once(doing('again'))).rejects.toMatchObject(inFlight)
    await startedAgo(61)
    await expect(once(doing('again'))).rejects.toMatchObject(answerLost)
    expect(await effects()).toEqual(['once'])
  })

  test.each([409, 422, 499])(
    'because it was refused with %i after a transaction, can be sent again',
    async (status) => {
      const refusal = new ORPCError('REFUSED', { status })
      await expect(once(doing('looked', () => Promise.reject(refusal)))).rejects.toBe(refusal)
      expect((await once(answering('well'), { input: 'else' })).output).toBe('well')
    },
  )

  test.each([500, 503])('with %i after it did something, is not done again', async (status) => {
    const problem = new ORPCError('BROKEN', { status })
    await expect(once(doing('once', () => Promise.reject(problem)))).rejects.toBe(problem)
    await expect(once(doing('again'))).rejects.toMatchObject(inFlight)
  })

  test('with an error that only looks like a refusal, is not done again', async () => {
    const fault = Object.assign(new Error('from elsewhere'), { status: 404 })
    await expect(once(doing('once', () => Promise.reject(fault)))).rejects.toBe(fault)
    await expect(once(doing('again'))).rejects.toMatchObject(inFlight)
  })
})

describe('an answer', () => {
  const kept = async () =>
    (await run('select answer from idempotency_keys where key = $1', key)).rows[0].answer

  test('of 64 KiB is kept', async () => {
    const long = 'x'.repeat(65_534)
    await once(answering(long))
    expect((await once(answering('again'))).output).toBe(long)
    expect(await kept()).toBe(`"${long}"`)
  })

  test('that is longer is not, and what it was about is not done again', async () => {
    const long = 'x'.repeat(65_535)
    expect(await once(answering(long))).toEqual({ output: long, isReplay: false })
    expect(await kept()).toBe('')
    await expect(once(answering('again'))).rejects.toMatchObject(answerLost)
  })
})
