// Cuts the two typefaces down to what pages and certificates need: src/ui/fonts/*.woff2 and *.ttf (git-ignored).
// Which files with which characters is read from src/ui/fonts.css, so the two cannot drift apart.
// Does nothing when the files are there and were made from the same inputs.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const css = readFileSync(new URL('../src/ui/fonts.css', import.meta.url), 'utf8')
const outputFolder = new URL('../src/ui/fonts/', import.meta.url)
const cacheFolder = new URL('../node_modules/.cache/', import.meta.url)
const stampFile = new URL('subset-fonts', cacheFolder)

/** The longest matching prefix of an output's name decides where it is cut from. */
const sources = {
  'bricolage-latin-ext': display('latin-ext'),
  bricolage: display('latin'),
  'figtree-italic': text('latin', 'italic'),
  'figtree-latin-ext': text('latin-ext', 'normal'),
  figtree: text('latin', 'normal'),
}

function display(script) {
  return {
    file: `@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-${script}-opsz-normal.woff2`,
    axes: { wght: 700, opsz: 36 },
    // Kerning is half of the file and what makes a headline look set instead of typed.
    features: ['kern', 'ccmp', 'mark', 'locl'],
  }
}

function text(script, style) {
  return {
    file: `@fontsource-variable/figtree/files/figtree-${script}-wght-${style}.woff2`,
    axes: { wght: { min: 400, max: 700 } },
    features: ['kern', 'tnum', 'ccmp', 'mark', 'locl'],
  }
}

// What certificates are drawn with. As TrueType: pdfkit cannot embed what WOFF2 has compressed; and whole, because
// nobody waits for them.
const latin = charactersBetween(0x20, 0x24f) + charactersBetween(0x2000, 0x2122)
const letters = latin + charactersBetween(0x1e00, 0x1eff)
const pdfFiles = [
  ...['latin', 'latin-ext', 'vietnamese'].map((script) => ({
    file: `pdf-display-${script}.ttf`,
    source: display(script),
  })),
  ...['latin', 'latin-ext'].flatMap((script) => [
    { file: `pdf-text-${script}.ttf`, source: { ...text(script, 'normal'), axes: { wght: 400 } } },
    {
      file: `pdf-strong-${script}.ttf`,
      source: { ...text(script, 'normal'), axes: { wght: 600 } },
    },
  ]),
].map((file) => ({ ...file, characters: letters, targetFormat: 'truetype' }))

/** @returns {{ file: string, characters: string }[]} one per @font-face with a file of ours */
function wantedFiles() {
  return [...css.matchAll(/@font-face\s*{([^}]*)}/g)].flatMap(([, body]) => {
    const file = body.match(/url\('\.\/fonts\/([\w-]+\.woff2)'\)/)?.[1]
    const ranges = body.match(/unicode-range:([^;]*)/)?.[1]
    if (!file || !ranges) return []
    const characters = [...ranges.matchAll(/U\+([\dA-F]+)(?:-([\dA-F]+))?/g)]
      .map(([, first, last]) => charactersBetween(parseInt(first, 16), parseInt(last ?? first, 16)))
      .join('')
    return [{ file, characters }]
  })
}

function charactersBetween(first, last) {
  return Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)).join(
    '',
  )
}

function sourceOf(file) {
  const prefix = Object.keys(sources)
    .sort((a, b) => b.length - a.length)
    .find((name) => file.startsWith(name))
  if (!prefix) throw new Error(`subset-fonts: no source is named for ${file}`)
  return sources[prefix]
}

const wanted = [
  ...wantedFiles().map((file) => ({
    ...file,
    source: sourceOf(file.file),
    targetFormat: 'woff2',
  })),
  ...pdfFiles,
]
const versions = [
  '@fontsource-variable/bricolage-grotesque',
  '@fontsource-variable/figtree',
  'subset-font',
]
  .map((name) => `${name}@${require(`${name}/package.json`).version}`)
  .join(' ')
const stamp = createHash('sha256')
  .update(css)
  .update(readFileSync(fileURLToPath(import.meta.url)))
  .update(versions)
  .digest('hex')
const isFresh =
  existsSync(stampFile) &&
  readFileSync(stampFile, 'utf8') === stamp &&
  wanted.every(({ file }) => existsSync(new URL(file, outputFolder)))

if (!isFresh) {
  const { default: subsetFont } = await import('subset-font')
  rmSync(outputFolder, { recursive: true, force: true })
  mkdirSync(outputFolder, { recursive: true })
  mkdirSync(cacheFolder, { recursive: true })
  for (const { file, characters, source, targetFormat } of wanted) {
    const cut = await subsetFont(readFileSync(require.resolve(source.file)), characters, {
      targetFormat,
      variationAxes: source.axes,
      keepFeatures: source.features,
      noHinting: true,
    })
    writeFileSync(new URL(file, outputFolder), cut)
    console.log(`${file} ${(cut.length / 1024).toFixed(1)} KB`)
  }
  writeFileSync(stampFile, stamp)
}
