import { CircleAlert, CircleCheck } from 'lucide-react'
import { Banner } from '../../../ui/banner.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { withoutLightning } from '../../courses/rules.ts'
import type { CourseImport } from '../schema.ts'
import { useImportCall } from './use-import-call.ts'

type Shown = Pick<CourseImport, 'id' | 'status' | 'problem' | 'canRetry' | 'filename' | 'course'>

/** Imports that are over, newest first. */
export function ImportList({ imports }: { imports: Shown[] }) {
  return (
    <section aria-labelledby="imports" className="grid grid-cols-1 gap-4">
      <h2 id="imports" className="text-xl">
        Your imports
      </h2>
      <ul className="grid grid-cols-1 gap-3">
        {imports.map((one) => (
          <li key={one.id}>
            <OverImport course={one} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Names what the buttons are about, for who hears them one by one. */
const about = (name: string) => <span className="sr-only">: {name}</span>

function OverImport({ course: one }: { course: Shown }) {
  const { busy, problem, call } = useImportCall()
  const isDone = one.status === 'done'
  const name = one.course ? withoutLightning(one.course.title) : (one.filename ?? 'Course file')
  const Icon = isDone ? CircleCheck : CircleAlert

  return (
    <Card padding="sm" className="grid grid-cols-1 gap-3">
      <div className="flex flex-col gap-3 sm:flex-row sm:items-center sm:justify-between">
        <div className="flex min-w-0 gap-3">
          <Icon
            size={20}
            aria-hidden
            className={isDone ? 'mt-0.5 shrink-0 text-success' : 'mt-0.5 shrink-0 text-danger'}
          />
          <div className="grid min-w-0 gap-0.5">
            <p className="font-semibold wrap-anywhere">{name}</p>
            <p className="text-sm text-pretty wrap-anywhere text-muted">
              {isDone
                ? one.course
                  ? 'Imported. It is a draft until you publish it.'
                  : 'Imported, and deleted since.'
                : one.problem}
            </p>
          </div>
        </div>
        <div className="flex shrink-0 flex-wrap gap-2 pl-8 sm:pl-0">
          {one.course && (
            <ButtonLink to={`/course/${one.course.slug}/dashboard`} size="sm">
              <span>Open course{about(name)}</span>
            </ButtonLink>
          )}
          {one.canRetry && (
            <Button
              size="sm"
              busy={busy === 'retryImport'}
              onClick={() => void call('retryImport', one.id)}
            >
              <span>Retry{about(name)}</span>
            </Button>
          )}
          <Button
            size="sm"
            variant="secondary"
            busy={busy === 'removeImport'}
            onClick={() => void call('removeImport', one.id)}
          >
            <span>
              Remove{isDone && ' from list'}
              {about(name)}
            </span>
          </Button>
        </div>
      </div>
      {problem && <Banner tone="danger">{problem}</Banner>}
    </Card>
  )
}
