import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { DialogButton } from '../../../ui/dialog-button.tsx'
import type { CourseDashboard } from '../../courses/schema.ts'
import { LaterDialog } from '../../../ui/later-dialog.tsx'
import { leavePage } from './leave-address.ts'

const loadDialog = () => import('./course-leaving.tsx')

/** 'Leave Course' for its members; asks before. */
export function LeaveCourse({ course }: { course: CourseDashboard }) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <DialogButton
        page={leavePage(course.slug)}
        onOpen={() => setOpen(true)}
        variant="ghost"
        size="sm"
      >
        <LogOut size={16} aria-hidden />
        Leave Course
      </DialogButton>
      {open && (
        <LaterDialog load={loadDialog} onFailed={close}>
          {({ LeaveDialog }) => <LeaveDialog course={course} onClose={close} />}
        </LaterDialog>
      )}
    </>
  )
}
