import { describe, expect, test } from 'vitest'
import type { Application } from '../schema.ts'
import {
  dueDecisions,
  extendQueue,
  neighbour,
  nextToDecide,
  refreshQueue,
  replaceInQueue,
  startQueue,
} from './queue-rules.ts'

const one = (id: string, part: Partial<Application> = {}): Application => ({
  id,
  status: 'pending',
  submittedAt: '2026-01-01T00:00:00.000Z',
  reviewedAt: null,
  reviewerNotes: '',
  notesShared: false,
  dueDecision: null,
  user: { id: `user ${id}`, name: id, username: null, email: '', avatarUrl: null },
  answers: [],
  ...part,
})
const all = (ids: string) => [...ids].map((id) => one(id))
const counts = { pending: 0, approved: 0, rejected: 0, all: 0 }
const queueOf = (ids: string, nextCursor: string | null = null) =>
  startQueue({ applications: all(ids), nextCursor, counts })
const idsOf = ({ applications }: { applications: Application[] }) =>
  applications.map(({ id }) => id).join('')
const fresh = (ids: string, part = {}) => ({
  applications: all(ids),
  nextCursor: null,
  isPending: true,
  openId: null,
  ...part,
})

describe('pending ones, oldest first', () => {
  test('new ones go to the end, what went goes, and nothing else moves', () => {
    expect(idsOf(refreshQueue(queueOf('abc'), fresh('acde')))).toBe('acde')
  })

  test('the one that is read stays, and is known to be gone', () => {
    const queue = refreshQueue(queueOf('abc'), fresh('ac', { openId: 'b' }))
    expect(idsOf(queue)).toBe('abc')
    expect([...queue.gone]).toEqual(['b'])
    expect(idsOf(refreshQueue(queue, fresh('ac'))), 'until another is read').toBe('ac')
    const back = refreshQueue(queue, fresh('abc', { openId: 'b' }))
    expect([...back.gone], 'a decision was undone').toEqual([])
  })

  test('one decided here stays in its place with what it became', () => {
    const decided = replaceInQueue(queueOf('abc'), one('b', { status: 'approved' }))
    const queue = refreshQueue(decided, fresh('acd'))
    expect(idsOf(queue)).toBe('abcd')
    expect(queue.applications[1]?.status).toBe('approved')
    expect(queue.gone.size).toBe(0)
  })

  test('what was asked for before a decision does not undo it', () => {
    const decided = replaceInQueue(queueOf('abc'), one('b', { status: 'approved' }))
    expect(refreshQueue(decided, fresh('abc')).applications[1]?.status).toBe('approved')
  })

  test('pages that were loaded meanwhile stay', () => {
    const later = one('c', { submittedAt: '2026-01-02T00:00:00.000Z' })
    const queue = { ...queueOf('ab', 'after c'), applications: [...all('ab'), later] }
    const refreshed = refreshQueue(queue, fresh('b', { nextCursor: 'after b' }))
    expect([idsOf(refreshed), refreshed.nextCursor]).toEqual(['bc', 'after c'])
  })
})

describe('others, newest first', () => {
  test('new ones wait until they are asked for', () => {
    const queue = refreshQueue(queueOf('cba'), fresh('edcb', { isPending: false }))
    expect(idsOf(queue)).toBe('cba')
    expect(queue.waiting).toBe(2)
  })
})

test('another page brings nobody twice', () => {
  const page = { applications: all('bcd'), nextCursor: 'more', counts }
  const queue = extendQueue(queueOf('ab', 'cursor'), page)
  expect([idsOf(queue), queue.nextCursor]).toEqual(['abcd', 'more'])
})

test('next is who waits after this one, then from the top; not who is decided, due or gone', () => {
  const applications = [
    one('a'),
    one('b', { status: 'rejected' }),
    one('c'),
    one('d', { dueDecision: { id: 'x', decision: 'approved', applyAt: '', millisecondsLeft: 0 } }),
    one('e'),
  ]
  const queue = { ...queueOf(''), applications, gone: new Set(['e']) }
  expect(['a', 'c', 'e'].map((id) => nextToDecide(queue, id))).toEqual(['c', 'a', 'a'])
  expect(nextToDecide(queueOf('a'), 'a')).toBe(null)
})

test('up and down stay in the list', () => {
  const queue = queueOf('abc')
  expect([
    neighbour(queue, null, 1),
    neighbour(queue, 'a', 1),
    neighbour(queue, 'c', 1),
    neighbour(queue, 'a', -1),
  ]).toEqual(['a', 'b', 'c', 'a'])
})

test('decisions that are due are counted together', () => {
  const due = (id: string, decision: 'approved' | 'rejected') => ({
    dueDecision: { id, decision, applyAt: 'soon', millisecondsLeft: 9_000 },
  })
  const applications = [
    one('a', due('x', 'approved')),
    one('b'),
    one('c', due('y', 'rejected')),
    one('d', due('x', 'approved')),
  ]
  expect(dueDecisions({ ...queueOf(''), applications })).toEqual([
    { id: 'x', decision: 'approved', applyAt: 'soon', millisecondsLeft: 9_000, count: 2 },
    { id: 'y', decision: 'rejected', applyAt: 'soon', millisecondsLeft: 9_000, count: 1 },
  ])
})
