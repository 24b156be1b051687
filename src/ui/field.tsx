import { ChevronDown } from 'lucide-react'
import { createContext, use, useId, type ComponentProps, type ReactNode } from 'react'
import { cn } from './cn.ts'
import { useTypedEarly } from './use-typed-early.ts'

type Wiring = {
  id: string
  label: ReactNode
  describedBy: string
  invalid: boolean
  required: boolean
}

const FieldContext = createContext<Wiring | null>(null)

/** What a control inside a `Field` needs to be named and described by it. */
function useFieldWiring() {
  const field = use(FieldContext)
  if (!field) return {}
  return {
    id: field.id,
    'aria-describedby': field.describedBy || undefined,
    'aria-invalid': field.invalid || undefined,
    required: field.required || undefined,
  }
}

/** For a control that has buttons of its own, to name them after it. */
export function useFieldLabel(): string | null {
  const label = use(FieldContext)?.label
  return typeof label === 'string' ? label : null
}

type FieldProps = {
  label: ReactNode
  /** Always visible, under the control. */
  hint?: ReactNode
  /** Replaces nothing: shown under the hint, announced, and turns the control red. */
  error?: ReactNode
  required?: boolean
  /** Adds '(optional)' after the label. */
  optional?: boolean
  /** Right of the label: a link or a CharacterCount. */
  aside?: ReactNode
  /** For controls whose purpose is obvious to the eye (a lone search box). */
  hideLabel?: boolean
  className?: string
  children: ReactNode
}

/** Label, control, hint and error in one. Exactly one control from this folder goes inside. */
export function Field({
  label,
  hint,
  error,
  required = false,
  optional,
  aside,
  hideLabel,
  className,
  children,
}: FieldProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')

  return (
    <div className={cn('grid content-start gap-1.5', className)}>
      <div className={cn('flex items-baseline justify-between gap-4', hideLabel && 'sr-only')}>
        <label htmlFor={id} className="text-sm font-semibold">
          {label}
          {optional && <span className="font-normal text-muted"> (optional)</span>}
        </label>
        {aside && <div className="text-sm text-muted">{aside}</div>}
      </div>
      <FieldContext value={{ id, label, describedBy, invalid: Boolean(error), required }}>
        {children}
      </FieldContext>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

/** The red line under a control or a group of them. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="text-sm font-medium text-danger">
      {children}
    </p>
  )
}

const control =
  'w-full rounded-control border border-edge bg-surface px-3.5 text-base text-ink shadow-card ' +
  'transition-colors hover:border-ink focus-visible:border-primary focus-visible:outline-offset-0 ' +
  'aria-invalid:border-danger disabled:border-line disabled:bg-wash disabled:text-muted ' +
  '[&[readonly]]:not-disabled:bg-wash'

export function Input({ className, type = 'text', ...rest }: ComponentProps<'input'>) {
  const wiring = useFieldWiring()
  // Of the others the form itself holds what is typed.
  useTypedEarly(rest.onChange ? (rest.id ?? wiring.id) : undefined)
  return (
    <input
      {...wiring}
      {...rest}
      type={type}
      className={cn(control, 'min-h-11 py-2 file:mr-3 file:font-semibold', className)}
    />
  )
}

/** Grows with its text where the browser can; `rows` is the smallest height. */
export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  const wiring = useFieldWiring()
  useTypedEarly(rest.id ?? wiring.id)
  return (
    <textarea
      {...wiring}
      {...rest}
      rows={rows}
      className={cn(control, 'block max-h-[32rem] min-h-24 field-sizing-content py-2.5', className)}
    />
  )
}

/** The browser's own select: works everywhere, by keyboard, on phones, without JavaScript. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <div className={cn('relative grid', className)}>
      <select
        {...useFieldWiring()}
        {...rest}
        className={cn(control, 'min-h-11 appearance-none truncate py-2 pr-10')}
      >
        {children}
      </select>
      <ChevronDown
        size={18}
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-muted"
      />
    </div>
  )
}
