import { Pencil } from 'lucide-react'
import { type RefCallback, useCallback, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import type { RichText } from '../../lessons/rich-text.ts'
import { preloadRichTextEditor } from '../../lessons/ui/load-rich-text-editor.ts'
import { RichTextEditor } from '../../lessons/ui/rich-text-editor.tsx'
import { RichTextView } from '../../lessons/ui/rich-text-view.tsx'
import type { CourseDashboard } from '../schema.ts'
import { useLeaveGuard } from './leave-guard.tsx'

const saveFailed = 'Failed to save description. Please try again.'

const loadCalls = () => import('./description-calls.ts')

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
            onPointerEnter={preloadRichTextEditor}
            onFocus={preloadRichTextEditor}
            onClick={() => setEditing(true)}
          >
            <Pencil size={16} aria-hidden />
            Edit Description
          </Button>
        )}
      </div>
      {editing ? (
        <DescriptionEditor course={course} onClose={close} />
      ) : course.descriptionText === '' ? (
        <p className="text-muted">{course.shortDescription || 'No description yet.'}</p>
      ) : (
        <RichTextView content={course.description} topLevel={3} />
      )}
    </section>
  )
}

type DescriptionEditorProps = { course: CourseDashboard; onClose: () => void }

function DescriptionEditor({ course, onClose }: DescriptionEditorProps) {
  const { revalidate } = useRevalidator()
  /** Null as long as nothing was changed. */
  const [text, setText] = useState<RichText | null>(null)
  const [problem, setProblem] = useState<string>()
  const [saving, setSaving] = useState(false)
  const [discarding, setDiscarding] = useState(false)
  const guard = useLeaveGuard(
    text !== null,
    'What you changed in the description is not saved yet.',
  )
  const focus = useCallback((editor: { focus: () => void } | null) => editor?.focus(), [])

  async function save() {
    if (text === null) return onClose()
    setSaving(true)
    const failure = await saveNow(course.id, text)
    if (failure === null) {
      guard.release()
      // The new text first, so that the old one does not flash up in between.
      await revalidate()
      void toast.success('The description is saved')
      return onClose()
    }
    setProblem(failure)
    setSaving(false)
  }

  return (
    <div className="grid gap-4">
      <RichTextEditor
        ref={focus}
        label="Course description"
        required
        disabled={saving}
        initialValue={course.description}
        onChange={(value) => {
          setText(value)
          setProblem(undefined)
        }}
      />
      {problem && (
        <Banner tone="danger" title="Not saved">
          {problem}
        </Banner>
      )}
      <div className="flex flex-col gap-3 sm:flex-row sm:justify-end">
        <Button
          variant="secondary"
          disabled={saving}
          onClick={() => (text === null ? onClose() : setDiscarding(true))}
        >
          Cancel
        </Button>
        <Button busy={saving} busyText="Saving..." onClick={save}>
          Save
        </Button>
      </div>
      <ConfirmDialog
        open={discarding}
        onOpenChange={setDiscarding}
        title="Discard your changes?"
        description="The description stays as it was before you changed it."
        confirmLabel="Discard changes"
        cancelLabel="Keep editing"
        onConfirm={onClose}
      />
      {guard.dialog}
    </div>
  )
}

async function saveNow(courseId: string, text: RichText): Promise<string | null> {
  // Without a connection the calls themselves may be missing.
  const calls = await loadCalls().catch(() => null)
  return calls ? calls.saveDescription(courseId, text, saveFailed) : saveFailed
}
