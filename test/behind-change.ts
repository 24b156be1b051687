// Something changes between the moment in which a call is let in and the one in which it is carried out.
import { expect } from 'vitest'
import type { Services } from '../src/server/services.ts'
import { waitingStatements } from './waiting.ts'

/** Until so many statements wait for rows that others hold. */
export const waitingFor = ({ pool }: Pick<Services, 'pool'>, statements: number) =>
  expect
    .poll(async () => {
      const { rowCount } = await pool.query(
        `select 1 from pg_stat_activity where ${waitingStatements}`,
      )
      return rowCount
    })
    .toBe(statements)

/**
 * What these calls are answered when all of them wait for the rows of a statement, which then commits; `meanwhile` is
 * done before it does.
 */
export async function behindChange<Answer>(
  { pool }: Pick<Services, 'pool'>,
  [text, ...values]: [text: string, ...values: unknown[]],
  calls: (() => Promise<Answer>)[],
  meanwhile?: () => Promise<unknown>,
): Promise<Answer[]> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(text, values)
    const answers = Promise.all(calls.map((call) => call()))
    await waitingFor({ pool }, calls.length)
    await meanwhile?.()
    await client.query('commit')
    return await answers
  } finally {
    client.release(true)
  }
}
