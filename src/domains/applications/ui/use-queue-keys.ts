import { useEffectEvent, useLayoutEffect, useState } from 'react'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import type { Decision } from '../schema.ts'

const kept = 'application-keys'

function read(): boolean {
  try {
    return localStorage.getItem(kept) !== 'off'
  } catch {
    return true
  }
}

/** Whether the keys work in this browser; single letters can be in the way of other software. */
export function useKeysSetting(): [boolean, (isOn: boolean) => void] {
  const hydrated = useHydrated()
  const [chosen, setChosen] = useState<boolean | null>(null)
  return [
    chosen ?? (!hydrated || read()),
    (next) => {
      setChosen(next)
      try {
        localStorage.setItem(kept, next ? 'on' : 'off')
      } catch {
        // Not kept then: it works until the page is loaded again.
      }
    },
  ]
}

type Presses = {
  isOn: boolean
  onMove: (step: 1 | -1) => void
  onDecide: (decision: Decision) => void
}

/** J and K, or the arrows on a row, to move; A and R to decide. They rest while somebody writes. */
export function useQueueKeys({ isOn, onMove, onDecide }: Presses) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, ctrlKey, altKey, metaKey, repeat } = event
    if (!isOn || event.defaultPrevented || ctrlKey || altKey || metaKey) return
    if (isWriting(target) || document.querySelector('dialog[open], :popover-open')) return
    const isOnRow = target instanceof HTMLElement && target.matches('li [aria-expanded]')
    const move = moves[key.toLowerCase()] ?? (isOnRow ? arrows[key] : undefined)
    // A key that is held down may move, and never decides.
    const decision = repeat ? undefined : decisions[key.toLowerCase()]
    if (!move && !decision) return
    event.preventDefault()
    if (move) onMove(move)
    else if (decision) onDecide(decision)
  })

  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

const moves: Record<string, 1 | -1 | undefined> = { j: 1, k: -1 }
const arrows: Record<string, 1 | -1 | undefined> = { ArrowDown: 1, ArrowUp: -1 }
const decisions: Record<string, Decision | undefined> = { a: 'approved', r: 'rejected' }

const writes = 'input:not([type=checkbox], [type=radio], [type=button]), textarea, select'

/** A field in which letters are letters. */
export const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest(`${writes}, [role=textbox]`) !== null)
