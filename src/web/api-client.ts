import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import routes from 'virtual:contract-routes'
import type { contract } from '../contract.ts'

/** The API from the browser, on the same paths as everybody else's. */
export const client: JsonifiedClient<ContractRouterClient<typeof contract>> = createORPCClient(
  new OpenAPILink(routes, { url: () => location.origin }),
)
