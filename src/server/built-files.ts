import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { secureAnswer } from './security.ts'

/** `/assets/…`: what the build made, under names that change with their content. */
export function builtFiles(folder: string, appUrl: string) {
  const files = new Hono()
  files.use('/assets/*', async (context, next) => {
    await next()
    const { headers, ok } = context.res
    secureAnswer(headers, appUrl)
    if (ok) headers.set('cache-control', 'public, max-age=31536000, immutable')
  })
  files.use('/assets/*', serveStatic({ root: folder, precompressed: true }))
  return files
}
