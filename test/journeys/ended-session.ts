// A session that ends under an open page, as at another device, and a log-in in another tab.
import { type APIRequestContext, expect } from '@playwright/test'
import { inDatabase, type Newcomer } from './journey.ts'
import type { BuiltServer } from './server.ts'

export const endSessions = (server: BuiltServer, { email }: Newcomer) =>
  inDatabase(
    server,
    'delete from sessions where user_id = (select id from users where email = $1)',
    [email],
  )

export async function logInAgain(
  request: APIRequestContext,
  { email, password }: Newcomer,
): Promise<void> {
  const answer = await request.post('/auth/v1/sign-in/email', { data: { email, password } })
  expect(answer.status()).toBe(200)
}
