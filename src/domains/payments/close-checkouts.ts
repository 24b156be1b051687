import { and, eq } from 'drizzle-orm'
import type { Services } from '../../server/services.ts'
import { giveUpCheckout } from './give-up-checkout.ts'
import { checkouts } from './tables.ts'

/** A job: nobody can pay any more for this course on a page that was open when it was stopped, or made free. */
export async function closeCheckouts(
  { courseId }: { courseId: string },
  services: Services,
): Promise<void> {
  const open = await services.db
    .select()
    .from(checkouts)
    .where(and(eq(checkouts.courseId, courseId), eq(checkouts.status, 'open')))
  for (const checkout of open) {
    // One after the other: each asks the provider.
    // oxlint-disable-next-line no-await-in-loop
    await giveUpCheckout(services, checkout)
  }
}
