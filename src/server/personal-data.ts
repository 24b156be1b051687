import { and, asc, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Db, Executor, Transaction } from './db.ts'

/** Whom a table may be about, under every name that rows know a person by. */
export interface Person {
  id: string
  email: string
  phoneNumber: string | null
}

/** What a column does in the download. */
type Given = 'exported' | { withheld: string }

type ColumnName<Table extends PgTable> = keyof Table['_']['columns'] & string

interface Declaration<Name extends string> {
  /** What the rows are, in the words of the download. */
  about: string
  /** The rows that say something about this person. */
  rowsOf: (person: Person) => SQL
  /** Every column by its name: what is not given out says why. */
  columns: Record<Name, Given>
  /** Said beside ids that mean nothing to a reader, such as the title of a course; raw SQL names. */
  also?: Record<string, SQL>
  /**
   * What becomes of the rows with the account. `anonymised` rows may stay for other people, without
   * anything that leads to the person; `kept` ones stay as they are, for a reason.
   */
  onDeletion: 'deleted' | 'anonymised' | { kept: string }
}

/** A table that says something about people. */
export interface PersonalTable extends Declaration<string> {
  table: PgTable
}

/** Declares a table; a column that is not mentioned does not compile. */
export const personalTable = <Table extends PgTable>(
  table: Table,
  declaration: Declaration<ColumnName<Table>>,
): PersonalTable => ({ table, ...declaration })

/** A file that a person uploaded. */
export interface PersonalFile {
  /** Where it lies in the download. */
  path: string
  storageKey: string
  uploadedAt: Date
}

/** A sentence about what becomes of something when the account is deleted. */
export interface Consequence {
  text: string
  /** Something that stays, for other people. */
  stays: boolean
}

/** Somebody who deletes the own account. */
export interface Leaving {
  person: Person
  isAdmin: boolean
  /** What this person says shall become of own courses that others are members of; null when not said. */
  membersCourses: 'keep' | 'delete' | null
  /** This person goes without what was earned and cannot be sent. */
  givesUpEarnings: boolean
  /** '$25.91', when what was said was this; what is more by now has to be said again. Null when no amount was named. */
  earningsGivenUp: string | null
  /** Whether payouts go through PayPal here. */
  offersPaypal: boolean
}

/**
 * What a domain has of a person, what it gives out, and what becomes of it when the account goes. Each
 * domain has one; `src/personal-data.ts` lists them, and a test compares them with the database.
 */
export interface PersonalData {
  /** By the names of their sections in the download. */
  tables: Record<string, PersonalTable>
  /** Tables that say nothing about anybody, and why that is so. */
  aboutNobody?: { table: PgTable; because: string }[]
  files?: (executor: Executor, person: Person) => Promise<PersonalFile[]>
  /** What to say before the deletion. */
  consequences?: (
    executor: Executor,
    person: Person,
    here: Pick<Leaving, 'offersPaypal'>,
  ) => Promise<Consequence[]>
  /** Locks what the deletion is decided on, before anything of any domain changes. */
  hold?: (transaction: Transaction, leaving: Leaving) => Promise<void>
  /** Why this person cannot leave now, in words; null when nothing is in the way. */
  obstacle?: (executor: Executor, leaving: Leaving) => Promise<string | null>
  /** What does not go by itself with the row of the person. */
  leave?: (transaction: Transaction, leaving: Leaving) => Promise<void>
}

/** Rows that are read at once: a download may be long, and must not fill the memory. */
const batch = 100

function primaryKey(table: PgTable): PgColumn[] {
  const { columns, primaryKeys } = getTableConfig(table)
  return primaryKeys[0]?.columns ?? columns.filter((column) => column.primary)
}

/** The rows about this person as they are given out, some at a time. */
export async function* exportedRows(
  db: Db,
  { table, columns, also = {}, rowsOf }: PersonalTable,
  person: Person,
): AsyncGenerator<Record<string, unknown>[]> {
  const known = getTableColumns(table)
  const exported = Object.fromEntries(
    Object.entries(known).filter(([name]) => columns[name] === 'exported'),
  )
  const key = primaryKey(table)
  const place = Object.fromEntries(key.map((column, index) => [String(index), column]))
  let last: SQL | undefined
  for (;;) {
    const rows = await db
      .select({ row: { ...exported, ...also }, place })
      .from(table)
      .where(and(rowsOf(person), last))
      .orderBy(...key.map((column) => asc(column)))
      .limit(batch)
    if (rows.length > 0) yield rows.map(({ row }) => row as Record<string, unknown>)
    const end = rows.at(-1)?.place as Record<string, unknown> | undefined
    if (!end || rows.length < batch) return
    const values = key.map((_, index) => sql`${end[String(index)]}`)
    last = sql`(${sql.join(key, sql`, `)}) > (${sql.join(values, sql`, `)})`
  }
}
