import type * as z from 'zod'
import type { positionSave } from '../schema.ts'

type Body = Omit<z.input<typeof positionSave>, 'lessonId'>

/**
 * Remembers where a person is in a lesson's video. Saves one after the other, so that the latest wins,
 * and skips what is saved already. Not through the API client: a page that goes away needs `keepalive`.
 */
export function createPositionSaver(lessonId: string, savedSeconds: number) {
  let saved = rounded(savedSeconds)
  let wanted = saved
  let sending = false

  async function put(seconds: number) {
    const body: Body = { seconds }
    await fetch(`/rest/v1/lessons/${lessonId}/position`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      keepalive: true,
    })
    saved = seconds
  }

  async function sendLatest() {
    if (sending) return
    sending = true
    try {
      while (wanted !== saved) await put(wanted)
    } catch {
      // No connection: the next save, within seconds, knows better than this one.
    }
    sending = false
  }

  return {
    save(seconds: number) {
      wanted = rounded(seconds)
      void sendLatest()
    },
    /** At once, without waiting for a save that is under way: there may be no later. */
    saveBeforeLeaving(seconds: number) {
      wanted = rounded(seconds)
      if (wanted === saved) return
      saved = wanted
      put(wanted).catch(() => {
        saved = Number.NaN
      })
    },
  }
}

const rounded = (seconds: number) => Math.round(seconds * 100) / 100
