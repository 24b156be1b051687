import { PassThrough } from 'node:stream'
import { createReadableStreamFromReadable } from '@react-router/node'
import { isbot } from 'isbot'
import { renderToPipeableStream } from 'react-dom/server'
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from 'react-router'
import { shellContext } from './web/page-context.ts'

/** Milliseconds after which a page that still waits for data is given up. */
const renderTimeout = 8000

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
) {
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const { nonce } = context.get(shellContext)
  return new Promise<Response>((resolve, reject) => {
    let started = false
    const ready = isbot(request.headers.get('user-agent')) ? 'onAllReady' : 'onShellReady'
    const { pipe, abort } = renderToPipeableStream(
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />,
      {
        nonce,
        [ready]() {
          started = true
          const body = new PassThrough({
            final(done) {
              clearTimeout(timer)
              done()
            },
          })
          headers.set('content-type', 'text/html; charset=utf-8')
          pipe(body)
          resolve(new Response(createReadableStreamFromReadable(body), { headers, status }))
        },
        onShellError: reject,
        onError(error) {
          status = 500
          if (started) console.error(error)
        },
      },
    )
    const timer = setTimeout(abort, renderTimeout)
  })
}

export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return
  console.error(error)
}
