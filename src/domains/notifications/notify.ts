import type { Executor } from '../../server/db.ts'
import { notifications } from './tables.ts'

export type NotificationType = 'success' | 'warning' | 'error' | 'info'

/** Leaves a notice for a person, as part of the transaction that it tells about. */
export async function notify(
  executor: Executor,
  notice: { userId: string; title: string; message: string; type: NotificationType },
): Promise<void> {
  await executor.insert(notifications).values(notice)
}
