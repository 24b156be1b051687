import { useCallback, useState } from 'react'
import { useRevalidator } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import type { RichText } from '../../lessons/rich-text.ts'
import { RichTextEditor } from '../../lessons/ui/rich-text-editor.tsx'
import type { CourseDashboard } from '../schema.ts'
import { useLeaveGuard } from './leave-guard.tsx'

const saveFailed = 'Failed to save description. Please try again.'

const loadCalls = () => import('./description-calls.ts')

type DescriptionEditorProps = { course: CourseDashboard; onClose: () => void }

/** The description in an editor, in the place of its text. */
export function DescriptionEditor({ course, onClose }: DescriptionEditorProps) {
  const { revalidate } = useRevalidator()
  /** Null as long as nothing was changed. */
  const [text, setText] = useState<RichText | null>(null)
  // The page may load a newer one while somebody writes.
  const [before] = useState(course.description)
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
    const failure = await saveNow(course.id, text, before)
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
        initialValue={before}
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

async function saveNow(courseId: string, text: RichText, before: RichText): Promise<string | null> {
  // Without a connection the calls themselves may be missing.
  const calls = await loadCalls().catch(() => null)
  return calls ? calls.saveDescription(courseId, text, before, saveFailed) : saveFailed
}
