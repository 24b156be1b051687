import { Form, useNavigation } from 'react-router'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { Field, Textarea } from '../../../ui/field.tsx'
import { limits } from '../rules.ts'

/** Whether a form with this intent is on its way. */
export function useBusy(intent: string): boolean {
  const { formMethod, formData } = useNavigation()
  return formMethod === 'POST' && formData?.get('intent') === intent
}

type SuspendFormProps = {
  /** 'account' or 'course'. */
  what: string
  consequences: string
  problem?: string
}

export function SuspendForm({ what, consequences, problem }: SuspendFormProps) {
  const busy = useBusy('suspend')
  return (
    <Card as="section" aria-label={`Suspend this ${what}`} className="border-danger/40">
      <CardHeader title={`Suspend this ${what}`} description={consequences} />
      <Form method="post" replace preventScrollReset noValidate className="grid gap-4">
        <input type="hidden" name="intent" value="suspend" />
        <Field
          label="Reason"
          hint="The person reads it, and can appeal. It stays in the audit log."
          error={problem}
          required
        >
          <Textarea name="reason" rows={3} maxLength={limits.reason} />
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

type LiftFormProps = { what: string; suspensionId: string; problem?: string }

export function LiftForm({ what, suspensionId, problem }: LiftFormProps) {
  const busy = useBusy('lift')
  return (
    <Card as="section" aria-label="Lift the suspension">
      <CardHeader title="Lift the suspension" />
      <Form method="post" replace preventScrollReset noValidate className="grid gap-4">
        <input type="hidden" name="intent" value="lift" />
        <input type="hidden" name="suspensionId" value={suspensionId} />
        {problem && <Banner tone="danger">{problem}</Banner>}
        <Field label="Note" hint="The person reads it." optional>
          <Textarea name="note" rows={2} maxLength={limits.answer} />
        </Field>
        <Button type="submit" className="justify-self-start" busy={busy} busyText="Lifting...">
          Lift the suspension<span className="sr-only"> of this {what}</span>
        </Button>
      </Form>
    </Card>
  )
}
