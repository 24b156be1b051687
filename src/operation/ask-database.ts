// npm run sql: what operations.md asks of the database, also where there is no psql.
import { Client, types } from 'pg'
import { counted } from './doctor/finding.ts'

type Cells = (string | null)[]

/** As PostgreSQL writes it: nothing is rounded, and no time is moved to another zone. */
const asWritten = { getTypeParser: (() => (text: string) => text) as typeof types.getTypeParser }

/** People typed some of it: what steers a terminal is left out, and a row stays a line. */
const shown = (cell: string | null) => cell?.replaceAll(/\p{Cc}+/gu, ' ') ?? 'null'

function linesOf(names: string[], rows: Cells[]): string[] {
  const cells = [names, ...rows.map((row) => row.map(shown))]
  // Not by parameters, of which a call takes only so many.
  const widths = names.map((_, column) =>
    cells.reduce((widest, row) => Math.max(widest, row[column]!.length), 0),
  )
  const [head, ...rest] = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join(' | ')
      .trimEnd(),
  )
  return [head!, widths.map((width) => '-'.repeat(width)).join('-+-'), ...rest]
}

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/**
 * Does one statement in a transaction of its own, and says what came of it.
 *
 * @throws {Error} in PostgreSQL's words, when nothing was done
 */
export async function askDatabase(
  databaseUrl: string,
  statement: string,
  say: (line: string) => void,
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin')
    const { command, rowCount, fields, rows } = await client.query<Cells>({
      // A statement with a name can only be one.
      name: 'asked',
      text: statement,
      rowMode: 'array',
      types: asWritten,
    })
    await client.query('commit')
    const names = fields.map(({ name }) => name)
    if (names.length > 0) for (const line of linesOf(names, rows)) say(line)
    const count = counted(rowCount ?? 0, 'row')
    say(changing.has(command) ? `${count} changed.` : `${count}.`)
  } finally {
    await client.end()
  }
}
