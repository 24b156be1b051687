import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { platformFeeOf } from '../billing/rules.ts'
import {
  disputeEntries,
  type Entry,
  failedPayoutEntries,
  failedRefundEntries,
  givenUpEntries,
  paymentEntries,
  payoutEntries,
  payoutFeeBackEntries,
  refundEntries,
  returnedFee,
  type Sale,
  wonDisputeEntries,
} from './rules.ts'

const sumOf = (entries: Entry[], account?: Entry['account']) =>
  entries
    .filter((entry) => !account || entry.account === account)
    .reduce((sum, { amount }) => sum + amount, 0)

const gross = fc.integer({ min: 50, max: 1_000_000 })
const percent = fc.integer({ min: 0, max: 100 })
const sale = fc.constantFrom<Sale>('course', 'plan', 'refused')
const part = fc.double({ min: 0, max: 1, noNaN: true })

/** Something that happens to a payment: a refund or a dispute takes a share of it, or what one took comes back. */
const happening = fc.oneof(
  { weight: 4, arbitrary: fc.record({ refund: part }) },
  { weight: 2, arbitrary: fc.record({ dispute: part }) },
  { weight: 3, arbitrary: fc.record({ comesBack: fc.nat(20) }) },
)

describe('the fee of a sale', () => {
  test('is a share of the price, to the nearest cent', () => {
    expect(platformFeeOf(2000, 5)).toBe(100)
    expect(platformFeeOf(2010, 5)).toBe(100)
    expect(platformFeeOf(2011, 5)).toBe(101)
    expect(platformFeeOf(2000, 0)).toBe(0)
    expect(platformFeeOf(1, 5)).toBe(0)
    fc.assert(
      fc.property(gross, percent, (amount, share) => {
        const fee = platformFeeOf(amount, share)
        expect(Number.isInteger(fee)).toBe(true)
        expect(Math.abs(fee - (amount * share) / 100)).toBeLessThanOrEqual(0.5)
        expect(fee).toBeGreaterThanOrEqual(0)
        expect(fee).toBeLessThanOrEqual(amount)
      }),
    )
  })
})

