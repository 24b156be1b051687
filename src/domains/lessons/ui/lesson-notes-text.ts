import { clockTime } from './clock-time.ts'

type Words = { text: string; seconds: number | null }

/** All notes of a lesson as a text to keep elsewhere. */
export function notesAsText(title: string, notes: readonly Words[]): string {
  const parts = notes.map(({ text, seconds }) =>
    seconds === null ? text : `[${clockTime(seconds)}] ${text}`,
  )
  return `${[title, ...parts].join('\n\n')}\n`
}
