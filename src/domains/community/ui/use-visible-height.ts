import { type RefObject, useEffect } from 'react'

/**
 * Tells an element how high the part of the window is that a keyboard on the screen leaves, as
 * `--visible-height`, and where it begins, as `--visible-top`.
 */
export function useVisibleHeight(element: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const view = window.visualViewport
    if (!view) return undefined
    const tell = () => {
      // Somebody who looks closer does not want to see less of it.
      if (view.scale > 1) return
      element.current?.style.setProperty('--visible-height', `${view.height}px`)
      element.current?.style.setProperty('--visible-top', `${view.offsetTop}px`)
    }
    tell()
    view.addEventListener('resize', tell)
    view.addEventListener('scroll', tell)
    return () => {
      view.removeEventListener('resize', tell)
      view.removeEventListener('scroll', tell)
    }
  }, [element])
}
