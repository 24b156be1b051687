// What `npm start` runs is ended by whatever supervises npm: nothing stays behind.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const scriptAt = (name: string) => pathToFileURL(join('scripts', name)).href

test.each([
  ['npm is told to end', 'npm', ['start'], 'SIGTERM'],
  ['the terminal of its script is closed', process.execPath, ['start.js'], 'SIGHUP'],
] as const)('a server ends in order when %s', async (_, command, parameters, signal) => {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-npm-'))
  const file = (name: string) => join(folder, name)
  await writeFile(
    file('package.json'),
    '{ "type": "module", "scripts": { "start": "node start.js" } }',
  )
  await writeFile(
    file('start.js'),
    `import { endWithNpm } from '${scriptAt('end-with-npm.mjs')}'
     import { run } from '${scriptAt('run.mjs')}'
     endWithNpm()
     process.exit(await run('node', ['server.js'], { cwd: import.meta.dirname }))`,
  )
  await writeFile(
    file('server.js'),
    `import { writeFileSync } from 'node:fs'
     setInterval(() => {}, 1000)
     process.on('${signal}', () => {
       writeFileSync('ended', '')
       process.exit(0)
     })
     writeFileSync('ready', '')`,
  )
  const script = spawn(command, parameters, { cwd: folder, stdio: 'ignore' })
  try {
    await expect.poll(() => existsSync(file('ready'))).toBe(true)
    script.kill(signal)
    await expect.poll(() => existsSync(file('ended'))).toBe(true)
  } finally {
    script.kill('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
})
