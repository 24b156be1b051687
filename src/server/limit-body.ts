import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'

/**
 * Refuses bodies of more than `maxSize` bytes. Hono's own makes a stream of a body to look at it, which costs more
 * than a small call; where the length is told, Node sees to it that no more comes.
 */
export function limitBody(options: {
  maxSize: number
  onError: (context: Context) => Response
}): MiddlewareHandler {
  const { maxSize, onError } = options
  const counted = bodyLimit(options)
  return async (context, next) => {
    const length = context.req.header('content-length')
    const isTold = length !== undefined && context.req.header('transfer-encoding') === undefined
    if (!isTold) return counted(context, next)
    return Number(length) <= maxSize ? next() : onError(context)
  }
}
