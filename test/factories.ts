// Real rows for tests and for the demo, made by the product's own verbs.
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { and, desc, eq, sql } from 'drizzle-orm'
import { identities, sessions, users } from '../src/domains/accounts/tables.ts'
import { comments, posts } from '../src/domains/community/tables.ts'
import { createCourse } from '../src/domains/courses/create-course.ts'
import { fillCourse } from '../src/domains/courses/fill-course.ts'
import type { Category, levels } from '../src/domains/courses/rules.ts'
import { slugOf } from '../src/domains/courses/rules.ts'
import { courses } from '../src/domains/courses/tables.ts'
import { enrollStudent, type EnrollmentResult } from '../src/domains/enrollment/enroll-student.ts'
import { enrollments } from '../src/domains/enrollment/tables.ts'
import { emptyRichText, type RichText, richTextFrom } from '../src/domains/lessons/rich-text.ts'
import { lessonCompletions } from '../src/domains/lessons/tables.ts'
import { mediaFiles } from '../src/domains/media/tables.ts'
import { reportContent } from '../src/domains/moderation/report-content.ts'
import type { ReportReason } from '../src/domains/moderation/rules.ts'
import { moderationReports } from '../src/domains/moderation/tables.ts'
import { courseReviews } from '../src/domains/reviews/tables.ts'
import { saveReview } from '../src/domains/reviews/save-review.ts'
import { type Scope, scopes as allScopes } from '../src/domains/tokens/rules.ts'
import { personalTokens } from '../src/domains/tokens/tables.ts'
import { hashOf, makeToken } from '../src/domains/tokens/token-text.ts'
import type { Services } from '../src/server/services.ts'
import { sessionCookieName } from '../src/server/viewer.ts'

export interface MadePerson {
  id: string
  name: string
  email: string
  username: string
  password: string
}

let made = 0

/** Of each password once: hashing is slow on purpose, and nobody here looks at the salt. */
const hashes = new Map<string, Promise<string>>()

/**
 * A welcomed person who can log in. Neither the welcome mail nor the flagship enrollment of a sign-up:
 * nobody should write to made-up addresses.
 */
export async function makePerson(
  services: Services,
  facts: {
    name?: string
    email?: string
    password?: string
    username?: string
    bio?: string
    verified?: boolean
  } = {},
): Promise<MadePerson> {
  made += 1
  const name = facts.name ?? `Person ${made}`
  const email = facts.email ?? `${randomUUID()}@example.com`
  const username = facts.username ?? `${slugOf(name) || 'person'}-${randomUUID().slice(0, 8)}`
  const password = facts.password ?? 'correct horse'
  const { hash } = (await services.auth.$context).password
  if (!hashes.has(password)) hashes.set(password, hash(password))
  const stored = await hashes.get(password)
  const id = await services.db.transaction(async (transaction) => {
    const [user] = await transaction
      .insert(users)
      .values({
        name,
        email,
        username,
        bio: facts.bio ?? '',
        verified: facts.verified ?? false,
        emailVerified: true,
        welcomedAt: sql`now()`,
      })
      .returning({ id: users.id })
    const { id: userId } = user!
    await transaction
      .insert(identities)
      .values({ userId, providerId: 'credential', accountId: userId, password: stored })
    return userId
  })
  return { id, name, email, username, password }
}

/** The cookie of a new session, without the log-in and its limits. */
export async function sessionCookieOf(services: Services, userId: string): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  await services.db
    .insert(sessions)
    .values({ token, userId, expiresAt: sql`now() + interval '1 day'` })
  const signature = createHmac('sha256', services.secret).update(token).digest('base64')
  const secure = services.config.appUrl.startsWith('https:')
  return `${sessionCookieName(secure)}=${encodeURIComponent(`${token}.${signature}`)}`
}

/** A personal access token for everything, or for what it says. */
export async function personalTokenOf(
  services: Services,
  userId: string,
  { scopes = allScopes, name = 'A program' }: { scopes?: Scope[]; name?: string } = {},
): Promise<string> {
  const token = makeToken()
  await services.db
    .insert(personalTokens)
    .values({ userId, name, scopes, tokenHash: hashOf(token), ending: token.slice(-4) })
  return token
}

