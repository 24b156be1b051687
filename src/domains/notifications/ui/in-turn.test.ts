import { expect, test } from 'vitest'
import { inTurn } from './in-turn.ts'

test('whoever asks while it runs shares the next run', async () => {
  const runs: PromiseWithResolvers<string>[] = []
  const ask = inTurn(() => {
    const run = Promise.withResolvers<string>()
    runs.push(run)
    return run.promise
  })
  const first = ask()
  const [second, third] = [ask(), ask()]
  expect(runs.length).toBe(1)
  runs[0]!.resolve('before')
  expect(await first).toBe('before')
  await expect.poll(() => runs.length).toBe(2)
  const fourth = ask()
  runs[1]!.resolve('after')
  expect(await Promise.all([second, third])).toEqual(['after', 'after'])
  await expect.poll(() => runs.length).toBe(3)
  runs[2]!.resolve('last')
  expect(await fourth).toBe('last')
})

test('a run that fails does not stop the next one', async () => {
  let runs = 0
  const ask = inTurn(async () => {
    runs += 1
    if (runs === 1) throw new Error('no connection')
    return runs
  })
  const failing = ask()
  const next = ask()
  await expect(failing).rejects.toThrow('no connection')
  expect(await next).toBe(2)
})
