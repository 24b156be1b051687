import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { minifyContractRouter } from '@orpc/contract'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { build, defineConfig, type Plugin } from 'vite'
import { contract } from './src/contract.ts'
import { articleFiles, readArticles } from './src/domains/articles/read-articles.ts'

type Chunk = { file: string; src?: string; isDynamicEntry?: boolean; imports?: string[] }

/**
 * Of each module that is fetched later its files in the browser, by its path. The server's build comes after that
 * of the browser, whose manifest is there until both are done; in dev and in tests there is none.
 */
function laterFiles(): Record<string, string[]> {
  const manifest = 'build/client/.vite/manifest.json'
  if (!existsSync(manifest)) return {}
  const chunks: Record<string, Chunk> = JSON.parse(readFileSync(manifest, 'utf8'))
  const filesOf = (name: string, seen = new Set<string>()): Set<string> => {
    const { file, imports = [] } = chunks[name]!
    if (seen.has(`/${file}`)) return seen
    seen.add(`/${file}`)
    for (const each of imports) filesOf(each, seen)
    return seen
  }
  return Object.fromEntries(
    Object.entries(chunks).flatMap(([name, { src, isDynamicEntry }]) =>
      isDynamicEntry && src ? [[src, [...filesOf(name)]]] : [],
    ),
  )
}

type VirtualModule = {
  /** What it is made of. */
  files?: () => string[]
  /** In the browser it is this instead. */
  inBrowser?: string
}

/** A module whose text is made at build time, in dev again when one of its files changes. */
function virtualModule(
  name: string,
  source: () => string | Promise<string>,
  { files = () => [], inBrowser }: VirtualModule = {},
): Plugin {
  return {
    name,
    resolveId: (id) => (id === name ? `\0${name}` : null),
    async load(id) {
      if (id !== `\0${name}`) return null
      if (inBrowser !== undefined && this.environment.name === 'client') {
        return `export default ${inBrowser}`
      }
      for (const file of files()) this.addWatchFile(resolve(file))
      return `export default ${await source()}`
    },
  }
}

/** Of each call what the browser needs to make it, without the words and rights that only the server uses. */
function callableContract() {
  return JSON.stringify(minifyContractRouter(contract), (name, value) =>
    name === '~orpc'
      ? { ...value, meta: {}, route: { ...value.route, summary: undefined, tags: undefined } }
      : value,
  )
}

/** A script by itself, minified. */
async function scriptOf(input: string) {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      modulePreload: { polyfill: false },
      rolldownOptions: { input, output: { format: 'iife' } },
    },
  })
  if (!('output' in built)) throw new Error(`${input} was not built.`)
  return JSON.stringify(built.output[0].code.trim())
}

/** A script of Node by itself, with all that it needs. */
async function threadOf(input: string) {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      write: false,
      ssr: true,
      minify: true,
      rolldownOptions: { input, output: { format: 'cjs' } },
    },
  })
  if (!('output' in built)) throw new Error(`${input} was not built.`)
  return JSON.stringify(built.output[0].code.trim())
}

/** Parts that few pages use stay beside these pages. */
const everydayParts =
  'avatar badge banner button card character-count cn dialog-button empty-state error-state field later-dialog ' +
  'link-tabs logo menu page-header relative-time skeleton spinner tab-look theme-toggle toast toaster ' +
  'use-hydrated use-later'

/** Of a few lines each, and on many pages; each alone would be a file of its own. */
const everydayRest =
  'web/(api-client|call-outcome|lazy-part|use-answer|use-fresh-page|use-switched-off)|notifications/ui/use-now|' +
  'courses/ui/(call-problem|count-label|creator-link|verified-badge)|billing/ui/billing-day'

/** Those of many pages; each alone would be a file of its own. */
const everydayIcons =
  'arrow-up badge-check book-open book-x check circle-play clock download ellipsis eye link-2 message-square pen-line pencil ' +
  'search search-x trash users x'

/**
 * What every page of the browser needs comes in three files: fifty small ones pack worse. The entry stays
 * by itself: it has to run after everything else.
 */
const chunks = [
  {
    name: 'framework',
    test: /node_modules[\\/](react|react-dom|scheduler|react-router|clsx)[\\/]|lucide-react[\\/]dist[\\/]esm[\\/](?!icons)/,
  },
  {
    name: 'parts',
    test: new RegExp(
      `src/(root|web/shell|ui/(${everydayParts.replaceAll(' ', '|')})|.+/ui/(page-meta|page-problem)|(domains/)?(${everydayRest}))\\.tsx?$`,
    ),
  },
  {
    name: 'icons',
    test: new RegExp(
      `lucide-react[\\\\/]dist[\\\\/]esm[\\\\/]icons[\\\\/](${everydayIcons.replaceAll(' ', '|')})\\.mjs$`,
    ),
  },
]

export default defineConfig({
  plugins: [
    virtualModule('virtual:contract-routes', callableContract),
    virtualModule('virtual:still-script', () => scriptOf('src/web/still.ts'), {
      inBrowser: "''",
    }),
    virtualModule('virtual:later-files', () => JSON.stringify(laterFiles()), { inBrowser: '{}' }),
    virtualModule('virtual:worker-script', () => scriptOf('src/domains/offline/worker.ts')),
    virtualModule('virtual:course-check-script', () =>
      threadOf('src/domains/course-transfer/course-check-thread.ts'),
    ),
    virtualModule('virtual:articles', () => JSON.stringify(readArticles()), {
      files: articleFiles,
    }),
    tailwindcss(),
    process.env.VITEST ? null : reactRouter(),
  ],
  environments: {
    client: {
      build: { rolldownOptions: { output: { codeSplitting: { groups: chunks } } } },
    },
    ssr: { build: { rolldownOptions: { input: './src/server/main.ts' } } },
  },
  build: { cssTarget: ['chrome123', 'safari17.5', 'firefox128'] },
  // Dev only: the browser's packages are bundled at start and the server's left alone, so that a
  // first visit does not reload the page.
  optimizeDeps: {
    include: [
      'clsx',
      'lucide-react',
      'sonner',
      'tus-js-client',
      'react-hook-form',
      'recharts',
      '@hookform/resolvers/zod',
      '@orpc/client',
      '@orpc/openapi-client',
      '@orpc/openapi-client/fetch',
      '@tiptap/react',
      '@tiptap/starter-kit',
    ],
    exclude: ['better-auth', 'drizzle-orm', 'pg', 'zod'],
  },
})
