/** Milliseconds without a move after which the controls leave the picture alone. */
const restAfter = 2500

/** Whether somebody is busy with the player: moves over it, goes through it by keyboard, is in a menu. */
export function createRest(frame: HTMLElement) {
  let isAwake = true
  let timer: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()

  function set(awake: boolean) {
    if (awake === isAwake) return
    isAwake = awake
    for (const tell of listeners) tell()
  }
  function rest() {
    // Not away from under somebody who is in a menu, or whose focus is on a control.
    const isBusy = frame.querySelector(':popover-open, :is(button, input):focus-visible')
    if (isBusy) timer = setTimeout(rest, restAfter)
    else set(false)
  }
  function wake() {
    set(true)
    clearTimeout(timer)
    timer = setTimeout(rest, restAfter)
  }
  const move = ({ pointerType }: PointerEvent) => {
    if (pointerType !== 'touch') wake()
  }

  return {
    isAwake: () => isAwake,
    wake,
    sleep: () => set(false),
    subscribe(tell: () => void) {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    /** Answers with what to do when it is over. */
    watch() {
      wake()
      frame.addEventListener('pointermove', move)
      frame.addEventListener('focusin', wake)
      return () => {
        clearTimeout(timer)
        frame.removeEventListener('pointermove', move)
        frame.removeEventListener('focusin', wake)
      }
    },
  }
}
