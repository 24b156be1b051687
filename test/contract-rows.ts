// Every row of the contract, and how it is asked: what the loops over the whole contract run on.
import { isContractProcedure } from '@orpc/contract'
import { contract } from '../src/contract.ts'
import type { Access, Meta } from '../src/contract-row.ts'
import { describedPath } from '../src/server/api-description.ts'
import type { Input } from './contract-inputs.ts'

export interface ContractRow {
  /** 'courses.createCourse' */
  name: string
  method: string
  path: string
  access: Access
  stoppedBy?: Meta['stoppedBy']
  scope?: Meta['scope']
  once?: Meta['once']
  whileSuspended?: boolean
  /** The names of what it takes. */
  takes: string[]
  /** What it says that it may refuse with, by code. */
  errors: Record<string, { status?: number }>
}

export const contractRows: ContractRow[] = Object.entries(contract).flatMap(([domain, calls]) =>
  Object.entries(calls).map(([call, row]) => {
    if (!isContractProcedure(row)) throw new Error(`${domain}.${call} is not a call`)
    const { route, meta, errorMap, inputSchema } = row['~orpc']
    return {
      name: `${domain}.${call}`,
      method: route.method ?? 'POST',
      path: route.path ?? '',
      access: (meta as Meta).access,
      stoppedBy: (meta as Meta).stoppedBy,
      scope: (meta as Meta).scope,
      once: (meta as Meta).once,
      whileSuspended: (meta as Meta).whileSuspended,
      takes: Object.keys((inputSchema as { shape?: object } | undefined)?.shape ?? {}),
      errors: errorMap as ContractRow['errors'],
    }
  }),
)

/** What the path of a call is called in the description of the API. */
export const described = (path: string): string =>
  describedPath(
    path,
    contractRows.map((row) => row.path),
  )

/** An address has room for text only, and for whole characters. */
const asText = (value: unknown) =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed()

/** The HTTP request of a row with this input: path, then query or JSON. */
export function requestOf(row: ContractRow, input: Input): { path: string; body?: Input } {
  const rest = { ...input }
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(asText(value))
  })
  if (row.method !== 'GET') return { path, body: rest }
  const query = new URLSearchParams(
    Object.entries(rest).map(([name, value]) => [name, asText(value)]),
  )
  return { path: query.size > 0 ? `${path}?${query}` : path }
}
