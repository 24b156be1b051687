import { sql } from 'drizzle-orm'

/** Since when the same words of the same person are one message that was sent twice. */
export const isLately = sql<Date>`now() - interval '10 minutes'`
