import { expect, test } from 'vitest'
import { changedSince, hasPart, isUnbranded, noBranding, onlyRemoves, without } from './rules.ts'

const whole = {
  colour: '#1a7f5a',
  logoId: 'a logo',
  coverId: 'a cover',
  certificateHeading: 'Well done',
  certificateWords: 'All of it',
  certificateSignatory: 'The studio',
}

test('removing is no change: each part can go, and nothing else may come with it', () => {
  expect(onlyRemoves(whole, whole)).toBe(true)
  expect(onlyRemoves(whole, noBranding)).toBe(true)
  expect(onlyRemoves(whole, { ...noBranding, logoId: 'a logo' })).toBe(true)
  expect(onlyRemoves(whole, { ...noBranding, logoId: 'another logo' })).toBe(false)
  expect(onlyRemoves(noBranding, { ...noBranding, certificateWords: 'New' })).toBe(false)
})

test('what was not changed in a stale form stays as it is by now', () => {
  const begun = { ...noBranding, colour: '#1a7f5a', certificateWords: 'All of it' }
  const now = { ...begun, logoId: 'a logo', certificateWords: 'Each of them' }
  const meant = { ...begun, colour: '#222222' }
  expect(changedSince(begun, { now, meant })).toEqual({ ...now, colour: '#222222' })
  // Both changed it: who saves last is meant.
  const words = { ...begun, certificateWords: '' }
  expect(changedSince(begun, { now, meant: words })).toEqual({ ...now, certificateWords: '' })
  expect(changedSince(begun, { now: noBranding, meant: begun })).toEqual(noBranding)
  // Sent before, and nobody knows whether it was stored: the former one is meant, too.
  const { colour: _unsure, ...known } = begun
  expect(changedSince(known, { now: { ...now, colour: '#222222' }, meant: begun })).toEqual({
    ...now,
    colour: begun.colour,
  })
})

test('a part is there until it is removed', () => {
  for (const part of ['colour', 'logo', 'cover', 'certificate'] as const) {
    expect(hasPart(whole, part)).toBe(true)
    expect(hasPart(without(whole, part), part)).toBe(false)
    expect(hasPart(noBranding, part)).toBe(false)
    expect(onlyRemoves(whole, without(whole, part))).toBe(true)
  }
  const none = (['colour', 'logo', 'cover', 'certificate'] as const).reduce(without, whole)
  expect(isUnbranded(none)).toBe(true)
})
