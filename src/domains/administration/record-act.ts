import type { Executor } from '../../server/db.ts'
import type { Action, SubjectKind } from './rules.ts'
import { administrativeActs } from './tables.ts'

export interface Act {
  /** Null for the command line. */
  actorId: string | null
  action: Action
  subject: {
    kind: SubjectKind
    id: string | null
    /** What it is called now; of an account it is emptied when that is deleted. */
    name: string
  }
  /** In the words of who did it. */
  reason?: string
  /** Facts for the log that name nobody: they cannot be changed later, not even when an account is deleted. */
  details?: Record<string, unknown>
}

/** Writes what an administrator did into the log; in the transaction that does it, or neither happens. */
export async function recordAct(
  transaction: Executor,
  { actorId, action, subject, reason = '', details = {} }: Act,
): Promise<void> {
  await transaction.insert(administrativeActs).values({
    actorId,
    action,
    subjectKind: subject.kind,
    subjectId: subject.id,
    subjectName: subject.name,
    reason,
    details,
  })
}
