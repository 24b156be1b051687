import { pino } from 'pino'

export type Log = pino.Logger

/** Structured lines on standard output; no e-mail addresses, tokens or bodies belong in them. */
export function createLog(level: string): Log {
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime })
}
