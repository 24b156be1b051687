import { readdir, readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'

/** Beside the thread that answers: a sixth of the time where both want all of it. */
const nice = 8

/**
 * The threads on which Node checks passwords, packs and reads files give way to the one that answers: during a
 * storm of log-ins it would otherwise wait for its turn beside four of them. Linux has a priority for each
 * thread; elsewhere nothing changes. What runs in a pool of its own (ffmpeg, pictures) is not among them.
 *
 * @returns how many there are
 */
export async function helpingThreadsGiveWay(): Promise<number> {
  const threads = await readdir('/proc/self/task').catch(() => [])
  const names = await Promise.all(
    threads.map((thread) => readFile(`/proc/self/task/${thread}/comm`, 'utf8').catch(() => '')),
  )
  const helping = threads.filter((_, at) => names[at]?.trim() === 'libuv-worker')
  for (const thread of helping) setPriority(Number(thread), nice)
  return helping.length
}
