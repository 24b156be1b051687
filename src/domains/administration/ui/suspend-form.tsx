import { Form, useNavigation } from 'react-router'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { limits } from '../rules.ts'
import type { Refusal } from './admin-answer.ts'

/** Whether a form with this intent is on its way. */
export function useBusy(intent: string): boolean {
  const { formMethod, formData } = useNavigation()
  return formMethod === 'POST' && formData?.get('intent') === intent
}

type SuspendFormProps = {
  /** 'account' or 'course'. */
  what: string
  consequences: string
  refusal?: Refusal
}

export function SuspendForm({ what, consequences, refusal }: SuspendFormProps) {
  const busy = useBusy('suspend')
  return (
    <Card as="section" aria-label={`Suspend this ${what}`} className="border-danger/40">
      <CardHeader title={`Suspend this ${what}`} description={consequences} />
      <Form method="post" replace preventScrollReset noValidate className="grid gap-4">
        <input type="hidden" name="intent" value="suspend" />
        <Field
          label="Reason"
          hint="The person reads it, and can appeal. It stays in the audit log."
          error={refusal?.problem}
          required
        >
          <Textarea
            name="reason"
            rows={3}
            maxLength={limits.reason}
            defaultValue={refusal?.typed.reason}
          />
        </Field>
        <Button
          type="submit"
          variant="danger"
          className="justify-self-start"
          busy={busy}
          busyText="Suspending..."
        >
          Suspend {what}
        </Button>
      </Form>
    </Card>
  )
}

type LiftFormProps = { what: string; suspensionId: string; refusal?: Refusal }

export function LiftForm({ what, suspensionId, refusal }: LiftFormProps) {
  const busy = useBusy('lift')
  return (
    <Card as="section" aria-label="Lift the suspension">
      <CardHeader title="Lift the suspension" />
      <Form method="post" replace preventScrollReset noValidate className="grid gap-4">
        <input type="hidden" name="intent" value="lift" />
        <input type="hidden" name="suspensionId" value={suspensionId} />
        <Field label="Note" hint="The person reads it." optional>
          <Textarea
            name="note"
            rows={2}
            maxLength={limits.answer}
            defaultValue={refusal?.typed.note}
          />
        </Field>
        <Button type="submit" className="justify-self-start" busy={busy} busyText="Lifting...">
          Lift the suspension<span className="sr-only"> of this {what}</span>
        </Button>
      </Form>
    </Card>
  )
}
