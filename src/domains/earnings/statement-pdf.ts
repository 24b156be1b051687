// A statement as a PDF, drawn row by row: pdfkit's own wrapping is too slow for thousands of rows.
import { setImmediate } from 'node:timers/promises'
import { type Face, type Letters, lettersOf } from '../certificates/pdf-letters.ts'
import { noMoneyMoved } from '../payments/test-mode.ts'
import { brand } from '../site/brand.ts'
import { monthLabel } from './months.ts'
import { netOf, type Statement } from './statement.ts'

type Pdf = PDFKit.PDFDocument

interface Paper {
  pdf: Pdf
  /** Our typefaces, where something is written in letters that a PDF's own do not have. */
  letters: Letters | null
}

/** Written in the letters that a PDF's own fonts have. */
const isPlain = (text: string) =>
  /^[\u0020-\u007e\u00a0-\u00ff•–—‘’“”…€]*$/u.test(text.normalize('NFC'))

const letterOrDigit = /[\p{L}\p{N}]/u

const isLacking = (letters: Letters, text: string) =>
  letterOrDigit.test(text) && letters.printable(text, 'text').kept === 'not printable'

/** With a question mark for each letter that our typefaces lack, too. */
function inOurLetters(letters: Letters, text: string, face: Face): string {
  if (!isLacking(letters, text)) return letters.printable(text, face).text
  const inOurs = (letter: string) =>
    letters.printable(letter, face).text || (letterOrDigit.test(letter) ? '?' : '')
  return [...text].map((letter) => (/\s/.test(letter) ? ' ' : inOurs(letter))).join('')
}

const decimals = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})
/** '-1,234.50' */
const inMoney = (amount: number) => decimals.format(amount === 0 ? 0 : amount / 100)
/** Nothing where nothing moved. */
const moved = (amount: number) => (amount === 0 ? '' : inMoney(amount))

const [left, right, top, bottom] = [40, 555, 40, 780]
const rowHeight = 13
const small = 8

interface Column {
  title: string
  /** Where its text begins; of numbers where it ends. */
  at: number
  width: number
  isNumber?: boolean
}

const bookingColumns: Column[] = [
  { title: 'Date (UTC)', at: left, width: 76 },
  { title: 'Booking', at: left + 78, width: 177 },
  { title: 'Amount', at: 345, width: 50, isNumber: true },
  { title: 'Our fee', at: 393, width: 46, isNumber: true },
  { title: 'Card fee', at: 441, width: 46, isNumber: true },
  { title: 'Net', at: 497, width: 54, isNumber: true },
  { title: 'Balance', at: right, width: 56, isNumber: true },
]

const courseColumns: Column[] = [
  { title: 'Course', at: left, width: 205 },
  { title: 'Sales', at: 285, width: 36, isNumber: true },
  { title: 'Amount', at: 345, width: 58, isNumber: true },
  { title: 'Our fee', at: 393, width: 46, isNumber: true },
  { title: 'Percent', at: 441, width: 46, isNumber: true },
  { title: 'Card fee', at: 497, width: 54, isNumber: true },
  { title: 'Net', at: right, width: 56, isNumber: true },
]

/** As much of it as there is room for. */
function fitting(text: string, width: number, widthOf: (text: string) => number): string {
  const whole = widthOf(text)
  if (whole <= width) return text
  // About as many letters as fit; then one less until they do.
  let fits = Math.floor((text.length * width) / whole) + 2
  while (fits > 1 && widthOf(`${text.slice(0, fits)}…`) > width) fits -= 1
  return `${text.slice(0, fits).trimEnd()}…`
}

type Place = { x: number; y: number; width: number; size?: number; face?: Face }

/** From the top of a line of Helvetica to where its letters stand. */
const ascent = 0.718

/** What people wrote, on one line: in the font that is set, or in ours where that lacks letters. */
function drawText({ pdf, letters }: Paper, text: string, place: Place): void {
  const { x, y, width, size = small, face = 'text' } = place
  if (!letters || isPlain(text)) {
    const shown = fitting(text.normalize('NFC'), width, (part) => pdf.widthOfString(part))
    pdf.text(shown, x, y, { lineBreak: false })
    return
  }
  const style = { face, size }
  const words = inOurLetters(letters, text.normalize('NFC'), face)
  const shown = fitting(words, width, (part) => letters.width(part, style))
  letters.draw(shown, style, x, y + ascent * size, 'alphabetic')
  pdf.font('Helvetica').fontSize(small)
}

