import { cn } from './cn.ts'

/**
 * '12 / 80' for a text with a maximum. Counted as the schemas count (UTF-16 units). Quiet for
 * screen readers until a tenth is left.
 */
export function CharacterCount({ value, max }: { value: string; max: number }) {
  const left = max - value.length
  const isNear = left <= max / 10

  return (
    <span className={cn('tabular-nums', left < 0 ? 'font-semibold text-danger' : 'text-muted')}>
      <span aria-hidden="true">
        {value.length.toLocaleString('en')} / {max.toLocaleString('en')}
      </span>
      <span className="sr-only" aria-live="polite">
        {isNear && (left < 0 ? `${-left} characters too many` : `${left} characters left`)}
      </span>
    </span>
  )
}
