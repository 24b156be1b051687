import { safe } from '@orpc/client'
import { type SubmitEvent, useEffect, useEffectEvent, useState } from 'react'
import { useRevalidator } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { client } from '../../../web/api-client.ts'
import { isServerError } from '../../../web/call-outcome.ts'
import { withoutLightning } from '../../courses/rules.ts'
import { refusalProblem } from '../../courses/ui/call-problem.ts'
import type { ApplicationForm } from '../schema.ts'
import { answerList, type Answers } from './apply-answers.ts'
import { ApplyFields, useAnswerCheck } from './apply-fields.tsx'
import { questionsFailed, submitFailed } from './apply-words.ts'

type ApplyDialogProps = {
  course: { id: string; slug: string; title: string }
  /** The code of the invitation by which the person comes. */
  invitation: string | null
  /** Outlives the dialog: who closes it by mistake finds every word again. */
  answers: Answers
  onAnswer: (questionId: string, answer: string) => void
  onClose: () => void
}

/** Loaded when somebody presses 'Apply to Join'. */
export default function ApplyDialog({
  course,
  invitation,
  answers,
  onAnswer,
  onClose,
}: ApplyDialogProps) {
  const { revalidate } = useRevalidator()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { form, failed, load } = useQuestions(course.id)
  const check = useAnswerCheck(form?.questions)

  async function send(typed: FormData) {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    const [error] = await safe(
      client.applications.submitApplication({
        courseId: course.id,
        answers: answerList(typed),
        invitation: invitation ?? undefined,
      }),
    )
    // The page says that it is pending then, and has no use for this dialog any more.
    if (!error) await revalidate()
    setBusy(false)
    if (!error) return
    setProblem(refusalProblem(error, submitFailed))
    // Signed out the page would go on without the dialog, and with it the answers.
    if (isServerError(error) && error.status === 401) return
    // They may have changed while the answers were written, which stay; so may what the page says of joining.
    load()
    if (isServerError(error) && error.status < 500) await revalidate()
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    check.onSubmit(event)
    if (event.defaultPrevented) return
    event.preventDefault()
    void send(new FormData(event.currentTarget))
  }

  const cancel = (
    <Button variant="secondary" disabled={busy} onClick={onClose}>
      Cancel
    </Button>
  )

  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="md"
      locked={busy}
      title="Apply to Join"
      description={<span className="wrap-anywhere">{withoutLightning(course.title)}</span>}
      footer={form ? undefined : cancel}
    >
      {form ? (
        <form noValidate onSubmit={submit} className="grid gap-5">
          <ApplyFields
            courseId={course.id}
            form={form}
            answers={answers}
            onAnswer={onAnswer}
            busy={busy}
            problem={problem}
            cancel={cancel}
            check={check}
          />
        </form>
      ) : failed ? (
        <ErrorState level={3} title={questionsFailed} onRetry={load} />
      ) : (
        <Loading label="Loading the questions…" className="grid gap-5">
          {[1, 2, 3].map((line) => (
            <div key={line} className="grid gap-2">
              <Skeleton className="w-3/5" />
              <Skeleton className="h-24" />
            </div>
          ))}
        </Loading>
      )}
    </Dialog>
  )
}

function useQuestions(courseId: string) {
  const [form, setForm] = useState<ApplicationForm | null>(null)
  const [failed, setFailed] = useState(false)
  const ask = useEffectEvent(() => {
    client.applications.getApplicationQuestions({ courseId }).then(setForm, () => setFailed(true))
  })
  useEffect(() => ask(), [])

  return {
    form,
    failed,
    load() {
      setFailed(false)
      ask()
    },
  }
}
