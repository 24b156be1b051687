import { pino } from 'pino'
import { tellError, withoutPersonalData, withoutSecrets } from './log-privacy.ts'
import { underWay } from './under-way.ts'

export type Log = pino.Logger

/** What a line must not hold, wherever somebody puts it. */
const neverLogged = [
  'path',
  'url',
  'headers',
  'body',
  'email',
  'name',
  'password',
  'token',
  'cookie',
  'address',
  'ip',
  '*.email',
  '*.password',
  '*.token',
  '*.cookie',
  '*.authorization',
]

const nothing = () => {}
/** Of a terminal that is closed, and of a pipe whose reader has ended. */
const nobodyReads = ['EIO', 'EPIPE']

/**
 * Whoever closes the terminal ends Thunder in order, and what it says then reaches nobody: pino would fail, and try
 * again for ever when the process ends. A reader of the log that ends is no reason to end.
 */
function standardOutput() {
  const output = pino.destination(1)
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (!nobodyReads.includes(error.code ?? '')) throw error
    Object.assign(output, { write: nothing, flush: nothing, flushSync: nothing, end: nothing })
  })
  return output
}

/**
 * Structured lines on standard output; no email addresses, tokens, bodies or addresses of visitors belong in them.
 * Each line says to which request or job it belongs.
 */
export function createLog(
  level: string,
  { node, to = standardOutput() }: { node?: string; to?: pino.DestinationStream } = {},
): Log {
  return pino(
    {
      level,
      base: node ? { node } : undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: neverLogged, remove: true },
      serializers: {
        err: (error: unknown) => tellError(error),
        error: withoutPersonalData,
        reason: withoutPersonalData,
        problem: withoutPersonalData,
        auth: withoutPersonalData,
      },
      mixin() {
        const work = underWay.getStore()
        if (!work) return {}
        return work.requestId ? { requestId: work.requestId } : { job: work.job }
      },
      hooks: { streamWrite: withoutSecrets },
    },
    to,
  )
}