/** A number, which ends there. */
const drawUntil = (pdf: Pdf, text: string, x: number, y: number) =>
  pdf.text(text, x - pdf.widthOfString(text), y, { lineBreak: false })

function drawRow(paper: Paper, columns: Column[], values: string[], y: number): void {
  for (const [index, column] of columns.entries()) {
    const value = values[index] ?? ''
    if (value === '') continue
    if (column.isNumber) drawUntil(paper.pdf, value, column.at, y)
    else drawText(paper, value, { x: column.at, y, width: column.width })
  }
}

function drawLine(pdf: Pdf, y: number): void {
  pdf.moveTo(left, y).lineTo(right, y).lineWidth(0.5).strokeColor('#999').stroke()
}

/** Where the next row goes: on a new page, below the titles again, when this one is full. */
function placeFor(paper: Paper, y: number, columns: Column[]): number {
  if (y + rowHeight <= bottom) return y
  paper.pdf.addPage()
  return drawTitles(paper, columns, top)
}

function drawTitles(paper: Paper, columns: Column[], y: number): number {
  const { pdf } = paper
  const titles = columns.map(({ title }) => title)
  pdf.font('Helvetica-Bold').fontSize(small)
  drawRow(paper, columns, titles, y)
  drawLine(pdf, y + 11)
  pdf.font('Helvetica')
  return y + rowHeight + 3
}

function drawHeading(pdf: Pdf, text: string, y: number, rows: number): number {
  let place = y + 14
  if (place + 20 + rows * rowHeight > bottom) {
    pdf.addPage()
    place = top
  }
  pdf.font('Helvetica-Bold').fontSize(11).text(text, left, place, { lineBreak: false })
  pdf.font('Helvetica').fontSize(small)
  return place + 20
}

function drawHead(
  paper: Paper,
  { creator, month }: Statement,
  { isTest, isLackingLetters }: { isTest: boolean; isLackingLetters: boolean },
): number {
  const { pdf } = paper
  const wide = { x: left, width: right - left }
  pdf.font('Helvetica-Bold').fontSize(18)
  drawText(paper, brand.name, { ...wide, y: top, size: 18, face: 'strong' })
  pdf
    .font('Helvetica-Bold')
    .fontSize(13)
    .text(`Statement of ${monthLabel(month)} (UTC)`, left, top + 28, {
      lineBreak: false,
    })
  pdf.font('Helvetica').fontSize(10)
  drawText(paper, creator, { ...wide, y: top + 46, size: 10 })
  const notes = [
    ...(isTest ? [`${noMoneyMoved}.`] : []),
    'All amounts are in US dollars (USD), and count for the day on which they were booked.',
    ...(isLackingLetters
      ? ['Letters that cannot be printed here stand as “?”: the CSV file of your sales has them.']
      : []),
  ]
  pdf.font('Helvetica').fontSize(small)
  for (const [index, note] of notes.entries()) {
    pdf.text(note, left, top + 61 + index * 11, { lineBreak: false })
  }
  return top + 55 + notes.length * 11
}

function drawSums(paper: Paper, statement: Statement, from: number): number {
  const { pdf } = paper
  const { sums } = statement
  const sales = `${sums.sales.toLocaleString('en-US')} ${sums.sales === 1 ? 'sale' : 'sales'}`
  const optional = (label: string, amount: number) =>
    amount === 0 ? [] : [[label, inMoney(amount)] as const]
  const rows = [
    ['Opening balance', inMoney(statement.opening)] as const,
    [`Gross of ${sales}`, inMoney(sums.gross)] as const,
    [`Fee of ${brand.name}`, inMoney(0 - sums.platformFee)] as const,
    ['Card fees', inMoney(0 - sums.cardFee)] as const,
    ...optional('Refunds', 0 - sums.refunded),
    ...optional('Disputes', 0 - sums.disputed),
    ...optional('Fees of disputes', 0 - sums.disputeFee),
    ...optional('Payouts', 0 - sums.paidOut),
    ...optional('Fees of payouts (PayPal)', 0 - sums.payoutFee),
    ...optional('Given up', 0 - sums.givenUp),
    ['Closing balance', inMoney(statement.closing)] as const,
  ]
  let y = drawHeading(pdf, 'Summary', from, rows.length)
  for (const [index, [label, amount]] of rows.entries()) {
    const isBalance = index === 0 || index === rows.length - 1
    if (index === rows.length - 1) drawLine(pdf, y - 3)
    pdf.font(isBalance ? 'Helvetica-Bold' : 'Helvetica')
    drawText(paper, label, { x: left, y, width: 240 })
    drawUntil(pdf, amount, 345, y)
    y += rowHeight
  }
  return y
}

