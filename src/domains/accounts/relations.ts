import { relations } from 'drizzle-orm'
import { identities, sessions, users } from './tables.ts'

/** Which rows the library of accounts asks for together; the names are its own. */
export const accountRelations = {
  ofUsers: relations(users, ({ many }) => ({ accounts: many(identities) })),
  ofIdentities: relations(identities, ({ one }) => ({
    user: one(users, { fields: [identities.userId], references: [users.id] }),
  })),
  ofSessions: relations(sessions, ({ one }) => ({
    user: one(users, { fields: [sessions.userId], references: [users.id] }),
  })),
}
