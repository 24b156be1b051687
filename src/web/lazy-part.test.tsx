// Parts of pages that are fetched with the page, and the paths by which the server finds their files.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { prerenderToNodeStream } from 'react-dom/static'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { lazyPart } from './lazy-part.tsx'

vi.mock('virtual:later-files', () => ({
  default: { 'src/shown.tsx': ['/assets/shown.js', '/assets/its-own.js'] },
}))

const part = (source: string) => lazyPart(source, async () => () => <p>{source}</p>)

test('the page names the files of what it shows, and of nothing else', async () => {
  const [Shown, Unknown] = [part('src/shown.tsx'), part('src/in-dev.tsx')]
  const { prelude } = await prerenderToNodeStream(
    <html lang="en">
      <body>
        <Shown />
        <Unknown />
      </body>
    </html>,
  )
  const page = await text(prelude)
  expect(page).toContain('<p>src/shown.tsx</p><p>src/in-dev.tsx</p>')
  const named = [...page.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)]
  expect(named.map(([, file]) => file)).toEqual(['/assets/shown.js', '/assets/its-own.js'])
})

test('each part is named by the path of the module that it imports', () => {
  const parts = globSync('src/**/*.tsx').flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(
      /= lazyPart\(\s*'([^']+)',\s*async \(\) => \(await import\('([^']+)'\)\)/g,
    ),
  ])
  expect(parts.length).toBeGreaterThan(3)
  for (const [, source = '', imported = ''] of parts) {
    expect(existsSync(source), source).toBe(true)
    expect(source.endsWith(imported.replace(/^(\.\.?\/)+/, '')), source).toBe(true)
  }
})
