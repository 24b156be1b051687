import { Form, useNavigation } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { limits } from '../rules.ts'
import type { OwnSuspension } from '../schema.ts'
import type { Refusal } from './admin-answer.ts'
import { DayOf } from './day-of.tsx'
import { Quote } from './suspension-list.tsx'

/** Why, since when, and what became of the appeal; a form for one where none was made. */
export function OwnSuspensionCards({
  suspension,
  refusal,
}: {
  suspension: OwnSuspension
  refusal: Refusal | undefined
}) {
  return (
    <>
      <Card as="section" aria-label="The reason" className="grid gap-2">
        <h2 className="text-xl">Why</h2>
        <p className="wrap-anywhere whitespace-pre-line">{suspension.reason}</p>
        <p className="text-sm text-muted">
          Suspended on <DayOf at={suspension.createdAt} />.
        </p>
      </Card>
      {suspension.appealedAt ? (
        <Card as="section" aria-label="Your appeal" className="grid gap-3">
          <h2 className="text-xl">Your appeal</h2>
          <Quote title="You wrote" text={suspension.appeal ?? ''} />
          {suspension.appealAnsweredAt ? (
            <>
              <Quote title="It was refused" text={suspension.appealAnswer ?? ''} />
              <p className="text-sm text-muted">
                Answered on <DayOf at={suspension.appealAnsweredAt} />.
              </p>
            </>
          ) : (
            <p className="text-muted">
              It is waiting for an answer. You get a notification and an email when it is decided.
            </p>
          )}
        </Card>
      ) : (
        !suspension.isBecauseOfAccount && <AppealForm refusal={refusal} />
      )}
    </>
  )
}

function AppealForm({ refusal }: { refusal: Refusal | undefined }) {
  const busy = useNavigation().formMethod === 'POST'
  return (
    <Card as="section" aria-label="Appeal">
      <CardHeader
        title="Appeal"
        description="If you think that this is wrong, say why. You can appeal once, and an administrator answers."
      />
      <Form method="post" replace noValidate className="grid gap-4">
        {refusal && <Banner tone="danger">{refusal.problem}</Banner>}
        <Field
          label="Your appeal"
          hint={`Up to ${limits.appeal.toLocaleString('en-US')} characters.`}
          required
        >
          <Textarea
            name="appeal"
            rows={5}
            maxLength={limits.appeal}
            defaultValue={refusal?.typed.appeal}
          />
        </Field>
        <Button type="submit" className="justify-self-start" busy={busy} busyText="Sending...">
          Send appeal
        </Button>
      </Form>
    </Card>
  )
}
