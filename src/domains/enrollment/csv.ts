// Comma-separated values as spreadsheets read them (RFC 4180).

/** Says that what follows is UTF-8, which spreadsheets would not guess. */
export const byteOrderMark = '\uFEFF'

/** A spreadsheet would take what starts like this for a formula, and run it. */
const formula = /^[=+\-@\t\r]/

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const harmless = formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** One row with its line end. */
export const csvRow = (values: (string | number)[]) => `${values.map(cell).join(',')}\r\n`
