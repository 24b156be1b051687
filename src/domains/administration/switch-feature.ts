import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../server/db.ts'
import { tellOfSwitch } from '../../server/publish.ts'
import { settings } from '../site/tables.ts'
import { featureKey, type FeatureName, features } from './features.ts'
import { holdForAct } from './hold-for-act.ts'
import { recordAct } from './record-act.ts'

interface Switching {
  actorId: string
  name: FeatureName
  off: boolean
  reason: string
  notice: string
}

/**
 * Switches a feature off or on. Of two administrators who do the same at once, the second one's statement
 * waits for the first one's and changes nothing. Answers what stood in the way.
 */
export async function switchFeature(
  transaction: Transaction,
  { actorId, name, off, reason, notice }: Switching,
): Promise<'not admin' | 'off already' | 'on already' | null> {
  if (!(await holdForAct(transaction, actorId))) return 'not admin'
  const key = featureKey(name)
  const changed = off
    ? await transaction
        .insert(settings)
        .values({
          key,
          value: sql`jsonb_build_object('off', true, 'since', now(), 'notice', ${notice}::text)`,
        })
        .onConflictDoNothing()
        .returning({ key: settings.key })
    : await transaction
        .delete(settings)
        .where(eq(settings.key, key))
        .returning({ key: settings.key })
  if (changed.length === 0) return off ? 'off already' : 'on already'
  await recordAct(transaction, {
    actorId,
    action: off ? 'switch_off' : 'switch_on',
    subject: { kind: 'feature', id: name, name: features[name].label },
    reason,
  })
  await tellOfSwitch(transaction)
  return null
}
