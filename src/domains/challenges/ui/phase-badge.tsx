import { Badge } from '../../../ui/badge.tsx'
import { type ChallengeKind, kindWords, type Phase, phaseLabel } from '../rules.ts'

const tones = {
  draft: 'neutral',
  coming: 'primary',
  open: 'success',
  closing: 'warning',
  closed: 'warning',
  drawn: 'spark',
  canceled: 'neutral',
} as const

type PhaseBadgesProps = { phase: Phase; kind: ChallengeKind; entriesCount: number }

export function PhaseBadges({ phase, kind, entriesCount }: PhaseBadgesProps) {
  return (
    <>
      <Badge tone={tones[phase]}>{phaseLabel(phase, entriesCount)}</Badge>
      <Badge>{kindWords[kind]}</Badge>
    </>
  )
}
