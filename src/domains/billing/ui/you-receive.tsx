import { useRouteLoaderData } from 'react-router'
import type { loader } from '../../../root.tsx'
import { feePercents, shareOf, typicalCardFee } from '../rules.ts'
import { money } from './plan-words.ts'

type YouReceiveProps = {
  /** Minor units of US dollars. */
  price: number
  isMonthly: boolean
}

/** What is left of a price for its creator (spec 1 and 2, sections 9), on the plan that the person is on. */
export function YouReceive({ price, isMonthly }: YouReceiveProps) {
  // 5 % as long as the plan is not known.
  const plan = useRouteLoaderData<typeof loader>('root')?.me?.plan ?? 'free'
  const percent = feePercents[plan]
  const { platformFee, cardFee, received } = shareOf(price, percent)
  const usd = (amount: number) => money(amount, 'usd')
  const ours = percent === 0 ? 'no fee of ours' : `our fee of ${percent}% (${usd(platformFee)})`
  const { fixed } = typicalCardFee
  return (
    <p className="text-sm text-pretty text-muted">
      <strong className="font-semibold text-ink tabular-nums">You receive {usd(received)}</strong>{' '}
      of each {isMonthly ? 'monthly payment' : 'sale'}: {usd(price)} less {ours} and card
      processing, typically {typicalCardFee.percent}% + {usd(fixed)} ({usd(cardFee)}).
      {percent > 0 && ' With Pro our fee is 0%.'}
    </p>
  )
}
