// Writes docs/dependencies.md from what is installed: npm run inventory. Asks nothing of the network.
import { readFileSync, writeFileSync } from 'node:fs'

/** @param {string} path */
const read = (path) => JSON.parse(readFileSync(path, 'utf8'))

const { dependencies, devDependencies } = read('package.json')

/** @param {Record<string, string>} direct */
function rowsOf(direct) {
  return Object.entries(direct).map(([name, wanted]) => {
    const { version, license, description } = read(`node_modules/${name}/package.json`)
    // A package by another name says its own.
    const shown = wanted.startsWith('npm:') ? `${name} (${wanted.slice(4)})` : name
    const words = String(description ?? '')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('|', '\\|')
      .replaceAll(/\s+/g, ' ')
      .trim()
    return `| \`${shown}\` | ${version} | ${license} | ${words} |`
  })
}

const heading =
  '| package | version | licence | what it is, in its own words |\n| --- | --- | --- | --- |'

writeFileSync(
  'docs/dependencies.md',
  `# Dependencies

Every package that \`package.json\` names. Written by \`npm run inventory\` from what is installed; \`test/dependencies.test.ts\` fails when a
package is missing here, has another version or licence, or when any package that is installed for production, also by way of
another one, has a licence that nobody has agreed to. When each was released is not in it: that is known to the registry only
(\`npm view <package> time\`).

## In production

${heading}
${rowsOf(dependencies).join('\n')}

## For building and testing

${heading}
${rowsOf(devDependencies).join('\n')}
`,
)
