import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { eq } from 'drizzle-orm'
import type { SecurityEvent } from '../../server/auth/hooks.ts'
import type { Db, Executor } from '../../server/db.ts'
import { enqueue } from '../../server/jobs.ts'
import { mailPage } from '../../server/mail-page.ts'
import type { Services } from '../../server/services.ts'
import { type AccountMail, mailText, type OutlastsReset } from './account-mails.ts'
import { users } from './tables.ts'

// Links and codes let people in. While they wait in the queue they are encrypted, so that a copy of the
// database opens no account.
const seal = (secret: string, content: object) =>
  symmetricEncrypt({ key: secret, data: JSON.stringify(content) })
const unseal = async <Content>(secret: string, sealed: string): Promise<Content> =>
  JSON.parse(await symmetricDecrypt({ key: secret, data: sealed })) as Content

/** Puts a mail in the queue. */
export async function postAccountMail(
  executor: Executor,
  secret: string,
  mail: AccountMail,
): Promise<void> {
  await enqueue(executor, 'sendAccountMail', { sealed: await seal(secret, mail) })
}

export async function postText(
  db: Db,
  secret: string,
  message: { to: string; text: string },
): Promise<void> {
  await enqueue(db, 'sendText', { sealed: await seal(secret, message) })
}

const warnings: Record<SecurityEvent, string> = {
  'password-changed': 'Your password was changed',
  'password-removed':
    'Your password was removed, because your address was proved by email only now',
  'ways-in-removed':
    'Your other ways to log in were removed, because your address was proved by email only now',
  'two-step-on': 'Two-step verification was turned on',
  'two-step-off': 'Two-step verification was turned off',
  'passkey-added': 'A passkey was added to your account',
  'passkey-removed': 'A passkey was removed from your account',
  'identity-linked': 'Another way to log in was connected to your account',
  'identity-removed': 'A way to log in was removed from your account',
  'telephone-connected': 'A telephone number was connected to your account',
  'telephone-removed': 'The telephone number was removed from your account',
  'token-made': 'An access token was made for your account',
  'token-revoked': 'An access token of your account was revoked',
  'webhook-added': 'A webhook was added to your account',
  'webhook-moved': 'A webhook of your account has another address now',
}

const outlastReset: Partial<Record<SecurityEvent, OutlastsReset>> = {
  'two-step-on': 'the second step',
  'passkey-added': 'a way in',
  'identity-linked': 'a way in',
  'telephone-connected': 'a way in',
  'webhook-added': 'a webhook',
  'webhook-moved': 'a webhook',
}

/** Tells the owner of an account what happened to it; `detail` is a sentence that says more. */
export async function postWarning(
  executor: Executor,
  secret: string,
  userId: string,
  event: SecurityEvent,
  detail?: string,
): Promise<void> {
  const [user] = await executor
    .select({ to: users.email, name: users.name })
    .from(users)
    .where(eq(users.id, userId))
  if (user) {
    await postAccountMail(executor, secret, {
      kind: 'warning',
      ...user,
      what: warnings[event],
      detail,
      outlastsReset: outlastReset[event],
    })
  }
}

export async function sendAccountMail(
  { sealed }: { sealed: string },
  { mail, secret, config }: Services,
): Promise<void> {
  const content = await unseal<AccountMail>(secret, sealed)
  const { subject, ...page } = mailText(content, config.appUrl)
  await mail.send({ to: content.to, subject, ...mailPage(page) })
}

export async function sendText(
  { sealed }: { sealed: string },
  { sms, secret }: Services,
): Promise<void> {
  await sms.send(await unseal(secret, sealed))
}
