import { Gift, Trophy } from 'lucide-react'
import { Card, CardLink } from '../../../ui/card.tsx'
import { withoutLightning } from '../../courses/rules.ts'
import { countLabel } from '../../courses/ui/count-label.ts'
import { challengePath } from '../rules.ts'
import type { ChallengeSummary } from '../schema.ts'
import { PhaseBadges } from './phase-badge.tsx'
import { UtcTime } from './utc-time.tsx'

export function ChallengeCard({ challenge }: { challenge: ChallengeSummary }) {
  const { slug, kind, title, prize, phase, opensAt, closesAt, entriesCount, winner } = challenge
  const Icon = kind === 'giveaway' ? Gift : Trophy
  return (
    <Card as="li" interactive className="flex gap-4 sm:gap-5">
      <span className="grid size-12 shrink-0 place-items-center rounded-2xl bg-primary-soft text-primary">
        <Icon size={24} strokeWidth={1.75} aria-hidden />
      </span>
      <div className="grid min-w-0 flex-1 gap-2">
        <div className="flex flex-wrap items-center gap-2">
          <PhaseBadges phase={phase} kind={kind} entriesCount={entriesCount} />
        </div>
        <h3 className="text-xl wrap-anywhere">
          <CardLink to={challengePath(slug)}>{title}</CardLink>
        </h3>
        <p className="wrap-anywhere">
          <span className="font-semibold">Prize:</span> {prize}
        </p>
        <p className="text-sm text-muted">
          {phase === 'coming' ? (
            <>
              Opens <UtcTime at={opensAt} />
            </>
          ) : phase === 'open' ? (
            <>
              Closes <UtcTime at={closesAt} />
            </>
          ) : (
            <>
              {phase === 'canceled' ? 'Was to close' : 'Closed'} <UtcTime at={closesAt} />
            </>
          )}
          {phase !== 'coming' && ` · ${countLabel(entriesCount, 'entry', 'entries')}`}
        </p>
        {winner && (
          <p className="text-sm wrap-anywhere">
            <span className="font-semibold">Winner:</span>{' '}
            {withoutLightning(winner.courseTitle ?? 'A former course')} by{' '}
            {winner.name ?? 'a former creator'}
          </p>
        )}
      </div>
    </Card>
  )
}
