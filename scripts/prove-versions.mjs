// npm run prove:versions: the version before the newest migration and this one, at work on one database.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from './prepare.mjs'
import { root, run } from './run.mjs'

/** Null where git or its history does not know. */
function git(...args) {
  try {
    return execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  } catch {
    return null
  }
}

function skip(why) {
  console.log(`skipped: ${why}`)
  process.exit(0)
}

const newest = readdirSync(join(root, 'migrations'))
  .filter((file) => /^\d{4}_.*\.sql$/.test(file))
  .toSorted()
  .at(-1)
const added = git('log', '-1', '--format=%H', '--diff-filter=A', '--', `migrations/${newest}`)
const before = added && git('rev-parse', '--verify', `${added}^`)
if (!before) skip(`git does not know the version before ${newest} (no history here)`)

await ensureBuilt()
const folder = join(mkdtempSync(join(tmpdir(), 'thunder-version-')), 'old')
let code = 1
try {
  if (git('worktree', 'add', '--detach', folder, before) === null)
    skip('git makes no worktree here')
  const lock = (where) => readFileSync(join(where, 'package-lock.json'), 'utf8')
  const own = { cwd: folder }
  if (lock(folder) === lock(root))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  else await run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], own)
  console.log(`Building ${before.slice(0, 7)}, before ${newest}...`)
  const built =
    (await run('node', ['scripts/subset-fonts.mjs'], own)) === 0 &&
    (await run('react-router', ['build', '--logLevel', 'error'], {
      ...own,
      env: { NODE_ENV: 'production' },
    })) === 0
  if (built) {
    const spec = ['test', 'test/journeys/two-versions.spec.ts', '--workers', '1']
    code = await run('playwright', spec, { env: { OLD_VERSION: folder } })
  }
} finally {
  git('worktree', 'remove', '--force', folder)
  rmSync(join(folder, '..'), { recursive: true, force: true })
}
process.exit(code)
