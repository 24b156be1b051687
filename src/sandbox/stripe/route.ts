import { pageFields, readParams, type Group } from './params.ts'
import type { Refusal } from './refusal.ts'
import { wrong } from './refusal.ts'
import type { Filter, Unit } from './store.ts'

export interface Call {
  unit: Unit
  /** Body or query, without `expand`. */
  params: Group
  /** The part of the path in the place of `:id`. */
  id: string
  /** In the place of `:part`: one of what belongs to that object. */
  part: string
}

/**
 * One call of the API. A GET only reads. A refusal that is thrown undoes what was done, one that is returned
 * leaves it: a declined payment is on record.
 */
export type Route = [
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  answer: (call: Call) => Promise<object | Refusal>,
]

/** A list as the API shows it. */
export function listOf<T extends object>(url: string, data: T[], hasMore = false) {
  return { object: 'list' as const, data, has_more: hasMore, url }
}

/** Reads paging and answers a page of stored objects; `read` takes the other parameters. */
export async function pageOf(
  { unit, params }: Pick<Call, 'unit' | 'params'>,
  url: string,
  object: string,
  filter: Filter,
) {
  const { limit = 10, starting_after, ending_before, created } = readPage(params)
  if (limit < 1 || limit > 100) {
    throw wrong('This value must be between 1 and 100 (inclusive).', 'limit')
  }
  const { data, hasMore } = await unit.page(object, filter, {
    limit,
    startingAfter: starting_after,
    endingBefore: ending_before,
    created,
  })
  return listOf(url, data, hasMore)
}

function readPage(params: Group) {
  const paging = Object.fromEntries(Object.entries(params).filter(([field]) => field in pageFields))
  // The short form of equality: created=123.
  const exact = typeof paging.created === 'string' ? paging.created : null
  if (exact !== null) paging.created = { gte: exact, lte: exact }
  const { created, ...page } = readParams(paging, pageFields)
  const bounds = { gt: 'integer', gte: 'integer', lt: 'integer', lte: 'integer' } as const
  return { ...page, created: created && readParams(created, bounds, 'created') }
}
