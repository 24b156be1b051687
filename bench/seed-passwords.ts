// Gives people of the seed a password, the same for all: hashing one for each would take minutes.
import type { Client } from 'pg'
import { hashPassword } from '../src/server/auth/hash-password.ts'

export const benchPassword = 'correct horse battery staple'

/** Persons 1 to `count`. */
export async function seedPasswords(client: Client, count: number): Promise<void> {
  await client.query(
    `insert into identities (user_id, provider_id, account_id, password)
     select id, 'credential', id, $1 from users where email = any($2) on conflict do nothing`,
    [await hashPassword(benchPassword), Array.from({ length: count }, (_, at) => emailOf(at + 1))],
  )
  await client.query('vacuum analyze identities')
}

export const emailOf = (number: number) => `person-${number}@bench.example`
