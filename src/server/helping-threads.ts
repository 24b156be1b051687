import { readdir, readFile } from 'node:fs/promises'
import { getPriority, setPriority } from 'node:os'

/** Beside the thread that answers: a sixth of the time where both want all of it. */
const nicer = 8

/**
 * The threads on which Node checks passwords, packs, makes pictures and reads files give way to the one that
 * answers: during a storm of log-ins it would otherwise wait for its turn beside four of them. Linux has a
 * priority for each thread; elsewhere nothing changes.
 *
 * @returns how many there are
 */
export async function helpingThreadsGiveWay(): Promise<number> {
  const threads = await readdir('/proc/self/task').catch(() => [])
  const names = await Promise.all(
    threads.map((thread) => readFile(`/proc/self/task/${thread}/comm`, 'utf8').catch(() => '')),
  )
  const helping = threads.filter((_, at) => names[at]?.trim() === 'libuv-worker')
  // Nobody may take more than they have, and 19 is the least that there is.
  const priority = Math.min(19, getPriority() + nicer)
  for (const thread of helping) setPriority(Number(thread), priority)
  return helping.length
}
