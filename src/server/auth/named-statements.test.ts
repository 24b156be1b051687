import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { copyOfTemplate } from '../../../test/database-copy.ts'
import { users } from '../../domains/accounts/tables.ts'
import { openDatabase } from '../db.ts'
import { createLog } from '../log.ts'
import { withNamedStatements } from './named-statements.ts'

test('what the library asks is planned once per connection, but for what belongs to a transaction', async () => {
  const { pool } = openDatabase(await copyOfTemplate(), createLog('silent'), { max: 1 })
  onTestFinished(() => pool.end())
  const db = withNamedStatements(pool)
  const find = (email: string) =>
    db.query.users.findFirst({ where: eq(users.email, email), with: { accounts: true } })
  expect([await find('nobody@example.com'), await find('somebody@example.com')]).toEqual([
    undefined,
    undefined,
  ])
  await db.transaction((transaction) => transaction.select({ id: users.id }).from(users))
  const { rows } = await pool.query(
    'select statement, generic_plans + custom_plans as uses from pg_prepared_statements',
  )
  expect(rows).toEqual([{ statement: expect.stringContaining('"identities"'), uses: '2' }])
})
