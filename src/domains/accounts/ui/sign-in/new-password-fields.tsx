import { useEffect, useState } from 'react'
import { cn } from '../../../../ui/cn.ts'
import { Field } from '../../../../ui/field.tsx'
import { PasswordInput } from '../../../../ui/password-input.tsx'
import type { PasswordAdvice } from '../../password-advice.ts'

type NewPasswordFieldsProps = {
  label: string
  confirmLabel: string
  problem?: string
  confirmProblem?: string
}

/** A new password, typed twice, with advice about it where scripts run. */
export function NewPasswordFields({
  label,
  confirmLabel,
  problem,
  confirmProblem,
}: NewPasswordFieldsProps) {
  const [password, setPassword] = useState('')
  return (
    <>
      <div className="grid gap-2">
        <Field label={label} hint="At least 6 characters." error={problem} required>
          <PasswordInput
            name="password"
            autoComplete="new-password"
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
        <Advice password={password} />
      </div>
      <Field label={confirmLabel} error={confirmProblem} required>
        <PasswordInput name="confirmPassword" autoComplete="new-password" />
      </Field>
    </>
  )
}

/** The advice of password-advice.ts, whose list of passwords is fetched when somebody types one. */
function useAdvice(password: string): PasswordAdvice | null {
  const [advise, setAdvise] = useState<{ about: (password: string) => PasswordAdvice }>()
  const isTyped = password !== ''
  useEffect(() => {
    if (!isTyped || advise) return
    import('../../password-advice.ts').then(
      ({ passwordAdvice }) => setAdvise({ about: passwordAdvice }),
      // Advice that cannot be fetched is no reason to stop anybody.
      () => {},
    )
  }, [isTyped, advise])
  return isTyped && advise ? advise.about(password) : null
}

const looks = {
  weak: { bars: 1, color: 'bg-danger', label: 'Weak' },
  fair: { bars: 2, color: 'bg-warning', label: 'Fair' },
  strong: { bars: 3, color: 'bg-success', label: 'Strong' },
}

export function Advice({ password }: { password: string }) {
  const advice = useAdvice(password)
  const look = advice && looks[advice.strength]
  return (
    <output className="text-sm">
      {look && (
        <span className="flex items-center gap-2 text-muted">
          <span aria-hidden className="flex gap-1">
            {[1, 2, 3].map((bar) => (
              <span
                key={bar}
                className={cn('h-1.5 w-8 rounded-full', bar <= look.bars ? look.color : 'bg-line')}
              />
            ))}
          </span>
          <span className="sr-only">Password strength:</span> {look.label}
        </span>
      )}
      {advice?.common && (
        <span className="mt-1 block font-medium text-warning">
          This is one of the most common passwords, which are guessed first. Please consider another
          one.
        </span>
      )}
    </output>
  )
}
