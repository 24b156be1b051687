import { constants } from 'node:os'
import { outliveReaders } from '../server/outlive-readers.ts'
import { sentenceOf } from '../server/reason-of.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Resolves to the number with which a shell knows that a program was ended by a signal. */
const untilSignal = () =>
  new Promise<number>((resolve) => {
    // They stay: Ctrl-C comes from npm as well as from the terminal, and the second must not cut the end short.
    for (const signal of signals) process.on(signal, () => resolve(128 + constants.signals[signal]))
  })

/** Notes what has only begun to start: a command that is ended meanwhile leaves nothing of it behind. */
export function noteStart<Part extends { stop(): Promise<void> }>(
  started: AsyncDisposableStack,
  starting: Promise<Part>,
): Promise<Part> {
  started.defer(async () => {
    const part = await starting.catch(() => null)
    await part?.stop()
  })
  return starting
}

const tell = (error: unknown) => console.error(sentenceOf(error))

/**
 * Runs a command until it is done, fails or is ended by a signal. Whatever it has started ends then, the latest first,
 * and so does the process.
 *
 * @param work answers with the exit code
 */
export async function runCommand(
  work: (started: AsyncDisposableStack) => Promise<number>,
): Promise<never> {
  outliveReaders()
  const started = new AsyncDisposableStack()
  let code = 1
  try {
    code = await Promise.race([untilSignal(), work(started)])
  } catch (error) {
    tell(error)
  }
  await started.disposeAsync().catch(tell)
  // Connections to an object store stay open for a while.
  process.exit(code)
}
