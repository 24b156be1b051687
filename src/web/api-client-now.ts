import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import routes from 'virtual:contract-routes'
import type { contract } from '../contract.ts'

export type ApiCalls = JsonifiedClient<ContractRouterClient<typeof contract>>

/** Loaded with the first call: no page waits for it. */
export const client: ApiCalls = createORPCClient(
  new OpenAPILink(routes, { url: () => location.origin }),
)
