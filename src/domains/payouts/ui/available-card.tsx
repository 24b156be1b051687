import { useState } from 'react'
import { Card } from '../../../ui/card.tsx'
import { DialogButton } from '../../../ui/dialog-button.tsx'
import { useSwitchedOff } from '../../../web/use-switched-off.ts'
import { money } from '../../billing/ui/plan-words.ts'
import type { Earnings } from '../../earnings/schema.ts'
import type { PayoutSetup } from '../schema.ts'
import { PayOutDialog } from './pay-out-dialog.tsx'

type AvailableCardProps = { setup: PayoutSetup; earnings: Earnings }
type ObstacleFacts = AvailableCardProps & {
  /** What people read while paying out is switched off. */
  off?: string
}

/** Nothing stands in the way of a payout but that there is not enough yet. */
export const isTooLittle = ({ available, leastPayout, onItsWay }: Earnings): boolean =>
  available >= 0 && available < leastPayout && onItsWay === 0

/** Why nothing can be paid out now; null when it can. */
export function payOutObstacle({ setup, earnings, off }: ObstacleFacts): string | null {
  const { available, leastPayout, currency, onItsWay } = earnings
  if (available < 0) return 'This will be recovered from your next sales.'
  if (isTooLittle(earnings)) return `Payouts start at ${money(leastPayout, currency)}.`
  if (off) return off
  if (onItsWay > 0) {
    return `${money(onItsWay, currency)} is on its way. The next payout can follow when it has arrived.`
  }
  if (setup.standing === 'not_connected') return 'Set up a payout method to be paid.'
  if (setup.standing !== 'ready') return 'Your payout method needs your attention first.'
  return null
}

/** What can be paid out now, and the button for it. */
export function AvailableCard({ setup, earnings }: AvailableCardProps) {
  const [isOpen, setIsOpen] = useState(false)
  const { payouts: off } = useSwitchedOff()
  const obstacle = payOutObstacle({ setup, earnings, off })
  return (
    <Card className="grid content-start gap-2">
      <h2 className="text-sm font-semibold text-muted">Available</h2>
      <p className="text-2xl font-semibold tabular-nums">
        {money(earnings.available, earnings.currency)}
      </p>
      {obstacle === null ? (
        <DialogButton page="/payments/pay-out" onOpen={() => setIsOpen(true)} size="sm">
          Pay Out
        </DialogButton>
      ) : (
        <p className="text-sm text-pretty text-muted">{obstacle}</p>
      )}
      {isOpen && setup.method && (
        <PayOutDialog method={setup.method} earnings={earnings} onClose={() => setIsOpen(false)} />
      )}
    </Card>
  )
}
