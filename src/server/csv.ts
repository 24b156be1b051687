// Comma-separated values as spreadsheets read them (RFC 4180).

/** Says that what follows is UTF-8, which spreadsheets would not guess. */
const byteOrderMark = '\uFEFF'

/** A spreadsheet would take what starts like this for a formula, and run it; a number is none. */
const formula = /^(?!-?\d+(\.\d+)?$)[=+\-@\t\r]/

export type Cell = string | number

function cell(value: Cell): string {
  if (typeof value === 'number') return String(value)
  const harmless = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** One row with its line end. */
export const csvRow = (values: Cell[]) => `${values.map(cell).join(',')}\r\n`

/** A file that is made while it is read: titles, and the rows that are given batch by batch. */
export function csvFile(
  titles: string[],
  batches: AsyncGenerator<Cell[][], undefined>,
): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes.encode(byteOrderMark + csvRow(titles)))
    },
    async pull(controller) {
      const { done, value } = await batches.next()
      if (done) controller.close()
      else controller.enqueue(bytes.encode(value.map(csvRow).join('')))
    },
    async cancel() {
      await batches.return(undefined)
    },
  })
}
