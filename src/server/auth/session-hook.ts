import type { BetterAuthOptions } from 'better-auth'

type SessionHooks = NonNullable<NonNullable<BetterAuthOptions['databaseHooks']>['session']>
type AfterSession = NonNullable<NonNullable<SessionHooks['create']>['after']>

/** A session that was just stored. */
export type NewSession = Parameters<AfterSession>[0]
/** The call of the library in which something is stored. */
export type CallContext = NonNullable<Parameters<AfterSession>[1]>
