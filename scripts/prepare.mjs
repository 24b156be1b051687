// Installs and builds what is missing or stale, and nothing else. Runs on any Node that npm runs on.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { must, root } from './run.mjs'

const at = (path) => join(root, path)

function stamped(name, fingerprint) {
  const file = at(`node_modules/.cache/thunder/${name}`)
  return {
    fresh: existsSync(file) && readFileSync(file, 'utf8') === fingerprint,
    set: () => {
      mkdirSync(at('node_modules/.cache/thunder'), { recursive: true })
      writeFileSync(file, fingerprint)
    },
  }
}

/** Names, sizes and times: quick, and any edit shows. */
function fingerprintOf(paths) {
  const hash = createHash('sha256')
  const add = (path) => {
    const stat = statSync(at(path))
    if (!stat.isDirectory()) hash.update(`${path} ${stat.size} ${stat.mtimeMs}\n`)
    else for (const name of readdirSync(at(path)).toSorted()) add(`${path}/${name}`)
  }
  for (const path of paths) if (existsSync(at(path))) add(path)
  return hash.digest('hex')
}

export async function ensureInstalled() {
  const lock = createHash('sha256')
    .update(readFileSync(at('package-lock.json')))
    .digest('hex')
  const stamp = stamped('installed', `${lock} ${process.platform} ${process.arch}`)
  if (stamp.fresh && existsSync(at('node_modules/.bin'))) return
  console.log('Installing packages...')
  // Not `npm ci`: it refuses lock files of packages with binaries for other platforms.
  await must('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'])
  stamp.set()
}

export async function ensureBuilt() {
  const sources = [
    'src',
    'seed',
    'content',
    'package-lock.json',
    'vite.config.ts',
    'react-router.config.ts',
    'scripts/subset-fonts.mjs',
    'scripts/precompress.mjs',
  ]
  const stamp = () => stamped('built', fingerprintOf(sources))
  if (stamp().fresh && existsSync(at('build/server'))) return
  await must('node', ['scripts/subset-fonts.mjs'])
  console.log('Building...')
  // Looked at again: the letters that were just made are among the sources.
  const built = stamp()
  await must('react-router', ['build', '--logLevel', 'warn'], { env: { NODE_ENV: 'production' } })
  await must('node', ['scripts/precompress.mjs'])
  built.set()
}
