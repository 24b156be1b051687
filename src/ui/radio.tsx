import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

/** A native radio button: a thin ring, a thick one when it is chosen. The label around it shows the focus. */
export function Radio({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <input
      {...rest}
      type="radio"
      className={cn(
        'size-4.5 shrink-0 appearance-none rounded-full border border-edge bg-surface outline-none',
        'transition-colors checked:border-5 checked:border-primary hover:border-ink',
        'checked:hover:border-primary-hover disabled:opacity-50',
        className,
      )}
    />
  )
}
