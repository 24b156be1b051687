import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false

/**
 * Takes the files that are dropped on an element; `onFiles` answers false to leave them to what is around. True
 * while files are over it. Listens to the element itself: React's events do not pass from what a portal shows
 * to what surrounds it in the page.
 */
export function useFileDrop(
  zone: RefObject<HTMLElement | null>,
  onFiles: (files: File[]) => boolean,
): boolean {
  const [isOver, setIsOver] = useState(false)

  const over = useEffectEvent((event: DragEvent) => {
    if (!hasFiles(event)) return
    // Without this a browser opens the dropped file in place of the page.
    event.preventDefault()
    setIsOver(true)
  })
  const leave = useEffectEvent((event: DragEvent) => {
    const to = event.relatedTarget
    if (!(to instanceof Node && zone.current?.contains(to))) setIsOver(false)
  })
  const drop = useEffectEvent((event: DragEvent) => {
    setIsOver(false)
    // Prevented: somebody within took them.
    if (!hasFiles(event) || event.defaultPrevented) return
    if (onFiles([...(event.dataTransfer?.files ?? [])])) event.preventDefault()
  })

  useEffect(() => {
    const element = zone.current
    if (!element) return undefined
    const end = new AbortController()
    const { signal } = end
    element.addEventListener('dragenter', (event) => over(event), { signal })
    element.addEventListener('dragover', (event) => over(event), { signal })
    element.addEventListener('dragleave', (event) => leave(event), { signal })
    element.addEventListener('drop', (event) => drop(event), { signal })
    return () => end.abort()
  }, [zone])

  return isOver
}

/** A file dropped beside the places for it does not take the page away. */
export function useStrayFiles(): void {
  useEffect(() => {
    function catchFiles(event: DragEvent) {
      if (!hasFiles(event) || event.defaultPrevented || !event.dataTransfer) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    window.addEventListener('dragover', catchFiles)
    window.addEventListener('drop', catchFiles)
    return () => {
      window.removeEventListener('dragover', catchFiles)
      window.removeEventListener('drop', catchFiles)
    }
  }, [])
}
