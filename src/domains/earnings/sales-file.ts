import { type Cell, csvFile } from '../../server/csv.ts'
import type { Executor } from '../../server/db.ts'
import { salesOf } from './sales.ts'

/** Sales that are read at once: somebody may have very many, and they must not fill the memory. */
const batch = 1000

const titles = [
  'Sale',
  'Paid (UTC)',
  'Booked (UTC)',
  'Course',
  'Buyer',
  'Email',
  'Kind',
  'Currency',
  'Gross',
  'Platform fee',
  'Platform fee (percent)',
  'Card fee',
  'Refunded',
  'Disputed',
  'Dispute fee',
  'Net',
  'State',
  'Available (UTC)',
]

/** All sales of a creator, or those of one course, newest first: a CSV file, made as it is read. */
export const salesFile = (
  executor: Executor,
  userId: string,
  courseId?: string,
): ReadableStream<Uint8Array> => csvFile(titles, batchesOf(executor, userId, courseId))

async function* batchesOf(
  executor: Executor,
  userId: string,
  courseId?: string,
): AsyncGenerator<Cell[][], undefined> {
  let cursor: string | undefined
  do {
    const page = await salesOf(executor, userId, { courseId, cursor, limit: batch })
    yield page.sales.map(line)
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return undefined
}

type Sale = Awaited<ReturnType<typeof salesOf>>['sales'][number]

function kindOf({ pricingType, isRenewal }: Sale): string {
  if (pricingType === 'one_time') return 'one-time'
  return isRenewal ? 'renewal' : 'first month'
}

/** '12.30' */
const decimal = (amount: number) => (amount / 100).toFixed(2)

const line = (sale: Sale): Cell[] => [
  sale.id,
  sale.paidAt.toISOString(),
  sale.bookedAt.toISOString(),
  sale.courseTitle,
  sale.buyer?.name ?? '',
  sale.buyer?.email ?? '',
  kindOf(sale),
  sale.currency.toUpperCase(),
  decimal(sale.gross),
  decimal(sale.platformFee),
  sale.feePercent,
  decimal(sale.providerFee),
  decimal(sale.refunded),
  decimal(sale.disputed),
  decimal(sale.disputeFee),
  decimal(sale.net),
  sale.state.replace('_', ' '),
  sale.availableAt.toISOString(),
]
