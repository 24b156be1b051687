// HAProxy in front of the nodes, with the configuration that docs/operations.md shows.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Balancer } from './balancer.ts'

/** Without `except` the outbox and the dashboards of the sandboxes would not believe that the browser is at this machine. */
const configuration = (port: number, nodes: string[]) => `
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout http-keep-alive 60s
  timeout check 10s
  option forwardfor except 127.0.0.0/8
  option redispatch 1
  retries 3
  retry-on conn-failure empty-response
frontend people
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
  http-request disable-l7-retry unless METH_GET
  http-response set-header X-Served-By %s
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost
  default-server check inter 1s fastinter 250ms downinter 500ms fall 3 rise 1
${nodes.map((node) => `  server ${node} ${node}`).join('\n')}
`

export async function startHaproxy(port: number, nodes: string[]): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, configuration(port, nodes))
  const child = spawn('haproxy', ['-db', '-f', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Debian has it where not everybody's PATH leads.
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (said = (said + String(chunk)).slice(-4000)))
  }
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', (error) => {
      said += error.message
      resolve()
    })
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  let isOver = false
  void ended.then(() => (isOver = true))
  for (;;) {
    if (isOver) throw new Error(`HAProxy has ended:\n${said}`)
    const answer = await fetch(`http://localhost:${port}/healthz`).catch(() => null)
    if (answer?.ok) return { stop }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
