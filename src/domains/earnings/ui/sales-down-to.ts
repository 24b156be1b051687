import type { Sale, SalePage } from '../schema.ts'

export const newestFirst = (one: Sale, other: Sale) =>
  other.paidAt.localeCompare(one.paidAt) || other.id.localeCompare(one.id)

/** The list from its first page down to where it ended before, by whole pages. */
export async function salesDownTo(
  oldest: Sale,
  first: SalePage,
  readAfter: (cursor: string) => Promise<SalePage>,
): Promise<SalePage> {
  let { sales, nextCursor } = first
  while (nextCursor !== null && sales.every((sale) => newestFirst(sale, oldest) < 0)) {
    // Each page begins where the one before it ends.
    // oxlint-disable-next-line no-await-in-loop
    const next = await readAfter(nextCursor)
    sales = [...sales, ...next.sales]
    nextCursor = next.nextCursor
  }
  return { sales, nextCursor }
}
