// Captions as people have them, .srt and .vtt, and as browsers take them. Shared with the browser.
import type { CaptionCue } from './tables.ts'

export const captionLimits = {
  /** Of the file; also of all texts of one language together. */
  bytes: 1024 * 1024,
  cues: 10_000,
  textLength: 1000,
  /** A day is longer than any video here. */
  seconds: 24 * 60 * 60,
}

const example = '00:00:01.000 --> 00:00:04.000'
export const captionProblems = {
  noFile: 'This is no captions file. Please choose an .srt or a .vtt file.',
  none: `There are no captions in this file: no line has times such as ${example}.`,
  empty:
    'There has to be at least one caption. To have none in this language, remove the language.',
  tooLarge: 'A captions file can have at most 1 MB.',
  tooMany: `A video can have at most ${captionLimits.cues.toLocaleString('en-US')} captions per language.`,
}

const timePattern = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?$/

/** '1:02.5', '00:01:02,500' in seconds; null when it is no time. */
export function secondsOfCueTime(text: string): number | null {
  const parts = timePattern.exec(text.trim())
  if (!parts) return null
  const [hours, minutes, seconds] = parts.slice(1, 4).map((part) => Number(part ?? 0))
  if (minutes! > 59 || seconds! > 59) return null
  const thousandths = Number((parts[4] ?? '').padEnd(3, '0'))
  return (hours! * 60 + minutes!) * 60 + seconds! + thousandths / 1000
}

/** 62.5 as '00:01:02.500'. */
export function cueTime(seconds: number): string {
  const whole = Math.round(seconds * 1000)
  const part = (divisor: number, modulus: number, width = 2) =>
    String(Math.floor(whole / divisor) % modulus).padStart(width, '0')
  return `${part(3_600_000, 1000)}:${part(60_000, 60)}:${part(1000, 60)}.${part(1, 1000, 3)}`
}

/** What is wrong with a cue after the one before it, in words; null when nothing is. */
export function cueProblem(cue: CaptionCue, before: CaptionCue | undefined): string | null {
  if (cue.end <= cue.start)
    return `it ends at ${cueTime(cue.end)}, which is not after its start at ${cueTime(cue.start)}.`
  if (cue.end > captionLimits.seconds) return 'captions can be at most 24 hours into a video.'
  if (before && cue.start < before.start)
    return `it starts at ${cueTime(cue.start)}, before the caption above it does (${cueTime(before.start)}). Captions have to be in the order of their times.`
  if (cue.text === '') return 'it has no text.'
  if (cue.text.length > captionLimits.textLength)
    return `its text is longer than ${captionLimits.textLength.toLocaleString('en-US')} characters.`
  return null
}

/** Without what cannot be stored or shown; an empty line would end a cue. */
function plainCueText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

const toMilliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000

/** Cues as they are stored: to the millisecond, plain text. Or the first problem, in words. */
export function tidyCues(cues: CaptionCue[]): { cues: CaptionCue[] } | { problem: string } {
  if (cues.length > captionLimits.cues) return { problem: captionProblems.tooMany }
  const tidy: CaptionCue[] = []
  for (const { start, end, text } of cues) {
    const cue = {
      start: toMilliseconds(start),
      end: toMilliseconds(end),
      text: plainCueText(text),
    }
    const problem = cueProblem(cue, tidy.at(-1))
    if (problem) return { problem: `Caption ${tidy.length + 1}: ${problem}` }
    tidy.push(cue)
  }
  if (tidy.length === 0) return { problem: captionProblems.empty }
  return fitting(tidy)
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length

/** What is kept can be written as a file that can be read again. */
const fitting = (cues: CaptionCue[]) =>
  bytesOf(toWebVtt(cues)) > captionLimits.bytes ? { problem: captionProblems.tooLarge } : { cues }

/** What somebody should know whose captions go on after the video; null when none do. */
export function captionsBeyond(cues: CaptionCue[], durationSeconds: number | null): string | null {
  if (durationSeconds === null) return null
  const late = cues.filter(({ start }) => start >= durationSeconds).length
  if (late === 0) return null
  const what = late === 1 ? '1 caption starts' : `${late.toLocaleString('en-US')} captions start`
  return `${what} after the end of the video (${cueTime(durationSeconds)}), so nobody will see ${late === 1 ? 'it' : 'them'}. Are these the captions of this video?`
}

// Reading --------------------------------------------------------------------------------------

/** The marks of captions, such as <b>, <v Name>, <font color=…> and <00:01.000>; what is no mark is text. */
const marks =
  /<(?:\/?(?:b|i|u|s|c|v|lang|ruby|rt|font)(?:[.\s][^<>]*)?|\d{1,3}(?::\d{2}){1,2}\.\d{3})>/gi
/** {\an8}: where other players put the line. */
const places = /\{\\[a-z]{1,4}\d{1,4}\}/gi

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
}

