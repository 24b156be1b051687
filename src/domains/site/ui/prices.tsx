import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useRouteLoaderData } from 'react-router'
import type { loader as rootLoader } from '../../../root.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { catalogue, feePercents, typicalCardFee } from '../../billing/rules.ts'
import { annualSaving, money, shortMoney } from '../../billing/ui/plan-words.ts'
import { UpgradeButton } from '../../billing/ui/upgrade-link.tsx'
import { limits } from '../../courses/rules.ts'
import { countLabel } from '../../courses/ui/count-label.ts'

/** Both plans, with the prices of the catalogue. */
export function Prices() {
  const me = useRouteLoaderData<typeof rootLoader>('root')?.me
  const { monthly, annual } = catalogue
  const perMonth = shortMoney(monthly.amount, monthly.currency)
  const perYear = shortMoney(annual.amount, annual.currency)
  return (
    <section aria-labelledby="prices" className="page-width py-16 lg:py-24">
      <h2 id="prices" className="text-4xl">
        What it costs
      </h2>
      <p className="mt-3 max-w-[40rem] text-lg text-pretty text-muted">
        Learning costs nothing but what a course asks for. Teaching is free until it is worth more.
      </p>
      <div className="mt-10 grid gap-6 md:grid-cols-2">
        <Plan
          name="Free"
          price={shortMoney(0, monthly.currency)}
          per="Free Forever"
          action={
            me ? null : (
              <ButtonLink to="/signup" variant="secondary">
                Get Started Free
              </ButtonLink>
            )
          }
        >
          <Point>
            {countLabel(limits.freePlanCourses, 'course')}, with up to {limits.freePlanStudents}{' '}
            students
          </Point>
          <Point>We take {feePercents.free}% of each sale, and nothing of what is free</Point>
          <Point>Video, discussion, applications, coupons and payouts</Point>
          <Point>Import and export of whole courses</Point>
        </Plan>
        <Plan
          name="Pro"
          badge={<Badge tone="success">{annualSaving().percent}% less paid yearly</Badge>}
          price={perMonth}
          per={`a month, or ${perYear} a year`}
          action={
            <>
              {me?.plan === 'free' && <UpgradeButton />}
              <ButtonLink to="/pro" variant={me ? 'secondary' : 'primary'}>
                What Pro is, in full
              </ButtonLink>
            </>
          }
        >
          <Point>Unlimited courses and students</Point>
          <Point>We take {feePercents.pro}% of your sales</Point>
          <Point>Advanced analytics, and your students as a file</Point>
          <Point>Channels, polls, posts for later and announcements</Point>
        </Plan>
      </div>
      <p className="mt-5 max-w-[48rem] text-sm text-muted">
        Prices in US dollars. Whoever processes a card payment takes its own fee, typically{' '}
        {typicalCardFee.percent}% + {money(typicalCardFee.fixed, monthly.currency)}, on both plans.
        The{' '}
        <Link to="/terms#fees" className="text-primary underline underline-offset-4">
          terms
        </Link>{' '}
        say it in full.
      </p>
    </section>
  )
}

type PlanProps = {
  name: string
  badge?: ReactNode
  price: string
  per: string
  action: ReactNode
  children: ReactNode
}

function Plan({ name, badge, price, per, action, children }: PlanProps) {
  return (
    <Card padding="lg" className="flex flex-col">
      <h3 className="flex flex-wrap items-center gap-3 text-2xl">
        {name}
        {badge}
      </h3>
      <p className="mt-3">
        <strong className="font-display text-5xl font-extrabold tabular-nums">{price}</strong>{' '}
        <span className="text-muted">{per}</span>
      </p>
      <ul className="mt-6 mb-8 grid gap-2.5">{children}</ul>
      {action && <div className="mt-auto flex flex-wrap gap-3">{action}</div>}
    </Card>
  )
}

function Point({ children }: { children: ReactNode }) {
  return (
    <li className="flex gap-2.5">
      <Check size={18} aria-hidden className="mt-0.5 shrink-0 text-success" />
      <span>{children}</span>
    </li>
  )
}