describe('the entries', () => {
  test('of a course: the creator has what was paid but for two fees', () => {
    const entries = paymentEntries('course', { gross: 5000, platformFee: 250, providerFee: 175 })
    expect(sumOf(entries, 'creator')).toBe(-(5000 - 250 - 175))
    expect(sumOf(entries, 'provider')).toBe(5000 - 175)
    expect(sumOf(entries, 'platform_fees')).toBe(-250)
  })

  test('of a plan: all of it is ours, and the fee of the provider too', () => {
    const entries = paymentEntries('plan', { gross: 2000, platformFee: 0, providerFee: 88 })
    expect(sumOf(entries, 'plan_revenue')).toBe(-2000)
    expect(sumOf(entries, 'provider_costs')).toBe(88)
    expect(sumOf(entries, 'provider')).toBe(2000 - 88)
    expect(entries.some(({ account }) => account === 'creator')).toBe(false)
  })

  test('of what is refused: it is owed to who paid, and the fee of the provider is ours', () => {
    const entries = [
      ...paymentEntries('refused', { gross: 2000, platformFee: 0, providerFee: 88 }),
      ...refundEntries('refused', { amount: 2000, platformFee: 0 }),
    ]
    expect(sumOf(entries, 'refused_payments')).toBe(0)
    expect(sumOf(entries, 'provider_costs')).toBe(88)
    expect(sumOf(entries, 'provider')).toBe(-88)
    expect(sumOf(entries)).toBe(0)
  })

  /** As 'what: from > to amount'. */
  const told = (entries: Entry[]) =>
    Array.from({ length: entries.length / 2 }, (_, index) => {
      const [to, from] = entries
        .slice(2 * index, 2 * index + 2)
        .toSorted((a, b) => b.amount - a.amount)
      expect([from!.what, from!.amount]).toEqual([to!.what, -to!.amount])
      return `${to!.what}: ${from!.account} > ${to!.account} ${to!.amount}`
    })

  test('say for each movement what it was, from where and to where', () => {
    const payment = { gross: 5000, platformFee: 250, providerFee: 175 }
    expect(told(paymentEntries('course', payment))).toEqual([
      'gross: creator > provider 5000',
      'platform_fee: platform_fees > creator 250',
      'provider_fee: provider > creator 175',
    ])
    expect(told(refundEntries('course', { amount: 1000, platformFee: 50 }))).toEqual([
      'refund: provider > creator 1000',
      'platform_fee: creator > platform_fees 50',
    ])
    const dispute = { amount: 5000, fee: 1500, platformFee: 250 }
    expect(told(disputeEntries('course', dispute))).toEqual([
      'dispute: provider > creator 5000',
      'dispute_fee: provider > creator 1500',
      'platform_fee: creator > platform_fees 250',
    ])
    expect(told(wonDisputeEntries('course', dispute))).toEqual([
      'dispute: creator > provider 5000',
      'dispute_fee: creator > provider 1500',
      'platform_fee: platform_fees > creator 250',
    ])
  })

  test('have a fee of ours for courses only', () => {
    const fee = { platformFee: 250 }
    for (const kind of ['plan', 'refused'] as const) {
      const all = [
        ...paymentEntries(kind, { gross: 5000, providerFee: 175, ...fee }),
        ...refundEntries(kind, { amount: 1000, ...fee }),
        ...disputeEntries(kind, { amount: 1000, fee: 1500, ...fee }),
      ]
      expect(all.map(({ what }) => what)).not.toContain('platform_fee')
    }
  })

  test.each(['provider', 'paypal'] as const)(
    'of a payout through %s: what arrives and the fee leave the balance, and come back if it fails',
    (through) => {
      const payout = { amount: 10_200, fee: 200 }
      expect(told(payoutEntries(through, payout))).toEqual([
        `payout: ${through} > creator 10000`,
        `payout_fee: ${through} > creator 200`,
      ])
      expect(told(payoutFeeBackEntries(through, 3))).toEqual([`payout_fee: creator > ${through} 3`])
      expect(told(failedPayoutEntries(through, payout))).toEqual([
        `payout: creator > ${through} 10000`,
        `payout_fee: creator > ${through} 200`,
      ])
    },
  )

  test('of who goes: what is left is ours, what is owed we bear', () => {
    expect(told(givenUpEntries(500))).toEqual(['given_up: given_up > creator 500'])
    expect(told(givenUpEntries(-500))).toEqual(['given_up: creator > given_up 500'])
    expect(givenUpEntries(0)).toEqual([])
  })

  test('of nothing there are none, and no amount is negative or a fraction', () => {
    expect(refundEntries('course', { amount: 0, platformFee: 0 })).toEqual([])
    expect(() => refundEntries('course', { amount: -1, platformFee: 0 })).toThrow('-1')
    const fraction = { amount: 1.5, fee: 0, platformFee: 0 }
    expect(() => disputeEntries('plan', fraction)).toThrow('1.5')
  })

  test('add up to zero whatever happens, and the fee comes and goes with its share of the money', () => {
    fc.assert(
      fc.property(
        sale,
        gross,
        percent,
        fc.nat(50_000),
        fc.array(happening, { maxLength: 25 }),
        (kind, paid, ofUs, providerFee, story) => {
          const platformFee = kind === 'course' ? platformFeeOf(paid, ofUs) : 0
          const payment = { gross: paid, platformFee }
          const all = paymentEntries(kind, { ...payment, providerFee })
          let standing: { amount: number; fee: number }[] = []
          let returned = 0
          const taken = () => standing.reduce((sum, { amount }) => sum + amount, 0)
          const costs = () => standing.reduce((sum, { fee }) => sum + fee, providerFee)
          const moveFee = () => {
            const moved = returnedFee(payment, taken()) - returned
            returned += moved
            return moved
          }
          for (const step of story) {
            if ('comesBack' in step) {
              const back = standing[step.comesBack % Math.max(1, standing.length)]
              if (!back) continue
              standing = standing.filter((other) => other !== back)
              const moved = { ...back, platformFee: 0 - moveFee() }
              const undo = back.fee > 0 ? wonDisputeEntries : failedRefundEntries
              all.push(...undo(kind, moved))
            } else if ('refund' in step) {
              const amount = Math.round(Math.max(0, paid - taken()) * step.refund)
              standing.push({ amount, fee: 0 })
              all.push(...refundEntries(kind, { amount, platformFee: moveFee() }))
            } else {
              // Also of what was refunded already: banks do not always know.
              const dispute = { amount: Math.round(paid * step.dispute), fee: 1500 }
              standing.push(dispute)
              all.push(...disputeEntries(kind, { ...dispute, platformFee: moveFee() }))
            }
            expect(sumOf(all)).toBe(0)
            const due = (platformFee * Math.min(paid, taken())) / paid
            expect(Math.abs(returned - due)).toBeLessThanOrEqual(0.5 + 1e-6)
            expect(returned).toBeLessThanOrEqual(platformFee)
            expect(sumOf(all, 'platform_fees')).toBe(returned - platformFee)
            expect(sumOf(all, 'provider')).toBe(paid - taken() - costs())
          }
          if (taken() >= paid) expect(returned).toBe(platformFee)
          const earner = kind === 'plan' ? 'plan_revenue' : 'refused_payments'
          if (kind === 'course') {
            expect(sumOf(all, 'creator')).toBe(taken() + costs() + platformFee - returned - paid)
          } else {
            expect(sumOf(all, earner)).toBe(taken() - paid)
            expect(sumOf(all, 'provider_costs')).toBe(costs())
            expect(all.some(({ account }) => account === 'creator')).toBe(false)
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})
