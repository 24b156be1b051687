import { and, eq } from 'drizzle-orm'
import type { Config } from '../../server/config.ts'
import { mailPage } from '../../server/mail-page.ts'
import type { Services } from '../../server/services.ts'
import { users } from '../accounts/tables.ts'
import { brand } from '../site/brand.ts'
import type { Switch } from './kinds.ts'
import { preferencesOf } from './preferences.ts'
import { switchOf, switchWords } from './rules.ts'
import { notifications } from './tables.ts'
import { unsubscribeUrl } from './unsubscribe-token.ts'

export const settingsUrl = (appUrl: string) => `${appUrl}/settings#notifications`

/** Where a notice leads; null when it leads nowhere, or away from this site. */
export function addressOf(appUrl: string, href: string | null): string | null {
  if (href === null || !URL.canParse(href, appUrl)) return null
  const url = new URL(href, appUrl)
  return url.origin === appUrl ? url.href : null
}

/** Unconfirmed addresses may be anybody's, where addresses are confirmed at all. */
export const mayBeMailed = (
  { confirmsEmail }: Pick<Config, 'confirmsEmail'>,
  { emailVerified }: { emailVerified: boolean },
) => emailVerified || !confirmsEmail

function footer({ config, secret }: Services, userId: string, name: Switch | null) {
  if (!name) {
    const reason = `You get this email because it is about something that you take part in at ${config.appUrl}. Emails of this kind are always sent.`
    return { unsubscribeUrl: undefined, page: { reason } }
  }
  const url = unsubscribeUrl(config.appUrl, secret, { userId, scope: name })
  return {
    unsubscribeUrl: url,
    page: {
      reason: `You get this email because email is on for “${switchWords[name].label}” in your notification settings at ${config.appUrl}.`,
      links: [
        { label: 'Stop these emails', url },
        { label: 'All notification settings', url: settingsUrl(config.appUrl) },
      ],
    },
  }
}

/** A job: mails one notice, unless it was deleted, its reader has left, or does not want it any more. */
export async function sendNoticeMail(
  { notificationId }: { notificationId: string },
  services: Services,
): Promise<void> {
  const { db, mail, config } = services
  const [notice] = await db
    .select({
      userId: notifications.userId,
      kind: notifications.kind,
      title: notifications.title,
      message: notifications.message,
      href: notifications.href,
      inApp: notifications.inApp,
      email: users.email,
      emailVerified: users.emailVerified,
    })
    .from(notifications)
    .innerJoin(users, eq(users.id, notifications.userId))
    .where(eq(notifications.id, notificationId))
  if (!notice) return
  const { userId, title, message, inApp } = notice
  const name = switchOf(notice.kind)
  const wanted = !name || (await preferencesOf(db, userId))[name].email !== 'off'
  if (wanted && mayBeMailed(config, notice)) {
    const url = addressOf(config.appUrl, notice.href)
    const { unsubscribeUrl: unsubscribe, page } = footer(services, userId, name)
    await mail.send({
      id: `<notice-${notificationId}@${new URL(config.appUrl).hostname}>`,
      to: notice.email,
      subject: title,
      unsubscribeUrl: unsubscribe,
      ...mailPage({
        heading: title,
        paragraphs: [message],
        ...(url && { action: { label: `Open it on ${brand.name}`, url } }),
        ...page,
      }),
    })
  }
  if (inApp) return
  // It was only waiting for this.
  await db
    .delete(notifications)
    .where(and(eq(notifications.id, notificationId), eq(notifications.userId, userId)))
}
