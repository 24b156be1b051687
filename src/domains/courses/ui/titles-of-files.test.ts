import { expect, test } from 'vitest'
import { limits } from '../rules.ts'
import { inFileOrder, titlesOfFiles } from './titles-of-files.ts'

test.each<[string[], string[]]>([
  [['whole-wheat-bread.mp4'], ['Whole wheat bread']],
  [['my_first_loaf.final.MOV'], ['My first loaf.final']],
  [['Sour-dough bread.mp4'], ['Sour-dough bread']],
  [['01_introduction.mp4'], ['Introduction']],
  [['1. Water.mp4'], ['Water']],
  [['2 - Flour.mp4'], ['Flour']],
  [['(3) Salt.mp4'], ['Salt']],
  [['3 ways to knead.mp4'], ['3 ways to knead']],
  [['2024-summary.mp4'], ['2024 summary']],
  [
    ['1_water.mp4', '2_flour.mp4', '10_oven.mp4'],
    ['Water', 'Flour', 'Oven'],
  ],
  [
    ['1 water.mp4', 'flour.mp4'],
    ['1 water', 'Flour'],
  ],
  [['01.mp4'], ['01']],
  [['.mp4'], ['Mp4']],
  [['Übung ein.webm'], ['Übung ein']],
])('%j become lessons %j', (names, titles) => {
  expect(titlesOfFiles(names)).toEqual(titles)
})

test('a long name is cut to what a title can have', () => {
  expect(titlesOfFiles([`${'long '.repeat(80)}.mp4`])[0]?.length).toBeLessThanOrEqual(limits.title)
})

test('files are in the order in which people count', () => {
  const names = ['10 c.mp4', '9 b.mp4', '1 a.mp4', 'Z.mp4', 'a.mp4']
  expect(inFileOrder(names.map((name) => ({ name }))).map(({ name }) => name)).toEqual([
    '1 a.mp4',
    '9 b.mp4',
    '10 c.mp4',
    'a.mp4',
    'Z.mp4',
  ])
})
