import { Banknote, type LucideIcon, Percent, ShoppingBag } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { feePercents } from '../../billing/rules.ts'
import { UpgradeLink } from '../../billing/ui/upgrade-link.tsx'
import { brand } from '../../site/brand.ts'
import { paypalFeePercent } from '../rules.ts'

type HowPaymentsWorkProps = { feePercent: number; offersPaypal: boolean }

/** From a sale to the bank, with the fees of this person's plan. */
export function HowPaymentsWork({ feePercent, offersPaypal }: HowPaymentsWorkProps) {
  return (
    <Card>
      <CardHeader title="How Payment Processing Works" />
      <ol className="grid grid-cols-1 gap-6 md:grid-cols-3">
        <Step icon={ShoppingBag} number={1} title="You make a sale">
          A learner pays for a course of yours. The sale appears here at once, with everything that
          is taken from it.
        </Step>
        <Step icon={Percent} number={2} title="Fees are taken">
          Card processing is typically 2.9% + $0.30. {brand.name} keeps{' '}
          <strong className="text-ink">{feePercent}%</strong>
          {feePercent === feePercents.pro ? (
            ' on your plan.'
          ) : (
            <>
              {' '}
              on your plan, and {feePercents.pro}% with Pro. <UpgradeLink />
            </>
          )}
        </Step>
        <Step icon={Banknote} number={3} title="You are paid">
          The payment provider releases the money, usually 2 days after the sale. Then it goes to
          your bank account or debit card
          {offersPaypal && `, or to PayPal, whose processing fee is ${paypalFeePercent}%`}.
        </Step>
      </ol>
    </Card>
  )
}

type StepProps = { icon: LucideIcon; number: number; title: string; children: ReactNode }

function Step({ icon: Icon, number, title, children }: StepProps) {
  return (
    <li className="grid content-start gap-2">
      <span className="grid size-10 place-items-center rounded-control bg-primary-soft text-primary">
        <Icon size={20} aria-hidden />
      </span>
      <h3 className="text-base">
        {number}. {title}
      </h3>
      <p className="text-sm text-pretty text-muted">{children}</p>
    </li>
  )
}
