// Every page with hostile addresses, queries, headers and forms, for its person and for strangers: never a 5xx, and
// nothing of what is inside. The calls are in test/attacks/fuzz.test.ts.
import { randomUUID } from 'node:crypto'
import { type Figures, runCampaign } from '../attacks/campaign.ts'
import type { Attacked } from '../attacks/hostile-requests.ts'
import { makeWorld, type World } from '../attacks/world.ts'
import { forgetLimits } from '../forget-limits.ts'
import { pageKinds } from './crawler.ts'
import { expect, test } from './journey.ts'
import { bootSecondNode } from './second-node.ts'

const perPage = Number(process.env.FUZZ_INPUTS ?? 4)
const only = process.env.FUZZ_CALLS?.split(',')
const seed = process.env.FUZZ_SEED ?? 'thunder'

/** What the parameters of an address would be, and what any of the forms might send. */
const partsOf = ({ target }: World): Record<string, string> => ({
  ...target,
  courseSlug: target.slug,
  username: 'somebody',
  code: 'A'.repeat(22),
  provider: 'google',
  certificateId: randomUUID(),
  purchaseId: randomUUID(),
  saleId: randomUUID(),
  requestId: randomUUID(),
  userId: randomUUID(),
  challengeId: randomUUID(),
})

const fields = {
  intent: 'save',
  title: 'A title',
  name: 'Somebody',
  email: 'somebody@example.com',
  password: 'correct horse',
  message: 'What I wanted to say',
  subject: 'A question',
  topic: 'other',
  reason: 'Because',
  amount: '5.00',
  price: '29',
  cursor: '1',
  search: 'course',
  to: '/dashboard',
  version: '1',
  id: '00000000-0000-0000-0000-000000000000',
}

const attacksOn = (kind: string): Attacked[] => {
  const path = kind.replaceAll(/:(\w+)/g, '{$1}')
  const data = path === '/' ? '/_root.data' : `${path}.data`
  const schema = { properties: { search: {}, cursor: {}, to: {}, tab: {}, page: {}, token: {} } }
  return [
    { name: `GET ${kind}`, method: 'GET', path, schema },
    { name: `GET ${kind} as data`, method: 'GET', path: data, schema },
    { name: `POST ${kind}`, method: 'POST', path, isForm: true, schema },
    { name: `POST ${kind} as data`, method: 'POST', path: data, isForm: true, schema },
  ]
}

test('no page has an answer of ours to be ashamed of', async ({ thunder }) => {
  test.setTimeout(3_600_000)
  const { services, stop } = await bootSecondNode(thunder)
  const total: Pick<Figures, 'inputs' | 'faults'> = { inputs: 0, faults: [] }
  const kinds = pageKinds().filter((kind) => only?.includes(kind) ?? true)
  for (const kind of kinds) {
    const world = await makeWorld(services)
    const parts = partsOf(world)
    const isForAdministrators = kind.startsWith('/admin') || kind === '/moderation'
    for (const attacked of attacksOn(kind)) {
      const named = [...attacked.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
      const { inputs, faults } = await runCampaign({
        origin: thunder.url,
        seed,
        attacked,
        from: 0,
        until: perPage,
        valid: {
          ...Object.fromEntries(named.map((name) => [name, parts[name] ?? 'x'])),
          ...(attacked.isForm ? fields : {}),
        },
        cookie: (isForAdministrators ? world.administrator : world.owner).cookie,
        forgetLimits: () => forgetLimits(services.pool),
        timed: false,
      })
      total.inputs += inputs
      total.faults.push(...faults)
    }
  }
  await stop()
  console.log(`${total.inputs} requests to ${kinds.length} pages`)
  expect(total.faults.join('\n\n')).toBe('')
})
