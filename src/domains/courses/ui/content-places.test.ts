import { expect, test } from 'vitest'
import { emptyRichText } from '../../lessons/rich-text.ts'
import { contentStep, draftOf } from './content-draft.ts'
import { placeName, placeOf, placesFor, stepTo } from './content-places.ts'

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
const lesson = (number: number) => ({
  id: id(number),
  title: `Lesson ${number}`,
  content: emptyRichText,
  video: null,
  videoUrl: null,
  isPreview: false,
  durationMinutes: null,
  videoMinutes: null,
  links: [],
})
const draft = draftOf({
  id: id(0),
  slug: 'tea',
  title: 'Tea',
  status: 'draft',
  contentVersion: 1,
  videoMaxMb: 50,
  processesVideos: false,
  storage: { bytes: 0, files: 0 },
  chapters: [
    { id: id(1), title: 'Leaves', lessons: [lesson(11), lesson(12), lesson(13)] },
    { id: id(2), title: ' ', lessons: [lesson(21), lesson(22)] },
    { id: id(3), title: 'Cups', lessons: [] },
  ],
})
const collapsed = contentStep(draft, { type: 'toggled', key: id(2) })
const moved = { kind: 'lesson', key: id(12) } as const

test('a lesson can go before and after every other, and into an empty chapter', () => {
  const names = placesFor(draft, moved).map((place) => placeName(draft, moved, place))
  expect(names).toEqual([
    '1 of 3 in “Leaves”',
    '2 of 3 in “Leaves”',
    '3 of 3 in “Leaves”',
    '1 of 3 in “Untitled chapter 2”',
    '2 of 3 in “Untitled chapter 2”',
    '3 of 3 in “Untitled chapter 2”',
    '1 of 1 in “Cups”',
  ])
})

test('a collapsed chapter takes it at its end', () => {
  const places = placesFor(collapsed, moved).filter(({ chapter }) => chapter === id(2))
  expect(places).toEqual([{ chapter: id(2), index: 2, among: 3 }])
})

test('a chapter can go anywhere among the chapters', () => {
  const chapter = { kind: 'chapter', key: id(3) } as const
  expect(placesFor(draft, chapter).map(({ index }) => index)).toEqual([0, 1, 2])
  expect(placeName(draft, chapter, placeOf(draft, chapter)!)).toBe('3 of 3')
})

test('dropped in any of its places, the lesson is there', () => {
  for (const place of placesFor(draft, moved)) {
    expect(placeOf(contentStep(draft, stepTo(moved, place)), moved)).toEqual(place)
  }
  const chapter = { kind: 'chapter', key: id(1) } as const
  for (const place of placesFor(draft, chapter)) {
    expect(placeOf(contentStep(draft, stepTo(chapter, place)), chapter)).toEqual(place)
  }
})

test('dropped where it is, nothing changes', () => {
  const place = placeOf(draft, moved)!
  expect(contentStep(draft, stepTo(moved, place))).toBe(draft)
})

test('what is gone has no place', () => {
  expect(placeOf(draft, { kind: 'lesson', key: id(99) })).toBeNull()
  expect(placeOf(draft, { kind: 'chapter', key: id(99) })).toBeNull()
})
