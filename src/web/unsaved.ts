// What would be lost if this page went away by itself, by a name each.
import { useEffect, useId } from 'react'

const unsaved = new Set<string>()

type WrittenField = HTMLInputElement | HTMLTextAreaElement
/** Fields of dialogs in which somebody has written: a dialog has nothing to say of them itself. */
const written = new Set<WrittenField>()

const isHeld = (field: WrittenField) =>
  field.closest('dialog[open]') !== null && field.value.trim() !== ''

export const hasUnsaved = () => unsaved.size > 0 || [...written].some(isHeld)

/** For the `input` events of the whole page. */
export function noteWriting({ target }: Event): void {
  for (const field of written) if (!field.isConnected) written.delete(field)
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  if (isField && !['checkbox', 'radio', 'search'].includes(target.type)) written.add(target)
}

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
