import { lt, sql } from 'drizzle-orm'
import type { Services } from '../../server/services.ts'
import { liveEvents } from './tables.ts'

/** Every 10 minutes: a stream that was away for longer is told to look at everything again. */
export async function pruneLiveEvents({ db }: Services): Promise<void> {
  await db.delete(liveEvents).where(lt(liveEvents.createdAt, sql`now() - interval '1 hour'`))
}
