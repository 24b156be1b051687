import { randomId } from '../../../web/random-id.ts'
import {
  isOutdated,
  readSlots,
  removeSlot,
  slotsOf,
  slotsOfPerson,
  writeSlot,
} from '../../courses/ui/content-local-store.ts'
import type { Unsaved } from './position-saver.ts'

/** Of every page that shows the lesson one: what one of them has told says nothing of what another has to tell. */
const slotsOfLesson = (userId: string, lessonId: string) => `${slotsOf(userId, lessonId)}watched`
const thisPage = randomId()

/** Where a page keeps what it has to tell of a lesson. */
export const slotOf = (userId: string, lessonId: string, page = thisPage) =>
  `${slotsOfLesson(userId, lessonId)}:${page}`

/** What was played without a connection, in this browser's storage until the next visit. */
export function keepUnsaved(
  userId: string,
  lessonId: string,
  unsaved: Unsaved | null,
  page?: string,
): void {
  const slot = slotOf(userId, lessonId, page)
  if (unsaved) writeSlot(slot, JSON.stringify({ ...unsaved, keptAt: Date.now() }))
  else removeSlot(slot)
}

const isSeconds = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 86_400

type Kept = { slot: string; unsaved: Unsaved }

/** What pages have kept of this video, in this order; `slot` is to be removed once it is told, or kept by this page. */
export function unsavedOf(userId: string, lessonId: string, video: string): Kept[] {
  const found = readSlots(slotsOfLesson(userId, lessonId)).flatMap(({ slot, text }) => {
    const kept = read(text, video)
    return kept ? [{ slot, ...kept }] : []
  })
  return found
    .toSorted((one, other) => one.keptAt - other.keptAt)
    .map(({ slot, unsaved }) => ({ slot, unsaved }))
}

/** The videos of other lessons of which pages have kept something. */
export function videosBeside(
  userId: string,
  lessonId: string,
): { lessonId: string; video: string; kept: Kept[] }[] {
  const own = slotsOfPerson(userId)
  const videos = new Map<string, { lessonId: string; video: string }>()
  for (const { slot, text } of readSlots(own)) {
    const [, of] = /^([^:]+):watched/.exec(slot.slice(own.length)) ?? []
    const video = videoOf(text)
    if (of && of !== lessonId && video) videos.set(`${of} ${video}`, { lessonId: of, video })
  }
  return [...videos.values()].map((one) => ({
    ...one,
    kept: unsavedOf(userId, one.lessonId, one.video),
  }))
}

/** Null also of what an earlier version kept. */
function videoOf(text: string): string | null {
  try {
    return (JSON.parse(text) as Partial<Unsaved>).video ?? null
  } catch {
    return null
  }
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
