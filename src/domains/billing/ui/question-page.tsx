import type { ReactNode } from 'react'
import { Form, useNavigation } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import type { BillingAnswer } from './billing-answer.ts'
import type { BillingQuestion } from './billing-questions.tsx'
import { QuestionFields } from './question-dialog.tsx'

type QuestionPageProps = {
  question: BillingQuestion
  answer: BillingAnswer | undefined
  /** Said in place of the question where it no longer arises. */
  settled?: ReactNode
  back?: { to: string; label: string }
  /** Where to go on once it is done. */
  home?: { to: string; label: string }
}

/** A question about billing as a page, for browsers without JavaScript. */
export function QuestionPage({
  question,
  answer,
  settled = null,
  back = { to: '/billing', label: 'Back to Billing' },
  home = { to: '/billing', label: 'Billing' },
}: QuestionPageProps) {
  const busy = useNavigation().formMethod === 'POST'
  const isDone = answer !== undefined && 'done' in answer
  const isSettled = answer === undefined && settled !== null
  const title = isSettled ? question.title.replace(/\?$/, '') : question.title
  return (
    <div className="page-width grid max-w-[40rem] grid-cols-1 gap-8 py-8 lg:py-12">
      <PageHeader back={back} title={<span className="wrap-anywhere">{title}</span>} />
      {isDone || isSettled ? (
        <Banner
          tone={isDone ? 'success' : 'info'}
          action={
            <ButtonLink to={home.to} variant="secondary" size="sm">
              {home.label}
            </ButtonLink>
          }
        >
          {isDone ? answer.done : settled}
        </Banner>
      ) : (
        <Card className="grid gap-6">
          {question.text}
          <Form method="post" replace className="grid gap-5">
            <QuestionFields
              question={question}
              busy={busy}
              answer={busy ? undefined : answer}
              stay={
                <ButtonLink to={back.to} variant="secondary">
                  {question.stay}
                </ButtonLink>
              }
            />
          </Form>
        </Card>
      )}
    </div>
  )
}
