import { Zap } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { TextLink } from '../../accounts/ui/sign-in/text-link.tsx'
import { UpgradeLink } from '../../billing/ui/upgrade-link.tsx'
import { supportPath } from '../rules.ts'

/** What Pro brings here: to who has it, and what it would be to everybody else. */
export function PriorityNote({ plan }: { plan: 'free' | 'pro' | null }) {
  if (plan === 'pro') {
    return (
      <Card as="section" aria-labelledby="priority" className="grid gap-3">
        <Badge tone="spark">
          <Zap aria-hidden /> PRO
        </Badge>
        <h2 id="priority" className="text-lg">
          Priority: answered before others
        </h2>
        <p className="text-muted">
          You are on Pro, so what you send stands before all requests without it.
        </p>
      </Card>
    )
  }
  return (
    <Card as="section" aria-labelledby="priority" className="grid gap-3">
      <h2 id="priority" className="text-lg">
        Priority support
      </h2>
      <p className="text-muted">
        Everybody can ask. Requests of people on Pro stand first in the queue and are answered
        before others.
      </p>
      <p className="text-sm">
        {plan === 'free' ? (
          <UpgradeLink />
        ) : (
          <>
            On Pro already?{' '}
            <TextLink to={`/login?to=${encodeURIComponent(supportPath)}`}>Log in first</TextLink>,
            so that we know.
          </>
        )}
      </p>
    </Card>
  )
}
