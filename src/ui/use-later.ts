import { useEffect, useState } from 'react'

type Loading<T> = { value?: T; failed?: boolean }

/** Modules that arrived, so that the second use of one shows at once. */
const arrived = new Map<() => Promise<unknown>, unknown>()

/**
 * A module that is fetched when its place on the page is shown. Unlike `lazy`, a failed fetch does not
 * replace the page around it, on which somebody may have typed: it can be tried again.
 * `load` must be the same function every time. Browser only.
 */
export function useLater<T>(load: () => Promise<T>, isWanted = true) {
  const [state, setState] = useState<Loading<T>>(() => ({
    value: arrived.get(load) as T | undefined,
  }))
  const isWaiting = isWanted && !state.value && !state.failed

  useEffect(() => {
    if (!isWaiting) return
    let isHere = true
    const settle = (next: Loading<T>) => isHere && setState(next)
    load().then(
      (value) => {
        arrived.set(load, value)
        settle({ value })
      },
      () => settle({ failed: true }),
    )
    return () => {
      isHere = false
    }
  }, [load, isWaiting])

  return { ...state, retry: () => setState({}) }
}
