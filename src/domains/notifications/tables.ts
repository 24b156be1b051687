import { boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id } from '../../server/columns.ts'
import { users } from '../accounts/tables.ts'

export const notifications = pgTable(
  'notifications',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    title: text('title').notNull(),
    message: text('message').notNull(),
    type: text('type').notNull(),
    read: boolean('read').notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [index('notifications_user_newest').on(table.userId, table.createdAt.desc())],
)
