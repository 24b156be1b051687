// What crosses the wire about what a creator earned.
import * as z from 'zod'
import { inMinorUnits, minorUnits as amount, placeInList, timestamp, uuid } from '../../fields.ts'
import { saleStates } from './rules.ts'

/** '2026-11': a month, UTC. */
const month = z
  .string('Choose a month')
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'This is not a month, such as 2026-11')

export const earnings = z.object({
  currency: z.string(),
  /** Of all sales, after fees, refunds and disputes. */
  total: amount,
  /** The same of this month (UTC). */
  thisMonth: amount,
  /** Paid, but not yet released by the payment provider. */
  pending: amount,
  /** When the next of it is released; null when nothing is pending. */
  nextAvailableAt: timestamp.nullable(),
  /** Can be paid out; below zero when refunds took back what had been paid out. */
  available: amount,
  /** On the way to the creator, and arrived. */
  onItsWay: amount,
  paidOut: amount,
  leastPayout: amount,
  /** Ours, of a sale made now, in percent. */
  feePercent: z.number(),
  /** Months with bookings, newest first. The statement of a month can be had once it is over. */
  statements: z.array(z.object({ month: z.string(), isOver: z.boolean() })),
})
export type Earnings = z.output<typeof earnings>

export const sale = z.object({
  id: z.uuid(),
  courseId: z.uuid().nullable(),
  /** As it was when it was bought. */
  courseTitle: z.string(),
  pricingType: z.enum(['one_time', 'monthly']),
  /** Of a monthly course: not its first payment. */
  isRenewal: z.boolean(),
  /** Null when the account was deleted. */
  buyer: z.object({ name: z.string(), email: z.string() }).nullable(),
  paidAt: timestamp,
  currency: z.string(),
  gross: amount,
  feePercent: z.number(),
  /** Less what came back by refunds and disputes. */
  platformFee: amount,
  providerFee: amount,
  refunded: amount,
  /** Taken by a bank, with its fee. */
  disputed: amount,
  disputeFee: amount,
  /** What is left for the creator; below zero when fees were not given back. */
  net: amount,
  state: z.enum(saleStates),
  availableAt: timestamp,
  /** What can still be paid back; 0 while a bank or another refund is about it. */
  refundable: amount,
  /** The creator's last wish to pay it back. */
  refund: z
    .object({
      /** The `requestId` that it was asked for with, where there was one. */
      id: z.uuid(),
      amount,
      status: z.enum(['waiting', 'done', 'refused']),
      refusal: z.string().nullable(),
    })
    .nullable(),
})
export type Sale = z.output<typeof sale>

export const salesQuery = z.object({
  courseId: uuid('The course').optional(),
  state: z.enum(saleStates, 'There is no such state').optional(),
  cursor: placeInList.optional(),
})

/** Newest first. */
export const salePage = z.object({ sales: z.array(sale), nextCursor: z.string().nullable() })
export type SalePage = z.output<typeof salePage>

export const salesFileQuery = salesQuery.omit({ cursor: true, state: true })

export const bySaleId = z.object({ saleId: uuid('The sale') })

export const newRefund = bySaleId.extend({
  amount: inMinorUnits(
    z
      .number('Enter an amount')
      .int('The amount must be a whole number of cents')
      .min(1, 'Enter an amount')
      .max(2_000_000_000, 'This amount is too large'),
  ),
  /** The caller's own, made for this one wish: whoever sends it again, because an answer was lost, pays back once. */
  requestId: uuid('The refund').optional(),
})

export const byMonth = z.object({ month })

/** A file, made while it is sent. */
export const file = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.custom<ReadableStream<Uint8Array>>((value) => value instanceof ReadableStream),
})
