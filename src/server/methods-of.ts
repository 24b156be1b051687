// Which methods the calls of the contract know at an address.
import { isContractProcedure } from '@orpc/contract'
import { contract } from '../contract.ts'

const rows = Object.values(contract)
  .flatMap((calls) => Object.values(calls))
  .filter(isContractProcedure)
  .map((row) => {
    const { method = 'POST', path = '' } = row['~orpc'].route
    return { method, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`) }
  })

/** None where there is no call. */
export function methodsOf(path: string): string[] {
  const known = new Set(
    rows.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
  )
  return [...known].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}
