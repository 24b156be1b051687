import { eq } from 'drizzle-orm'
import { mailPage } from '../../server/mail-page.ts'
import type { Services } from '../../server/services.ts'
import { brand } from '../site/brand.ts'
import { flagshipCourseId, flagshipSlug } from '../site/flagship.ts'
import { users } from './tables.ts'

/** The first mail that a person gets. */
export async function sendWelcomeMail(
  { userId }: { userId: string },
  services: Services,
): Promise<void> {
  const { db, mail, config } = services
  const [user] = await db
    .select({ name: users.name, email: users.email })
    .from(users)
    .where(eq(users.id, userId))
  if (!user) return
  const hasStarter = (await flagshipCourseId(db)) !== null
  await mail.send({
    to: user.email,
    subject: `Welcome to ${brand.name}`,
    ...mailPage({
      heading: `Welcome, ${user.name}`,
      paragraphs: [
        `Your account is ready, and a short starter course is waiting on your dashboard: it shows how a course on ${brand.name} is made, by being one.`,
        'Leave a lesson whenever you like. You come back to the second where you stopped, on any device.',
      ],
      action: hasStarter
        ? { label: 'Go to your lesson', url: `${config.appUrl}/course/${flagshipSlug}/continue` }
        : { label: 'Open your dashboard', url: `${config.appUrl}/dashboard` },
      reason: `You get this mail because an account was made with this address at ${config.appUrl}.`,
    }),
  })
}
