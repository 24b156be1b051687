import { expect, test } from 'vitest'
import type { LessonOutline } from '../schema.ts'
import { filledIn, partOfOutline, withTick } from './lesson-outline-part.ts'

/** Chapters of these lengths; lessons are called l1, l2… through the course. */
function outlineOf(...lengths: number[]): LessonOutline {
  let number = 0
  const chapters = lengths.map((length, index) => ({
    id: `c${index + 1}`,
    title: `Chapter ${index + 1}`,
    lessons: Array.from({ length }, () => {
      number += 1
      return {
        id: `l${number}`,
        slug: `l${number}`,
        title: `Lesson ${number}`,
        minutes: null,
        hasVideo: false,
        isPreview: false,
        completed: number === 1,
      }
    }),
  }))
  return { chapters, completedCount: 1, lessonsCount: number, canEdit: false }
}

const shown = ({ chapters }: ReturnType<typeof partOfOutline>) =>
  chapters.map(({ lessons }) => lessons?.length ?? null)

test('a course of a hundred lessons is carried whole, a longer one with the chapter around', () => {
  expect(shown(partOfOutline(outlineOf(40, 60), 'l1'))).toEqual([40, 60])
  const part = partOfOutline(outlineOf(40, 2, 60), 'l41')
  expect(shown(part)).toEqual([null, 2, null])
  expect(part.chapters).toMatchObject([
    { firstNumber: 1, lessonsCount: 40, completedCount: 1 },
    { firstNumber: 41, lessonsCount: 2, completedCount: 0 },
    { firstNumber: 43, lessonsCount: 60, completedCount: 0 },
  ])
  expect(shown(filledIn(part, outlineOf(40, 2, 60)))).toEqual([40, 2, 60])
  expect(filledIn(part, null)).toBe(part)
})

test('a tick counts in its chapter and in the course, once', () => {
  const part = partOfOutline(outlineOf(2, 1), 'l2')
  const ticked = withTick(part, 'l2', true)
  expect(ticked.completedCount).toBe(2)
  expect(ticked.chapters.map(({ completedCount }) => completedCount)).toEqual([2, 0])
  expect(ticked.chapters[0]?.lessons?.map(({ completed }) => completed)).toEqual([true, true])
  expect(withTick(ticked, 'l2', true)).toBe(ticked)
  expect(withTick(ticked, 'l2', false)).toEqual(part)
  expect(withTick(part, 'elsewhere', true)).toBe(part)
})
