import type { ReactNode } from 'react'
import { Badge } from '../../../ui/badge.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Card } from '../../../ui/card.tsx'
import { countLabel } from '../../courses/ui/count-label.ts'
import { CaseTime } from '../../moderation/ui/case-time.tsx'
import { brand } from '../../site/brand.ts'
import type { PaymentEventPage } from '../schema.ts'

type Provider = PaymentEventPage['provider']

const modes = {
  sandbox: 'Test mode: our sandbox',
  test: 'Test mode: the provider’s test keys',
  live: 'Live',
} as const

/** Whether payments work, and whether the ledger balances. */
export function ProviderCard({ provider, now }: { provider: Provider; now: Date }) {
  const { mode, isReachable, checkedAt, comparedUntil, repaired, ledgerDifferences } = provider
  return (
    <section aria-labelledby="provider" className="grid grid-cols-1 gap-4">
      <h2 id="provider" className="sr-only">
        Payment provider
      </h2>
      {!provider.hasWebhookSecret && (
        <Banner tone="warning" title="Webhooks are not received">
          No STRIPE_WEBHOOK_SECRET is set. Payments still arrive, but only when {brand.name}{' '}
          compares with the provider, every minute.
        </Banner>
      )}
      {!isReachable && (
        <Banner tone="danger" title="The payment provider does not answer">
          Nobody can pay now. What happens meanwhile is made up for when it answers again.
        </Banner>
      )}
      {ledgerDifferences !== null && ledgerDifferences > 0 && (
        <Banner tone="danger" title="The ledger is wrong">
          The last nightly check found {countLabel(ledgerDifferences, 'difference')}. The log names
          them.
        </Banner>
      )}
      <Card padding="sm" className="sm:px-5">
        <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-5">
          <Fact name="Mode">
            <Badge tone={mode === 'live' ? 'primary' : 'warning'}>{modes[mode]}</Badge>
          </Fact>
          <Fact name="Provider">
            {isReachable ? 'Reachable' : 'Does not answer'} ·{' '}
            <span className="text-muted">
              <CaseTime at={checkedAt} now={now} />
            </span>
          </Fact>
          <Fact name="Last comparison">
            {comparedUntil ? <CaseTime at={comparedUntil} now={now} /> : 'Not yet'}
          </Fact>
          <Fact name="Repaired">{countLabel(repaired, 'missed event')}</Fact>
          <Fact name="Ledger">{ledgerWords(ledgerDifferences)}</Fact>
        </dl>
      </Card>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-1">
      <dt className="text-sm font-semibold text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function ledgerWords(differences: number | null): string {
  if (differences === null) return 'Not checked yet'
  return differences === 0 ? 'Balanced' : countLabel(differences, 'difference')
}
