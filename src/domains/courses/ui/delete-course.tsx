import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { DialogButton } from '../../../ui/dialog-button.tsx'
import { LaterDialog } from '../../../ui/later-dialog.tsx'
import type { CourseDashboard } from '../schema.ts'
import { deletionPage } from './deletion-address.ts'

const loadDialog = () => import('./course-deletion.tsx')

/** 'Delete' for the instructor; asks before. */
export function DeleteCourse({ course }: { course: CourseDashboard }) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <DialogButton
        page={deletionPage(course.slug)}
        onOpen={() => setOpen(true)}
        variant="secondary"
      >
        <Trash2 size={18} className="text-danger" aria-hidden />
        Delete
      </DialogButton>
      {open && (
        <LaterDialog load={loadDialog} onFailed={close}>
          {({ DeletionDialog }) => <DeletionDialog course={course} onClose={close} />}
        </LaterDialog>
      )}
    </>
  )
}
