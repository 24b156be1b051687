import { DatabaseError } from 'pg'

/** Not 'nothing was saved': who lost the connection while a transaction ended does not know. */
export const databaseProblem =
  'We cannot reach our database at the moment. What you did last may not be saved: please look again in a minute, and do it again if it is missing.'

export const databaseFull =
  'There is no room left on our side, so this was not saved. We have to make some: please try again later.'

export const databaseConflict =
  'Others changed the same thing at this moment, so this was not saved. Please try again.'

/** Of the network, on the way to the database. */
const lostOnTheWay = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Transactions that waited for each other: PostgreSQL undid this one, so that the other could go on. */
const endedForAnother = new Set(['40P01', '40001'])

/** What the driver says without a code. */
const wordsOfDriver =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/

/**
 * Shut down, crashed, not there yet, without connections or memory to give, a primary that is a standby now; without its
 * disk: that of files which it may not write is the code of a missing right (42501), whatever the reason.
 */
const codesOfServer = /^(08|53|57P|58|25006|42501)/

function ownProblem(error: Error): string | null {
  if (error instanceof DatabaseError) {
    const { code = '', severity } = error
    if (code === '53100') return databaseFull
    if (endedForAnother.has(code)) return databaseConflict
    // What ends the connection, or all of them, is not about the statement.
    const endsMore = severity === 'FATAL' || severity === 'PANIC'
    return endsMore || codesOfServer.test(code) ? databaseProblem : null
  }
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code !== undefined && lostOnTheWay.has(code) && syscall !== undefined) return databaseProblem
  return wordsOfDriver.test(error.message) ? databaseProblem : null
}

/** What to tell people when the database did not answer, has no room or undid their transaction; null for any other error. */
export function databaseProblemOf(error: unknown): string | null {
  if (error instanceof AggregateError) return databaseProblemOf(error.errors[0])
  // `fetch` throws a TypeError when it was another service that did not answer.
  if (!(error instanceof Error) || error instanceof TypeError) return null
  return ownProblem(error) ?? databaseProblemOf(error.cause)
}
