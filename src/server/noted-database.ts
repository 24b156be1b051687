// PostgreSQL's driver, which says of each statement to which request or job it belongs.
import { AsyncLocalStorage } from 'node:async_hooks'
import { Client, type Pool, type PoolClient } from 'pg'
import type { Span } from './tracing.ts'
import { underWay } from './under-way.ts'

const { query } = Client.prototype

type Arguments = unknown[]
type Done = (error: unknown, ...rest: unknown[]) => void

const textOf = (first: unknown): string =>
  typeof first === 'string' ? first : String((first as { text?: unknown } | null)?.text ?? '')

function traced(client: Client, parent: Span, statement: Arguments): unknown {
  const text = textOf(statement[0])
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'QUERY'
  const span = parent.child(operation, 'client', {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    // With $1 in place of values.
    'db.query.text': text.slice(0, 4000),
  })
  const last = statement.at(-1)
  if (typeof last === 'function') {
    const done: Done = (error, ...rest) => {
      span.end(error ?? undefined)
      ;(last as Done)(error, ...rest)
    }
    return Reflect.apply(query, client, [...statement.slice(0, -1), done])
  }
  const answer: unknown = Reflect.apply(query, client, statement)
  if (answer instanceof Promise)
    answer.then(
      () => span.end(),
      (error: unknown) => span.end(error),
    )
  else span.end()
  return answer
}

export class NotedClient extends Client {}
NotedClient.prototype.query = function (this: Client, ...statement: Arguments) {
  const work = underWay.getStore()
  if (work) {
    work.facts.statements += 1
    if (work.span) return traced(this, work.span, statement)
  }
  return Reflect.apply(query, this, statement)
} as typeof query

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: unknown) => void,
) => void

/**
 * Who waits for a connection gets it from within the request that gives one back: without this it would go on as a
 * part of that.
 */
export function keepContexts(pool: Pool): void {
  const connect = pool.connect.bind(pool) as (connected?: Connected) => unknown
  pool.connect = ((connected?: Connected) =>
    connect(connected && AsyncLocalStorage.bind(connected))) as typeof pool.connect
}
