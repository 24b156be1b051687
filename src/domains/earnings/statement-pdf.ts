// A statement as a PDF, drawn row by row: pdfkit's own wrapping is too slow for thousands of rows.
import { setImmediate } from 'node:timers/promises'
import { brand } from '../site/brand.ts'
import { monthLabel } from './months.ts'
import { netOf, type Statement } from './statement.ts'

type Pdf = PDFKit.PDFDocument

/** The letters that a PDF's own fonts have. */
const printable = (text: string) =>
  text.normalize('NFC').replaceAll(/[^\u0020-\u007e\u00a0-\u00ff•–—‘’“”…€]/gu, '?')

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
function fitting(pdf: Pdf, text: string, width: number): string {
  if (pdf.widthOfString(text) <= width) return text
  // About as many letters as fit; then one less until they do.
  let fits = Math.floor((text.length * width) / pdf.widthOfString(text)) + 2
  while (fits > 1 && pdf.widthOfString(`${text.slice(0, fits)}…`) > width) fits -= 1
  return `${text.slice(0, fits).trimEnd()}…`
}

/** A number, which ends there. */
const drawUntil = (pdf: Pdf, text: string, x: number, y: number) =>
  pdf.text(text, x - pdf.widthOfString(text), y, { lineBreak: false })

function drawRow(pdf: Pdf, columns: Column[], values: string[], y: number): void {
  for (const [index, column] of columns.entries()) {
    const value = values[index] ?? ''
    if (value === '') continue
    if (column.isNumber) drawUntil(pdf, value, column.at, y)
    else pdf.text(fitting(pdf, printable(value), column.width), column.at, y, { lineBreak: false })
  }
}

function drawLine(pdf: Pdf, y: number): void {
  pdf.moveTo(left, y).lineTo(right, y).lineWidth(0.5).strokeColor('#999').stroke()
}

/** Where the next row goes: on a new page, below the titles again, when this one is full. */
function placeFor(pdf: Pdf, y: number, columns: Column[]): number {
  if (y + rowHeight <= bottom) return y
  pdf.addPage()
  return drawTitles(pdf, columns, top)
}

function drawTitles(pdf: Pdf, columns: Column[], y: number): number {
  const titles = columns.map(({ title }) => title)
  pdf.font('Helvetica-Bold').fontSize(small)
  drawRow(pdf, columns, titles, y)
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

function drawHead(pdf: Pdf, { creator, month }: Statement): number {
  pdf.font('Helvetica-Bold').fontSize(18).text(brand.name, left, top, { lineBreak: false })
  pdf.fontSize(13).text(`Statement of ${monthLabel(month)} (UTC)`, left, top + 28, {
    lineBreak: false,
  })
  pdf.font('Helvetica').fontSize(10)
  pdf.text(fitting(pdf, printable(creator), right - left), left, top + 46, { lineBreak: false })
  const note =
    'All amounts are in US dollars (USD), and count for the day on which they were booked.'
  pdf.fontSize(small).text(note, left, top + 61, { lineBreak: false })
  return top + 66
}

function drawSums(pdf: Pdf, statement: Statement, from: number): number {
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
    pdf.text(label, left, y, { lineBreak: false })
    drawUntil(pdf, amount, 345, y)
    y += rowHeight
  }
  return y
}

function drawCourses(pdf: Pdf, { courses }: Statement, from: number): number {
  if (courses.length === 0) return from
  let y = drawHeading(pdf, 'By course', from, 3)
  y = drawTitles(pdf, courseColumns, y)
  for (const course of courses) {
    y = placeFor(pdf, y, courseColumns)
    const values = [
      course.title,
      course.sales.toLocaleString('en-US'),
      inMoney(course.gross),
      moved(course.platformFee),
      course.feePercents.map((percent) => `${percent}%`).join(', '),
      moved(course.cardFee),
      inMoney(netOf(course)),
    ]
    drawRow(pdf, courseColumns, values, y)
    y += rowHeight
  }
  return y
}

async function drawBookings(pdf: Pdf, statement: Statement, from: number): Promise<void> {
  const { lines, isByDay, opening, closing } = statement
  let y = drawHeading(pdf, isByDay ? 'Days' : 'Bookings', from, 4)
  if (isByDay) {
    const note = 'These were very many: each sale is in the CSV file of your sales.'
    pdf.text(note, left, y - 4, { lineBreak: false })
    y += rowHeight
  }
  y = drawTitles(pdf, bookingColumns, y)
  const drawBalance = (label: string, balance: number) => {
    y = placeFor(pdf, y, bookingColumns)
    pdf.font('Helvetica-Bold')
    drawRow(pdf, bookingColumns, ['', label, '', '', '', '', inMoney(balance)], y)
    pdf.font('Helvetica')
    y += rowHeight
  }
  drawBalance('Opening balance', opening)
  let balance = opening
  for (const [index, line] of lines.entries()) {
    // Other requests have their turn in between.
    if (index % 25 === 24) await setImmediate()
    y = placeFor(pdf, y, bookingColumns)
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
    drawRow(pdf, bookingColumns, values, y)
    y += rowHeight
  }
  drawBalance('Closing balance', closing)
}

function numberPages(pdf: Pdf, { month }: Statement): void {
  const { start, count } = pdf.bufferedPageRange()
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page)
    pdf.font('Helvetica').fontSize(small)
    pdf.text(`${brand.name}, ${monthLabel(month)} (UTC)`, left, bottom + 16, { lineBreak: false })
    drawUntil(pdf, `Page ${page - start + 1} of ${count}`, right, bottom + 16)
  }
}

export async function statementPdf(statement: Statement): Promise<Uint8Array<ArrayBuffer>> {
  // A third of a second, which no start of the server should wait for.
  const { default: PDFDocument } = await import('pdfkit')
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 20,
    lang: 'en',
    displayTitle: true,
    bufferPages: true,
    info: {
      Title: `Statement of ${monthLabel(statement.month)}`,
      Author: brand.name,
    },
  })
  const chunks: Uint8Array[] = []
  pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const finished = new Promise((resolve) => pdf.once('end', resolve))
  let y = drawHead(pdf, statement)
  y = drawSums(pdf, statement, y)
  y = drawCourses(pdf, statement, y)
  await drawBookings(pdf, statement, y)
  numberPages(pdf, statement)
  pdf.end()
  await finished
  return new Uint8Array(Buffer.concat(chunks))
}
