// What `npm start` runs is ended by whatever supervises npm: nothing stays behind.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const script = (name: string) => pathToFileURL(join('scripts', name)).href

test('a server that npm started ends in order when npm is told to end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thunder-npm-'))
  const file = (name: string) => join(folder, name)
  await writeFile(
    file('package.json'),
    '{ "type": "module", "scripts": { "start": "node start.js" } }',
  )
  await writeFile(
    file('start.js'),
    `import { endWithNpm } from '${script('end-with-npm.mjs')}'
     import { run } from '${script('run.mjs')}'
     endWithNpm()
     process.exit(await run('node', ['server.js'], { cwd: import.meta.dirname }))`,
  )
  await writeFile(
    file('server.js'),
    `import { writeFileSync } from 'node:fs'
     setInterval(() => {}, 1000)
     process.on('SIGTERM', () => {
       writeFileSync('ended', '')
       process.exit(0)
     })
     writeFileSync('ready', '')`,
  )
  const npm = spawn('npm', ['start'], { cwd: folder, stdio: 'ignore' })
  try {
    await expect.poll(() => existsSync(file('ready'))).toBe(true)
    npm.kill('SIGTERM')
    await expect.poll(() => existsSync(file('ended'))).toBe(true)
  } finally {
    npm.kill('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
})