function drawCourses(paper: Paper, { courses }: Statement, from: number): number {
  if (courses.length === 0) return from
  let y = drawHeading(paper.pdf, 'By course', from, 3)
  y = drawTitles(paper, courseColumns, y)
  for (const course of courses) {
    y = placeFor(paper, y, courseColumns)
    const values = [
      course.title,
      course.sales.toLocaleString('en-US'),
      inMoney(course.gross),
      moved(course.platformFee),
      course.feePercents.map((percent) => `${percent}%`).join(', '),
      moved(course.cardFee),
      inMoney(netOf(course)),
    ]
    drawRow(paper, courseColumns, values, y)
    y += rowHeight
  }
  return y
}

async function drawBookings(paper: Paper, statement: Statement, from: number): Promise<void> {
  const { pdf } = paper
  const { lines, isByDay, opening, closing } = statement
  let y = drawHeading(pdf, isByDay ? 'Days' : 'Bookings', from, 4)
  if (isByDay) {
    const note = 'These were very many: each sale is in the CSV file of your sales.'
    pdf.text(note, left, y - 4, { lineBreak: false })
    y += rowHeight
  }
  y = drawTitles(paper, bookingColumns, y)
  const drawBalance = (label: string, balance: number) => {
    y = placeFor(paper, y, bookingColumns)
    pdf.font('Helvetica-Bold')
    drawRow(paper, bookingColumns, ['', label, '', '', '', '', inMoney(balance)], y)
    pdf.font('Helvetica')
    y += rowHeight
  }
  drawBalance('Opening balance', opening)
  let balance = opening
  for (const [index, line] of lines.entries()) {
    // Other requests have their turn in between.
    if (index % 25 === 24) await setImmediate()
    y = placeFor(paper, y, bookingColumns)
    const net = netOf(line)
    balance += net
    const values = [
      line.when,
      line.what,
      moved(line.gross),
      moved(line.platformFee),
      moved(line.cardFee),
      inMoney(net),
      inMoney(balance),
    ]
    drawRow(paper, bookingColumns, values, y)
    y += rowHeight
  }
  drawBalance('Closing balance', closing)
}

function numberPages(paper: Paper, { month }: Statement, isTest: boolean): void {
  const { pdf } = paper
  const { start, count } = pdf.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page)
    pdf.font('Helvetica').fontSize(small)
    const foot = `${brand.name}, ${monthLabel(month)} (UTC)${isTest ? `. ${noMoneyMoved}` : ''}`
    drawText(paper, foot, { x: left, y: bottom + 16, width: 400 })
    drawUntil(pdf, `Page ${page - start + 1} of ${count}`, right, bottom + 16)
  }
}

export async function statementPdf(
  statement: Statement,
  { isTest }: { isTest: boolean },
): Promise<Uint8Array<ArrayBuffer>> {
  // A third of a second, which no start of the server should wait for.
  const { default: PDFDocument } = await import('pdfkit')
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 20,
    lang: 'en',
    displayTitle: true,
    bufferPages: true,
    info: {
      Title: `Statement of ${monthLabel(statement.month)}${isTest ? ` (${noMoneyMoved})` : ''}`,
      Author: brand.name,
    },
  })
  const chunks: Uint8Array[] = []
  pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const finished = new Promise((resolve) => pdf.once('end', resolve))
  const { creator, courses, lines } = statement
  const texts = [
    brand.name,
    creator,
    ...courses.map(({ title }) => title),
    ...lines.map(({ what }) => what),
  ].filter((text) => !isPlain(text))
  const letters = texts.length > 0 ? await lettersOf(pdf) : null
  const paper = { pdf, letters }
  const isLackingLetters = letters !== null && texts.some((text) => isLacking(letters, text))
  let y = drawHead(paper, statement, { isTest, isLackingLetters })
  y = drawSums(paper, statement, y)
  y = drawCourses(paper, statement, y)
  await drawBookings(paper, statement, y)
  numberPages(paper, statement, isTest)
  pdf.end()
  await finished
  return new Uint8Array(Buffer.concat(chunks))
}
