// What can happen to one person's payments for one course, and what must be so afterwards. Knows nothing of
// how Thunder does it: amounts and endings are worked out here once more.
import { chance } from './chance.ts'

type Step =
  | { does: 'buy'; card: Card; coupon: CouponKind | null; twoTabs: boolean }
  /** A card that is refused; the payment page stays open. */
  | { does: 'be declined' }
  | { does: 'break the card' | 'mend the card' }
  /** Time passes: to the end of the period, or to the provider's next attempt to be paid. */
  | { does: 'let time pass' }
  | { does: 'cancel' | 'resume' | 'leave' | 'return' | 'be removed' }
  | { does: 'refund'; charge: number; amount: number }
  | { does: 'dispute'; charge: number }
  | { does: 'close the dispute'; charge: number; isWon: boolean }

type Card = 'good' | '3-D Secure' | 'failing later'
export type CouponKind = 'a fifth off' | '3 dollars off' | 'everything off'
type PricingType = 'one_time' | 'monthly'

/** How webhooks of a step come: each to either process or both, once or often, in any order. */
type Delivery = 'now' | 'late' | 'never'

export interface PlayedStep {
  step: Step
  delivery: Delivery
  /** Everything before it has to be known to Thunder: the person does it there. */
  needsAll: boolean
  /** Thunder does something at the provider because of it. */
  isAnswered: boolean
}

interface Charge {
  gross: number
  refunded: number
  dispute: { amount: number; status: 'open' | 'won' | 'lost' } | null
}

export interface ExpectedPurchase {
  amount: number
  status: 'active' | 'past_due' | 'ended'
  endedReason: string | null
  cancelAtPeriodEnd: boolean
  hasSubscription: boolean
  charges: Charge[]
}

export interface History {
  seed: number
  pricingType: PricingType
  price: number
  feePercent: number
  steps: PlayedStep[]
  expected: { isEnrolled: boolean; purchases: ExpectedPurchase[]; owed: number }
}

export interface CourseOnSale {
  pricingType: PricingType
  price: number
  feePercent: number
}

export const onSale: readonly Omit<CourseOnSale, 'feePercent'>[] = [
  { pricingType: 'one_time', price: 4950 },
  { pricingType: 'one_time', price: 12_345 },
  { pricingType: 'monthly', price: 1999 },
  { pricingType: 'monthly', price: 999 },
]

const reduced = (price: number, coupon: CouponKind | null) => {
  if (coupon === 'everything off') return 0
  if (coupon === '3 dollars off') return price - 300
  return coupon === 'a fifth off' ? price - Math.round(price / 5) : price
}

const disputeFee = 1500

/** What the creator has of a charge in the end. */
function earned({ gross, refunded, dispute }: Charge, feePercent: number): number {
  const platformFee = Math.ceil((gross * feePercent) / 100 - 0.5)
  const providerFee = Math.round(gross * 0.029) + 30
  const isTaken = dispute !== null && dispute.status !== 'won'
  const taken = isTaken ? dispute.amount : 0
  const returned = Math.round((platformFee * (refunded + taken)) / gross)
  const costs = providerFee + (dispute === null ? 0 : disputeFee)
  return gross - platformFee - costs - refunded - taken + returned
}

const mostSteps = 9

/** Failed payments after which the provider gives up. */
const attempts = 4

