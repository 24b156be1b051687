import type { Locker } from '@tus/server'
import { UploadRefusal } from './upload-refusal.ts'

type Holder = { askToLeave: () => Promise<void> | void; waiting: (() => void)[] }

/** Milliseconds that a request waits for another one to let go of the same upload. */
const patience = 30_000

/**
 * One request at a time per upload, in this process. The library's own lock does the same, but spins
 * through the event loop while it waits: a slow client with two connections would keep a core busy.
 */
export function createUploadLocks(): Locker {
  const holders = new Map<string, Holder>()

  function waitFor(holder: Holder, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', giveUp)
        holder.waiting = holder.waiting.filter((turn) => turn !== myTurn)
        end()
      }
      const myTurn = settle(resolve)
      const giveUp = settle(() =>
        reject(
          new UploadRefusal(423, 'This upload is busy with another connection. Please try again.'),
        ),
      )
      const timer = setTimeout(giveUp, patience)
      signal.addEventListener('abort', giveUp)
      holder.waiting.push(myTurn)
    })
  }

  return {
    newLock: (id) => ({
      async lock(signal, askToLeave) {
        const holder = holders.get(id)
        if (!holder) {
          holders.set(id, { askToLeave, waiting: [] })
          return
        }
        await holder.askToLeave()
        await waitFor(holder, signal)
        holder.askToLeave = askToLeave
        if (holder.waiting.length > 0) await askToLeave()
      },
      async unlock() {
        const next = holders.get(id)?.waiting[0]
        if (next) next()
        else holders.delete(id)
      },
    }),
  }
}
