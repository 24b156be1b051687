import { useLayoutEffect, useRef, type FocusEvent } from 'react'

/**
 * Keeps the keyboard where it is when the focused control is taken out of the page: the surrounding
 * element takes the focus. Spread the result on that element.
 */
export function useKeepFocus<Part extends HTMLElement>() {
  const part = useRef<Part>(null)
  const focused = useRef<Element | null>(null)

  // After each change. React tells no blur for what it removes itself, so a removed control is still noted.
  useLayoutEffect(() => {
    if (!focused.current || focused.current.isConnected) return
    focused.current = null
    part.current?.focus({ preventScroll: true })
  })

  return {
    ref: part,
    tabIndex: -1,
    onFocus: (event: FocusEvent) => {
      focused.current = event.target
    },
    onBlur: () => {
      focused.current = null
    },
  }
}
