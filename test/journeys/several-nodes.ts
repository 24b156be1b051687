// Several nodes as an operator would run them: one PostgreSQL, one place for files, a balancer without sticky sessions.
import { randomBytes } from 'node:crypto'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/server/postgres/embedded.ts'
import { objectStoreVariables } from '../object-store.ts'
import { startBalancer } from './balancer.ts'
import { freePort } from './free-port.ts'
import { startHaproxy } from './haproxy.ts'
import { startNode } from './node.ts'

/** A folder of the node's own; files, where no object store is, are in one folder that all of them have. */
async function folderOf(dataDir: string, name: string): Promise<string> {
  const folder = join(dataDir, name)
  const storage = join(dataDir, 'storage')
  await mkdir(storage, { recursive: true })
  await mkdir(folder)
  await symlink(storage, join(folder, 'storage'))
  return folder
}

/** A balancer takes a moment to see that nodes are back. */
async function untilSomebodyAnswers(url: string) {
  const end = Date.now() + 60_000
  while (Date.now() < end) {
    const answer = await fetch(`${url}/healthz`).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The balancer finds no node.')
}

/** At `port` is the balancer. PostgreSQL is no child of a node: killing one leaves it to the others. */
export async function startNodes(
  dataDir: string,
  port: number,
  environment: Record<string, string>,
  count: number,
) {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const part of stops.toReversed()) await part()
  }
  try {
    const postgres = await startEmbeddedPostgres({ dataDir })
    stops.push(postgres.stop)
    const secret = randomBytes(48).toString('base64url')
    // For commands and further nodes on this folder.
    await writeFile(join(dataDir, 'auth-secret'), secret, { mode: 0o600 })
    const objectStore = await objectStoreVariables(basename(dataDir).toLowerCase())
    const startOne = async (number: number) =>
      startNode(await freePort(), {
        APP_URL: `http://localhost:${port}`,
        ...environment,
        ...objectStore,
        DATABASE_URL: postgres.url,
        DATA_DIR: await folderOf(dataDir, `node-${number}`),
        AUTH_SECRET: secret,
        TRUST_PROXY: 'on',
      })
    // At once, as after an outage of the whole: they take turns where they must.
    const starting = await Promise.allSettled(
      Array.from({ length: count }, (_, index) => startOne(index + 1)),
    )
    const nodes = starting.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    stops.push(() => Promise.all(nodes.map((node) => node.stop())))
    for (const one of starting) if (one.status === 'rejected') throw one.reason
    const addresses = nodes.map(({ url }) => new URL(url).host)
    const balance = process.env.JOURNEY_BALANCER === 'haproxy' ? startHaproxy : startBalancer
    stops.push((await balance(port, addresses)).stop)
    return {
      nodes,
      environment: objectStore,
      said: () => nodes.map((node, index) => `Node ${index + 1}:\n${node.said()}`).join('\n'),
      async kill9() {
        await Promise.all(nodes.map((node) => node.kill9()))
      },
      async restart() {
        await Promise.all(nodes.map((node) => node.start()))
        await untilSomebodyAnswers(`http://localhost:${port}`)
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
