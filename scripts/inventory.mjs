// Writes docs/dependencies.md: npm run inventory. From what is installed, from git since when each is in use, and from
// the registry when it was released last.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Why a package is kept that had no release for two years.
 * @type {Record<string, string>}
 */
const keptBecause = {
  clsx: 'joins class names; finished rather than forsaken: some twenty lines without dependencies, easily ours',
  '@types/pg-copy-streams': 'types of a package whose interface does not change',
  fontkit:
    'turns letters into outlines for certificates and pictures; pdfkit needs it as well, and nothing else does the same',
}

/** @param {string} path */
const read = (path) => JSON.parse(readFileSync(path, 'utf8'))

const { dependencies, devDependencies } = read('package.json')
const today = new Date().toISOString().slice(0, 10)

/** The day of the commit from which on package.json names a package. */
async function firstDays() {
  const { stdout } = await run('git', ['log', '--reverse', '--format=%H %cs', '--', 'package.json'])
  /** @type {Map<string, string>} */
  const days = new Map()
  for (const line of stdout.trim().split('\n')) {
    const [commit = '', day = ''] = line.split(' ')
    const shown = await run('git', ['show', `${commit}:package.json`])
    const then = JSON.parse(shown.stdout)
    for (const name of Object.keys({ ...then.dependencies, ...then.devDependencies })) {
      if (!days.has(name)) days.set(name, day)
    }
  }
  return days
}

/**
 * The day of the newest release, which may be ours where that is a preview.
 * @param {string} name
 * @param {string} version
 */
async function lastRelease(name, version) {
  const { stdout } = await run('npm', ['view', name, 'time', 'dist-tags', '--json'], {
    maxBuffer: 64 * 1024 * 1024,
  })
  const { time, 'dist-tags': tags } = JSON.parse(stdout)
  return [time[tags.latest], time[version]].filter(Boolean).toSorted().at(-1).slice(0, 10)
}

/** @typedef {{ name: string, row: string, last: string }} Described */

/**
 * @param {[string, string]} named
 * @param {Map<string, string>} since
 * @returns {Promise<Described>}
 */
async function describe([name, wanted], since) {
  const { version, license, description } = read(`node_modules/${name}/package.json`)
  const isAlias = wanted.startsWith('npm:')
  const published = isAlias ? wanted.slice('npm:'.length).replace(/(?<=.)@[^@]*$/, '') : name
  // A package by another name says its own.
  const shown = isAlias ? `${name} (${wanted.slice('npm:'.length)})` : name
  const last = await lastRelease(published, version)
  const words = String(description ?? '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('|', '\\|')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const cells = [`\`${shown}\``, version, license, since.get(name) ?? today, last, words]
  return { name, row: `| ${cells.join(' | ')} |`, last }
}

/** @param {Record<string, string>} direct */
async function describeAll(direct) {
  const since = await firstDays()
  const waiting = Object.entries(direct)
  /** @type {Described[]} */
  const all = []
  const describeWaiting = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      all.push(await describe(next, since))
    }
  }
  await Promise.all([1, 2, 3, 4].map(describeWaiting))
  return all.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

const heading = `| package | version | licence | in use since | last release | what it is, in its own words |
| --- | --- | --- | --- | --- | --- |`

const inProduction = await describeAll(dependencies)
const beside = await describeAll(devDependencies)
const twoYearsAgo = `${Number(today.slice(0, 4)) - 2}${today.slice(4)}`
const quiet = [...inProduction, ...beside].filter(({ last }) => last < twoYearsAgo)
const unexplained = quiet.filter(({ name }) => !(name in keptBecause)).map(({ name }) => name)
if (unexplained.length > 0) {
  throw new Error(
    `No release for two years, and no reason in keptBecause: ${unexplained.join(', ')}`,
  )
}

writeFileSync(
  'docs/dependencies.md',
  `# Dependencies

Every package that \`package.json\` names. Written by \`npm run inventory\`; \`test/dependencies.test.ts\` fails when a
package is missing here, has another version or licence, when one that had no release for two years is not named below with a reason, or when any
package that is installed for production, also by way of another one, has a licence that nobody has agreed to.

The registry was asked on ${today} for the day of the last release (of \`latest\`, or of the version in use where that is newer). A registry that
copies another one says when it took its copy: then a release may be older than this page says, never younger.

## No release for two years

${quiet.map(({ name, last }) => `- \`${name}\` (${last}): ${keptBecause[name]}`).join('\n')}

## In production

${heading}
${inProduction.map(({ row }) => row).join('\n')}

## For building and testing

${heading}
${beside.map(({ row }) => row).join('\n')}
`,
)
