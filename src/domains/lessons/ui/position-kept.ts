import { randomId } from '../../../web/random-id.ts'
import {
  isOutdated,
  readSlots,
  removeSlot,
  slotsOf,
  writeSlot,
} from '../../courses/ui/content-local-store.ts'
import type { Unsaved } from './position-saver.ts'

/** Of every page that shows the lesson one: what one of them has told says nothing of what another has to tell. */
const slotsOfLesson = (userId: string, lessonId: string) => `${slotsOf(userId, lessonId)}watched`
const thisPage = randomId()

/** What was played without a connection, in this browser's storage until the next visit. */
export function keepUnsaved(
  userId: string,
  lessonId: string,
  unsaved: Unsaved | null,
  page = thisPage,
): void {
  const slot = `${slotsOfLesson(userId, lessonId)}:${page}`
  if (unsaved) writeSlot(slot, JSON.stringify({ ...unsaved, keptAt: Date.now() }))
  else removeSlot(slot)
}

const isSeconds = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 86_400

/** What pages have kept of this video, in this order; `slot` is to be removed once it is told, or kept by this page. */
export function unsavedOf(
  userId: string,
  lessonId: string,
  video: string,
): { slot: string; unsaved: Unsaved }[] {
  const found = readSlots(slotsOfLesson(userId, lessonId)).flatMap(({ slot, text }) => {
    const kept = read(text, video)
    return kept ? [{ slot, ...kept }] : []
  })
  return found
    .toSorted((one, other) => one.keptAt - other.keptAt)
    .map(({ slot, unsaved }) => ({ slot, unsaved }))
}

/** Null when it is of another video, too old, or nothing that we wrote. */
function read(text: string, video: string): { keptAt: number; unsaved: Unsaved } | null {
  try {
    const { keptAt, ...rest } = JSON.parse(text) as Unsaved & { keptAt: number }
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
    const secondsAgo = kept.secondsAgo + Math.max(0, (Date.now() - keptAt) / 1000)
    return { keptAt, unsaved: { ...kept, secondsAgo } }
  } catch {
    return null
  }
}
