import { sql } from 'drizzle-orm'
import { timestamp, uuid } from 'drizzle-orm/pg-core'

/** Primary key: uuid v7, made by PostgreSQL, so that new rows land side by side in the index. */
export const id = () =>
  uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`)

/** A point in time, UTC. */
export const moment = (name: string) => timestamp(name, { withTimezone: true })

export const createdAt = () => moment('created_at').notNull().defaultNow()
export const updatedAt = () => moment('updated_at').notNull().defaultNow()
