import { ListTree } from 'lucide-react'
import { useState } from 'react'
import { Card } from '../../../ui/card.tsx'
import { cn } from '../../../ui/cn.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogButton } from '../../../ui/dialog-button.tsx'
import { OutlineList, OutlineProgress } from './lesson-outline.tsx'
import type { OutlinePart } from './lesson-outline-part.ts'

type OutlineProps = {
  outline: OutlinePart
  courseSlug: string
  lessonId: string
  onMissing: () => Promise<boolean>
  className?: string
}

/** The outline at the side of a lesson, as high as what is left of the window. */
export function OutlineCard({ className, ...list }: OutlineProps) {
  return (
    <Card
      as="nav"
      padding="none"
      aria-label="Course outline"
      className={cn('flex flex-col overflow-hidden', className)}
    >
      <div className="grid gap-3 border-b px-5 py-4">
        <h2 className="text-xl">Course outline</h2>
        <OutlineProgress outline={list.outline} />
      </div>
      <OutlineList {...list} className="min-h-0 flex-1" />
    </Card>
  )
}

/** The same where there is no room for it; without a script the course's page shows it. */
export function OutlineSheet({ className, ...list }: OutlineProps) {
  const [isOpen, setOpen] = useState(false)
  const { completedCount, lessonsCount } = list.outline
  return (
    <div className={className}>
      <DialogButton
        page={`/course/${list.courseSlug}/dashboard`}
        variant="secondary"
        size="sm"
        onOpen={() => setOpen(true)}
      >
        <ListTree size={17} aria-hidden />
        Course outline
        <span className="font-normal text-muted tabular-nums">
          <span aria-hidden>
            {completedCount}/{lessonsCount}
          </span>
        </span>
      </DialogButton>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Course outline">
        <OutlineProgress outline={list.outline} />
        <nav aria-label="Course outline" className="-mx-5 -mb-5 border-t sm:-mx-6 sm:-mb-6">
          <OutlineList
            {...list}
            takesFocus
            onNavigate={() => setOpen(false)}
            className="max-h-[65dvh]"
          />
        </nav>
      </Dialog>
    </div>
  )
}
