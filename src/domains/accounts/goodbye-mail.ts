import { mailPage } from '../../server/mail-page.ts'
import type { Services } from '../../server/services.ts'
import { brand } from '../site/brand.ts'

/** The last mail that a person gets. The account is gone, so the job brings what it needs. */
export async function sendGoodbyeMail(
  { to, name }: { to: string; name: string },
  { mail, config }: Services,
): Promise<void> {
  await mail.send({
    to,
    subject: `Your ${brand.name} account is deleted`,
    ...mailPage({
      heading: `Goodbye, ${name}`,
      paragraphs: [
        'Your account is deleted, and you are signed out everywhere. What you chose to leave to the members of your courses no longer carries your name.',
        'This address is free again: you can sign up with it whenever you like, and start from the beginning.',
        `If it was not you who did this, write to ${brand.supportEmail} at once.`,
      ],
      reason: `You get this mail because the account with this address was deleted at ${config.appUrl}. It is the last one.`,
    }),
  })
}
