import { useId, type ComponentProps, type ReactNode } from 'react'
import { cn } from './cn.ts'
import { FieldError } from './field.tsx'

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
}

/** A native checkbox with its label, hint and error. The label may hold links. */
export function Checkbox({ label, hint, error, className, ...rest }: CheckboxProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')

  return (
    <div className={className}>
      <div className="flex gap-3">
        <span className="grid h-6 place-items-center">
          <input
            id={id}
            aria-describedby={describedBy || undefined}
            aria-invalid={error ? true : undefined}
            {...rest}
            type="checkbox"
            className={cn(
              'peer col-start-1 row-start-1 size-5 appearance-none rounded-md border border-edge',
              'bg-surface transition-colors checked:border-primary checked:bg-primary',
              'hover:border-ink checked:hover:bg-primary-hover aria-invalid:border-danger',
              'disabled:opacity-50',
            )}
          />
          <svg
            viewBox="0 0 20 20"
            fill="none"
            strokeWidth="2.5"
            aria-hidden="true"
            className={
              'pointer-events-none col-start-1 row-start-1 size-5 stroke-on-primary opacity-0 ' +
              'peer-checked:opacity-100 forced-colors:stroke-[CanvasText]'
            }
          >
            <path d="m5 10.5 3.5 3.5L15 6.5" strokeLinecap="round" strokeLinejoin="round" />
          </svg>
        </span>
        <div className="grid gap-0.5">
          <label htmlFor={id}>{label}</label>
          {hint && (
            <p id={`${id}-hint`} className="text-sm text-muted">
              {hint}
            </p>
          )}
          {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
        </div>
      </div>
    </div>
  )
}
