import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono } from 'hono'
import { getMimeType } from 'hono/utils/mime'
import type { KeptBuilds } from './kept-builds.ts'
import { secureAnswer } from './security.ts'
import { storeProblemOf } from './storage.ts'

/** What the build calls its files: nothing else is looked for. */
const builtName = /^\/assets\/([\w.-]+-[\w-]{8}\.[a-z\d]+)$/

const packings = { br: '.br', gzip: '.gz' }

/** Of another build: a page that is open since before an upgrade, or that another node made, asks for it. */
async function ofAnotherBuild(context: Context, builds: KeptBuilds): Promise<Response | null> {
  const name = builtName.exec(context.req.path)?.[1]
  if (!name) return null
  const accepted = context.req
    .header('accept-encoding')
    ?.split(',')
    .map((one) => one.trim())
  const known = Object.entries(packings).filter(([packing]) => accepted?.includes(packing))
  const found = await builds.read(
    name,
    known.map(([, ending]) => ending),
  )
  if (!found) return null
  const packing = known.find(([, ending]) => ending === found.ending)?.[0]
  if (packing) context.header('content-encoding', packing)
  context.header('vary', 'Accept-Encoding')
  context.header('content-type', getMimeType(name) ?? 'application/octet-stream')
  context.header('content-length', String(found.bytes.length))
  const isHead = context.req.method === 'HEAD'
  return isHead ? context.body(null) : context.body(new Uint8Array(found.bytes))
}

/** `/assets/…`: what the build made, under names that change with their content. */
export function builtFiles(folder: string, appUrl: string, builds: KeptBuilds) {
  const files = new Hono()
  files.onError((error, context) => {
    const problem = storeProblemOf(error)
    if (!problem) throw error
    return context.text(problem, 503, { 'cache-control': 'no-store' })
  })
  files.use('/assets/*', async (context, next) => {
    await next()
    const { headers, ok } = context.res
    secureAnswer(headers, appUrl)
    if (ok) headers.set('cache-control', 'public, max-age=31536000, immutable')
  })
  files.use('/assets/*', serveStatic({ root: folder, precompressed: true }))
  files.on(
    ['GET', 'HEAD'],
    '/assets/*',
    async (context, next) => (await ofAnotherBuild(context, builds)) ?? next(),
  )
  return files
}
