import { expect, test } from 'vitest'
import { speedMeter } from './transfer-speed.ts'
import { sizeText, timeLeftText } from './upload-words.ts'

test('sizes read like the limits', () => {
  expect([1, 1023 * 1024, 50 * 1024 ** 2, 512.4 * 1024 ** 2, 3 * 1024 ** 3].map(sizeText)).toEqual([
    '1 KB',
    '1023 KB',
    '50.0 MB',
    '512 MB',
    '3.0 GB',
  ])
})

test('times are rounded more the longer they are', () => {
  expect([0.2, 1.5, 59, 61, 150, 3700, 9000].map(timeLeftText)).toEqual([
    '1 second left',
    '2 seconds left',
    '59 seconds left',
    'about 1 minute left',
    'about 3 minutes left',
    'about 1 hour left',
    'about 3 hours left',
  ])
})

test('speed is measured over the last seconds, and anew after a broken connection', () => {
  const measure = speedMeter(10_000)
  expect(measure(0, 0)).toEqual({ bytesPerSecond: null, secondsLeft: null })
  expect(measure(1000, 1000)).toEqual({ bytesPerSecond: 1000, secondsLeft: 9 })
  expect(measure(2000, 4000)).toEqual({ bytesPerSecond: 2000, secondsLeft: 3 })
  expect(measure(2500, 2000)).toEqual({ bytesPerSecond: null, secondsLeft: null })
  expect(measure(4500, 2000)).toEqual({ bytesPerSecond: 0, secondsLeft: null })
})
