import { useLayoutEffect, useState } from 'react'

type Control = HTMLInputElement | HTMLTextAreaElement

/** What was in controls that the server had written otherwise, and where the caret stood. */
const typedEarly = new WeakMap<
  Control,
  Pick<Control, 'value' | 'selectionStart' | 'selectionEnd'>
>()

function controlOf(id: string | undefined): Control | null {
  const found = id === undefined ? null : document.getElementById(id)
  return found instanceof HTMLTextAreaElement || found instanceof HTMLInputElement ? found : null
}

/** Only a page that is being hydrated has the control already. */
function noteTyped(id: string | undefined) {
  if (typeof document === 'undefined') return
  const control = controlOf(id)
  if (!control || control.value === control.defaultValue) return
  const { value, selectionStart, selectionEnd } = control
  typedEarly.set(control, { value, selectionStart, selectionEnd })
}

/**
 * Keeps what was typed into this control before its page was hydrated: React writes the first text of a text area
 * anew, and tells nobody what is in a field already.
 */
export function useTypedEarly(id: string | undefined) {
  useState(() => noteTyped(id))
  useLayoutEffect(() => {
    const control = controlOf(id)
    const typed = control && typedEarly.get(control)
    if (!control || !typed) return
    typedEarly.delete(control)
    // React takes for news what differs from the last text that it has seen being set on the element itself.
    control.value = control.defaultValue
    const { prototype } = control.constructor as typeof HTMLInputElement
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(control, typed.value)
    if (typed.selectionStart !== null) {
      control.setSelectionRange(typed.selectionStart, typed.selectionEnd)
    }
    control.dispatchEvent(new Event('input', { bubbles: true }))
  }, [id])
}
