import { Hono } from 'hono'
import workerScript from 'virtual:worker-script'

/** The service worker, at the top of the site so that it may answer for all of it. */
export function createWorkerFile() {
  const files = new Hono()
  files.get('/sw.js', (context) =>
    context.body(workerScript, 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
    }),
  )
  return files
}
