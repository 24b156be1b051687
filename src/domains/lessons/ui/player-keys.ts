import { speeds } from './player-preferences.ts'

export type PlayerAction =
  | { do: 'togglePlay' | 'toggleMuted' | 'toggleFullScreen' | 'toggleCaptions' | 'togglePicture' }
  | { do: 'seekBy' | 'volumeBy'; by: number }
  /** A part of the whole, 0 to 1. */
  | { do: 'seekToPart'; by: number }
  | { do: 'speedStep'; by: 1 | -1 }

/** For help with the keys, in the order of use. */
export const playerKeys: readonly { keys: string[]; does: string }[] = [
  { keys: ['Space', 'K'], does: 'Play or pause' },
  { keys: ['←', '→'], does: 'Back or forward 5 seconds' },
  { keys: ['J', 'L'], does: 'Back or forward 10 seconds' },
  { keys: ['0', '…', '9'], does: 'Jump to 0% … 90%' },
  { keys: ['Home', 'End'], does: 'To the beginning or the end' },
  { keys: ['↑', '↓'], does: 'Louder or quieter' },
  { keys: ['M'], does: 'Mute' },
  { keys: ['<', '>'], does: 'Slower or faster' },
  { keys: ['C'], does: 'Captions' },
  { keys: ['F'], does: 'Full screen' },
  { keys: ['I'], does: 'Picture in picture' },
]

/** These move the page or press what has the focus, so they are the player's only inside of it. */
const inside = new Map<string, PlayerAction>(
  Object.entries({
    ' ': { do: 'togglePlay' },
    ArrowLeft: { do: 'seekBy', by: -5 },
    ArrowRight: { do: 'seekBy', by: 5 },
    ArrowUp: { do: 'volumeBy', by: 0.1 },
    ArrowDown: { do: 'volumeBy', by: -0.1 },
    Home: { do: 'seekToPart', by: 0 },
    End: { do: 'seekToPart', by: 1 },
  }),
)

const anywhere = new Map<string, PlayerAction>(
  Object.entries({
    k: { do: 'togglePlay' },
    j: { do: 'seekBy', by: -10 },
    l: { do: 'seekBy', by: 10 },
    m: { do: 'toggleMuted' },
    f: { do: 'toggleFullScreen' },
    c: { do: 'toggleCaptions' },
    i: { do: 'togglePicture' },
    '<': { do: 'speedStep', by: -1 },
    '>': { do: 'speedStep', by: 1 },
  }),
)

type Press = { key: string; ctrlKey: boolean; altKey: boolean; metaKey: boolean }

/** What a key does; null when it is not for the player. Shift is no modifier here: '>' needs it. */
export function actionOf(press: Press, isInside: boolean): PlayerAction | null {
  if (press.ctrlKey || press.altKey || press.metaKey) return null
  if (/^\d$/.test(press.key)) return { do: 'seekToPart', by: Number(press.key) / 10 }
  const action = anywhere.get(press.key.toLowerCase())
  return action ?? (isInside ? (inside.get(press.key) ?? null) : null)
}

const writes = 'input:not([type=range], [type=checkbox], [type=radio], [type=button]), textarea'

/** Whether somebody can write in it. */
export const isWrittenIn = (element: Element | null) =>
  element instanceof HTMLElement &&
  (element.isContentEditable || element.matches(`${writes}, [role=textbox]`))

/** Whether a key belongs to what has the focus: somebody writes, or moves through a list of choices. */
export function isTakenBy(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest(`${writes}, select, dialog, [role=textbox]`)) {
    return true
  }
  if (target.closest('[popover]')) return true
  // Sliders have no use for it.
  const isPressed = 'button, a[href], summary, input:not([type=range]), [role=button]'
  if (key === ' ' && target.matches(isPressed)) return true
  // A slider that is not the seek bar has its own use for arrows, Home and End.
  return target.matches('input[type=range]:not([data-seek])') && /^(Arrow|Home|End)/.test(key)
}

/** The next speed up or down; from a speed between two, the nearer one in that direction. */
export function speedBeside(speed: number, step: 1 | -1): number {
  const next = step > 0 ? speeds.find((one) => one > speed) : speeds.findLast((one) => one < speed)
  return next ?? speed
}