function decoded(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi,
    (whole, ten, six, name) => {
      if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole
      const code = ten === undefined ? Number.parseInt(six, 16) : Number(ten)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}

/** Lines that follow each other without an empty one between them; `first` is the number of the first. */
interface Block {
  first: number
  lines: string[]
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let block: Block | null = null
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (line.trim() === '') block = null
    else if (block) block.lines.push(line)
    else {
      block = { first: index + 1, lines: [line] }
      blocks.push(block)
    }
  }
  return blocks
}

const quoted = (line: string) => `“${line.trim().slice(0, 60)}”`

/** The times of a line with an arrow; what stands behind them says where to show it, which we do not. */
function timesIn(line: string): { start: number; end: number } | null {
  const [from = '', rest = ''] = line.split('-->')
  const start = secondsOfCueTime(from)
  const end = secondsOfCueTime(rest.trim().split(/\s/)[0] ?? '')
  return start === null || end === null ? null : { start, end }
}

/** Times with another arrow than there should be. */
const looksLikeTimes = (line: string) => /^\s*\d{1,3}:\d{1,2}[\d:.,]*\s*[-=–—→>]/.test(line)

/**
 * The cues of an .srt or .vtt file as plain text: whatever is markup in captions is dropped, and everything
 * else, a <script> as well, is words. Or the first problem, with its line, in words.
 */
export function parseCaptions(file: string): { cues: CaptionCue[] } | { problem: string } {
  if (bytesOf(file) > captionLimits.bytes) return { problem: captionProblems.tooLarge }
  // A text file holds no NUL; a film or a ZIP does.
  if (file.includes('\0')) return { problem: captionProblems.noFile }
  const text = file.replace(/^\ufeff/, '')
  const isVtt = /^WEBVTT(?:[ \t\r\n]|$)/.test(text)
  const found: (CaptionCue & { line: number })[] = []
  for (const { first, lines } of blocksOf(text)) {
    if (isVtt && (first === 1 || /^(?:NOTE|STYLE|REGION)(?:\s|$)/.test(lines[0]!))) continue
    const times = lines.flatMap((line, index) => (line.includes('-->') ? index : []))
    const broken = times.length === 0 ? lines.findIndex(looksLikeTimes) : -1
    if (broken >= 0)
      return {
        problem: `Line ${first + broken}: ${quoted(lines[broken]!)} should be times such as ${example}.`,
      }
    // In .srt, an empty line within a caption does not end it. The line above times is their number.
    const rest = isVtt ? [] : lines.slice(0, times.length === 0 ? undefined : times[0]! - 1)
    const last = found.at(-1)
    if (last && rest.length > 0 && times[0] !== 0) last.text += `\n${rest.join('\n')}`
    for (const [order, index] of times.entries()) {
      const range = timesIn(lines[index]!)
      if (!range)
        return {
          problem: `Line ${first + index}: ${quoted(lines[index]!)} are no times. They look like ${example}.`,
        }
      const next = times[order + 1]
      const end = next !== undefined && /^\s*\d+\s*$/.test(lines[next - 1]!) ? next - 1 : next
      found.push({
        ...range,
        line: first + index,
        text: lines.slice(index + 1, end).join('\n'),
      })
    }
    if (found.length > captionLimits.cues) return { problem: captionProblems.tooMany }
  }
  if (found.length === 0)
    return { problem: file.trim() === '' ? 'This file is empty.' : captionProblems.none }
  return cuesIn(found, isVtt)
}

function cuesIn(found: (CaptionCue & { line: number })[], isVtt: boolean) {
  const cues: CaptionCue[] = []
  for (const { line, start, end, text } of found) {
    const words = isVtt ? text : text.replace(places, '')
    const cue = { start, end, text: plainCueText(decoded(words.replace(marks, ''))) }
    const problem = cueProblem({ ...cue, text: cue.text || '-' }, cues.at(-1))
    if (problem) return { problem: `Line ${line}: ${problem}` }
    // Programs write cues without words to clear the screen.
    if (cue.text !== '') cues.push(cue)
  }
  return cues.length === 0 ? { problem: 'The captions in this file have no words.' } : fitting(cues)
}

// Writing --------------------------------------------------------------------------------------

const escaped = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

/** WebVTT; no text of a cue can end it or be taken for markup. */
export function toWebVtt(cues: CaptionCue[]): string {
  const written = cues.map(
    ({ start, end, text }) =>
      `${cueTime(start)} --> ${cueTime(end)}\n${escaped(plainCueText(text))}\n`,
  )
  return ['WEBVTT\n', ...written].join('\n')
}
