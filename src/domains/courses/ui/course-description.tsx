import { Pencil } from 'lucide-react'
import { type RefCallback, useCallback, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { FailedBanner } from '../../../ui/failed-banner.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { useLater } from '../../../ui/use-later.ts'
import { preloadRichTextEditor } from '../../lessons/ui/load-rich-text-editor.ts'
import { RichTextView } from '../../lessons/ui/rich-text-view.tsx'
import type { CourseDashboard } from '../schema.ts'

const loadEditor = () => import('./description-editor.tsx')

/** Fetches what the instructor is about to need; a failure shows when it is opened. */
function preloadEditor() {
  preloadRichTextEditor()
  loadEditor().catch(() => {})
}

/** The description, which its instructor changes where it stands. */
export function CourseDescription({ course }: { course: CourseDashboard }) {
  const [editing, setEditing] = useState(false)
  const wasEditing = useRef(false)
  // Once the editor is gone, its button has the focus back.
  const returnFocus: RefCallback<HTMLButtonElement> = useCallback((button) => {
    if (button && wasEditing.current) button.focus()
    wasEditing.current = false
  }, [])

  function close() {
    wasEditing.current = true
    setEditing(false)
  }

  return (
    <section aria-labelledby="description">
      <div className="mb-4 flex min-h-11 flex-wrap items-center justify-between gap-3">
        <h2 id="description" className="text-2xl">
          Description
        </h2>
        {course.standing === 'instructor' && !editing && (
          <Button
            ref={returnFocus}
            variant="secondary"
            size="sm"
            onPointerEnter={preloadEditor}
            onFocus={preloadEditor}
            onClick={() => setEditing(true)}
          >
            <Pencil size={16} aria-hidden />
            Edit Description
          </Button>
        )}
      </div>
      {editing ? (
        <EditorLater course={course} onClose={close} />
      ) : course.descriptionText === '' ? (
        <p className="text-muted">{course.shortDescription || 'No description yet.'}</p>
      ) : (
        <RichTextView content={course.description} topLevel={3} />
      )}
    </section>
  )
}

type EditorProps = { course: CourseDashboard; onClose: () => void }

/** Fetched when somebody edits: members only read. */
function EditorLater(props: EditorProps) {
  const { value: editor, failed, retry } = useLater(loadEditor)
  if (editor) return <editor.DescriptionEditor {...props} />
  if (failed) {
    return (
      <FailedBanner onRetry={retry}>
        The editor could not be loaded. Please try again, or load the page again.
      </FailedBanner>
    )
  }
  return (
    <Loading label="Loading the editor…">
      <Skeleton className="h-56 rounded-control" />
    </Loading>
  )
}
