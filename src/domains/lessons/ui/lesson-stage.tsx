import { type RefObject, useState } from 'react'
import { useNavigate } from 'react-router'
import type { LessonPage } from '../schema.ts'
import { useAutoAdvance } from './auto-advance.ts'
import { NextUp } from './lesson-next-up.tsx'
import type { PlayerHandle } from './lesson-player.tsx'
import { LessonVideo } from './lesson-video.tsx'
import type { Completion } from './use-completion.ts'
import { videoIdentity } from './video-identity.ts'

type LessonStageProps = {
  lesson: LessonPage
  video: NonNullable<LessonPage['video']>
  completion: Completion
  player: RefObject<PlayerHandle | null>
}

/**
 * Where the videos of a course play, one after the other. The element stays when the lesson changes: it is
 * what goes full screen (player-full-screen.ts), so the screen stays full for the next lesson's player.
 */
export function LessonStage({ lesson, video, completion, player }: LessonStageProps) {
  const [isAuto] = useAutoAdvance()
  const navigate = useNavigate()
  /** The lesson whose video came to its end and was not started again. */
  const [endedId, setEndedId] = useState<string | null>(null)
  /** The lesson that was gone to for its video. */
  const [playing, setPlaying] = useState<string | null>(null)
  const { next, course } = lesson

  const [shown, setShown] = useState(lesson.slug)
  if (shown !== lesson.slug) {
    setShown(lesson.slug)
    setEndedId(null)
    // What was gone to and given up does not play when it is come to later.
    if (playing !== lesson.slug) setPlaying(null)
  }

  function goOn() {
    if (!next) return
    setPlaying(next.slug)
    void navigate(`/course/${course.slug}/lesson/${next.slug}`)
  }

  return (
    <div
      data-player-stage
      onPlayCapture={() => setEndedId(null)}
      onSeekingCapture={() => setEndedId(null)}
      className="relative"
    >
      <LessonVideo
        key={`${lesson.id} ${videoIdentity(video)}`}
        lesson={lesson}
        video={video}
        completion={completion}
        autoPlay={playing === lesson.slug}
        onEnded={() => setEndedId(lesson.id)}
        ref={player}
      />
      {next && endedId === lesson.id && (
        <NextUp
          title={next.title}
          to={`/course/${course.slug}/lesson/${next.slug}`}
          isAuto={isAuto}
          onGo={goOn}
        />
      )}
    </div>
  )
}
