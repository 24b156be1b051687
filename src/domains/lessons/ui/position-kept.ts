import {
  isOutdated,
  readSlots,
  removeSlot,
  slotsOf,
  writeSlot,
} from '../../courses/ui/content-local-store.ts'
import type { Unsaved } from './position-saver.ts'

const slotOf = (userId: string, lessonId: string) => `${slotsOf(userId, lessonId)}watched`

/** What was played without a connection, in this browser's storage until the next visit. */
export function keepUnsaved(userId: string, lessonId: string, unsaved: Unsaved | null): void {
  const slot = slotOf(userId, lessonId)
  if (unsaved) writeSlot(slot, JSON.stringify({ ...unsaved, keptAt: Date.now() }))
  else removeSlot(slot)
}

const isSeconds = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 86_400

export function unsavedOf(userId: string, lessonId: string, video: string): Unsaved | null {
  const [stored] = readSlots(slotOf(userId, lessonId))
  if (!stored) return null
  try {
    const { keptAt, ...rest } = JSON.parse(stored.text) as Unsaved & { keptAt: number }
    // Earlier versions did not keep these.
    const kept = {
      ...rest,
      video: rest.video ?? video,
      secondsAgo: rest.secondsAgo ?? 0,
      told: rest.told ?? [],
    }
    const isWhole =
      kept.video === video &&
      isSeconds(kept.seconds) &&
      isSeconds(kept.savedSeconds) &&
      kept.secondsAgo >= 0 &&
      kept.told.every(isSeconds) &&
      (kept.endedAt === null || isSeconds(kept.endedAt)) &&
      kept.played.every(({ from, to }) => isSeconds(from) && isSeconds(to))
    if (!isWhole || isOutdated(keptAt)) return null
    return { ...kept, secondsAgo: kept.secondsAgo + Math.max(0, (Date.now() - keptAt) / 1000) }
  } catch {
    return null
  }
}