export function historyOf(seed: number, course: CourseOnSale): History {
  const random = chance(seed)
  const { pricingType, price, feePercent } = course
  const purchases: ExpectedPurchase[] = []
  const steps: PlayedStep[] = []
  let isEnrolled = false
  let usedCoupon = false
  let cardFails = false
  let failures = 0

  const now = () => purchases.at(-1)
  const live = () => {
    const last = now()
    return last && last.status !== 'ended' ? last : null
  }
  const charges = () => purchases.flatMap((purchase) => purchase.charges)

  const end = (purchase: ExpectedPurchase, reason: string) => {
    Object.assign(purchase, { status: 'ended', endedReason: reason, cancelAtPeriodEnd: false })
    isEnrolled = false
    failures = 0
  }

  const add = (step: Step, how: { needsAll?: boolean; isAnswered?: boolean } = {}) => {
    const { needsAll = false, isAnswered = false } = how
    const delivery = isAnswered ? 'now' : random.one(deliveries)
    steps.push({ step, delivery, needsAll, isAnswered })
  }

  const buy = () => {
    const coupon = usedCoupon || random.is(0.65) ? null : random.one(coupons)
    usedCoupon ||= coupon !== null
    const amount = reduced(price, coupon)
    const isMonthly = pricingType === 'monthly' && amount > 0
    const card = random.is(0.2)
      ? '3-D Secure'
      : isMonthly && random.is(0.25)
        ? 'failing later'
        : 'good'
    cardFails = card === 'failing later'
    failures = 0
    purchases.push({
      amount,
      status: 'active',
      endedReason: null,
      cancelAtPeriodEnd: false,
      hasSubscription: isMonthly,
      charges: amount > 0 ? [{ gross: amount, refunded: 0, dispute: null }] : [],
    })
    isEnrolled = true
    add({ does: 'buy', card, coupon, twoTabs: random.is(0.2) }, { needsAll: true })
  }

  const letTimePass = (purchase: ExpectedPurchase) => {
    add({ does: 'let time pass' })
    if (purchase.cancelAtPeriodEnd) end(purchase, 'canceled')
    else if (!cardFails) {
      purchase.charges.push({ gross: purchase.amount, refunded: 0, dispute: null })
      purchase.status = 'active'
      failures = 0
    } else {
      failures += 1
      if (failures === attempts) end(purchase, 'payment_failed')
      else purchase.status = 'past_due'
    }
  }

  const refund = (index: number, charge: Charge) => {
    const left = charge.gross - charge.refunded
    const amount = random.is(0.4) ? left : random.between(1, left)
    charge.refunded += amount
    const purchase = live()
    const ends = purchase?.charges.at(-1) === charge && charge.refunded === charge.gross
    add({ does: 'refund', charge: index, amount }, { isAnswered: ends })
    if (ends) end(purchase, 'refunded')
  }

  const closeDispute = (index: number, { dispute }: Charge) => {
    const isWon = random.is(0.5)
    const purchase = live()
    const isOfIt = purchase?.charges.includes(charges()[index]!) === true
    dispute!.status = isWon ? 'won' : 'lost'
    // What was paid at the provider's later time, but is heard of after the end, would be paid back.
    const ends = !isWon && isOfIt
    add({ does: 'close the dispute', charge: index, isWon }, { needsAll: ends, isAnswered: ends })
    if (purchase && isOfIt && !isWon) end(purchase, 'dispute_lost')
  }

  /** What can happen next, each as often as it stands here. */
  function choices(): (() => void)[] {
    const purchase = live()
    const all = charges()
    const possible: (() => void)[] = []
    const offer = (times: number, choice: () => void) =>
      possible.push(...Array<() => void>(times).fill(choice))
    if (!purchase) {
      const last = now()
      if (!last) offer(1, () => add({ does: 'be declined' }, { needsAll: true }))
      const mayReturn =
        !last || ['canceled', 'refunded', 'payment_failed'].includes(last.endedReason!)
      if (mayReturn) offer(last ? 2 : 5, buy)
    }
    if (purchase?.hasSubscription) {
      offer(purchase.status === 'past_due' ? 8 : 5, () => letTimePass(purchase))
      const change = (step: 'break the card' | 'mend the card') => () => {
        cardFails = step === 'break the card'
        add({ does: step })
      }
      offer(cardFails ? 2 : 1, change(cardFails ? 'mend the card' : 'break the card'))
      if (purchase.status === 'active') {
        const renewal = purchase.cancelAtPeriodEnd ? 'resume' : 'cancel'
        offer(1, () => {
          purchase.cancelAtPeriodEnd = renewal === 'cancel'
          // Who goes on with a course that was left is a member again.
          if (renewal === 'resume') isEnrolled = true
          add({ does: renewal }, { needsAll: true, isAnswered: true })
        })
      }
    }
    if (purchase && isEnrolled) {
      if (random.is(0.5))
        offer(1, () => {
          isEnrolled = false
          if (purchase.hasSubscription && purchase.status === 'past_due') end(purchase, 'canceled')
          else if (purchase.hasSubscription) purchase.cancelAtPeriodEnd = true
          add({ does: 'leave' }, { needsAll: true, isAnswered: true })
        })
      if (random.is(0.3)) {
        offer(1, () => {
          end(purchase, 'removed')
          add({ does: 'be removed' }, { needsAll: true, isAnswered: true })
        })
      }
    }
    if (purchase && !isEnrolled) {
      offer(3, () => {
        isEnrolled = true
        add({ does: 'return' }, { needsAll: true })
      })
    }
    for (const [index, charge] of all.entries()) {
      const { dispute, gross, refunded } = charge
      const isTaken = dispute !== null && dispute.status !== 'won'
      if (dispute?.status === 'open') offer(3, () => closeDispute(index, charge))
      if (refunded < gross && !isTaken) offer(1, () => refund(index, charge))
      if (refunded < gross && !dispute) {
        offer(1, () => {
          charge.dispute = { amount: gross - refunded, status: 'open' }
          add({ does: 'dispute', charge: index })
        })
      }
    }
    return possible
  }

  const length = random.between(1, mostSteps)
  while (steps.length < length) {
    const possible = choices()
    if (possible.length === 0) break
    random.one(possible)()
  }
  const owed = charges().reduce((sum, charge) => sum + earned(charge, feePercent), 0)
  return {
    seed,
    pricingType,
    price,
    feePercent,
    steps,
    expected: { isEnrolled, purchases, owed },
  }
}

const deliveries: Delivery[] = ['now', 'now', 'late', 'late', 'never']
const coupons: CouponKind[] = ['a fifth off', '3 dollars off', 'everything off']

/** For who has to find out what went wrong. */
export const tellHistory = ({ seed, pricingType, price, steps }: History): string =>
  [
    `history ${seed}: ${pricingType} ${price}`,
    ...steps.map(
      ({ step: { does, ...rest }, delivery }) =>
        `  ${does} ${JSON.stringify(rest)}, webhooks ${delivery}`,
    ),
  ].join('\n')
