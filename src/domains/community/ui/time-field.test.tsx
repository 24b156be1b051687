import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TimeField } from './time-field.tsx'

const before = process.env.TZ
beforeEach(() => void (process.env.TZ = 'America/New_York'))
afterEach(() => {
  if (before === undefined) delete process.env.TZ
  else process.env.TZ = before
})

const shown = (value: string) =>
  renderToStaticMarkup(<TimeField label="When" value={value} onChange={() => {}} />)

test('the zone is named as it is at the chosen time, in summer and in winter', () => {
  expect(shown('2027-01-10T10:00')).toContain('Your time zone: America/New York, EST.')
  expect(shown('2027-07-10T10:00')).toContain('Your time zone: America/New York, EDT.')
})

test('before a time is chosen it is the zone of now', () => {
  expect(shown('')).toMatch(/Your time zone: America\/New York, E[SD]T\./)
})
