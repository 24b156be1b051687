import { Fragment, type ReactNode, type SubmitEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { CharacterCount } from '../../../ui/character-count.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { applicationLimits, defaultInstructions } from '../rules.ts'
import type { ApplicationForm } from '../schema.ts'
import { type Answers, answersIn, fieldOf, problemsIn, wordsFieldOf } from './apply-answers.ts'
import { submitFailed } from './apply-words.ts'

type ApplyFieldsProps = {
  courseId: string
  form: ApplicationForm
  /** What was typed before. */
  answers: Answers
  /** Told of every letter. */
  onAnswer?: (questionId: string, answer: string) => void
  busy: boolean
  /** Why the server did not take it. */
  problem: string | undefined
  /** The way out. */
  cancel: ReactNode
  check: AnswerCheck
}

/** Instructions, questions and the buttons, inside a form whose `onSubmit` is `useAnswerCheck`. */
export function ApplyFields({
  courseId,
  form,
  answers,
  onAnswer,
  busy,
  problem,
  cancel,
  check,
}: ApplyFieldsProps) {
  const { instructions, questions } = form
  // After a lost connection nothing is known to be wrong with the answers.
  const isRefused = problem !== undefined && problem !== submitFailed
  const shown = check.problems ?? (isRefused ? problemsIn(questions, answers) : null)
  const summary = check.problems?.summary ?? problem
  return (
    <>
      <input type="hidden" name="courseId" value={courseId} />
      {/* The words that every course starts with are for its creator. */}
      {instructions !== defaultInstructions && (
        <p className="rounded-card bg-wash px-4 py-3 text-pretty whitespace-pre-line wrap-anywhere">
          {instructions}
        </p>
      )}
      {questions.map((question) => (
        <Fragment key={question.id}>
          <input type="hidden" name={wordsFieldOf(question.id)} value={question.question} />
          <Question
            question={question}
            start={answers[question.id] ?? ''}
            onAnswer={onAnswer}
            error={shown?.fields[question.id]}
          />
        </Fragment>
      ))}
      {summary && <Banner tone="danger">{summary}</Banner>}
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        {cancel}
        <Button type="submit" busy={busy} busyText="Submitting...">
          Submit Application
        </Button>
      </div>
    </>
  )
}

type QuestionProps = {
  question: ApplicationForm['questions'][number]
  start: string
  onAnswer: ApplyFieldsProps['onAnswer']
  error: string | undefined
}

function Question({ question: { id, question, required }, start, onAnswer, error }: QuestionProps) {
  const [text, setText] = useState(start)
  return (
    <Field
      label={
        <span className="wrap-anywhere">
          {question}
          {required && (
            <span aria-hidden className="text-danger">
              {' *'}
            </span>
          )}
        </span>
      }
      required={required}
      optional={!required}
      error={error}
      aside={
        <span className="whitespace-nowrap">
          <CharacterCount value={text} max={applicationLimits.answer} />
        </span>
      }
    >
      <Textarea
        name={fieldOf(id)}
        rows={3}
        defaultValue={start}
        onChange={(event) => {
          setText(event.target.value)
          onAnswer?.(id, event.target.value)
        }}
      />
    </Field>
  )
}

/** Looks at the answers before they are sent, and leads to the first that is missing. */
export function useAnswerCheck(questions: ApplicationForm['questions'] | undefined) {
  const [problems, setProblems] = useState<ReturnType<typeof problemsIn>>(null)

  return {
    problems,
    onSubmit(event: SubmitEvent<HTMLFormElement>) {
      const form = event.currentTarget
      const found = problemsIn(questions ?? [], answersIn(new FormData(form)))
      if (found) event.preventDefault()
      flushSync(() => setProblems(found))
      form.querySelector<HTMLElement>('[aria-invalid]')?.focus()
    },
  }
}

type AnswerCheck = ReturnType<typeof useAnswerCheck>
