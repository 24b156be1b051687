import { Field, Input } from '../../../../ui/field.tsx'

type EmailFieldProps = {
  label?: string
  /** What was typed before. */
  typed?: string
  busy: boolean
}

/** The one field of the forms that need nothing but an address. */
export function EmailField({ label = 'Email', typed, busy }: EmailFieldProps) {
  return (
    <fieldset disabled={busy}>
      <Field label={label} required>
        <Input
          type="email"
          name="email"
          autoComplete="email"
          maxLength={254}
          defaultValue={typed}
        />
      </Field>
    </fieldset>
  )
}
