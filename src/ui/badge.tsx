import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

const tones = {
  neutral: 'bg-wash text-muted',
  primary: 'bg-primary-soft text-primary',
  success: 'bg-success-soft text-success',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
  /** Moments of success, and PRO. */
  spark: 'bg-spark text-on-spark',
}

/** A word or a number about the thing beside it. */
export function Badge({
  tone = 'neutral',
  className,
  ...rest
}: ComponentProps<'span'> & { tone?: keyof typeof tones }) {
  return (
    <span
      {...rest}
      className={cn(
        'inline-flex min-h-6 w-fit shrink-0 items-center gap-1 rounded-full px-2.5 text-xs',
        // Also inside a heading.
        'font-text font-semibold tracking-normal whitespace-nowrap tabular-nums [&>svg]:size-3.5',
        tones[tone],
        className,
      )}
    />
  )
}
