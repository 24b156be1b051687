import { Form } from 'react-router'
import { Badge } from '../../../ui/badge.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { CaseTime } from '../../moderation/ui/case-time.tsx'
import { jobKindLabel } from '../job-kinds.ts'
import type { FailingJob } from '../job-schema.ts'
import { limits } from '../rules.ts'
import type { Refusal } from './admin-answer.ts'
import { spanWords } from './span-words.ts'
import { useBusy } from './suspend-form.tsx'

type FailingJobItemProps = {
  job: FailingJob
  now: Date
  /** Why it could not be given up. */
  refusal: Refusal | undefined
}

/** What failed, how often, and why, with what can be done about it. */
export function FailingJobItem({ job, now, refusal }: FailingJobItemProps) {
  const { id, name, state, attempts, maxAttempts, createdAt, error } = job
  return (
    <Card as="li" padding="sm" className="grid grid-cols-1 gap-3 sm:px-5">
      <div className="grid gap-1.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h3 className="font-text text-base tracking-normal wrap-anywhere">
            {jobKindLabel(name)}
          </h3>
          {state === 'underWay' && <Badge tone="primary">Under way</Badge>}
          {state === 'failing' && <Badge tone="warning">Failing</Badge>}
          {state === 'givenUp' && <Badge tone="danger">Given up</Badge>}
        </div>
        <p className="wrap-anywhere">{error || 'Nothing is known of why.'}</p>
        <p className="text-sm text-muted">
          Job {id} · <CaseTime at={createdAt} now={now} /> · tried {attempts} of {maxAttempts} times
          · {whatIsNext(job, now)}
        </p>
      </div>
      {state !== 'underWay' && (
        <div className="flex flex-wrap items-start gap-3">
          <RetryForm id={id} />
          {state === 'failing' && <GiveUpForm id={id} refusal={refusal} />}
        </div>
      )}
    </Card>
  )
}

function whatIsNext({ state, nextTryAt }: FailingJob, now: Date): string {
  if (state === 'underWay') return 'being tried now'
  if (state === 'givenUp') return 'not tried again by itself'
  return `tried again in ${spanWords(Date.parse(nextTryAt) - now.getTime())}`
}

function RetryForm({ id }: { id: string }) {
  const intent = `retry ${id}`
  const busy = useBusy(intent)
  return (
    <Form method="post" replace preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="act" value="retry" />
      <input type="hidden" name="jobId" value={id} />
      <Button
        type="submit"
        variant="secondary"
        size="sm"
        busy={busy}
        aria-label={`Try now: job ${id}`}
      >
        Try now
      </Button>
    </Form>
  )
}

function GiveUpForm({ id, refusal }: { id: string; refusal: Refusal | undefined }) {
  const intent = `give-up ${id}`
  const busy = useBusy(intent)
  return (
    <details open={refusal !== undefined || undefined} className="open:basis-full">
      <summary
        className={`${buttonClass({ variant: 'ghost', size: 'sm' })} list-none [&::-webkit-details-marker]:hidden`}
      >
        Give up<span className="sr-only"> job {id}</span>
      </summary>
      <Form
        method="post"
        replace
        preventScrollReset
        noValidate
        className="grid grid-cols-1 gap-4 pt-4"
      >
        <input type="hidden" name="intent" value={intent} />
        <input type="hidden" name="act" value="give-up" />
        <input type="hidden" name="jobId" value={id} />
        <Field
          label={`Why job ${id} is given up`}
          hint="It is not tried again by itself; you can still try it from here. The reason stays in the audit log."
          error={refusal?.problem}
          required
        >
          <Textarea
            name="reason"
            rows={2}
            maxLength={limits.reason}
            defaultValue={refusal?.typed.reason}
          />
        </Field>
        <Button
          type="submit"
          variant="danger"
          size="sm"
          className="justify-self-start"
          busy={busy}
          busyText="Giving up..."
        >
          Give up this job
        </Button>
      </Form>
    </details>
  )
}
