import { type Dispatch, useEffect, useEffectEvent, useState } from 'react'
import { useLiveEvents } from '../../../web/use-live-events.ts'
import type { ContentDraft, ContentStep, LessonVideo } from './content-draft.ts'

/** Milliseconds. What happens before the stream of events stands would otherwise never be seen. */
const lookEvery = 5000

const videosOf = ({ chapters }: ContentDraft) =>
  chapters.flatMap(({ lessons }) => lessons.flatMap(({ video }) => video ?? []))

const isUnderWay = ({ url, status, processing }: NonNullable<LessonVideo>) =>
  (status === 'ready' && url === null) ||
  processing?.status === 'queued' ||
  processing?.status === 'running'

/** Asks the server for the state of files, once at a time for each; asked meanwhile, once more after. */
function videoAsker(dispatch: Dispatch<ContentStep>) {
  const asked = new Map<string, { again: boolean }>()

  return async (mediaId: string): Promise<void> => {
    const earlier = asked.get(mediaId)
    if (earlier) {
      earlier.again = true
      return
    }
    const mine = { again: true }
    asked.set(mediaId, mine)
    while (mine.again) {
      mine.again = false
      // A failure changes nothing: what is shown was true a moment ago.
      const calls = await import('./content-calls.ts').catch(() => null)
      const video = await calls?.lookAtVideo(mediaId)
      if (video) dispatch({ type: 'videoLookedAt', video })
    }
    asked.delete(mediaId)
  }
}

/** Keeps the videos of the lessons as the server has them: their addresses, and how far their processing is. */
export function useVideoStates(draft: ContentDraft, dispatch: Dispatch<ContentStep>): void {
  const [ask] = useState(() => videoAsker(dispatch))
  const videos = videosOf(draft)
  const underWay = [...new Set(videos.filter(isUnderWay).map(({ id }) => id))].join()

  const lookAtAll = useEffectEvent(() => {
    for (const id of underWay.split(',').filter(Boolean)) void ask(id)
  })
  useEffect(() => {
    if (underWay === '') return undefined
    lookAtAll()
    const looking = setInterval(() => lookAtAll(), lookEvery)
    return () => clearInterval(looking)
  }, [underWay])

  useLiveEvents({
    onEvent(event) {
      if (event.type !== 'video') return
      if (videos.some(({ id }) => id === event.mediaId)) void ask(event.mediaId)
    },
    onGap: () => lookAtAll(),
  })
}
