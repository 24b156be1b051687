// The built Thunder, on data of its own: what `npm start` runs, or several nodes of it behind a balancer.
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'
import { type Node, startNode } from './node.ts'
import { startNodes } from './several-nodes.ts'

export interface BuiltServer {
  url: string
  dataDir: string
  /** What a further node on the same data has to know. */
  environment: Record<string, string>
  nodes: Node[]
  /** The end of what it logged. */
  said(): string
  /** Ends the process, or all nodes, with SIGKILL, which leaves PostgreSQL behind. */
  kill9(): Promise<void>
  /** Starts it again, on the same data and ports. */
  restart(): Promise<void>
  /** Ends it as Ctrl-C does, and removes the data. */
  stop(): Promise<void>
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** One process with its own PostgreSQL, which ends with a process that ends in order. */
async function startAlone(
  dataDir: string,
  port: number,
  environment: Record<string, string>,
): Promise<Omit<BuiltServer, 'url' | 'dataDir'>> {
  const node = await startNode(port, { DATA_DIR: dataDir, ...environment })
  return {
    environment: {},
    nodes: [node],
    said: node.said,
    kill9: node.kill9,
    restart: node.start,
    async stop() {
      // A killed one comes back for its PostgreSQL.
      if (node.isKilled()) await node.start()
      await node.stop()
    },
  }
}

/**
 * With JOURNEY_NODES=2 what a journey walks on is two nodes, and with JOURNEY_SLOW=300 every request and every
 * answer takes up to 300 milliseconds more (balancer.ts). One that has its database from elsewhere is itself
 * a further node of another server.
 */
export async function startBuiltServer(
  environment: Record<string, string> = {},
  nodes = environment.DATABASE_URL ? 1 : Number(process.env.JOURNEY_NODES ?? 1),
): Promise<BuiltServer> {
  if (!existsSync(join(root, 'build/server/index.js'))) {
    throw new Error('There is no build. Run `npm run build` first; `npm test` does.')
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'thunder-journey-'))
  const port = Number(environment.PORT ?? (await freePort()))
  const started =
    nodes > 1 || (process.env.JOURNEY_SLOW && !environment.DATABASE_URL)
      ? await startNodes(dataDir, port, environment, nodes)
      : await startAlone(dataDir, port, environment)
  return {
    ...started,
    url: `http://localhost:${port}`,
    dataDir,
    async stop() {
      await started.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
