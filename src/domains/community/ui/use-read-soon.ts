import { useEffect, useEffectEvent, useRef } from 'react'

/** Milliseconds. At random in between, so that a thousand readers do not come in the same moment. */
const soon = { least: 400, most: 1_800 }

/** Collects what is to be read again: many events in a row lead to one look. */
export function useReadSoon(read: (ids: string[]) => void): (id: string) => void {
  const readNow = useEffectEvent(read)
  const waiting = useRef({ ids: new Set<string>(), timer: undefined as number | undefined })

  useEffect(() => {
    const held = waiting.current
    return () => {
      clearTimeout(held.timer)
      held.timer = undefined
      held.ids.clear()
    }
  }, [])

  return function collect(id) {
    const held = waiting.current
    held.ids.add(id)
    held.timer ??= window.setTimeout(
      () => {
        const ids = [...held.ids]
        held.ids.clear()
        held.timer = undefined
        readNow(ids)
      },
      soon.least + Math.random() * (soon.most - soon.least),
    )
  }
}
