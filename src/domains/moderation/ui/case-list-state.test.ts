import { describe, expect, test } from 'vitest'
import type { ModerationCase } from '../schema.ts'
import {
  extendList,
  refreshList,
  replaceInList,
  showWaiting,
  startList,
} from './case-list-state.ts'

/** The higher, the newer. */
const made = (day: number, status: 'open' | 'closed' = 'open') =>
  ({ id: `case-${day}`, createdAt: `2026-11-0${day}T00:00:00Z`, status }) as ModerationCase

const page = (days: number[], nextCursor: string | null = null) => ({
  cases: days.map((day) => made(day)),
  nextCursor,
})
const idsOf = ({ cases }: { cases: ModerationCase[] }) => cases.map(({ id }) => Number(id.at(-1)))

describe('the list of cases', () => {
  test('holds the one that was linked to, once', () => {
    expect(idsOf(startList(page([3, 2]), made(1)))).toEqual([1, 3, 2])
    expect(idsOf(startList(page([3, 2]), made(2)))).toEqual([3, 2])
  })

  test('takes new ones in where they belong, and lets go what is decided elsewhere', () => {
    expect(idsOf(refreshList(startList(page([3, 1]), null), page([4, 3, 2]), null))).toEqual([
      4, 3, 2,
    ])
  })

  test('does not move while one is open: new ones wait, and the open one stays', () => {
    const list = refreshList(startList(page([3, 1]), null), page([4, 3]), 'case-1')
    expect(idsOf(list)).toEqual([3, 1])
    expect(idsOf({ cases: list.waiting })).toEqual([4])
    expect(idsOf(showWaiting(list))).toEqual([4, 3, 1])
    expect(showWaiting(list).waiting).toEqual([])
  })

  test('keeps what was decided here, and never undoes it', () => {
    const list = replaceInList(startList(page([3, 2]), null), made(2, 'closed'))
    expect(idsOf(refreshList(list, page([3]), null))).toEqual([3, 2])
    expect(refreshList(list, page([3, 2]), null).cases[1]?.status).toBe('closed')
  })

  test('keeps the pages that came while it was asked again', () => {
    const list = extendList(startList(page([5, 4], 'after 4'), null), page([4, 3, 2], 'after 2'))
    expect(idsOf(list)).toEqual([5, 4, 3, 2])
    const again = refreshList(list, page([6, 5], 'after 5'), null)
    expect(idsOf(again)).toEqual([6, 5, 4, 3, 2])
    expect(again.nextCursor).toBe('after 2')
  })
})
