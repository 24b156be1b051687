// The two emojis that somebody used last, kept in this browser.
import { type Emoji, emojis } from './emojis.ts'

const slot = 'thunder-emojis'
const remembered = 2
/** For who has not used two yet. */
const usual = ['👍', '❤️']

/** What is stored may be anything: what is no emoji of ours does not count. */
export function recentFrom(stored: string | null): Emoji[] {
  let kept: unknown = []
  try {
    kept = JSON.parse(stored ?? '[]')
  } catch {
    // Not ours.
  }
  const wanted = new Set<unknown>([...(Array.isArray(kept) ? kept : []), ...usual])
  return [...wanted]
    .flatMap((one) => emojis.find(({ emoji }) => emoji === one) ?? [])
    .slice(0, remembered)
}

export function recentEmojis(): Emoji[] {
  try {
    return recentFrom(localStorage.getItem(slot))
  } catch {
    return recentFrom(null)
  }
}

export function rememberEmoji(emoji: string): void {
  const before = recentEmojis().map((one) => one.emoji)
  const now = [emoji, ...before.filter((one) => one !== emoji)].slice(0, remembered)
  try {
    localStorage.setItem(slot, JSON.stringify(now))
  } catch {
    // Forbidden or full: next time they are the usual ones.
  }
}
