import { useEffect, useRef } from 'react'

/** What is shown now, for answers that were asked for when something else was. */
export function useLatest<Value>(value: Value) {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  }, [value])
  return latest
}
