import { BadgeCheck } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'

/** Beside the title of a page: the word as well. */
export function VerifiedBadge() {
  return (
    <Badge tone="primary">
      <BadgeCheck aria-hidden /> Verified
    </Badge>
  )
}

/** Beside the title of a card: the tick alone, said as a word. */
export function VerifiedTick() {
  return (
    <span className="inline-block align-[-0.2em] text-primary">
      <BadgeCheck className="size-[1.1em]" aria-hidden />
      <span className="sr-only">Verified</span>
    </span>
  )
}
