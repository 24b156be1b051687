import type { BellList } from '../bell-schema.ts'
import { inTurn } from './in-turn.ts'

interface BellState {
  /** As far as the server has said; 10 stands for 10 and more. */
  unread: number
  /** Null until it was read for the first time. */
  list: BellList | null
  /** Whether the last reading failed. */
  failed: boolean
}

/** What one tab knows of the notices; `fetchList` asks the server. */
export function bellStore(unread: number, fetchList: () => Promise<BellList>) {
  let state: BellState = { unread, list: null, failed: false }
  let settled = 0
  const listeners = new Set<() => void>()

  function set(change: Partial<BellState>) {
    state = { ...state, ...change }
    for (const tell of listeners) tell()
  }

  /** Answers the list, or null when it could not be read. */
  const read = inTurn(async () => {
    const before = settled
    try {
      const list = await fetchList()
      // Else it may be older than what was settled meanwhile, and the next reading is asked for already.
      if (settled === before) set({ list, unread: list.unread, failed: false })
      return list
    } catch {
      set({ failed: true })
      return null
    }
  })

  return {
    read,
    forgetFailure() {
      set({ failed: false })
    },
    /** What a call has changed, after the server said so. */
    settle(change: (list: BellList) => BellList, unreadNow: number) {
      settled += 1
      set({ list: state.list && change(state.list), unread: unreadNow })
      void read()
    },
    get: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
export type BellStore = ReturnType<typeof bellStore>
