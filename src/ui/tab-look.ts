import { cn } from './cn.ts'

export const tabRow = 'scroll-row flex gap-1 max-sm:gap-0 shadow-[inset_0_-1px_0_var(--color-line)]'

/** The classes of one tab, link or button. */
export function tab(isCurrent: boolean) {
  return cn(
    'flex min-h-12 shrink-0 items-center gap-2 border-b-2 border-transparent px-3.5 pt-0.5 max-sm:px-2',
    'font-semibold text-muted no-underline transition-colors hover:text-ink',
    'focus-visible:-outline-offset-4 focus-visible:rounded-control',
    // In sight from the start in a row that is wider than the screen, without scripts as well.
    isCurrent && 'border-primary text-ink [scroll-initial-target:nearest]',
  )
}

export const tabCount =
  'min-w-5 rounded-full bg-primary-soft px-1.5 text-center text-xs leading-5 font-semibold ' +
  'text-primary tabular-nums'
