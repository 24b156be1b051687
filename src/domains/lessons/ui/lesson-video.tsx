import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useRevalidator, useRouteLoaderData, useSearchParams } from 'react-router'
import type { loader } from '../../../root.tsx'
import { toast } from '../../../ui/toast.ts'
import { holdSlot, removeSlot } from '../../courses/ui/content-local-store.ts'
import type { LessonPage, SavedPosition } from '../schema.ts'
import { LessonPlayer, type PlayerHandle } from './lesson-player.tsx'
import { PlayerElsewhere } from './player-elsewhere.tsx'
import { keepUnsaved, slotOf, unsavedOf } from './position-kept.ts'
import { createPositionSaver, type Unsaved } from './position-saver.ts'
import { tellOfOthers } from './position-told-later.ts'
import { forgetStart, startOf } from './start-at.ts'
import { useComingBack } from './use-coming-back.ts'
import type { Completion } from './use-completion.ts'
import { useStream } from './use-stream.ts'
import { videoIdentity } from './video-identity.ts'

/** Milliseconds in which what a lesson before this one told on leaving is usually answered. */
const usualAnswer = 5000

type LessonVideoProps = {
  lesson: Pick<
    LessonPage,
    'id' | 'title' | 'position' | 'streamLimit' | 'watermark' | 'keepsProgress'
  >
  video: NonNullable<LessonPage['video']>
  completion: Pick<Completion, 'completedByWatching'>
  /** Starts by itself. */
  autoPlay?: boolean
  onEnded?: () => void
  ref: RefObject<PlayerHandle | null>
}

/**
 * A lesson's video, which this person finds where it was left, or where the address says (`?t=83`), and
 * which completes the lesson once it was watched. The server decides that; here it is told and shown.
 */
export function LessonVideo({
  lesson,
  video,
  completion,
  autoPlay,
  onEnded,
  ref,
}: LessonVideoProps) {
  const userId = useRouteLoaderData<typeof loader>('root')?.me?.id ?? ''
  const { revalidate } = useRevalidator()
  const [search] = useSearchParams()
  const [startAt] = useState(() => startOf(search.get('t')))
  const identity = videoIdentity(video)
  /** Where pages before this one kept what this one tells now. */
  const takenOver = useRef<string[]>([])
  const [saver] = useState(() => createPositionSaver(lesson.id, identity, lesson.position))

  const isLimited = lesson.streamLimit !== null && video.kind === 'file'
  const stream = useStream({ lessonId: lesson.id, isLimited, player: ref })

  const onSaved = useEffectEvent((answer: SavedPosition) => {
    forgetStart()
    stream.onSaved(answer)
    if (answer.completion) completion.completedByWatching(answer.completion)
  })
  /** To where another device is by now. Who plays here, or came for a second of the address, is not led away. */
  const follow = useEffectEvent((seconds: number) => {
    const isForAddress = startOf(new URLSearchParams(location.search).get('t')) !== null
    if (!isForAddress && !ref.current?.wantsToPlay()) ref.current?.seekTo(seconds)
  })
  const goOn = useEffectEvent(() => {
    for (const { slot, unsaved } of unsavedOf(userId, lesson.id, identity)) {
      takenOver.current.push(slot)
      const isFurther = saver.goOnWith(unsaved)
      if (isFurther && startAt === null) ref.current?.seekTo(unsaved.seconds)
    }
  })
  /** What this page has told, or has written down itself, those before it need not keep any longer. */
  const keep = useEffectEvent((unsaved: Unsaved | null) => {
    for (const slot of takenOver.current.splice(0)) removeSlot(slot)
    keepUnsaved(userId, lesson.id, unsaved)
  })
  const onReplaced = useEffectEvent(async () => {
    await revalidate()
    void toast.info('The instructor changed the video of this lesson.')
  })
  useEffect(() => {
    const stop = saver.start({
      onSaved,
      onOvertaken: follow,
      keep,
      onReplaced,
    })
    goOn()
    return stop
  }, [saver])
  useEffect(() => holdSlot(slotOf(userId, lesson.id)), [userId, lesson.id])
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const timer = setTimeout(() => void tellOfOthers(userId, lesson.id, signal), usualAnswer)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [userId, lesson.id])
  useEffect(() => {
    if (saver.takesOver(lesson.position)) follow(lesson.position)
  }, [saver, lesson])
  useComingBack(60, () => void revalidate())

  return (
    <LessonPlayer
      ref={ref}
      video={video}
      title={`Video: ${lesson.title}`}
      position={startAt ?? lesson.position}
      autoPlay={autoPlay}
      onPosition={lesson.keepsProgress ? saver.isAt : undefined}
      onPlayed={lesson.keepsProgress ? saver.hasPlayed : undefined}
      onEnded={() => {
        // At its end, where it is says how long it is.
        const duration = ref.current?.currentTime() ?? 0
        if (lesson.keepsProgress && duration > 0) saver.hasEnded(duration)
        onEnded?.()
      }}
      onStale={() => void revalidate()}
      onPlay={stream.onPlay}
      onPlaysElsewhere={stream.onPlaysElsewhere}
      watermark={lesson.watermark}
      cover={
        stream.interruption && (
          <PlayerElsewhere
            limit={lesson.streamLimit}
            interruption={stream.interruption}
            busy={stream.isAsking}
            problem={stream.problem}
            onPlayHere={(insteadOf) => void stream.claim(insteadOf)}
          />
        )
      }
    />
  )
}
