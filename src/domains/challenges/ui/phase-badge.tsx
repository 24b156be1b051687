import { Badge } from '../../../ui/badge.tsx'
import { type ChallengeKind, kindWords, type Phase, phaseWords } from '../rules.ts'

const tones = {
  draft: 'neutral',
  coming: 'primary',
  open: 'success',
  closing: 'warning',
  closed: 'warning',
  drawn: 'spark',
  canceled: 'neutral',
} as const

export function PhaseBadges({ phase, kind }: { phase: Phase; kind: ChallengeKind }) {
  return (
    <>
      <Badge tone={tones[phase]}>{phaseWords[phase]}</Badge>
      <Badge>{kindWords[kind]}</Badge>
    </>
  )
}
