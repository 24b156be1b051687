import { eq } from 'drizzle-orm'
import type { Executor } from '../../server/db.ts'
import { settings } from './tables.ts'

const key = 'last_backup_at'

/** When a backup was last finished, by whatever node; null when none ever was. */
export async function lastBackupAt(executor: Executor): Promise<Date | null> {
  const [row] = await executor.select().from(settings).where(eq(settings.key, key))
  return typeof row?.value === 'string' ? new Date(row.value) : null
}

export async function noteBackup(executor: Executor, at: Date): Promise<void> {
  const value = at.toISOString()
  await executor
    .insert(settings)
    .values({ key, value })
    .onConflictDoUpdate({ target: settings.key, set: { value } })
}
