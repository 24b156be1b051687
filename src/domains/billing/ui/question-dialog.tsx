import { type ReactNode, type RefObject, useEffect, useEffectEvent } from 'react'
import { useFetcher } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { useActionCode } from '../../../web/use-action-code.ts'
import { AnswerBanner } from './answer-banner.tsx'
import type { BillingAnswer } from './billing-answer.ts'
import type { BillingQuestion } from './billing-questions.tsx'
import { takeLostFocus } from './take-lost-focus.ts'

type QuestionDialogProps = {
  question: BillingQuestion
  onClose: () => void
  /** After the server did it; `onClose` comes after it. */
  onDone?: () => void
  /** Takes the focus when it has closed and the button that opened it is gone. */
  place?: RefObject<HTMLElement | null>
}

export function QuestionDialog({ question, onClose, onDone, place }: QuestionDialogProps) {
  const fetcher = useFetcher<BillingAnswer>()
  useActionCode(question.page)
  const busy = fetcher.state !== 'idle'
  const answer = busy ? undefined : fetcher.data
  const done = answer && 'done' in answer ? answer.done : null
  const isDone = fetcher.data !== undefined && 'done' in fetcher.data
  // Where it leads to another site it stays busy for ever if the person then stays on this page after all.
  const locked = fetcher.state === 'submitting' || (busy && isDone)
  const finish = useEffectEvent((words: string) => {
    void toast.success(words)
    onDone?.()
    onClose()
  })
  useEffect(() => {
    if (done) finish(done)
  }, [done])
  // Not before: while it is open, nothing else can have the focus.
  useEffect(() => () => takeLostFocus(place?.current), [place])

  return (
    <Dialog
      open
      onOpenChange={onClose}
      role="alertdialog"
      locked={locked}
      title={<span className="wrap-anywhere">{question.title}</span>}
    >
      {question.text}
      <fetcher.Form
        method="post"
        action={question.page}
        onSubmit={(event) => busy && event.preventDefault()}
        className="grid gap-5"
      >
        <QuestionFields
          question={question}
          busy={busy}
          answer={answer}
          stay={
            <Button variant="secondary" disabled={locked} onClick={onClose}>
              {question.stay}
            </Button>
          }
        />
      </fetcher.Form>
    </Dialog>
  )
}

type QuestionFieldsProps = {
  question: BillingQuestion
  busy: boolean
  answer: BillingAnswer | undefined
  stay: ReactNode
}

export function QuestionFields({ question, busy, answer, stay }: QuestionFieldsProps) {
  return (
    <>
      {Object.entries(question.fields ?? {}).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {answer && 'problem' in answer && <AnswerBanner answer={answer} />}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        {stay}
        <Button type="submit" variant={question.tone} busy={busy} busyText={question.going}>
          {question.go}
        </Button>
      </div>
    </>
  )
}
