import { describe, expect, test } from 'vitest'
import {
  aboutLearners,
  inMoney,
  inNumber,
  longDay,
  shareOf,
  shortDay,
  summaryOf,
  whereMostStop,
} from './chart-words.ts'
import { analyticsAddress, exportAddresses, inRange, rangeIn } from './time-range.ts'

const point = (from: string, revenue: number) => ({
  from,
  revenue,
  sales: 0,
  students: 0,
  active: 0,
  completions: 0,
  posts: 0,
  comments: 0,
})
const revenue = (of: { revenue: number }) => of.revenue

describe('a chart in words', () => {
  test('says the whole and its highest point, the first of equal ones', () => {
    const points = [point('2026-11-20', 1000), point('2026-11-21', 3000), point('2026-11-22', 3000)]
    expect(summaryOf({ interval: 'day', points }, revenue, inMoney('usd'))).toBe(
      'Total: $70.00. Highest: $30.00 on Nov 21, 2026.',
    )
    expect(summaryOf({ interval: 'week', points }, revenue, inNumber)).toBe(
      'Total: 7,000. Highest: 3,000 in the week from Nov 21, 2026.',
    )
  })

  test('has nothing to say of nothing', () => {
    expect(summaryOf({ interval: 'day', points: [] }, revenue, inNumber)).toBeNull()
    const points = [point('2026-11-20', 0)]
    expect(summaryOf({ interval: 'day', points }, revenue, inNumber)).toBeNull()
  })

  test('refunds only are no highest point', () => {
    const points = [point('2026-11-20', 0), point('2026-11-21', -500)]
    expect(summaryOf({ interval: 'month', points }, revenue, inMoney('usd'))).toBe('Total: -$5.00.')
  })

  test('says that somebody in several courses counts in each', () => {
    const who = 'Who watched, completed a lesson, or wrote'
    expect(aboutLearners('day', false)).toBe(`${who}, each day`)
    expect(aboutLearners('week', false)).toBe(`${who}: the learners of each day, added up by week`)
    expect(aboutLearners('day', true)).toBe(
      `${who}, each day: the learners of each course, added up`,
    )
    expect(aboutLearners('month', true)).toBe(
      `${who}: the learners of each day in each course, added up by month`,
    )
  })

  test('days are those of UTC, wherever the reader is', () => {
    expect(shortDay('2026-11-01', 'day')).toBe('Nov 1')
    expect(shortDay('2026-11-01', 'month')).toBe('Nov 2026')
    expect(longDay('2026-11-01', 'week')).toBe('Nov 1, 2026')
    expect(longDay('2026-11-01', 'month')).toBe('November 2026')
  })
})

describe('where people stop', () => {
  const lessons = (...completed: number[]) =>
    completed.map((count, at) => ({
      id: `${at}`,
      title: `Lesson ${at + 1}`,
      chapterTitle: 'Chapter',
      started: null,
      completed: count,
    }))

  test.each([
    [
      20,
      lessons(18, 6, 5),
      'The biggest drop is at “Lesson 2”: 18 people completed the lesson before, 6 completed this one.',
    ],
    [
      20,
      lessons(4, 4, 3),
      'The biggest drop is at “Lesson 1”: 20 students joined, 4 completed this one.',
    ],
    [
      1,
      lessons(1, 0),
      'The biggest drop is at “Lesson 2”: 1 person completed the lesson before, 0 completed this one.',
    ],
    [2, lessons(2, 2), 'Nobody stops on the way: as many complete the last lesson as join.'],
    // Who left has completed lessons, too.
    [
      2,
      lessons(3, 3),
      'Of those who were ever here, nobody stops on the way: as many completed the last lesson as the first.',
    ],
    [
      0,
      lessons(50, 45, 20),
      'Of those who were ever here, the biggest drop is at “Lesson 3”: 45 people completed the lesson before, 20 completed this one.',
    ],
    [
      20,
      lessons(40, 38),
      'Of those who were ever here, the biggest drop is at “Lesson 2”: 40 people completed the lesson before, 38 completed this one.',
    ],
    [
      0,
      lessons(50),
      'Of those who were ever here, nobody stops on the way: as many completed the last lesson as the first.',
    ],
    // A first lesson that came later.
    [
      3,
      lessons(0, 5, 5),
      'Of those who were ever here, no lesson was completed by fewer than the one before it.',
    ],
    [
      2,
      lessons(3, 4),
      'Of those who were ever here, no lesson was completed by fewer than the one before it.',
    ],
    [2, lessons(0, 0), 'Nobody has completed a lesson yet.'],
    [0, lessons(0), 'Nobody has joined this course yet.'],
    [5, [], 'This course has no lessons yet.'],
  ])('of %i students who completed %j', (students, completed, words) => {
    expect(whereMostStop({ students, lessons: completed })).toBe(words)
  })

  test('a bar is never longer than its groove', () => {
    expect([shareOf(1, 2), shareOf(3, 2), shareOf(-1, 2), shareOf(1, 0)]).toEqual([50, 100, 0, 0])
  })
})

describe('the time range', () => {
  test('is what the address says; a wrong one is all time', () => {
    expect(['7', '30', '90', '365'].map(rangeIn)).toEqual(['7', '30', '90', '365'])
    expect([null, '', '8', '07', 'week'].map(rangeIn)).toEqual(Array(5).fill(undefined))
    expect([inRange('7'), inRange('365'), inRange(undefined)]).toEqual([
      'in the last 7 days',
      'in the last year',
      null,
    ])
  })

  test('is kept with the course, on the page and in the files', () => {
    expect(analyticsAddress({ days: undefined, courseId: null })).toBe('/analytics')
    expect(analyticsAddress({ days: '7', courseId: 'a' })).toBe('/analytics?days=7&course=a')
    expect(exportAddresses({ days: '7', courseId: 'a' })).toEqual({
      analytics: '/rest/v1/analytics/export?courseId=a&days=7',
      students: '/rest/v1/students/export?courseId=a',
    })
    expect(exportAddresses({ days: undefined, courseId: null })).toEqual({
      analytics: '/rest/v1/analytics/export',
      students: '/rest/v1/students/export',
    })
  })
})
