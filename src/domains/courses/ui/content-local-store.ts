// Drafts in this browser's storage: one per person, course and open editor.
const prefix = 'thunder-draft:'
/** Milliseconds. Nobody comes back for them later, and others use the same computer. */
const keptFor = 30 * 24 * 60 * 60 * 1000

export const slotsOfPerson = (userId: string) => `${prefix}${userId}:`
export const slotsOf = (userId: string, courseId: string) => `${slotsOfPerson(userId)}${courseId}:`

/** Whoever signs out leaves nothing behind, also not what an open editor keeps on its way out. */
let isSigningOut = false

/** Somebody goes on typing, so they stayed. */
export function stillHere(): void {
  isSigningOut = false
}

/** False when the storage is full or forbidden. */
export function writeSlot(slot: string, text: string): boolean {
  if (isSigningOut) return true
  try {
    localStorage.setItem(slot, text)
    return true
  } catch {
    return false
  }
}

export function readSlots(slots: string): { slot: string; text: string }[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(slots))
      .map((slot) => ({ slot, text: localStorage.getItem(slot) ?? '' }))
  } catch {
    return []
  }
}

export function removeSlot(slot: string): void {
  try {
    localStorage.removeItem(slot)
  } catch {
    // Nothing can be in a storage that is forbidden.
  }
}

export const isOutdated = (keptAt: number) => !(Date.now() - keptAt < keptFor)

const keptAtOf = (text: string) => Number(/"keptAt":(\d+)/.exec(text)?.[1])

/** What nobody came back for in time, of whoever used this browser. */
export function forgetOutdatedDrafts(): void {
  for (const { slot, text } of readSlots(prefix)) if (isOutdated(keptAtOf(text))) removeSlot(slot)
}

/** When somebody signs out: the next person at this computer is somebody else. */
export function forgetDrafts(): void {
  isSigningOut = true
  for (const { slot } of readSlots(prefix)) removeSlot(slot)
}

/** Names of the slots that an open editor, here or in another tab, is writing to. */
export async function slotsInUse(): Promise<Set<string>> {
  // Only on secure origins.
  const state = await navigator.locks?.query()
  return new Set(state?.held?.flatMap(({ name }) => name ?? []))
}

/** Marks a slot as in use until the answer is called or the page is gone. */
export function holdSlot(slot: string): () => void {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  navigator.locks?.request(slot, { ifAvailable: true }, () => released).catch(() => {})
  return release
}

/** Calls back once the page that writes to this slot has closed. */
export function whenFree(slot: string, signal: AbortSignal, callback: () => void): void {
  // Only after the lock is let go of: until then the slot counts as in use.
  navigator.locks?.request(slot, { mode: 'shared', signal }, () => {}).then(callback, () => {})
}
