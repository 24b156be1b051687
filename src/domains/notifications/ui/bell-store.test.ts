import { expect, test } from 'vitest'
import type { BellList } from '../bell-schema.ts'
import { withRead, without } from './bell-list.ts'
import { bellStore } from './bell-store.ts'

const listOf = (...notices: [id: string, read: boolean][]): BellList => ({
  notifications: notices.map(([id, read]) => ({
    id,
    read,
    title: id,
    message: '',
    type: 'info',
    href: null,
    createdAt: '2026-03-10T12:00:00.000Z',
  })),
  unread: notices.filter(([, read]) => !read).length,
  now: '2026-03-10T12:00:00.000Z',
})
const seen = ({ get }: ReturnType<typeof bellStore>) => ({
  unread: get().unread,
  ids: get().list?.notifications.map(({ id }) => id),
})

/** A store whose readings are answered by hand, in the order of asking. */
function storeByHand(unread: number) {
  const asked: PromiseWithResolvers<BellList>[] = []
  const store = bellStore(unread, () => {
    const answer = Promise.withResolvers<BellList>()
    asked.push(answer)
    return answer.promise
  })
  return { store, asked }
}

test('an answer from before a deletion does not bring back what is gone', async () => {
  const { store, asked } = storeByHand(1)
  const first = store.read()
  asked[0]!.resolve(listOf(['b', false], ['a', true]))
  await first
  expect(seen(store)).toEqual({ unread: 1, ids: ['b', 'a'] })

  const underWay = store.read()
  store.settle((list) => without(list, ['b']), 0)
  asked[1]!.resolve(listOf(['b', false], ['a', true]))
  await underWay
  expect(seen(store)).toEqual({ unread: 0, ids: ['a'] })

  await expect.poll(() => asked.length).toBe(3)
  asked[2]!.resolve(listOf(['c', false], ['a', true]))
  await expect.poll(() => seen(store)).toEqual({ unread: 1, ids: ['c', 'a'] })
})

test('what arrived while others were marked stays unread', () => {
  const list = withRead(listOf(['new', false], ['b', false], ['a', true]), ['a', 'b'])
  expect(list.notifications.map(({ id, read }) => [id, read])).toEqual([
    ['new', false],
    ['b', true],
    ['a', true],
  ])
})

test('a failure keeps what is known, until the next answer', async () => {
  const { store, asked } = storeByHand(1)
  const first = store.read()
  asked[0]!.resolve(listOf(['a', false]))
  await first
  const failing = store.read()
  asked[1]!.reject(new Error('no connection'))
  expect(await failing).toBeNull()
  expect(store.get().failed).toBe(true)
  expect(seen(store)).toEqual({ unread: 1, ids: ['a'] })
  store.forgetFailure()
  expect(store.get().failed).toBe(false)
  const next = store.read()
  asked[2]!.resolve(listOf())
  await next
  expect(seen(store)).toEqual({ unread: 0, ids: [] })
})
