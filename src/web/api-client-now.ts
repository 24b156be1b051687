import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import routes from 'virtual:contract-routes'
import type { contract } from '../contract.ts'

type CallContext = {
  /** Of one thing to do: the server does it once, however often it is asked with the same key. */
  idempotencyKey?: string
}
export type ApiCalls = JsonifiedClient<ContractRouterClient<typeof contract, CallContext>>

/** Loaded with the first call: no page waits for it. */
export const client: ApiCalls = createORPCClient(
  new OpenAPILink<CallContext>(routes, {
    url: () => location.origin,
    headers: ({ context: { idempotencyKey } }) =>
      idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  }),
)
