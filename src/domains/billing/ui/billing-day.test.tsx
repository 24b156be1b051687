import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { BillingDay } from './billing-day.tsx'

const shown = (at: string | number | null) => renderToStaticMarkup(<BillingDay at={at} />)

test('a day is said in words, from seconds or a date, with the moment for machines', () => {
  const day =
    '<time dateTime="2026-03-01T23:30:00.000Z" class="whitespace-nowrap">Mar 1, 2026</time>'
  expect(shown('2026-03-01T23:30:00.000Z')).toBe(day)
  expect(shown(Date.UTC(2026, 2, 1, 23, 30) / 1000)).toBe(day)
  expect(shown(0)).toContain('Jan 1, 1970')
})

test("without one it is 'N/A'", () => {
  expect(shown(null)).toBe('N/A')
})
