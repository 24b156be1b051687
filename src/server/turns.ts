/** Work that concerns the same key waits in line; at most `atOnce` of it runs at a time. */
export interface Turns {
  /** Resolves when it is this caller's turn; the caller must call what it gets when it is done. */
  take(key: string): Promise<() => void>
}

export function inTurns(atOnce: number): Turns {
  const lines = new Map<string, { running: number; waiting: (() => void)[] }>()
  return {
    async take(key) {
      const line = lines.get(key) ?? { running: 0, waiting: [] }
      lines.set(key, line)
      if (line.running < atOnce) line.running += 1
      else await new Promise<void>((resolve) => line.waiting.push(resolve))
      return () => {
        const next = line.waiting.shift()
        if (next) next()
        else line.running -= 1
        if (line.running === 0) lines.delete(key)
      }
    },
  }
}
