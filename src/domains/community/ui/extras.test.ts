import { expect, test } from 'vitest'
import {
  editExtras,
  type Extras,
  extrasOf,
  extrasProblem,
  isMoreThan,
  keptExtras,
  noExtras,
} from './extras.ts'

const now = new Date('2026-11-22T12:00:00Z')
const problemOf = (extras: Partial<Extras>) => extrasProblem({ ...noExtras(), ...extras }, now)
const poll = (closesAt: string) => ({ options: ['Yes', 'No'], closesAt })

test('a post that is published at once, or at a time to come, has nothing wrong', () => {
  expect(problemOf({})).toBeNull()
  expect(problemOf({ scheduledFor: '2026-11-24T10:00' })).toBeNull()
  expect(problemOf({ poll: poll('') })).toBeNull()
  expect(problemOf({ poll: poll('2026-11-24T10:00') })).toBeNull()
})

test('a year of five digits is no time, and is asked for again', () => {
  expect(problemOf({ scheduledFor: '20266-11-24T10:00' })).toBe(
    'Please choose when the post is published',
  )
  expect(problemOf({ poll: poll('20266-11-24T10:00') })).toBe('Please choose when the poll ends')
})

test('the time of a post that is edited is neither checked nor sent as long as it is its own', () => {
  const waits = {
    channel: null,
    status: 'scheduled' as const,
    scheduledFor: '2026-11-22T11:59:30Z',
  }
  const begun = extrasOf(waits)
  expect(extrasProblem(begun, now, begun.scheduledFor)).toBeNull()
  expect(editExtras(begun, begun)).toEqual({ channelId: null })
  expect(extrasProblem(begun, now)).toBe('Please choose a time in the future')

  const past = { ...begun, scheduledFor: '2026-11-20T10:00' }
  expect(extrasProblem(past, now, begun.scheduledFor)).toBe('Please choose a time in the future')
  const later = { ...begun, scheduledFor: '2026-11-24T10:00' }
  expect(extrasProblem(later, now, begun.scheduledFor)).toBeNull()
  expect(editExtras(later, begun)).toEqual({
    channelId: null,
    scheduledFor: new Date('2026-11-24T10:00').toISOString(),
  })
  const none = { ...begun, scheduledFor: '' }
  expect(extrasProblem(none, now, begun.scheduledFor)).toBe(
    'Please choose when the post is published',
  )
})

test('a poll, a time and an announcement are more than words; a channel and an empty time are not', () => {
  const waits = { ...noExtras(), scheduledFor: '2026-11-24T10:00' }
  const added = (extras: Partial<Extras>, begun = noExtras()) =>
    isMoreThan(begun, { ...begun, ...extras })
  expect(added({})).toBe(false)
  expect(added({ channelId: 'one', scheduledFor: '' })).toBe(false)
  expect(added({ poll: poll('') })).toBe(true)
  expect(added({ isAnnouncement: true })).toBe(true)
  expect(added({ scheduledFor: '2026-11-24T10:00' })).toBe(true)
  expect(added({}, waits)).toBe(false)
  expect(added({ scheduledFor: '2026-11-25T10:00' }, waits)).toBe(true)
})

test('a draft keeps what was chosen for a new post, also a time that is not chosen yet', () => {
  expect(keptExtras({ ...noExtras(), channelId: 'one' })).toBeNull()
  expect(keptExtras({ ...noExtras(), scheduledFor: '' })).toMatchObject({ scheduledFor: '' })
  expect(keptExtras({ ...noExtras(), isAnnouncement: true, poll: poll('') })).toEqual({
    isAnnouncement: true,
    poll: poll(''),
    scheduledFor: null,
  })
})
