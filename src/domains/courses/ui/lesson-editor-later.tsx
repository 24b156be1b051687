import { memo } from 'react'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { preloadRichTextEditor } from '../../lessons/ui/load-rich-text-editor.ts'
import { useLater } from '../../../ui/use-later.ts'
import type { LessonEditorProps } from './lesson-editor.tsx'

const load = () => import('./lesson-editor.tsx')

/** Fetches what a lesson's fields need, so that they are there when it is expanded. */
export function preloadLessonEditor() {
  preloadRichTextEditor()
  // A failure shows when the lesson is expanded.
  load().catch(() => {})
}

/** The fields of a lesson, loaded when the first lesson is expanded. Drawn again only for its own sake. */
export const LessonEditor = memo(function LessonEditor(props: LessonEditorProps) {
  const { value: editor, failed, retry } = useLater(load)
  if (editor) return <editor.LessonEditor {...props} />
  if (!failed) return <EditorSkeleton />
  return (
    <FailedBanner className="m-2.5" onRetry={retry}>
      This lesson could not be opened. Nothing in it is lost.
    </FailedBanner>
  )
})

export function EditorSkeleton() {
  return (
    <Loading
      label="Loading the lesson…"
      className="grid grid-cols-1 gap-6 border-t px-2.5 py-4 sm:p-5"
    >
      <Skeleton className="h-[4.5rem] rounded-control" />
      <Skeleton className="h-56 rounded-control" />
      <Skeleton className="h-52 rounded-control" />
      <Skeleton className="h-24 rounded-control" />
    </Loading>
  )
}
