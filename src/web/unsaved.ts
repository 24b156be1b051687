// What would be lost if this page went away by itself, by a name each.
import { useEffect, useId } from 'react'

const unsaved = new Set<string>()

export const hasUnsaved = () => unsaved.size > 0

export function setUnsaved(name: string, isUnsaved: boolean): void {
  if (isUnsaved) unsaved.add(name)
  else unsaved.delete(name)
}

/** While true, nothing leads away from this page by itself. What is kept elsewhere, such as a draft, needs none. */
export function useUnsaved(isUnsaved: boolean): void {
  const id = useId()
  useEffect(() => {
    if (!isUnsaved) return
    setUnsaved(id, true)
    return () => setUnsaved(id, false)
  }, [id, isUnsaved])
}
