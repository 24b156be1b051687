import type { ReactNode } from 'react'
import { cn } from './cn.ts'

/** A grey stand-in of the size that its content will have. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div aria-hidden="true" className={cn('h-4 animate-skeleton rounded-md bg-line', className)} />
  )
}

type LoadingProps = { label?: string; className?: string; children: ReactNode }

/** Wraps skeletons: says once, for those who do not see them, that something is loading. */
export function Loading({ label = 'Loading…', className, children }: LoadingProps) {
  return (
    <div className={className}>
      <output className="sr-only">{label}</output>
      {children}
    </div>
  )
}
