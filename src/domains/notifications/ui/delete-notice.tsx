import { X } from 'lucide-react'
import type { ComponentProps } from 'react'
import { buttonClass } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'

/** The cross beside a notice. */
export function DeleteNotice({ title, ...rest }: ComponentProps<'button'> & { title: string }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={`Delete “${title}”`}
      className={cn(
        buttonClass({ variant: 'ghost', size: 'icon-sm' }),
        'text-muted hover:text-ink',
      )}
    >
      <X size={16} aria-hidden />
    </button>
  )
}
