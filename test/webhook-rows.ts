// Webhooks and what waits to be sent to them, for tests in which nothing goes out before they want it.
import { expect } from 'vitest'
import type { TestApp } from './app.ts'

const query = async ({ services }: TestApp, text: string, ...values: unknown[]) =>
  (await services.pool.query(text, values)).rows

/** It rests, so that nothing is sent. Answers what its creator is told of it. */
export async function makeEndpoint(app: TestApp, cookie: string, more: object = {}) {
  const there = { url: 'https://hooks.example/', events: ['post.created'], ...more }
  const { status, body } = await app.request('/rest/v1/webhooks', { body: there, cookie })
  expect([status, body.message]).toEqual([200, undefined])
  await query(
    app,
    `update webhook_endpoints set rests_until = now() + interval '10 minutes' where id = $1`,
    body.id,
  )
  return body
}

/** Answers its id. */
export async function makeMessage(
  app: TestApp,
  endpoint: { id: string },
  more: Record<string, unknown> = {},
): Promise<string> {
  const row = { endpoint_id: endpoint.id, type: 'webhook.test', data: {}, ...more }
  const names = Object.keys(row)
  const [made] = await query(
    app,
    `insert into webhook_messages (${names.join()}) values (${names.map((_, at) => `$${at + 1}`).join()})
     returning id`,
    ...Object.values(row),
  )
  return made.id
}

export const endpointRow = async (app: TestApp, { id }: { id: string }) =>
  (await query(app, 'select * from webhook_endpoints where id = $1', id))[0]
