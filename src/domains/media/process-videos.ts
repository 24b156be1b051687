import { setTimeout as delay } from 'node:timers/promises'
import type { Services } from '../../server/services.ts'
import { derivedKey } from './derived-files.ts'
import { type ProcessingLimits, processVideo, Stopped } from './process-video.ts'
import { claimNext, queueUnprocessed } from './processing-queue.ts'

const usual: ProcessingLimits & { lookSeconds: number } = {
  lookSeconds: 2,
  leaseSeconds: 45,
  beatSeconds: 5,
  // At the lowest priority a busy machine may let nothing through for more than a minute.
  stallSeconds: 300,
  keptFree: 256 * 1024 * 1024,
}

/**
 * Works on the videos that wait, one after the other; of all processes on the same database one works.
 * `stop` ends the program under way at once, and its video waits again.
 */
export function startVideoProcessing(
  services: Services,
  changes: Partial<typeof usual> = {},
): { stop(): Promise<void> } {
  const { db, ffmpeg, log, storage } = services
  if (!ffmpeg) return { stop: async () => {} }
  const limits = { ...usual, ...changes }
  const stopping = new AbortController()
  const { signal } = stopping

  async function work(programs: NonNullable<Services['ffmpeg']>) {
    await queueUnprocessed(db)
    while (!signal.aborted) {
      const { claim, givenUp } = await claimNext(db, limits.leaseSeconds)
      for (const id of givenUp) await storage.remove(derivedKey(id, 'hls'))
      if (claim) await processVideo(services, programs, claim, limits, signal)
      else await delay(limits.lookSeconds * 1000, undefined, { signal })
    }
  }

  async function keepWorking(programs: NonNullable<Services['ffmpeg']>) {
    while (!signal.aborted) {
      await work(programs).catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, 'the conversion of videos was interrupted')
      })
      await delay(limits.lookSeconds * 5000, undefined, { signal }).catch(() => {})
    }
  }

  const working = keepWorking(ffmpeg)
  return {
    stop() {
      stopping.abort(new Stopped())
      return working
    },
  }
}
