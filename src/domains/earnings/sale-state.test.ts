import { describe, expect, test } from 'vitest'
import { boundsOf, isOver, monthLabel, monthOf } from './months.ts'
import { refundableOf, type SaleFacts, saleStateOf } from './sale-state.ts'

const plain: SaleFacts = {
  gross: 2900,
  refunded: 0,
  dispute: null,
  isPaidOut: false,
  isReleased: false,
}

describe('what a sale is called', () => {
  test.each<[Partial<SaleFacts>, string]>([
    [{}, 'pending'],
    [{ refunded: 2899 }, 'pending'],
    [{ isReleased: true }, 'available'],
    [{ isReleased: true, isPaidOut: true }, 'paid_out'],
    [{ isPaidOut: true, dispute: 'won' }, 'paid_out'],
    [{ isPaidOut: true, dispute: 'open' }, 'disputed'],
    [{ isPaidOut: true, dispute: 'lost', refunded: 100 }, 'lost'],
    [{ isPaidOut: true, dispute: 'lost', refunded: 2900 }, 'refunded'],
    [{ refunded: 2900 }, 'refunded'],
  ])('%j: %s', (facts, state) => {
    expect(saleStateOf({ ...plain, ...facts })).toBe(state)
  })

  test('what is left of it can be paid back, while nobody else is about it', () => {
    expect(refundableOf({ ...plain, refunded: 900 }, false)).toBe(2000)
    expect(refundableOf({ ...plain, refunded: 2900 }, false)).toBe(0)
    expect(refundableOf({ ...plain, dispute: 'won' }, false)).toBe(2900)
    expect(refundableOf({ ...plain, dispute: 'open' }, false)).toBe(0)
    expect(refundableOf({ ...plain, dispute: 'lost' }, false)).toBe(0)
    expect(refundableOf(plain, true)).toBe(0)
  })
})

describe('the months of statements', () => {
  const at = (text: string) => new Date(text)

  test('begin and end at midnight UTC, also February and the last one', () => {
    const bounds = (month: string) => Object.values(boundsOf(month)).map((one) => one.toISOString())
    expect(bounds('2028-02')).toEqual(['2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'])
    expect(bounds('2026-12')).toEqual(['2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'])
    expect(monthOf(at('2026-12-31T23:59:59.999Z'))).toBe('2026-12')
    expect(monthOf(at('2027-01-01T00:00:00Z'))).toBe('2027-01')
    expect(monthLabel('2026-02')).toBe('February 2026')
  })

  test('are over ten minutes after their end', () => {
    expect(isOver('2026-12', at('2027-01-01T00:09:59.999Z'))).toBe(false)
    expect(isOver('2026-12', at('2027-01-01T00:10:00Z'))).toBe(true)
    expect(isOver('2027-01', at('2026-12-31T23:59:59Z'))).toBe(false)
  })
})
