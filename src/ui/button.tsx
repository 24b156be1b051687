import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import { cn } from './cn.ts'
import { Spinner } from './spinner.tsx'

const base =
  'inline-grid shrink-0 place-items-center justify-center rounded-control border border-transparent ' +
  'font-semibold text-center leading-tight wrap-break-word no-underline select-none ' +
  'transition-colors duration-150 ' +
  'active:translate-y-px disabled:opacity-50 disabled:active:translate-y-0 aria-disabled:active:translate-y-0'

const variants = {
  primary: 'bg-primary text-on-primary hover:bg-primary-hover',
  secondary: 'border-edge/50 bg-surface text-ink shadow-card hover:border-edge hover:bg-wash',
  ghost: 'text-ink hover:bg-wash',
  danger: 'bg-danger text-on-danger hover:bg-danger-hover',
  /** Moments of success only. */
  spark: 'bg-spark text-on-spark hover:brightness-95',
}

const sizes = {
  sm: 'min-h-9 px-3.5 py-1.5 text-sm pointer-coarse:min-h-10',
  md: 'min-h-11 px-5 py-2 text-base',
  lg: 'min-h-13 px-7 py-3 text-lg',
  icon: 'size-11',
  'icon-sm': 'size-9 pointer-coarse:size-10',
}

type Look = {
  variant?: keyof typeof variants
  size?: keyof typeof sizes
}

/** The classes of a button, for the rare element that is neither `Button` nor `ButtonLink`. */
export function buttonClass({ variant = 'primary', size = 'md' }: Look = {}) {
  return cn(base, variants[variant], sizes[size])
}

type ButtonProps = ComponentProps<'button'> &
  Look & {
    /** Shows a spinner, keeps the width and the focus, and swallows further presses. */
    busy?: boolean
    /** Said while busy, in place of the label: 'Saving...'. */
    busyText?: string
  }

/** A button of type `button` unless told otherwise. Icon sizes need an `aria-label`. */
export function Button({
  variant,
  size,
  busy = false,
  busyText,
  type = 'button',
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  function press(event: MouseEvent<HTMLButtonElement>) {
    // Not `disabled`: that would drop the keyboard focus to the top of the page.
    if (busy) event.preventDefault()
    else onClick?.(event)
  }

  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={press}
      className={cn(buttonClass({ variant, size }), busy && 'cursor-progress', className)}
    >
      <Label className={cn(busy && (busyText ? 'invisible' : 'opacity-0'))}>{children}</Label>
      {(busy || busyText) && (
        <Label className={cn(!busy && 'invisible')}>
          <Spinner />
          {busyText}
        </Label>
      )}
    </button>
  )
}

/** A link that looks like a button. Plain HTML when the page is not hydrated. */
export function ButtonLink({
  variant,
  size,
  className,
  children,
  ...rest
}: ComponentProps<typeof Link> & Look) {
  return (
    <Link {...rest} className={cn(buttonClass({ variant, size }), className)}>
      <Label>{children}</Label>
    </Link>
  )
}

/** Both labels lie in the same cell of the grid: the wider one gives the width, or sticks out on both sides. */
function Label({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <span
      className={cn(
        'col-start-1 row-start-1 inline-flex items-center justify-center gap-2 [&>svg]:shrink-0',
        className,
      )}
    >
      {children}
    </span>
  )
}
