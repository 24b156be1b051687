import { asc, eq } from 'drizzle-orm'
import type { Db } from '../../server/db.ts'
import { mailPage } from '../../server/mail-page.ts'
import type { Services } from '../../server/services.ts'
import { quotedTitle } from '../courses/rules.ts'
import { courses } from '../courses/tables.ts'
import { enrollments } from '../enrollment/tables.ts'
import { brand } from '../site/brand.ts'
import { flagshipCourseId } from '../site/flagship.ts'
import { users } from './tables.ts'

/** What somebody was enrolled in at sign-up, in words that follow 'Your account is ready, and'. */
async function firstCourseOf(db: Db, userId: string) {
  const [course] = await db
    .select({ id: courses.id, slug: courses.slug, title: courses.title })
    .from(enrollments)
    .innerJoin(courses, eq(courses.id, enrollments.courseId))
    .where(eq(enrollments.userId, userId))
    .orderBy(asc(enrollments.enrolledAt))
    .limit(1)
  if (!course) return null
  const isFlagship = course.id === (await flagshipCourseId(db))
  return {
    slug: course.slug,
    words: isFlagship
      ? `a short starter course is waiting on your dashboard: it shows how a course on ${brand.name} is made, by being one`
      : `${quotedTitle(course.title)} is waiting on your dashboard`,
  }
}

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
  const first = await firstCourseOf(db, userId)
  await mail.send({
    to: user.email,
    subject: `Welcome to ${brand.name}`,
    ...mailPage({
      heading: `Welcome, ${user.name}`,
      paragraphs: [
        first
          ? `Your account is ready, and ${first.words}.`
          : 'Your account is ready. Find a course to begin with, or make one of your own.',
        'Leave a lesson whenever you like. You come back to the second where you stopped, on any device.',
      ],
      action: first
        ? { label: 'Go to your lesson', url: `${config.appUrl}/course/${first.slug}/continue` }
        : { label: 'Explore courses', url: `${config.appUrl}/explore` },
      reason: `You get this email because an account was made with this address at ${config.appUrl}.`,
    }),
  })
}
