import { eq, sql } from 'drizzle-orm'
import { quoted } from '../../isolated.ts'
import type { Transaction } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'
import { recordAct } from '../administration/record-act.ts'
import { notify } from '../notifications/notify.ts'
import { type HeldRequest, holdRequest } from './hold-request.ts'
import { requestPath, supportLimits, topicWords } from './rules.ts'
import { supportMessages, supportRequests } from './tables.ts'

/** The log names the topic: what somebody wrote goes with the account, the log stays. */
const subjectOf = ({ id, topic }: HeldRequest) =>
  ({ kind: 'support_request', id, name: topicWords[topic] }) as const

/** Answers who asked, and tells that person: by a notice and its mail, or by a mail alone. */
export async function answerRequest(
  transaction: Transaction,
  { requestId, adminId, message }: { requestId: string; adminId: string; message: string },
): Promise<'answered' | 'gone' | 'too long'> {
  const request = await holdRequest(transaction, requestId, { actorId: adminId })
  if (!request) return 'gone'
  if (request.messagesCount >= supportLimits.messages) return 'too long'
  const [written] = await transaction
    .insert(supportMessages)
    .values({ requestId, authorId: adminId, fromTeam: true, body: message })
    .returning({ id: supportMessages.id })
  await transaction
    .update(supportRequests)
    .set({ status: 'answered', lastMessageAt: sql`clock_timestamp()` })
    .where(eq(supportRequests.id, requestId))
  if (request.userId) {
    await notify(transaction, {
      userId: request.userId,
      kind: 'support_answered',
      title: 'Your request was answered',
      message: `There is an answer to ${quoted(request.subject)}.`,
      href: requestPath(requestId),
    })
  } else {
    await enqueue(transaction, 'sendSupportMail', { requestId, messageId: written!.id })
  }
  await recordAct(transaction, {
    actorId: adminId,
    action: 'answer_support',
    subject: subjectOf(request),
  })
  return 'answered'
}

/** Nothing is left to answer; twice is harmless. The person can open it again by writing. */
export async function closeRequest(
  transaction: Transaction,
  { requestId, adminId }: { requestId: string; adminId: string },
): Promise<void> {
  const request = await holdRequest(transaction, requestId, { actorId: adminId })
  if (!request || request.status === 'closed') return
  await transaction
    .update(supportRequests)
    .set({ status: 'closed', lastMessageAt: sql`clock_timestamp()` })
    .where(eq(supportRequests.id, requestId))
  await recordAct(transaction, {
    actorId: adminId,
    action: 'close_support',
    subject: subjectOf(request),
  })
}
