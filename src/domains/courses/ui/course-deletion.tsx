import type { ReactNode } from 'react'
import { useFetcher } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field, Input } from '../../../ui/field.tsx'
import { useActionCode } from '../../../web/use-action-code.ts'
import { limits, withoutLightning } from '../rules.ts'
import type { CourseDashboard } from '../schema.ts'
import { countLabel } from './count-label.ts'
import { deletionPage } from './deletion-address.ts'

/** Why it did not work, and whether what was typed is the reason. */
export type DeletionRefusal = { problem: string; isTitle: boolean }

type DeletionDialogProps = { course: CourseDashboard; onClose: () => void }

/** Says what is lost and has the title typed. */
export function DeletionDialog({ course, onClose }: DeletionDialogProps) {
  const fetcher = useFetcher<DeletionRefusal>()
  useActionCode(deletionPage(course.slug))
  const busy = fetcher.state !== 'idle'
  const close = (label: string) => (
    <Button variant="secondary" disabled={busy} onClick={onClose}>
      {label}
    </Button>
  )
  return (
    <Dialog
      open
      onOpenChange={onClose}
      role="alertdialog"
      locked={busy}
      title={<span className="wrap-anywhere">{deletionTitle(course)}</span>}
    >
      {course.deletionObstacle ? (
        <>
          <Banner tone="warning">{course.deletionObstacle}</Banner>
          <div className="flex justify-end">{close('Close')}</div>
        </>
      ) : (
        <>
          <WhatIsLost course={course} />
          <fetcher.Form
            method="post"
            action={deletionPage(course.slug)}
            noValidate
            className="grid gap-5"
          >
            <DeletionFields
              course={course}
              busy={busy}
              refusal={busy ? undefined : fetcher.data}
              keep={close('Cancel')}
            />
          </fetcher.Form>
        </>
      )}
    </Dialog>
  )
}

export const deletionTitle = (course: CourseDashboard) =>
  `Delete “${withoutLightning(course.title)}”?`

/** The plain statement of what goes, with the numbers of this course. */
export function WhatIsLost({ course }: { course: CourseDashboard }) {
  const videos = course.chapters
    .flatMap((chapter) => chapter.lessons)
    .filter((lesson) => lesson.hasVideo).length
  const members = course.studentsCount
  const posts = course.postsCount ?? 0
  const waiting = course.pendingApplications ?? 0
  return (
    <div className="grid gap-3">
      <p className="font-semibold">This cannot be undone. What is lost:</p>
      <ul className="grid list-disc gap-2 pl-5 text-pretty text-muted marker:text-edge">
        <li>
          {course.lessonsCount === 0
            ? 'The course, which has no lessons yet'
            : `${countLabel(course.lessonsCount, 'lesson')} with texts and links`}
        </li>
        {videos > 0 && <li>{countLabel(videos, 'video')}</li>}
        {posts > 0 && (
          <li>{countLabel(posts, 'post')} of the discussion, with comments and pictures</li>
        )}
        {course.reviewsCount > 0 && <li>{countLabel(course.reviewsCount, 'review')}</li>}
        <li>
          {members === 0
            ? 'Nobody else is a member.'
            : `Access, progress, notes and applications of ${countLabel(members, 'member')}, who will be notified`}
        </li>
        {waiting > 0 && <li>{countLabel(waiting, 'application')} not decided yet</li>}
        <li>Its address: links to it stop working</li>
      </ul>
    </div>
  )
}

type DeletionFieldsProps = {
  course: CourseDashboard
  busy: boolean
  refusal: DeletionRefusal | undefined
  /** The way out. */
  keep: ReactNode
}

export function DeletionFields({ course, busy, refusal, keep }: DeletionFieldsProps) {
  return (
    <>
      <input type="hidden" name="courseId" value={course.id} />
      <Field
        label={
          <>
            Type{' '}
            <span className="font-mono wrap-anywhere text-danger">
              {withoutLightning(course.title)}
            </span>{' '}
            to confirm
          </>
        }
        error={refusal?.isTitle && refusal.problem}
        required
      >
        <Input
          name="title"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={limits.title * 2}
        />
      </Field>
      {refusal && !refusal.isTitle && <Banner tone="danger">{refusal.problem}</Banner>}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        {keep}
        <Button type="submit" variant="danger" busy={busy} busyText="Deleting...">
          Delete Course
        </Button>
      </div>
    </>
  )
}
