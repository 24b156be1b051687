import { and, eq } from 'drizzle-orm'
import { mailPage } from '../../server/mail-page.ts'
import type { Services } from '../../server/services.ts'
import { brand } from '../site/brand.ts'
import { supportPath, topicWords, type Topic } from './rules.ts'
import { supportMessages, supportRequests } from './tables.ts'

interface SupportMail {
  topic: Topic
  /** Null when it says that the request arrived. */
  answer: { subject: string; body: string } | null
}

/**
 * The words for who wrote without an account. Whoever filled the form in may have given somebody else's
 * address: until one of us has read it, nothing of what was typed is mailed.
 */
function supportMailText({ topic, answer }: SupportMail, appUrl: string) {
  const action = { label: 'Write to us again', url: `${appUrl}${supportPath}` }
  if (!answer) {
    return {
      subject: `We have received your request to ${brand.name}`,
      heading: 'Your request has arrived',
      paragraphs: [
        `It is about: ${topicWords[topic]}. A person reads it, and we answer to this address.`,
        'To add something, write to us again with the form.',
      ],
      action,
      reason: `Somebody gave this address in the support form at ${appUrl}. If it was not you, ignore this email.`,
    }
  }
  return {
    subject: `Our answer to your request: ${answer.subject}`,
    heading: answer.subject,
    paragraphs: [
      ...answer.body.split(/\n+/).filter((paragraph) => paragraph.trim() !== ''),
      'This address is not read. To answer, please write to us again with the form.',
    ],
    action,
    reason: `You get this email because you asked for support at ${appUrl}.`,
  }
}

/** A job: tells who has no account that the request arrived, or what the answer is. */
export async function sendSupportMail(
  { requestId, messageId }: { requestId: string; messageId?: string },
  { db, mail, config }: Services,
): Promise<void> {
  const [request] = await db.select().from(supportRequests).where(eq(supportRequests.id, requestId))
  if (!request) return
  const [answer] = messageId
    ? await db
        .select({ body: supportMessages.body })
        .from(supportMessages)
        .where(and(eq(supportMessages.id, messageId), eq(supportMessages.requestId, requestId)))
    : []
  if (messageId && !answer) return
  const { topic, subject } = request
  const { subject: title, ...page } = supportMailText(
    { topic, answer: answer ? { subject, body: answer.body } : null },
    config.appUrl,
  )
  await mail.send({
    id: `<support-${messageId ?? requestId}@${new URL(config.appUrl).hostname}>`,
    to: request.email,
    subject: title,
    ...mailPage(page),
  })
}
