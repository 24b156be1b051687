import { Badge } from '../../../ui/badge.tsx'

/** Why something cannot be chosen. */
export function ProHint({ children }: { children: string }) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
      <Badge tone="spark">PRO</Badge>
      {children}
    </p>
  )
}
