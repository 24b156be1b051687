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

interface Read {
  requestId: string
  adminId: string
  messagesRead?: number | undefined
}

/** Somebody wrote while it was read: nobody would read that once it is answered or closed. */
const saysMore = ({ messagesCount }: HeldRequest, { messagesRead = messagesCount }: Read) =>
  messagesCount > messagesRead

/** Answers who asked, and tells that person: by a notice and its mail, or by a mail alone. */
export async function answerRequest(
  transaction: Transaction,
  { message, ...read }: Read & { message: string },
): Promise<'answered' | 'gone' | 'too long' | 'written meanwhile'> {
  const { requestId, adminId } = read
  const request = await holdRequest(transaction, requestId, { actorId: adminId })
  if (!request) return 'gone'
  if (saysMore(request, read)) return 'written meanwhile'
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
  read: Read,
): Promise<'closed' | 'gone' | 'written meanwhile'> {
  const { requestId, adminId } = read
  const request = await holdRequest(transaction, requestId, { actorId: adminId })
  if (!request) return 'gone'
  if (request.status === 'closed') return 'closed'
  if (saysMore(request, read)) return 'written meanwhile'
  await transaction
    .update(supportRequests)
    .set({ status: 'closed', lastMessageAt: sql`clock_timestamp()` })
    .where(eq(supportRequests.id, requestId))
  await recordAct(transaction, {
    actorId: adminId,
    action: 'close_support',
    subject: subjectOf(request),
  })
  return 'closed'
}
