// A word of its own in every text that the database holds, so that whoever is shown one can be told where it is from.
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import type { Pool } from 'pg'
import * as tables from '../../src/tables.ts'

export interface Canary {
  word: string
  /** 'posts.content' */
  column: string
  /** The course that the row belongs to. */
  courseId: string | null
  /** The people whose row it is. */
  people: string[]
}

interface TextColumn {
  table: string
  column: string
  isJson: boolean
}

/** All that can hold words; what is one of a few names cannot. */
export function textColumns(): TextColumn[] {
  return Object.values<unknown>(tables)
    .filter((one) => is(one, PgTable))
    .flatMap((table) =>
      Object.values(getTableColumns(table))
        .filter((column) => /^(text|jsonb|varchar)/.test(column.getSQLType()))
        .filter((column) => !column.enumValues?.length)
        .map((column) => ({
          table: getTableName(table),
          column: column.name,
          isJson: column.getSQLType() === 'jsonb',
        })),
    )
}

/** How a row without a course of its own leads to one, and to people. */
const courseBy: Record<string, string> = {
  course_id: 't.course_id',
  post_id: '(select course_id from posts where id = t.post_id)',
  comment_id: '(select course_id from comments where id = t.comment_id)',
  lesson_id: '(select course_id from lessons where id = t.lesson_id)',
  media_id: '(select course_id from media_files where id = t.media_id)',
  application_id: '(select course_id from course_applications where id = t.application_id)',
  case_id: '(select course_id from moderation_cases where id = t.case_id)',
  payment_id: '(select course_id from payments where id = t.payment_id)',
}
const personBy: Record<string, string> = {
  post_id: '(select user_id from posts where id = t.post_id)',
  comment_id: '(select user_id from comments where id = t.comment_id)',
  media_id: '(select owner_id from media_files where id = t.media_id)',
  application_id: '(select user_id from course_applications where id = t.application_id)',
  request_id: '(select user_id from support_requests where id = t.request_id)',
  ledger_account_id: '(select user_id from ledger_accounts where id = t.ledger_account_id)',
  creator_account_id: '(select user_id from ledger_accounts where id = t.creator_account_id)',
  payment_id: '(select payer_id from payments where id = t.payment_id)',
}

/** Rows that cannot be changed once they are there. */
const appendOnly = ['administrative_acts', 'ledger_transactions', 'ledger_entries']

/**
 * Puts a word into each row of each column that takes one. Answers with them, and with why a column took none: a
 * check or a reference says what may be in it.
 */
export async function placeCanaries(pool: Pool, fixed: ReadonlySet<string>) {
  const canaries: Canary[] = []
  const problems: string[] = []
  const { rows: references } = await pool.query<{ table: string; column: string }>(
    `select conrelid::regclass::text as "table", a.attname as "column"
       from pg_constraint c
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
      where c.contype = 'f' and c.confrelid = 'users'::regclass`,
  )
  for (const table of appendOnly) await pool.query(`alter table ${table} disable trigger user`)
  for (const { table, column, isJson } of textColumns()) {
    const name = `${table}.${column}`
    if (fixed.has(name)) continue
    const known = new Set(
      (
        await pool.query<{ name: string }>(
          'select column_name as name from information_schema.columns where table_name = $1',
          [table],
        )
      ).rows.map((one) => one.name),
    )
    const by = Object.keys(courseBy).find((key) => known.has(key))
    const course = table === 'courses' ? 't.id' : by ? courseBy[by] : 'null'
    const people = [
      ...references.filter((one) => one.table === table).map((one) => `t.${one.column}`),
      ...Object.keys(personBy)
        .filter((key) => known.has(key))
        .map((key) => personBy[key]),
      ...(table === 'users' ? ['t.id'] : []),
    ]
    const { rows } = await pool.query<{ row: string; courseId: string | null; people: string[] }>(
      `select t.ctid::text as row, ${course} as "courseId",
              array_remove(array[${people.join(', ')}]::uuid[], null)::text[] as people
         from ${table} t where ${column} is not null`,
    )
    for (const { row, courseId, people: named } of rows) {
      const word = `kanarie${canaries.length + 1000}vogel`
      // Of JSON only what people wrote: the rest is its shape.
      const value = isJson
        ? `regexp_replace(${column}::text, '"(text|heading|words|signatory|x|title|name)": "[^"]*"', '"\\1": "${word}"', 'g')::jsonb`
        : column === 'url'
          ? `'https://${word}.example/'`
          : `'${word}'`
      try {
        await pool.query(`update ${table} set ${column} = ${value} where ctid = '${row}'`)
        canaries.push({ word, column: name, courseId, people: named })
      } catch (error) {
        problems.push(`${name}: ${(error as Error).message}`)
      }
    }
  }
  for (const table of appendOnly) await pool.query(`alter table ${table} enable trigger user`)
  return { canaries, problems: [...new Set(problems)] }
}
