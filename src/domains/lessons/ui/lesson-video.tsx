import { useState } from 'react'
import type { LessonPage } from '../schema.ts'
import { createPositionSaver } from './position-saver.ts'
import { VideoPlayer } from './video-player.tsx'

type LessonVideoProps = {
  lesson: Pick<LessonPage, 'id' | 'title' | 'position'>
  src: string
  /** Watched to its end. */
  onWatched: () => void
}

/** A lesson's video, which this person finds where it was left. */
export function LessonVideo({ lesson, src, onWatched }: LessonVideoProps) {
  const [saver] = useState(() => createPositionSaver(lesson.id, lesson.position))
  return (
    <VideoPlayer
      src={src}
      title={`Video: ${lesson.title}`}
      position={lesson.position}
      onPosition={(seconds, leaving) =>
        leaving ? saver.saveBeforeLeaving(seconds) : saver.save(seconds)
      }
      onWatched={onWatched}
    />
  )
}
