import { useId, type ReactNode } from 'react'
import { cn } from './cn.ts'

type ProgressProps = {
  label: ReactNode
  /** 0 to 100. Left out: something is going on, nobody knows how much is left. */
  percent?: number
  /** Right of the label, and what screen readers say; the rounded percent when left out. */
  valueText?: string
  /** Label and value only for screen readers. */
  hideLabel?: boolean
  size?: 'sm' | 'md'
  /** 'share': a part of a whole, such as the votes for one answer, where nothing is on its way. */
  look?: 'progress' | 'share'
  className?: string
}

/** How far something has come: spark in a dark groove, cut at the slant of the mark. */
export function Progress({
  label,
  percent,
  valueText,
  hideLabel,
  size = 'md',
  look = 'progress',
  className,
}: ProgressProps) {
  const id = useId()
  const text = valueText ?? (percent === undefined ? undefined : percentText(percent))

  return (
    <div className={cn('grid gap-2', className)}>
      <div className={cn('flex justify-between gap-4 text-sm', hideLabel && 'sr-only')}>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {text && (
          <span aria-hidden="true" className="shrink-0 text-muted tabular-nums">
            {text}
          </span>
        )}
      </div>
      <progress
        id={id}
        max={100}
        value={percent}
        aria-valuetext={text}
        className={cn(
          'progress',
          size === 'sm' ? 'h-1.5' : 'h-2.5',
          look === 'share' && 'progress-share',
        )}
      />
    </div>
  )
}

/** Rounded down: 100% is said only when everything is done. */
export function percentText(percent: number) {
  return `${Math.floor(Math.min(100, Math.max(0, percent)))}%`
}
