// The flagship course: made once, at the first start of an installation (spec 1, section 1).
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { users } from '../src/domains/accounts/tables.ts'
import { claimFlagshipSlug } from '../src/domains/courses/claim-slug.ts'
import { fillCourse } from '../src/domains/courses/fill-course.ts'
import { slugOf } from '../src/domains/courses/rules.ts'
import { courses } from '../src/domains/courses/tables.ts'
import { enrollStudent } from '../src/domains/enrollment/enroll-student.ts'
import { plainText } from '../src/domains/lessons/rich-text.ts'
import { storeImage } from '../src/domains/media/store-image.ts'
import { mediaFiles } from '../src/domains/media/tables.ts'
import { brand } from '../src/domains/site/brand.ts'
import { flagshipCourseId, flagshipSlug, setFlagshipCourse } from '../src/domains/site/flagship.ts'
import type { Transaction } from '../src/server/db.ts'
import type { Services } from '../src/server/services.ts'
import { flagshipCourse } from './flagship/course.ts'

const flagshipFile = (name: string) => readFile(join(process.cwd(), 'seed/flagship', name))

/** What ffprobe says about seed/flagship/welcome.mp4. */
const welcomeVideo = {
  filename: 'welcome.mp4',
  contentType: 'video/mp4',
  durationSeconds: 72.5,
  width: 1280,
  height: 720,
}

/**
 * Makes the flagship course with its house account, once; later calls ask one question and return.
 * Two nodes that start at once make one course: the second waits and finds it there.
 */
export async function seedFlagship(services: Services): Promise<void> {
  if ((await flagshipCourseId(services.db)) !== null) return
  await services.db.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtext('seed flagship'))`)
    if ((await flagshipCourseId(transaction)) !== null) return
    const instructorId = await houseAccount(transaction)
    const thumbnailId = await storeThumbnail(transaction, services, instructorId)
    const { chapters, descriptionDoc, ...facts } = flagshipCourse
    const [course] = await transaction
      .insert(courses)
      .values({
        ...facts,
        slug: flagshipSlug,
        description: descriptionDoc,
        descriptionText: plainText(descriptionDoc),
        instructorId,
        thumbnailId,
        pricingType: 'free',
        verified: true,
        status: 'published',
        publishedAt: sql`now()`,
      })
      .returning({ id: courses.id })
    const { id } = course!
    await claimFlagshipSlug(transaction, id)
    await setFlagshipCourse(transaction, id)
    await enrollStudent(transaction, { userId: instructorId, courseId: id, instructorId })
    const videoId = await storeVideo(transaction, services, { ownerId: instructorId, courseId: id })
    await fillCourse(
      transaction,
      id,
      chapters.map((chapter) => ({
        title: chapter.title,
        lessons: chapter.lessons.map(({ title, content, video, links }) => ({
          title,
          content,
          videoId: video ? videoId : null,
          links,
        })),
      })),
    )
    services.log.info('the flagship course is there')
  })
}

export const houseEmail = 'team@thunder.example'

/** The account that owns the flagship course. It has no password, so nobody signs in with it. */
async function houseAccount(transaction: Transaction): Promise<string> {
  const email = houseEmail
  await transaction
    .insert(users)
    .values({
      name: brand.name,
      email,
      emailVerified: true,
      username: slugOf(brand.name) || 'team',
      verified: true,
      welcomedAt: sql`now()`,
      bio: `We make ${brand.name}, and the course that gets you started with it.`,
    })
    .onConflictDoNothing({ target: users.email })
  const [user] = await transaction
    .select({ id: users.id })
    .from(users)
    .where(eq(users.email, email))
  return user!.id
}

async function storeVideo(
  transaction: Transaction,
  services: Services,
  owner: { ownerId: string; courseId: string },
): Promise<string> {
  const bytes = await flagshipFile(welcomeVideo.filename)
  const [media] = await transaction
    .insert(mediaFiles)
    .values({
      ...welcomeVideo,
      ...owner,
      purpose: 'video',
      status: 'ready',
      sizeBytes: bytes.length,
    })
    .returning({ id: mediaFiles.id })
  const { id } = media!
  await services.storage.put(`uploads/${id}`, bytes)
  return id
}

async function storeThumbnail(
  transaction: Transaction,
  services: Services,
  ownerId: string,
): Promise<string> {
  const bytes = await flagshipFile('welcome.jpg')
  const [media] = await transaction
    .insert(mediaFiles)
    .values({
      ownerId,
      purpose: 'thumbnail',
      status: 'ready',
      filename: 'welcome.jpg',
      contentType: 'image/jpeg',
      sizeBytes: bytes.length,
    })
    .returning({ id: mediaFiles.id })
  const { id } = media!
  const size = await storeImage(services.storage, id, 'thumbnail', bytes)
  await transaction.update(mediaFiles).set(size).where(eq(mediaFiles.id, id))
  return id
}
