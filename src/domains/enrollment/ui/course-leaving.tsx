import type { ReactNode, SubmitEvent } from 'react'
import { useFetcher } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { withoutLightning } from '../../courses/rules.ts'
import type { CourseDashboard } from '../../courses/schema.ts'
import { countLabel } from '../../courses/ui/count-label.ts'
import { leavePage } from './leave-course.tsx'

/** Why it did not work. */
export type LeaveRefusal = { problem: string }

type LeaveDialogProps = { course: CourseDashboard; onClose: () => void }

/** Says what goes and what stays. */
export function LeaveDialog({ course, onClose }: LeaveDialogProps) {
  const fetcher = useFetcher<LeaveRefusal>()
  const busy = fetcher.state !== 'idle'
  function leave(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    // The page must know that it is being left before it is told that the membership has ended.
    void fetcher.submit(event.currentTarget, { flushSync: true })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      role="alertdialog"
      locked={busy}
      title={<span className="wrap-anywhere">{leaveTitle(course)}</span>}
    >
      <WhatLeavingMeans course={course} />
      <fetcher.Form
        method="post"
        action={leavePage(course.slug)}
        onSubmit={leave}
        className="grid gap-5"
      >
        <LeaveFields
          course={course}
          busy={busy}
          problem={busy ? undefined : fetcher.data?.problem}
          stay={
            <Button variant="secondary" disabled={busy} onClick={onClose}>
              Stay
            </Button>
          }
        />
      </fetcher.Form>
    </Dialog>
  )
}

export const leaveTitle = (course: CourseDashboard) => `Leave “${withoutLightning(course.title)}”?`

/** What goes, what stays, and whether there is a way back. */
export function WhatLeavingMeans({ course }: { course: CourseDashboard }) {
  return (
    <ul className="grid list-disc gap-2 pl-5 text-pretty text-muted marker:text-edge">
      <li>Its lessons close to you, and it goes from your courses.</li>
      {course.completedCount > 0 && (
        <li>
          What you completed stays remembered ({countLabel(course.completedCount, 'lesson')}): it is
          there when you join again.
        </li>
      )}
      <li>A review that you wrote stays.</li>
      <li>{wayBack(course)}</li>
    </ul>
  )
}

function wayBack(course: CourseDashboard): string {
  if (course.status === 'draft') {
    return 'Nobody can join this course at the moment, so there is no way back.'
  }
  if (course.applicationRequired) {
    return 'You can join again if the instructor approved your application; else you would have to apply.'
  }
  return 'You can join again at any time, as long as there is room.'
}

type LeaveFieldsProps = {
  course: CourseDashboard
  busy: boolean
  problem: string | undefined
  /** The way out. */
  stay: ReactNode
}

export function LeaveFields({ course, busy, problem, stay }: LeaveFieldsProps) {
  return (
    <>
      <input type="hidden" name="courseId" value={course.id} />
      {problem && <Banner tone="danger">{problem}</Banner>}
      <div className="flex flex-col gap-3 sm:flex-row sm:justify-end">
        {stay}
        <Button type="submit" variant="danger" busy={busy} busyText="Leaving...">
          Leave Course
        </Button>
      </div>
    </>
  )
}