export interface CourseFacts {
  title?: string
  shortDescription?: string
  /** Plain text becomes paragraphs. */
  description?: string | RichText
  category?: Category
  level?: (typeof levels)[number]
  status?: 'draft' | 'published'
  /** When it was made and published; now by default. */
  publishedAt?: Date
  chapters?: {
    title: string
    lessons: {
      title: string
      content?: string | RichText
      links?: { title: string; url: string; description?: string }[]
    }[]
  }[]
}

const oneLesson: NonNullable<CourseFacts['chapters']> = [
  { title: 'Chapter 1', lessons: [{ title: 'First lesson', content: 'Hello.' }] },
]

const doc = (text: string | RichText | undefined) =>
  typeof text === 'string' ? richTextFrom(text) : (text ?? emptyRichText)

/** A free course of this person, published unless told otherwise. It asks for no limit. */
export async function makeCourse(
  services: Services,
  owner: { id: string },
  facts: CourseFacts = {},
) {
  const { status = 'published', chapters = oneLesson, publishedAt } = facts
  return services.db.transaction(async (transaction) => {
    const course = await createCourse(transaction, owner.id, {
      title: facts.title ?? `Course ${++made}`,
      shortDescription: facts.shortDescription ?? '',
      description: doc(facts.description),
      category: facts.category ?? 'Tech',
      level: facts.level ?? 'Beginner',
      thumbnailId: null,
    })
    await fillCourse(
      transaction,
      course.id,
      chapters.map((chapter) => ({
        title: chapter.title,
        lessons: chapter.lessons.map(({ title, content, links = [] }) => ({
          title,
          content: doc(content),
          videoId: null,
          links: links.map((link) => ({ description: '', ...link })),
        })),
      })),
    )
    const at = publishedAt ?? sql`now()`
    if (status === 'published') {
      await transaction
        .update(courses)
        .set({ status, publishedAt: at, createdAt: at, updatedAt: at })
        .where(eq(courses.id, course.id))
    }
    return { ...course, instructorId: owner.id }
  })
}

/** Lessons of a course in reading order. */
export async function lessonsOf(services: Services, courseId: string) {
  const { rows } = await services.db.execute<{ id: string; slug: string; title: string }>(sql`
    select l.id, l.slug, l.title from lessons l join chapters h on h.id = l.chapter_id
     where l.course_id = ${courseId} order by h.order_index, l.order_index`)
  return rows
}

class Full extends Error {}

/** Joins within the limits of the instructor's plan, like anybody else. */
export async function joinCourse(
  services: Services,
  person: { id: string },
  course: { id: string; instructorId: string },
  joinedAt?: Date,
): Promise<EnrollmentResult> {
  const joining = services.db.transaction(async (transaction) => {
    const enrollment = { userId: person.id, courseId: course.id }
    const result = await enrollStudent(transaction, {
      ...enrollment,
      instructorId: course.instructorId,
    })
    if (result === 'full') throw new Full()
    if (joinedAt) {
      // Anew, and not changed: the day of joining is counted when the row is written.
      const own = and(eq(enrollments.userId, person.id), eq(enrollments.courseId, course.id))
      const rows = await transaction.delete(enrollments).where(own).returning()
      const anew = rows.map((row) => ({ ...row, enrolledAt: joinedAt }))
      if (anew.length > 0) await transaction.insert(enrollments).values(anew)
    }
    return result
  })
  return joining.catch((error: unknown) => {
    if (error instanceof Full) return 'full'
    throw error
  })
}

/** Marks the first `count` lessons of a course complete. */
export async function completeLessons(
  services: Services,
  person: { id: string },
  course: { id: string },
  count: number,
  completedAt = new Date(),
): Promise<void> {
  const first = (await lessonsOf(services, course.id)).slice(0, count)
  if (first.length === 0) return
  await services.db
    .insert(lessonCompletions)
    .values(
      first.map((lesson) => ({
        userId: person.id,
        lessonId: lesson.id,
        courseId: course.id,
        completedAt,
      })),
    )
    .onConflictDoNothing()
}

/** A member's review; somebody new joins for it when nobody is named. Answers with its id. */
export async function makeReview(
  services: Services,
  course: { id: string; instructorId: string },
  facts: { by?: { id: string }; rating?: number; reviewText?: string; at?: Date } = {},
): Promise<string> {
  const writer = facts.by ?? (await makePerson(services))
  await joinCourse(services, writer, course)
  const saved = await services.db.transaction((transaction) =>
    saveReview(transaction, {
      userId: writer.id,
      courseId: course.id,
      instructorId: course.instructorId,
      rating: facts.rating ?? 5,
      reviewText: facts.reviewText ?? 'Good',
    }),
  )
  if (typeof saved === 'string') throw new Error(`no review: ${saved}`)
  const { at } = facts
  if (at) {
    await services.db
      .update(courseReviews)
      .set({ createdAt: at })
      .where(eq(courseReviews.id, saved.id))
  }
  return saved.id
}

