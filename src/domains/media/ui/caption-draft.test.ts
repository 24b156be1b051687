import { expect, test } from 'vitest'
import { captionDraftOf, captionStep, cuesOf, problemsOf } from './caption-draft.ts'
import { readCaptionFile } from './read-caption-file.ts'

const cues = [
  { start: 1, end: 2, text: 'One' },
  { start: 3.5, end: 4, text: 'Two' },
]

test('what is stored comes back as it was', () => {
  const draft = captionDraftOf(cues)
  expect(cuesOf(draft)).toEqual(cues)
  expect([draft.isChanged, problemsOf(draft).size]).toEqual([false, 0])
})

test('a new caption lies between its neighbours', () => {
  const between = captionStep(captionDraftOf(cues), { type: 'added', after: 0 })
  expect(between.cues[1]).toMatchObject({ start: '00:00:02.000', end: '00:00:03.500', text: '' })
  const last = captionStep(between, { type: 'added', after: 2 })
  expect(last.cues[3]).toMatchObject({ start: '00:00:04.000', end: '00:00:06.000' })
  expect(new Set(last.cues.map(({ key }) => key)).size).toBe(4)
  const first = captionStep(captionDraftOf([]), { type: 'added', after: -1 })
  expect(first.cues).toMatchObject([{ start: '00:00:00.000', end: '00:00:02.000' }])
})

test('each caption says what is wrong with it, and only with it', () => {
  let draft = captionDraftOf([...cues, { start: 5, end: 6, text: 'Three' }])
  draft = captionStep(draft, { type: 'changed', key: 0, change: { text: ' ' } })
  draft = captionStep(draft, { type: 'changed', key: 1, change: { start: 'soon' } })
  expect([...problemsOf(draft)]).toEqual([
    [0, 'It has no text.'],
    [1, 'Times have to look like 00:01:02.500.'],
  ])
  const without = captionStep(draft, { type: 'removed', key: 0 })
  expect([without.isChanged, ...problemsOf(without).keys()]).toEqual([true, 1])
})

test('a file is read in the encodings that programs write', async () => {
  const utf16 = Buffer.from('\ufeffÄh', 'utf16le')
  for (const bytes of [
    Buffer.from('Äh'),
    Buffer.from('\ufeffÄh'),
    Buffer.from('Äh', 'latin1'),
    utf16,
    Buffer.from(utf16).swap16(),
  ]) {
    expect(await readCaptionFile(new Blob([bytes]))).toEqual({ text: 'Äh' })
  }
  expect(await readCaptionFile(new Blob(['a'.repeat(2_097_153)]))).toEqual({
    problem: 'A captions file can have at most 1 MB.',
  })
})
