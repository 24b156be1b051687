import { vi } from 'vitest'

/** `localStorage` as browsers have it: its keys are its own properties. `vi.unstubAllGlobals()` takes it away. */
export function stubBrowserStorage(kept: Record<string, string> = {}): void {
  const stored: Record<string, unknown> = { ...kept }
  const hidden = (name: string, value: unknown) =>
    Object.defineProperty(stored, name, { value, enumerable: false })
  hidden('getItem', (key: string) => stored[key] ?? null)
  hidden('setItem', (key: string, text: string) => void (stored[key] = text))
  hidden('removeItem', (key: string) => delete stored[key])
  vi.stubGlobal('localStorage', stored)
}
