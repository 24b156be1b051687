import { execFile } from 'node:child_process'
import { platform } from 'node:os'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

// In a process of its own: this one's threads keep their priority.
const said = `
  const { readFileSync, readdirSync } = await import('node:fs')
  const { getPriority } = await import('node:os')
  const { helpingThreadsGiveWay } = await import('./src/server/helping-threads.ts')
  const count = await helpingThreadsGiveWay()
  const threads = readdirSync('/proc/self/task').map((id) => ({
    name: readFileSync('/proc/self/task/' + id + '/comm', 'utf8').trim(),
    nice: getPriority(Number(id)),
  }))
  const niceOf = (isHelping) =>
    [...new Set(threads.filter(({ name }) => (name === 'libuv-worker') === isHelping).map(({ nice }) => nice))]
  console.log(JSON.stringify({ count, helping: niceOf(true), others: niceOf(false), own: getPriority() }))`

test.runIf(platform() === 'linux')(
  'the threads that help give way, and the one that answers does not',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      said,
    ])
    const { count, helping, others, own } = JSON.parse(stdout)
    expect(count).toBeGreaterThanOrEqual(4)
    expect(helping).toEqual([Math.min(19, own + 8)])
    expect(others).toEqual([own])
  },
)
