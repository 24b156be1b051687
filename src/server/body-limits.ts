// How many bytes the body of a call may have.
import { isContractProcedure } from '@orpc/contract'
import { contract } from '../contract.ts'
import type { Meta } from '../contract-row.ts'

/**
 * Enough for a description of 64 KB with all its marks. It is read before anybody is asked who they are, and to
 * read the worst that fits takes a twentieth of a second.
 */
export const everydayBody = 512 * 1024

const longer = Object.values(contract)
  .flatMap((calls) => Object.values(calls))
  .filter(isContractProcedure)
  .flatMap((row) => {
    const { route, meta } = row['~orpc']
    const { maxBody } = meta as Meta
    if (maxBody === undefined) return []
    const pattern = new RegExp(`^${(route.path ?? '').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    return [{ method: route.method, pattern, maxBody }]
  })

export function longestBody(method: string, path: string): number {
  const row = longer.find((one) => one.method === method && one.pattern.test(path))
  return row?.maxBody ?? everydayBody
}

export const sizeLabel = (bytes: number) =>
  bytes < 1024 * 1024 ? `${bytes / 1024} KB` : `${bytes / 1024 / 1024} MB`
