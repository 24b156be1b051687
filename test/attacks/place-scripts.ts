// Scripts in every text that the database holds, whatever the calls would have said to them.
import type { Pool } from 'pg'
import { textColumns } from './canaries.ts'
import { everyScript, scriptsWithin, wayOut } from './scripts.ts'

/** Where people may write much: there stand all of them. */
const roomy =
  /\.(content|description|bio|body|rules|message|note|appeal|reason|review_text|answer|text|question|notes|words|application_instructions|reviewer_notes|cues)$/

/** Where nothing but an address can stand. */
const addresses = ['lesson_resources.url', 'users.website', 'webhook_endpoints.url']

/** Rows that cannot be changed once they are there. */
const appendOnly = ['administrative_acts', 'ledger_transactions', 'ledger_entries']

/** Answers with the columns that have scripts now, and with why others took none. */
export async function placeScripts(pool: Pool, fixed: ReadonlySet<string>) {
  const placed = new Set<string>()
  const problems = new Set<string>()
  for (const table of appendOnly) await pool.query(`alter table ${table} disable trigger user`)
  for (const { table, column, isJson } of textColumns()) {
    const name = `${table}.${column}`
    if (fixed.has(name) && !addresses.includes(name)) continue
    const { rows } = await pool.query<{ row: string }>(
      `select ctid::text as row from ${table} where ${column} is not null limit 40`,
    )
    for (const { row } of rows) {
      const words = roomy.test(name) ? everyScript : scriptsWithin(300)
      const text = addresses.includes(name) ? `https://ok.invalid/?${wayOut}` : words
      // What leaves JSON by its signs stands in it as JSON writes it.
      const replacement = `"\\1": ${JSON.stringify(text).replaceAll('\\', '\\\\')}`
      const value = isJson
        ? `regexp_replace(${column}::text, '"(text|heading|words|signatory|x|title|name|message)": "[^"]*"', $1, 'g')::jsonb`
        : '$1::text'
      try {
        await pool.query(`update ${table} set ${column} = ${value} where ctid = '${row}'`, [
          isJson ? replacement : text,
        ])
        placed.add(name)
      } catch (error) {
        problems.add(`${name}: ${(error as Error).message}`)
      }
    }
  }
  for (const table of appendOnly) await pool.query(`alter table ${table} enable trigger user`)
  return { placed, problems: [...problems] }
}
