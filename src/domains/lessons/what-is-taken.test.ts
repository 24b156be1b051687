// What the calls about lessons take, to the edge, and what they make of what is left out.
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { linkAddress } from './rules.ts'
import { newNote, noteUpdate, positionSave, streamClaim } from './schema.ts'
import { fastestSpeed, firstCredit, isWatchedThrough, mostCredit } from './watched.ts'

const id = '0198f0a2-7b1c-7e2d-9d41-3a5b6c7d8e9f'

/** What is made of it, or what is said first. */
const taken = (schema: z.ZodType, value: unknown) => {
  const { success, data, error } = schema.safeParse(value)
  return success ? data : error!.issues[0]!.message
}

describe('a report of a player', () => {
  const report = (more: object = {}) => taken(positionSave, { lessonId: id, seconds: 1, ...more })
  const whole = { lessonId: id, seconds: 1, played: [], ended: false }

  test('is a position at least', () => {
    expect(report()).toEqual(whole)
    expect(taken(positionSave, { lessonId: id })).toBe(
      'The position must be a number of seconds, 0 to 86,400',
    )
    expect(report({ lessonId: 'x' })).toBe('The lesson is not a valid id')
  })

  test('has seconds of a day, fine to the thousandth', () => {
    for (const [seconds, kept] of [
      [0, 0],
      [86_400, 86_400],
      [1.23456, 1.235],
      [1e-40, 0],
    ] as const) {
      expect(report({ seconds }), String(seconds)).toEqual({ ...whole, seconds: kept })
    }
    for (const seconds of [-0.001, 86_400.1, '1', null, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(report({ seconds }), String(seconds)).toBe(
        'The position must be a number of seconds, 0 to 86,400',
      )
    }
    expect(report({ duration: 12.3456 })).toEqual({ ...whole, duration: 12.346 })
    expect(report({ duration: -1 })).toBe('The duration must be a number of seconds, 0 to 86,400')
  })

  test('may be of up to thirty days ago, in whole seconds', () => {
    for (const [secondsAgo, kept] of [
      [0, 0],
      [12.6, 13],
      [2_592_000, 2_592_000],
    ] as const) {
      expect(report({ secondsAgo }), String(secondsAgo)).toEqual({ ...whole, secondsAgo: kept })
    }
    for (const secondsAgo of [-1, 2_592_001, '1', null, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(report({ secondsAgo }), String(secondsAgo)).toBe(
        'How long ago it was must be a number of seconds, 0 to 2,592,000',
      )
    }
  })

  test('has up to twenty stretches, each of which ends after it begins', () => {
    const stretches = (count: number) => Array.from({ length: count }, () => ({ from: 1, to: 2 }))
    expect(report({ played: stretches(20) })).toEqual({ ...whole, played: stretches(20) })
    expect(report({ played: stretches(21) })).toBe('A report can have at most 20 stretches')
    const point = [{ from: 2, to: 2 }]
    expect(report({ played: point })).toEqual({ ...whole, played: point })
    expect(report({ played: [{ from: 2.01, to: 2 }] })).toBe('A stretch must end after it begins')
    expect(report({ played: [{ from: -1, to: 2 }] })).toBe(
      'A stretch must be a number of seconds, 0 to 86,400',
    )
    expect(report({ played: 'all' })).toBe('What was played must be a list of stretches')
  })

  test('says whether it came to the end', () => {
    expect(report({ ended: true })).toEqual({ ...whole, ended: true })
    expect(report({ ended: 'yes' })).toBe('Ended must be true or false')
  })
})

describe('a note', () => {
  test('has up to 2,000 characters, at a moment or none', () => {
    const note = (more: object) => taken(newNote, { lessonId: id, text: 'Later', ...more })
    expect(note({})).toEqual({ lessonId: id, text: 'Later', seconds: null })
    expect(note({ seconds: 7.5 })).toEqual({ lessonId: id, text: 'Later', seconds: 7.5 })
    for (const text of [' ', '\u200b']) {
      expect(note({ text })).toBe('Please write something first')
    }
    expect(note({ text: 'x'.repeat(2000) })).toMatchObject({ seconds: null })
    expect(note({ text: 'x'.repeat(2001) })).toBe('A note can have at most 2,000 characters')
    expect(note({ seconds: -1 })).toBe(
      'The time of a note must be a number of seconds, 0 to 86,400',
    )
  })

  test('that is changed is changed in something', () => {
    const change = (more: object) => taken(noteUpdate, { lessonId: id, noteId: id, ...more })
    expect(change({})).toBe('There is nothing to change.')
    expect(change({ seconds: null })).toEqual({ lessonId: id, noteId: id, seconds: null })
    expect(change({ text: 'Now' })).toEqual({ lessonId: id, noteId: id, text: 'Now' })
    expect(change({ text: '' })).toBe('Please write something first')
    expect(change({ noteId: 'x', text: 'Now' })).toBe('The note is not a valid id')
  })
})

test('a stream may take the place of another one', () => {
  expect(taken(streamClaim, { lessonId: id })).toEqual({ lessonId: id })
  expect(taken(streamClaim, { lessonId: id, insteadOf: id })).toEqual({
    lessonId: id,
    insteadOf: id,
  })
  expect(taken(streamClaim, { lessonId: id, insteadOf: 'x' })).toBe(
    'The other device is not a valid id',
  )
})

test('what counts as watched is what the player’s people are told', () => {
  expect([fastestSpeed, firstCredit, mostCredit]).toEqual([2, 15, 7200])
  const through = (seconds: number, until: number, duration: number) =>
    isWatchedThrough({ seconds, until }, duration)
  expect([through(102, 103, 100), through(91, 102, 100.1), through(0, 0, -1)]).toEqual([
    false,
    true,
    false,
  ])
  expect([through(90, 103, 100.1), through(90, 104, 100.1)]).toEqual([true, false])
})

test.each([
  ['example.com', 'https://example.com'],
  ['example.com.', 'https://example.com.'],
  ['example.com:8080/a?b#c', 'https://example.com:8080/a?b#c'],
  ['münchen.example', 'https://münchen.example'],
  ['example.com?a', 'https://example.com?a'],
  ['me@example.com', 'mailto:me@example.com'],
  ['me@mail.example.com', 'mailto:me@mail.example.com'],
  ['https://example.com', 'https://example.com'],
  ['mailto:me@example.com', 'mailto:me@example.com'],
  ['javascript:alert(1)', null],
  ['example', null],
  ['me@example', null],
  ['', null],
])('somebody who types “%s” means %s', (typed, meant) => {
  expect(linkAddress(typed)).toBe(meant)
})