/** A post in the course's community, by the instructor when nobody is named. Answers with its id. */
export async function makePost(
  services: Services,
  course: { id: string; instructorId: string },
  facts: { by?: { id: string }; content?: string; channelId?: string; at?: Date } = {},
): Promise<string> {
  const { by = { id: course.instructorId }, content = 'What do you think?', channelId, at } = facts
  if (by.id !== course.instructorId) await joinCourse(services, by, course)
  const [post] = await services.db
    .insert(posts)
    .values({
      courseId: course.id,
      userId: by.id,
      content,
      channelId,
      ...(at && { createdAt: at, updatedAt: at }),
    })
    .returning({ id: posts.id })
  return post!.id
}

/** A comment below a post, or a reply to one, by somebody who may write there. Answers with its id. */
export async function makeComment(
  services: Services,
  postId: string,
  facts: { by: { id: string }; content?: string; parentId?: string; at?: Date },
): Promise<string> {
  const { by, content = 'I think so.', parentId, at } = facts
  return services.db.transaction(async (transaction) => {
    const [post] = await transaction
      .update(posts)
      .set({ commentsCount: sql`${posts.commentsCount} + 1` })
      .where(eq(posts.id, postId))
      .returning({ courseId: posts.courseId })
    const [parent] = parentId
      ? await transaction.select().from(comments).where(eq(comments.id, parentId))
      : []
    const threadId = parent ? (parent.threadId ?? parent.id) : null
    if (threadId) {
      await transaction
        .update(comments)
        .set({ repliesCount: sql`${comments.repliesCount} + 1` })
        .where(eq(comments.id, threadId))
    }
    const [comment] = await transaction
      .insert(comments)
      .values({
        postId,
        courseId: post!.courseId,
        userId: by.id,
        parentId: parentId ?? null,
        threadId,
        content,
        ...(at && { createdAt: at, updatedAt: at }),
      })
      .returning({ id: comments.id })
    return comment!.id
  })
}

/**
 * An open case about what a member wrote, reported by another one; about a new post when none is named.
 * Answers with its id.
 */
export async function makeCase(
  services: Services,
  course: { id: string; instructorId: string },
  facts: {
    postId?: string
    commentId?: string
    content?: string
    by?: { id: string }
    reason?: ReportReason
    note?: string
  } = {},
): Promise<string> {
  const { commentId, content, reason = 'spam', note = '' } = facts
  const reporter = facts.by ?? (await makePerson(services))
  await joinCourse(services, reporter, course)
  const post = async () => makePost(services, course, { by: await makePerson(services), content })
  const postId = commentId ? undefined : (facts.postId ?? (await post()))
  const received = await services.db.transaction((transaction) =>
    reportContent(transaction, {
      courseId: course.id,
      instructorId: course.instructorId,
      reporterId: reporter.id,
      postId,
      commentId,
      reason,
      note,
    }),
  )
  if (typeof received === 'string') throw new Error(`no case: ${received}`)
  const [report] = await services.db
    .select({ caseId: moderationReports.caseId })
    .from(moderationReports)
    .where(eq(moderationReports.reporterId, reporter.id))
    .orderBy(desc(moderationReports.createdAt))
    .limit(1)
  return report!.caseId
}

/** The row of an uploaded file; its bytes are the test's business. */
export async function makeMedia(
  services: Services,
  owner: { id: string },
  facts: {
    purpose: 'video' | 'thumbnail' | 'avatar' | 'import' | 'course_logo' | 'course_cover'
    courseId?: string
    status?: 'uploading' | 'ready' | 'failed'
  },
): Promise<string> {
  const [media] = await services.db
    .insert(mediaFiles)
    .values({
      ownerId: owner.id,
      courseId: facts.courseId ?? null,
      purpose: facts.purpose,
      status: facts.status ?? 'ready',
      filename: facts.purpose === 'video' ? 'lesson.mp4' : 'picture.png',
      contentType: facts.purpose === 'video' ? 'video/mp4' : 'image/png',
      sizeBytes: 1000,
    })
    .returning({ id: mediaFiles.id })
  return media!.id
}
