// A real S3 server for the tests, from Debian: OpenStack Swift with its S3 interface.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { install } from './debian.mjs'
import { run } from './run.mjs'

const packages = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached']

const isInstalled = () =>
  ['swift-proxy-server', 'swift-object-server', 'memcached'].every((name) =>
    existsSync(`/usr/bin/${name}`),
  )

/** False where there is neither Swift nor a way to install it. */
export async function ensureSwift() {
  if (isInstalled()) return true
  await install('an object store for the tests', packages)
  return isInstalled()
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Both threads and processes at their least: one developer's machine, not a data centre. */
const common = (folder, port) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${join(folder, 'devices')}
mount_check = false
log_name = swift
log_level = WARNING
log_address = ${join(folder, 'no-syslog')}
`

const kinds = ['account', 'container', 'object']

const storageServer = (folder, port, kind) => `${common(folder, port)}
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`

const proxyServer = (folder, port, cachePort, key) => `${common(folder, port)}
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cachePort}
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = ${key} .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
`

/** One Python for all three: it takes seconds to start. */
const ringMaker = `
import sys
from swift.common.ring import RingBuilder
folder, *rings = sys.argv[1:]
for ring in rings:
    kind, port = ring.split(':')
    builder = RingBuilder(6, 1, 1)
    builder.add_dev(dict(region=1, zone=1, ip='127.0.0.1', port=int(port), device='d1', weight=1,
                         replication_ip='127.0.0.1', replication_port=int(port), meta=''))
    builder.rebalance()
    builder.get_ring().save(folder + '/' + kind + '.ring.gz')
`

/**
 * Starts Swift in a folder and on ports of its own. `environment` is what Thunder needs to use it; `stop` ends
 * what was started, and nothing else.
 */
export async function startSwift() {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-swift-'))
  const children = []
  const stop = async () => {
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const gone = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGKILL')
        await gone
      }),
    )
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await mkdir(join(folder, 'devices', 'd1'), { recursive: true })
    const log = await open(join(folder, 'log'), 'a')
    const start = (program, args) =>
      children.push(spawn(program, args, { stdio: ['ignore', log.fd, log.fd], cwd: folder }))

    const key = randomBytes(16).toString('hex')
    const [cachePort, proxyPort] = [await freePort(), await freePort()]
    start('memcached', [
      '-u',
      userInfo().username,
      '-l',
      '127.0.0.1',
      '-p',
      String(cachePort),
      '-I',
      '2m',
    ])
    const ports = new Map()
    for (const kind of kinds) ports.set(kind, await freePort())
    const rings = [...ports].map(([kind, port]) => `${kind}:${port}`)
    if ((await run('/usr/bin/python3', ['-c', ringMaker, folder, ...rings])) !== 0) {
      throw new Error('The rings of Swift could not be made.')
    }
    for (const [kind, port] of ports) {
      const conf = join(folder, `${kind}-server.conf`)
      await writeFile(conf, storageServer(folder, port, kind))
      start(`swift-${kind}-server`, [conf, '-v'])
    }
    const conf = join(folder, 'proxy-server.conf')
    await writeFile(conf, proxyServer(folder, proxyPort, cachePort, key))
    start('swift-proxy-server', [conf, '-v'])
    await log.close()

    const endpoint = `http://127.0.0.1:${proxyPort}`
    for (const until = Date.now() + 60_000; ;) {
      const answer = await fetch(`${endpoint}/healthcheck`).catch(() => null)
      if (answer?.ok) break
      if (children.some((child) => child.exitCode !== null) || Date.now() > until) {
        throw new Error(`Swift did not start:\n${await readFile(join(folder, 'log'), 'utf8')}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    return {
      environment: {
        S3_ENDPOINT: endpoint,
        S3_REGION: 'us-east-1',
        S3_ACCESS_KEY_ID: 'test:tester',
        S3_SECRET_ACCESS_KEY: key,
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
