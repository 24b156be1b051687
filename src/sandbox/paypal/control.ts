// What PayPal does not have: the levers of the sandbox itself, for tests.
import { Hono } from 'hono'
import * as z from 'zod'
import { denyBatch, newestBatches, settleBatch, settled } from './batches.ts'
import { Refusal } from './refusal.ts'
import type { Store } from './store.ts'
import { readSwitches, setSwitches } from './switches.ts'

const switches = z.strictObject({
  apiStatus: z.union([z.literal(0), z.int().min(400).max(599)]).optional(),
  apiDelayMs: z.int().min(0).max(120_000).optional(),
  losesAnswers: z.boolean().optional(),
  isEmpty: z.boolean().optional(),
})
const settling = z.strictObject({
  status: z.union([settled, z.literal('DENIED')]),
  problem: z.string().optional(),
})

async function read<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const given = schema.safeParse(await request.json().catch(() => null))
  if (!given.success) {
    throw new Refusal(400, 'VALIDATION_ERROR', z.prettifyError(given.error))
  }
  return given.data
}

/** Its key is the secret of the API's. */
export function createControl({ store, clientSecret }: { store: Store; clientSecret: string }) {
  const app = new Hono()
  app.use('/_sandbox/*', async (context, next) => {
    if (context.req.header('authorization') === `Bearer ${clientSecret}`) return next()
    throw new Refusal(401, 'AUTHENTICATION_FAILURE', 'This needs the key of the sandbox.')
  })
  app.post('/_sandbox/switches', async (context) =>
    context.json(await setSwitches(store, await read(context.req.raw, switches))),
  )
  app.post('/_sandbox/end-tokens', async (context) => {
    const { generation } = await readSwitches(store)
    return context.json(await setSwitches(store, { generation: generation + 1 }))
  })
  app.get('/_sandbox/batches', async (context) => context.json(await newestBatches(store)))
  app.post('/_sandbox/batches/:id/settle', async (context) => {
    const { status, problem } = await read(context.req.raw, settling)
    const id = context.req.param('id')
    if (status === 'DENIED') await denyBatch(store, id, problem ?? 'INSUFFICIENT_FUNDS')
    else await settleBatch(store, id, status, problem ?? null)
    return context.json({ id, status })
  })
  return app
}
