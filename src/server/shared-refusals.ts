import { type ApiDescription, operationsOf } from './api-description.ts'

type Responses = NonNullable<ReturnType<typeof operationsOf>[number]['operation']['responses']>

const isRefusal = (status: string) => status.startsWith('4')

/** The refusals that most calls have in common, word for word: a page of all calls says them once. */
export function sharedRefusals(description: ApiDescription): Responses {
  const operations = operationsOf(description)
  const found = new Map<string, { status: string; response: Responses[string]; calls: number }>()
  for (const { operation } of operations) {
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      if (!isRefusal(status)) continue
      const words = status + JSON.stringify(response)
      const one = found.get(words) ?? { status, response, calls: 0 }
      one.calls += 1
      found.set(words, one)
    }
  }
  const shared = [...found.values()].filter(({ calls }) => calls > operations.length / 2)
  return Object.fromEntries(shared.map(({ status, response }) => [status, response]))
}

/** What a call answers beside the shared refusals, and which of these it has. */
export function withoutShared(responses: Responses, shared: Responses) {
  const isShared = ([status, response]: [string, Responses[string]]) =>
    JSON.stringify(shared[status]) === JSON.stringify(response)
  const all = Object.entries(responses)
  return {
    own: Object.fromEntries(all.filter((one) => !isShared(one))),
    shared: all.filter(isShared).map(([status]) => status),
  }
}
