import { expect, test } from 'vitest'
import { sharedQuestion } from './shared-question.ts'

/** Answers with the number of the question, when it is let. */
function slowly() {
  const waiting: { answer: () => void; fail: () => void }[] = []
  let asked = 0
  const ask = () => {
    const number = ++asked
    return new Promise<number>((resolve, reject) =>
      waiting.push({ answer: () => resolve(number), fail: () => reject(new Error('no answer')) }),
    )
  }
  return { ask: sharedQuestion(ask), waiting, asked: () => asked }
}

test('nobody gets the answer to a question that was asked before; those who wait share the next', async () => {
  const { ask, waiting, asked } = slowly()
  const first = ask()
  const [second, third] = [ask(), ask()]
  expect(asked()).toBe(1)
  waiting[0]!.answer()
  expect(await first).toBe(1)
  await expect.poll(asked).toBe(2)
  const fourth = ask()
  waiting[1]!.answer()
  expect(await second).toBe(2)
  expect(await third).toBe(2)
  await expect.poll(asked).toBe(3)
  waiting[2]!.answer()
  expect(await fourth).toBe(3)
  expect(asked()).toBe(3)
})

test('a question that fails does not hold up the next', async () => {
  const { ask, waiting, asked } = slowly()
  const first = ask()
  const second = ask()
  waiting[0]!.fail()
  await expect(first).rejects.toThrow('no answer')
  await expect.poll(asked).toBe(2)
  waiting[1]!.answer()
  expect(await second).toBe(2)
})
