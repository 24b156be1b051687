import { minifyContractRouter } from '@orpc/contract'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { rolldown } from 'rolldown'
import { defineConfig, type Plugin } from 'vite'
import { contract } from './src/contract.ts'

/** A module whose text is made at build time. */
function virtualModule(name: string, source: () => string | Promise<string>): Plugin {
  return {
    name,
    resolveId: (id) => (id === name ? `\0${name}` : null),
    load: async (id) => (id === `\0${name}` ? `export default ${await source()}` : null),
  }
}

async function stillScript() {
  const bundle = await rolldown({ input: 'src/web/still.ts' })
  const { output } = await bundle.generate({ format: 'iife', minify: true })
  await bundle.close()
  return JSON.stringify(output[0].code.trim())
}

export default defineConfig({
  plugins: [
    virtualModule('virtual:contract-routes', () => JSON.stringify(minifyContractRouter(contract))),
    virtualModule('virtual:still-script', stillScript),
    tailwindcss(),
    process.env.VITEST ? null : reactRouter(),
  ],
  environments: { ssr: { build: { rolldownOptions: { input: './src/server/main.ts' } } } },
  build: { cssTarget: ['chrome123', 'safari17.5', 'firefox128'] },
  // Dev only: the browser's packages are bundled at start and the server's left alone, so that a
  // first visit does not reload the page.
  optimizeDeps: {
    include: [
      '@tanstack/react-query',
      '@orpc/client',
      '@orpc/openapi-client',
      '@orpc/tanstack-query',
    ],
    exclude: ['better-auth', 'drizzle-orm', 'pg', 'zod'],
  },
})
