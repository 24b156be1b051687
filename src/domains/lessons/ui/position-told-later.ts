import { removeSlot, slotsInUse } from '../../courses/ui/content-local-store.ts'
import { videosBeside } from './position-kept.ts'
import { createPositionSaver } from './position-saver.ts'

/**
 * Tells what pages that are gone could not tell of lessons beside this one, which nobody may open again. What is not told
 * by the signal is left to the next page.
 */
export async function tellOfOthers(userId: string, lessonId: string, signal: AbortSignal) {
  const inUse = await slotsInUse()
  if (signal.aborted) return
  for (const { lessonId: other, video, kept } of videosBeside(userId, lessonId)) {
    const left = kept.filter(({ slot }) => !inUse.has(slot))
    const latest = left.at(-1)
    if (!latest) continue
    const saver = createPositionSaver(other, video, latest.unsaved.savedSeconds)
    const stop = saver.start({
      onSaved: () => {},
      onOvertaken: () => {},
      onReplaced: () => {},
      keep(unsaved) {
        // Else it lies there as it was; and after the signal it may be of somebody who watches that lesson again.
        if (unsaved === null && !signal.aborted) for (const { slot } of left) removeSlot(slot)
      },
    })
    signal.addEventListener('abort', stop)
    for (const { unsaved } of left) saver.goOnWith(unsaved)
  }
}
