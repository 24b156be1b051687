// Lists of addresses as people have them: exports of other programs, or something pasted.
import { emailProblem } from '../accounts/rules.ts'
import { invitationLimits } from './rules.ts'

/** One address, or a line without any. */
export interface ListEntry {
  /** 1-based. */
  line: number
  /** In lower case; null when there is none. */
  address: string | null
  /** What stands there. */
  text: string
}

interface Row {
  line: number
  cells: string[]
}

/** A quoted cell may go over several lines, but a quote that nobody closed must not swallow the list. */
const longestQuoted = 2000

const isSeparator = (sign: string | undefined) => sign === ',' || sign === ';' || sign === '\t'
const isLineEnd = (sign: string | undefined) => sign === '\n' || sign === '\r'

/** The place after the closing quote of the cell that opens at `start`; null when nobody closed it. */
function endOfQuoted(text: string, start: number): number | null {
  const limit = Math.min(text.length, start + longestQuoted)
  for (let at = start + 1; at < limit; at += 1) {
    if (text[at] !== '"') continue
    if (text[at + 1] === '"') {
      at += 1
      continue
    }
    const next = text[at + 1]
    return next === undefined || isSeparator(next) || isLineEnd(next) ? at + 1 : null
  }
  return null
}

/** Rows as in RFC 4180, with commas, semicolons or tabs between the cells; empty rows are left out. */
function* rowsOf(text: string): Generator<Row> {
  let at = text.startsWith('\ufeff') ? 1 : 0
  let line = 1
  while (at < text.length) {
    while (isLineEnd(text[at])) {
      if (text[at] === '\n' || text[at + 1] !== '\n') line += 1
      at += 1
    }
    if (at >= text.length) return
    const row: Row = { line, cells: [] }
    for (;;) {
      const quotedEnd = text[at] === '"' ? endOfQuoted(text, at) : null
      let end = quotedEnd ?? at
      while (end < text.length && !isSeparator(text[end]) && !isLineEnd(text[end])) end += 1
      const raw = text.slice(at, end)
      if (row.cells.length <= invitationLimits.addresses) {
        row.cells.push((quotedEnd === null ? raw : raw.slice(1, -1).replaceAll('""', '"')).trim())
      }
      if (quotedEnd !== null) line += raw.match(/\r\n|\r|\n/g)?.length ?? 0
      at = end + 1
      if (!isSeparator(text[end])) break
      if (at >= text.length) break
    }
    if (text[at - 1] === '\r' && text[at] === '\n') at += 1
    line += 1
    if (row.cells.some((cell) => cell !== '')) yield row
  }
}

/** The address in a cell: alone, or as mail programs write it, `Ada <ada@example.com>`. */
function addressIn(cell: string): string | null {
  // Nothing longer can be one, and patterns over long texts take long.
  if (cell.length > 400 || !cell.includes('@')) return null
  const bare = cell.replace(/^['"]|['"]$/g, '')
  const bracketed = /<([^<>]*)>$/.exec(bare)?.[1] ?? bare
  const address = bracketed
    .replace(/^mailto:/i, '')
    .trim()
    .toLowerCase()
  return emailProblem(address) === null ? address : null
}

const headings = /^(?:e-?mails?|mail|(?:e-?mail|mail)[ _-]?address(?:es)?|addresse?s?)$/i

const shown = (cells: string[]) => {
  const text = cells.filter(Boolean).join(', ').replaceAll('\0', '')
  return text.length > 100 ? `${text.slice(0, 99).toWellFormed()}…` : text
}

/**
 * The addresses of a list, line by line; null when there are more than may be in one. A first line without
 * an address is a heading: where it names a column of addresses, only that one counts. Else it is the first
 * address of a line, or all of them when the line has nothing else.
 */
export function readAddressList(text: string): ListEntry[] | null {
  const entries: ListEntry[] = []
  let column = -1
  let isFirst = true
  for (const { line, cells } of rowsOf(text)) {
    const found = cells.map(addressIn)
    if (isFirst && found.every((address) => address === null)) {
      isFirst = false
      column = cells.findIndex((cell) => headings.test(cell))
      // A single cell that is no heading was meant as an address.
      if (column >= 0 || cells.length > 1) continue
    }
    isFirst = false
    const addresses = found.filter((address) => address !== null)
    const isAllAddresses = addresses.length === cells.filter(Boolean).length
    const named = found[column]
    const chosen =
      named !== undefined ? [named] : isAllAddresses ? addresses : addresses.slice(0, 1)
    const kept = chosen.filter((address) => address !== null)
    if (kept.length === 0) entries.push({ line, address: null, text: shown(cells) })
    for (const address of kept) entries.push({ line, address, text: address })
    if (entries.length > invitationLimits.addresses) return null
  }
  return entries
}
