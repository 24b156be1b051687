import { jsonb, pgTable, text } from 'drizzle-orm/pg-core'

/** Facts about this installation, such as which course is the flagship. */
export const settings = pgTable('settings', {
  key: text('key').primaryKey(),
  value: jsonb('value').notNull(),
})
