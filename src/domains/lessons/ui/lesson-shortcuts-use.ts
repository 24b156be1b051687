import { useEffectEvent, useLayoutEffect } from 'react'
import { isTakenBy } from './player-keys.ts'
import { readPreferences } from './player-preferences.ts'

type Presses = { onNext?: () => void; onPrevious?: () => void; onHelp: () => void }

/** The keys of a lesson's page beside those of its player. */
export function useLessonKeys({ onNext, onPrevious, onHelp }: Presses) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, altKey, metaKey, defaultPrevented, repeat } = event
    if (ctrlKey || altKey || metaKey || defaultPrevented || repeat) return
    if (isTakenBy(event.target, key) || document.querySelector('dialog[open]')) return
    const whole: Record<string, (() => void) | undefined> = {
      n: onNext,
      p: onPrevious,
      '?': onHelp,
    }
    const work = whole[key.toLowerCase()]
    if (!work || !readPreferences().pageKeys) return
    event.preventDefault()
    work()
  })

  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
