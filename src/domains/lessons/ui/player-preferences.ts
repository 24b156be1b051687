// How somebody likes videos to play, kept in this browser for the next one.

export type PlayerPreferences = {
  /** 0 to 1. */
  volume: number
  muted: boolean
  speed: number
  /** The language of the captions; null for none. */
  captions: string | null
  /** Whether the player's keys work on the whole page, or only while it has the focus. */
  pageKeys: boolean
}

export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const

const slot = 'thunder-player'
const usual: PlayerPreferences = {
  volume: 1,
  muted: false,
  speed: 1,
  captions: null,
  pageKeys: true,
}

/** What is stored may be anything: each value that makes no sense is the usual one. */
export function preferencesFrom(stored: string | null): PlayerPreferences {
  let kept: Partial<Record<keyof PlayerPreferences, unknown>> = {}
  try {
    kept = Object(JSON.parse(stored ?? '{}'))
  } catch {
    // Not ours.
  }
  const { volume, muted, speed, captions, pageKeys } = kept
  return {
    volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : usual.volume,
    muted: typeof muted === 'boolean' ? muted : usual.muted,
    speed: speeds.find((known) => known === speed) ?? usual.speed,
    captions: typeof captions === 'string' ? captions : usual.captions,
    pageKeys: typeof pageKeys === 'boolean' ? pageKeys : usual.pageKeys,
  }
}

export function readPreferences(): PlayerPreferences {
  try {
    return preferencesFrom(localStorage.getItem(slot))
  } catch {
    return usual
  }
}

export function keepPreferences(changed: Partial<PlayerPreferences>): void {
  try {
    localStorage.setItem(slot, JSON.stringify({ ...readPreferences(), ...changed }))
  } catch {
    // Forbidden or full: it plays as wished now, and as usual next time.
  }
}
