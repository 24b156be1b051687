import { expect, test } from 'vitest'
import type { Sale, SalePage } from '../schema.ts'
import { salesDownTo } from './sales-down-to.ts'

const saleOf = (day: number, refunded = 0) =>
  ({ id: `sale-${day}`, paidAt: `2025-02-${String(day).padStart(2, '0')}`, refunded }) as Sale

/** Two sales on each page, newest first. */
function listOf(sales: Sale[]) {
  const asked: string[] = []
  const pageAt = (place: number): SalePage => ({
    sales: sales.slice(place, place + 2),
    nextCursor: place + 2 < sales.length ? String(place + 2) : null,
  })
  const readAfter = async (cursor: string) => {
    asked.push(cursor)
    return pageAt(Number(cursor))
  }
  return { first: pageAt(0), readAfter, asked }
}

const days = ({ sales }: SalePage) => sales.map(({ id }) => Number(id.slice(5)))

test('a sale on a later page is as it is by now', async () => {
  const { first, readAfter } = listOf([saleOf(6), saleOf(5), saleOf(4), saleOf(3, 1000), saleOf(2)])
  const read = await salesDownTo(saleOf(3), first, readAfter)
  expect(days(read)).toEqual([6, 5, 4, 3])
  expect(read.sales.at(-1)!.refunded).toBe(1000)
  expect(read.nextCursor).toBe('4')
})

test('new sales at the top do not push the last one out', async () => {
  const { first, readAfter } = listOf([8, 7, 6, 5, 4, 3].map((day) => saleOf(day)))
  expect(days(await salesDownTo(saleOf(5), first, readAfter))).toEqual([8, 7, 6, 5])
})

test('where the last one is not in the list any more, it ends behind its place', async () => {
  const { first, readAfter, asked } = listOf([6, 5, 3, 2, 1].map((day) => saleOf(day)))
  expect(days(await salesDownTo(saleOf(4), first, readAfter))).toEqual([6, 5, 3, 2])
  expect(asked).toEqual(['2'])
})

test('it ends where the list does', async () => {
  const { first, readAfter } = listOf([6, 5, 4].map((day) => saleOf(day)))
  const read = await salesDownTo(saleOf(1), first, readAfter)
  expect(days(read)).toEqual([6, 5, 4])
  expect(read.nextCursor).toBeNull()
})
