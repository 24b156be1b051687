import { eq } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { settings } from '../site/tables.ts'
import { featureKey, type FeatureName, type OffSetting, offSentence } from './features.ts'

/**
 * As the database has it now, where the memory of a node (feature-switches.ts) may be behind by more than one would
 * like: the sentence for people, null while it is on.
 */
export async function switchedOff(executor: Executor, name: FeatureName): Promise<string | null> {
  const [row] = await executor
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.key, featureKey(name)))
  return row ? offSentence(name, (row.value as OffSetting).notice) : null
}
