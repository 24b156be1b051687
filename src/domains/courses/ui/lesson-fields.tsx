import { type Dispatch, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useHydrated } from '../../../ui/use-hydrated.ts'
import type { ChapterName } from './chapter-panel.tsx'
import type { ContentDraft, ContentStep } from './content-draft.ts'
import type { EditedCourse } from './content-uploads.ts'
import { EditorSkeleton, LessonEditor } from './lesson-editor-later.tsx'
import type { FieldsHomes } from './lesson-fields-home.ts'

type LessonFieldsProps = {
  course: EditedCourse
  draft: ContentDraft
  names: ChapterName[]
  homes: FieldsHomes
  dispatch: Dispatch<ContentStep>
  announce: (message: string) => void
  onUnsavedCaptions: (isUnsaved: boolean) => void
}

/** The fields of all lessons that are expanded, each in its home. */
export function LessonFields({ draft, homes, ...shared }: LessonFieldsProps) {
  const { chapters, open, generation } = draft
  if (!useHydrated()) return null
  return chapters.flatMap((chapter) =>
    chapter.lessons
      .filter(({ key }) => open.has(chapter.key) && open.has(key))
      .map((lesson) =>
        createPortal(
          <LessonEditor
            {...shared}
            lesson={lesson}
            chapterKey={chapter.key}
            name={lesson.title.trim() || 'Untitled lesson'}
          />,
          homes(lesson.key),
          `${generation} ${lesson.key}`,
        ),
      ),
  )
}

type SlotProps = { id: string; lessonKey: string; homes: FieldsHomes }

/** Where the fields of an expanded lesson show. */
export function LessonFieldsSlot({ id, lessonKey, homes }: SlotProps) {
  const slot = useRef<HTMLDivElement>(null)
  const hydrated = useHydrated()

  useLayoutEffect(() => {
    if (hydrated) slot.current?.append(homes(lessonKey))
  }, [hydrated, homes, lessonKey])

  return (
    <>
      {!hydrated && <EditorSkeleton />}
      <div id={id} ref={slot} />
    </>
  )
}
