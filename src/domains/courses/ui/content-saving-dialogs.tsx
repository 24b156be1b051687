import { ConfirmLater } from '../../../ui/confirm-later.tsx'
import { ConflictLater } from './content-conflict-later.tsx'
import type { Saving } from './content-use-saving.ts'
import { PublishLater } from './publish-later.tsx'

type SavingDialogsProps = {
  courseId: string
  saving: Saving
  onShowLesson: (id: string) => void
}

/** What is asked on the way of a draft to the server. */
export function SavingDialogs({ courseId, saving, onShowLesson }: SavingDialogsProps) {
  const { busy, resolving, publishing, dropping } = saving
  return (
    <>
      {resolving && (
        <ConflictLater
          courseId={courseId}
          busy={busy === 'load' || busy === 'overwrite' ? busy : null}
          problem={resolving.problem}
          onClose={() => saving.setResolving(null)}
          onKeepAsDraft={saving.keepAsDraft}
          onOverwrite={saving.overwrite}
        />
      )}
      {publishing && (
        <PublishLater
          courseId={courseId}
          onClose={publishing.close}
          onPublished={publishing.published}
          onShowLesson={(id) => {
            publishing.close()
            onShowLesson(id)
          }}
        />
      )}
      {saving.leaveDialog}
      <ConfirmLater
        open={dropping !== null}
        onOpenChange={(open) => !open && saving.goBack()}
        title="Save without these?"
        description="What has no title, and a link without its URL, is not saved. You would lose:"
        confirmLabel="Save without them"
        cancelLabel="Go back"
        onConfirm={() => dropping && saving.run(dropping.task, true)}
      >
        <ul className="-mt-3 list-disc pl-5">
          {dropping?.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      </ConfirmLater>
    </>
  )
}
