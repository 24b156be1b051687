import { Badge } from '../../../ui/badge.tsx'
import { UpgradeLink } from '../../billing/ui/upgrade-link.tsx'

/** Why something cannot be chosen, and the way to it. */
export function ProHint({ children }: { children: string }) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
      <Badge tone="spark">PRO</Badge>
      {children} <UpgradeLink />
    </p>
  )
}
