import { expect, test } from 'vitest'
import { notesAsText } from './lesson-notes-text.ts'

test('each note stands on its own, with its moment of the video', () => {
  const notes = [
    { text: 'Wet hands.\nAlways.', seconds: 83.4 },
    { text: 'Buy flour', seconds: null },
  ]
  expect(notesAsText('Mix by hand', notes)).toBe(
    'Mix by hand\n\n[1:23] Wet hands.\nAlways.\n\nBuy flour\n',
  )
})
