// Likes that come while comments are read: the answer was made before them.
import { expect, test } from 'vitest'
import { createReadings } from './readings.ts'

test('what happens while something is read is shown at once, and again after the older answer', async () => {
  const readings = createReadings()
  const answer = Promise.withResolvers<number>()
  let likes = 0
  const show = (count: number) => () => {
    likes = count
  }
  const reading = readings.read(answer.promise, (count) => show(count)())
  readings.happened(show(1))
  expect(likes).toBe(1)
  readings.happened(show(2))
  expect(likes).toBe(2)
  answer.resolve(0)
  expect(await reading).toBe(0)
  expect(likes).toBe(2)
})

test('what happened before a reading, or after it, is not shown again', async () => {
  const readings = createReadings()
  const shown: string[] = []
  const show = (what: string) => () => void shown.push(what)
  readings.happened(show('before'))
  await readings.read(Promise.resolve('answer'), (answer) => shown.push(answer))
  readings.happened(show('after'))
  await readings.read(Promise.resolve('next'), (answer) => shown.push(answer))
  expect(shown).toEqual(['before', 'answer', 'after', 'next'])
})

test('each of two readings at once is followed by what happened during it', async () => {
  const readings = createReadings()
  const shown: string[] = []
  const show = (what: string) => () => void shown.push(what)
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const readFirst = readings.read(first.promise, (answer) => shown.push(answer))
  readings.happened(show('early'))
  const readSecond = readings.read(second.promise, (answer) => shown.push(answer))
  readings.happened(show('late'))
  second.resolve('second')
  await readSecond
  first.resolve('first')
  await readFirst
  expect(shown).toEqual(['early', 'late', 'second', 'late', 'first', 'early', 'late'])
})

test('where the answer comes too late for what is shown now, so does what happened', async () => {
  const readings = createReadings()
  const shown: string[] = []
  const answer = Promise.withResolvers<string>()
  const reading = readings.read(answer.promise, () => false)
  readings.happened(() => shown.push('written in another channel'))
  answer.resolve('late')
  await reading
  expect(shown).toEqual(['written in another channel'])
})

test('a reading that fails is over', async () => {
  const readings = createReadings()
  const shown: string[] = []
  const failing = Promise.reject(new Error('no connection'))
  await expect(readings.read(failing, () => shown.push('answer'))).rejects.toThrow('no connection')
  readings.happened(() => shown.push('news'))
  expect(shown).toEqual(['news'])
})

test('what one answer tells is news to a longer reading, before what happened since it was asked for', async () => {
  const readings = createReadings()
  const shown: string[] = []
  const show = (what: string) => () => void shown.push(what)
  const [long, short] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  const readLong = readings.read(long.promise, (answer) => shown.push(answer))
  const readShort = readings.read(short.promise, (answer) => readings.happened(show(answer)))
  readings.happened(show('like'))
  short.resolve('post')
  await readShort
  expect(shown.splice(0)).toEqual(['like', 'post', 'like'])
  long.resolve('page')
  await readLong
  expect(shown).toEqual(['page', 'post', 'like'])
})

test('a reading that others make is followed by what happened since it began, and once', () => {
  const readings = createReadings()
  const shown: string[] = []
  const show = (what: string) => () => void shown.push(what)
  const end = readings.begin()
  readings.happened(show('like'))
  end(show('page'))
  readings.happened(show('vote'))
  expect(shown).toEqual(['like', 'page', 'like', 'vote'])
})
