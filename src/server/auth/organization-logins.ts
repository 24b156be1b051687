// Log-ins of organizations are every administrator's. The library shows each to who registered it, and to nobody else.
import type { createAuthMiddleware } from 'better-auth/api'
import { getSessionFromCtx } from 'better-auth/api'
import { recordAct } from '../../domains/administration/record-act.ts'
import type { Db } from '../db.ts'

type CallOfLibrary = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

const looksAtRegistrar = ['/sso/providers', '/sso/update-provider', '/sso/delete-provider']

/**
 * For these calls, which the door opens to administrators alone: a database in which whoever asks has registered all.
 * Nothing is written of it, so that it stays true who did. Undefined for any other call.
 */
export async function asRegistrarOfAll(call: CallOfLibrary) {
  if (!looksAtRegistrar.includes(call.path ?? '')) return undefined
  const session = await getSessionFromCtx(call)
  if (!session) return undefined
  const { adapter } = call.context
  const own = <Row>(row: Row): Row => row && { ...row, userId: session.user.id }
  const findOne: typeof adapter.findOne = async (query) => {
    const found = await adapter.findOne(query)
    return (query.model === 'ssoProvider' ? own(found) : found) as never
  }
  const findMany: typeof adapter.findMany = async (query) => {
    const found = await adapter.findMany(query)
    return (query.model === 'ssoProvider' ? found.map(own) : found) as never
  }
  return { context: { adapter: { findOne, findMany } } }
}

const acts = {
  '/sso/register': 'register_login',
  '/sso/update-provider': 'change_login',
  '/sso/delete-provider': 'remove_login',
} as const

/** After such a call has succeeded: into the log of administrators. */
export async function recordLoginAct(
  db: Db,
  done: { path: string; body: Record<string, unknown>; actorId: string },
): Promise<void> {
  const { path, body, actorId } = done
  if (!Object.hasOwn(acts, path)) return
  const name = String(body.providerId)
  await recordAct(db, {
    actorId,
    action: acts[path as keyof typeof acts],
    subject: { kind: 'login', id: name, name },
    details: typeof body.domain === 'string' ? { domain: body.domain } : {},
  })
}
