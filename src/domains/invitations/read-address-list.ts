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

/** Cells of a row: names have commas, so there may be more than addresses. */
const mostCells = 10 * invitationLimits.addresses

const anySeparator = ',;\t'
const isLineEnd = (sign: string | undefined) => sign === '\n' || sign === '\r'

/** The place after the closing quote of the cell that opens at `start`; null when nobody closed it. */
function endOfQuoted(text: string, start: number, separators: string): number | null {
  const limit = Math.min(text.length, start + longestQuoted)
  for (let at = start + 1; at < limit; at += 1) {
    if (text[at] !== '"') continue
    if (text[at + 1] === '"') {
      at += 1
      continue
    }
    const next = text[at + 1]
    return next === undefined || separators.includes(next) || isLineEnd(next) ? at + 1 : null
  }
  return null
}

/** Rows as in RFC 4180, with any of these signs between the cells; empty rows are left out. */
function* rowsOf(text: string, separators: string): Generator<Row> {
  const isSeparator = (sign: string | undefined) => sign !== undefined && separators.includes(sign)
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
      const quotedEnd = text[at] === '"' ? endOfQuoted(text, at, separators) : null
      let end = quotedEnd ?? at
      while (end < text.length && !isSeparator(text[end]) && !isLineEnd(text[end])) end += 1
      const raw = text.slice(at, end)
      if (row.cells.length <= mostCells) {
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

interface Cell {
  /** Null when there is none. */
  address: string | null
  /** It stands behind a name, as mail programs write it: `Ada <ada@example.com>`. */
  isBracketed: boolean
}

function readCell(cell: string): Cell {
  // Nothing longer can be one, and patterns over long texts take long.
  if (cell.length > 400 || !cell.includes('@')) return { address: null, isBracketed: false }
  const bare = cell.replace(/^['"]|['"]$/g, '')
  const bracketed = /<([^<>]*)>$/.exec(bare)?.[1]
  const address = (bracketed ?? bare)
    .replace(/^mailto:/i, '')
    .trim()
    .toLowerCase()
  return {
    address: emailProblem(address) === null ? address : null,
    isBracketed: bracketed?.includes('@') ?? false,
  }
}

/**
 * The addresses of a line, and what was meant as one: all of them where the line has nothing else, or names before
 * them in brackets. Else the first address: others of that line may be anybody's.
 */
function addressesIn(cells: string[]): { address: string | null; text: string }[] {
  const filled = cells.filter(Boolean)
  const found = filled.map((text) => ({ text, ...readCell(text) }))
  const addresses = found.filter(({ address }) => address !== null)
  const isList =
    found.some(({ isBracketed }) => isBracketed) || filled.every((text) => text.includes('@'))
  if (!isList || addresses.length === 0) return addresses.slice(0, 1)
  return found.filter(({ text }) => text.includes('@'))
}

const headings = /^(?:e-?mails?|mail|(?:e-?mail|mail)[ _-]?address(?:es)?|addresse?s?)$/i

const isHeading = ({ cells }: Row) =>
  cells.every((cell) => !cell.includes('@')) &&
  // A single cell that is no heading was meant as an address.
  (cells.length > 1 || headings.test(cells[0]!))

/** The column that the first line names as that of the addresses, and the sign between columns; names may have the others. */
function namedColumn(text: string): { column: number; separators: string } {
  for (const separators of ['\t', ';', ',']) {
    const { value: first } = rowsOf(text, separators).next()
    if (!first || !isHeading(first) || first.cells.length === 1) continue
    const column = first.cells.findIndex((cell: string) => headings.test(cell))
    if (column >= 0) return { column, separators }
  }
  return { column: -1, separators: anySeparator }
}

const shown = (cells: string[]) => {
  const text = cells.filter(Boolean).join(', ').replaceAll('\0', '')
  return text.length > 100 ? `${text.slice(0, 99).toWellFormed()}…` : text
}

/**
 * The addresses of a list, line by line; null when there are more than may be in one. A first line without
 * an address is a heading: where it names a column of addresses, only that one counts.
 */
export function readAddressList(text: string): ListEntry[] | null {
  const entries: ListEntry[] = []
  const { column, separators } = namedColumn(text)
  let isFirst = true
  for (const row of rowsOf(text, separators)) {
    const { line, cells } = row
    if (cells.length > mostCells) return null
    const isSkipped = isFirst && isHeading(row)
    isFirst = false
    if (isSkipped) continue
    const found = addressesIn(
      cells[column]?.split(/[,;\t\r\n]/).map((part) => part.trim()) ?? cells,
    )
    if (found.length === 0) entries.push({ line, address: null, text: shown(cells) })
    for (const one of found) {
      entries.push({ line, address: one.address, text: one.address ?? shown([one.text]) })
    }
    if (entries.length > invitationLimits.addresses) return null
  }
  return entries
}
