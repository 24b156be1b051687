import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Progress } from '../../../ui/progress.tsx'
import type { CourseImport } from '../schema.ts'
import { useImportCall } from './use-import-call.ts'

type Shown = Pick<CourseImport, 'id' | 'status' | 'filename' | 'progressPercent'>

/** An import that waits for its turn, or goes on. */
export function ImportProgress({ course }: { course: Shown }) {
  const { busy, problem, call } = useImportCall()
  const isWaiting = course.status === 'waiting'
  return (
    <section aria-label="Import under way" className="grid grid-cols-1 gap-4">
      <output className="sr-only">The import is under way.</output>
      <Card className="grid min-h-64 content-center gap-5">
        <Progress
          label={<span className="wrap-anywhere">{course.filename ?? 'Course file'}</span>}
          percent={isWaiting ? undefined : course.progressPercent}
          valueText={isWaiting ? 'Waiting' : undefined}
        />
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
          <p className="text-sm text-pretty text-muted">
            You may leave this page: the import goes on without it.
          </p>
          <Button
            size="sm"
            variant="secondary"
            busy={busy !== null}
            onClick={() => void call('removeImport', course.id)}
          >
            Cancel import
          </Button>
        </div>
      </Card>
      {problem && <Banner tone="danger">{problem}</Banner>}
    </section>
  )
}
