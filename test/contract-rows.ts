// Every row of the contract with a valid input for it: what the loops over the whole contract run on.
import { isContractProcedure } from '@orpc/contract'
import { contract } from '../src/contract.ts'
import type { Access, Meta } from '../src/contract-row.ts'
import { myProfile } from '../src/domains/accounts/queries.ts'
import { liveSessions } from '../src/domains/accounts/security-queries.ts'
import { richTextFrom } from '../src/domains/lessons/rich-text.ts'
import { unsubscribeToken } from '../src/domains/notifications/unsubscribe-token.ts'
import type { Services } from '../src/server/services.ts'
import { makeMedia, makePerson, sessionCookieOf } from './factories.ts'

export interface ContractRow {
  /** 'courses.createCourse' */
  name: string
  method: string
  path: string
  access: Access
}

export const contractRows: ContractRow[] = Object.entries(contract).flatMap(([domain, calls]) =>
  Object.entries(calls).map(([call, row]) => {
    if (!isContractProcedure(row)) throw new Error(`${domain}.${call} is not a call`)
    const { route, meta } = row['~orpc']
    return {
      name: `${domain}.${call}`,
      method: route.method ?? 'POST',
      path: route.path ?? '',
      access: (meta as Meta).access,
    }
  }),
)

/** What an input can be about. */
export interface Target {
  courseId: string
  slug: string
  chapterId: string
  lessonId: string
  lessonSlug: string
  /** Of a ready video in the course. */
  mediaId: string
  /** By a member of the course. */
  reviewId: string
  /** By the owner of the course, like the comment below it. */
  postId: string
  commentId: string
  /** Open, about a post of a member. */
  caseId: string
}

export type Input = Record<string, unknown>

/** A valid input of each row about `target`; the loops fail for a row that is not here. */
export const inputs: Record<
  string,
  (target: Target, services: Services) => Input | Promise<Input>
> = {
  'accounts.getMe': () => ({}),
  'accounts.getSignInWays': () => ({}),
  'accounts.previewAccountDeletion': () => ({}),
  // Not the password of anybody: the loops would lose the person they call as.
  'accounts.deleteAccount': () => ({
    confirmation: 'DELETE',
    password: 'not the password',
    membersCourses: 'keep',
  }),
  'accounts.getMySecurity': () => ({}),
  // On another device: the loops go on with the session that they have.
  'accounts.endMySession': async (target, services) => {
    const id = await ownerOf(services, target.courseId)
    const before = new Set((await liveSessions(services.db, id)).map((session) => session.id))
    await sessionCookieOf(services, id)
    const other = (await liveSessions(services.db, id)).find((session) => !before.has(session.id))
    return { sessionId: other?.id }
  },
  'accounts.getMyProfile': () => ({}),
  'accounts.updateMyProfile': async (target, services) => ({
    name: 'A new name',
    username: 'a-new-name',
    bio: 'What there is to know',
    website: 'https://example.com',
    social: { x: '@somebody', youtube: 'https://www.youtube.com/@somebody' },
    version: (await myProfile(services.db, await ownerOf(services, target.courseId))).version,
  }),
  'accounts.setMyAvatar': async (target, services) => {
    const id = await ownerOf(services, target.courseId)
    return { mediaId: await makeMedia(services, { id }, { purpose: 'avatar' }) }
  },
  'accounts.removeMyAvatar': () => ({}),
  'accounts.getProfile': async (target, services) => {
    const id = await ownerOf(services, target.courseId)
    return { username: (await myProfile(services.db, id)).username, tab: 'created', show: 12 }
  },
  'analytics.getUserActivities': () => ({ days: '30' }),
  'analytics.getCourseActivity': ({ courseId }) => ({ courseId }),
  'applications.getApplicationQuestions': ({ courseId }) => ({ courseId }),
  'applications.saveApplicationQuestions': ({ courseId }) => ({
    courseId,
    questions: [{ question: 'Why this one?', required: true }],
  }),
  'applications.submitApplication': async ({ courseId }, services) => ({
    courseId,
    answers: (await questionsIn(services, courseId)).map((questionId) => ({
      questionId,
      answer: 'To learn',
    })),
  }),
  // Nobody applies to an own course, but whose it is decides who may withdraw it.
  'applications.withdrawApplication': async ({ courseId }, services) => ({
    applicationId: await applicationTo(services, courseId, await ownerOf(services, courseId)),
  }),
  'applications.canApplyToCourse': ({ courseId }) => ({ course_id_param: courseId }),
  'applications.getApplications': ({ courseId }) => ({
    courseId,
    status: 'pending',
    search: 'learn',
    cursor: '1.00000000-0000-0000-0000-000000000000',
  }),
  'applications.reviewApplication': async ({ courseId }, services) => ({
    courseId,
    applicationId: await applicationTo(services, courseId),
    decision: 'rejected',
    notes: 'Not this time',
    shareNotes: true,
  }),
  'applications.decideApplications': async ({ courseId }, services) => ({
    courseId,
    applicationIds: [await applicationTo(services, courseId)],
    decision: 'rejected',
    notes: 'Not this time',
    shareNotes: true,
  }),
  'applications.undoDecision': async ({ courseId }, services) => ({
    courseId,
    decisionId: await decisionAbout(services, courseId),
  }),
  'billing.getUserPlan': () => ({}),
  'billing.getUserTransactionFee': () => ({}),
  'community.findMentionable': ({ slug }) => ({ slug, search: 'an' }),
  'community.searchCommunity': ({ slug }) => ({
    slug,
    search: 'something',
    cursor: '1.00000000-0000-0000-0000-000000000000',
  }),
  'community.getFeed': ({ slug }) => ({
    slug,
    sort: 'highest',
    cursor: '5.1700000000000000.00000000-0000-0000-0000-000000000000',
  }),
  'community.getPost': ({ postId }) => ({ postId }),
  'community.createPost': ({ courseId }) => ({
    courseId,
    content: 'What do you think?',
    attachments: [{ url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' }],
  }),
  'community.updatePost': ({ postId }) => ({
    postId,
    content: 'What do you think now?',
    attachments: [{ url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ' }],
  }),
  // One of its own: the loops go on with the post of the target.
  'community.deletePost': async ({ postId }, services) => ({
    postId: await copyOfPost(services, postId),
  }),
  'community.pinPost': ({ postId }) => ({ postId, isPinned: true }),
  'community.likePost': ({ postId }) => ({ postId, liked: true }),
  'community.saveChannels': ({ courseId }) => ({ courseId, channels: [] }),
  'community.votePoll': async ({ postId }, services) => ({
    postId,
    optionId: await pollOptionOf(services, postId),
  }),
  'community.getScheduledPosts': ({ courseId }) => ({ courseId }),
  'community.publishPost': async ({ postId }, services) => ({
    postId: await scheduledCopyOf(services, postId),
  }),
  'community.getComments': ({ postId, commentId }) => ({
    postId,
    cursor: '0_00000000-0000-0000-0000-000000000000',
    with: commentId,
  }),
  'community.getReplies': ({ commentId }) => ({
    commentId,
    cursor: '0_00000000-0000-0000-0000-000000000000',
  }),
  'community.createComment': ({ postId, commentId }) => ({
    postId,
    parentId: commentId,
    content: 'Well said',
  }),
  'community.updateComment': ({ commentId }) => ({ commentId, content: 'Well said indeed' }),
  // One of its own: the loops go on with the comment of the target.
  'community.deleteComment': async ({ commentId }, services) => ({
    commentId: await copyOfComment(services, commentId),
  }),
  'community.likeComment': ({ commentId }) => ({ commentId, liked: true }),
  'courseTransfer.exportCourse': ({ courseId }) => ({ courseId }),
  'courseTransfer.duplicateCourse': ({ courseId }) => ({ courseId }),
  'courseTransfer.listImports': () => ({}),
  'courseTransfer.startImport': async (target, services) => {
    const id = await ownerOf(services, target.courseId)
    await services.pool.query('delete from course_imports where user_id = $1', [id])
    return { mediaId: await makeMedia(services, { id }, { purpose: 'import' }) }
  },
  'courseTransfer.retryImport': async (target, services) => ({
    importId: await failedImport(services, await ownerOf(services, target.courseId)),
  }),
  'courseTransfer.removeImport': async (target, services) => ({
    importId: await failedImport(services, await ownerOf(services, target.courseId)),
  }),
  'courses.listCourses': () => ({ search: 'course', category: 'Tech', show: 12 }),
  'courses.getCoursePage': ({ slug }) => ({ slug }),
  'courses.getCourseDashboard': ({ slug }) => ({ slug }),
  'courses.getMyDashboard': () => ({}),
  'courses.createCourse': () => ({
    title: 'A new course',
    shortDescription: 'In short',
    description: richTextFrom('What it is about'),
    category: 'Tech',
    level: 'Beginner',
    thumbnailId: null,
    pricingType: 'one_time',
    priceAmount: 2900,
    applicationRequired: true,
    applicationInstructions: 'What to know before',
    applicationQuestions: [{ question: 'Why?', required: false }],
  }),
  'courses.getCourseForm': ({ courseId }) => ({ courseId }),
  'courses.updateCourse': ({ courseId }) => ({
    courseId,
    title: 'A better title',
    shortDescription: 'In other words',
    description: richTextFrom('What else it is about'),
    level: 'Advanced',
    pricingType: 'free',
    priceAmount: 0,
    applicationRequired: false,
    applicationInstructions: 'What to know',
    applicationQuestions: [{ question: 'Why now?', required: true }],
  }),
  'courses.getCourseContent': ({ courseId }) => ({ courseId }),
  'courses.saveCourseContent': async (target, services) => ({
    courseId: target.courseId,
    contentVersion: await contentVersion(services, target.courseId),
    chapters: [
      {
        id: target.chapterId,
        title: 'The chapter',
        lessons: [
          {
            id: target.lessonId,
            title: 'The lesson',
            content: richTextFrom('What it says'),
            videoId: target.mediaId,
            isPreview: true,
            durationMinutes: 5,
            links: [{ title: 'More', url: 'https://example.com', description: '' }],
          },
        ],
      },
    ],
  }),
  'courses.getPublishChecklist': ({ courseId }) => ({ courseId }),
  'courses.publishCourse': ({ courseId }) => ({ courseId }),
  'courses.unpublishCourse': ({ courseId }) => ({ courseId }),
  'courses.deleteCourse': async ({ courseId }, services) => {
    const { rows } = await services.pool.query<{ title: string }>(
      'select title from courses where id = $1',
      [courseId],
    )
    return { courseId, title: rows[0]?.title ?? 'No such course' }
  },
  'courses.canCreateCourse': () => ({}),
  'enrollment.enroll': async ({ courseId }, services) => ({
    courseId,
    invitation: (await invitationTo(services, courseId)).code,
  }),
  'enrollment.leaveCourse': ({ courseId }) => ({ courseId }),
  'enrollment.getMembers': ({ slug }) => ({ slug, search: 'm' }),
  // Somebody who is not in it: the loops compare the course with what it was.
  'enrollment.removeMember': async ({ courseId }, services) => ({
    courseId,
    userId: (await makePerson(services)).id,
    reason: 'Wrote nothing but advertisements',
  }),
  'enrollment.exportMembers': ({ courseId }) => ({ courseId }),
  'enrollment.canEnrollInCourse': ({ courseId }) => ({ course_id_param: courseId }),
  'invitations.createInvitation': async ({ courseId }, services) => {
    await services.pool.query('delete from course_invitations where course_id = $1', [courseId])
    return { courseId, maxUses: 10, expiresInDays: 30 }
  },
  'invitations.getInvitations': async ({ courseId }, services) => ({
    courseId,
    kind: 'links',
    cursor: (await invitationTo(services, courseId)).id,
  }),
  'invitations.revokeInvitation': async ({ courseId }, services) => ({
    courseId,
    invitationId: (await invitationTo(services, courseId)).id,
  }),
  'invitations.inviteByList': ({ courseId }) => ({
    courseId,
    csv: 'Name,E-Mail\nAda,ada@example.com\nBob,not an address',
    dryRun: true,
  }),
  'invitations.getInvitation': async ({ courseId }, services) => ({
    code: (await invitationTo(services, courseId)).code,
  }),
  'lessons.getLesson': ({ slug, lessonSlug }) => ({ slug, lessonSlug }),
  'lessons.getPreviewLesson': async (target, services) => ({
    slug: target.slug,
    lessonSlug: await previewIn(target, services),
  }),
  'lessons.getOutline': ({ slug }) => ({ slug }),
  'lessons.findLesson': ({ lessonId }) => ({ lessonId }),
  'lessons.completeLesson': ({ lessonId }) => ({ lessonId }),
  'lessons.uncompleteLesson': ({ lessonId }) => ({ lessonId }),
  'lessons.savePosition': ({ lessonId }) => ({
    lessonId,
    seconds: 7,
    played: [{ from: 0, to: 7 }],
    duration: 8,
    ended: false,
  }),
  'lessons.listNotes': ({ lessonId }) => ({ lessonId }),
  'lessons.addNote': ({ lessonId }) => ({ lessonId, text: 'To remember', seconds: 7 }),
  'lessons.updateNote': async (target, services) => ({
    lessonId: target.lessonId,
    noteId: await noteIn(target, services),
    text: 'To remember well',
    seconds: null,
  }),
  'lessons.deleteNote': async (target, services) => ({
    lessonId: target.lessonId,
    noteId: await noteIn(target, services),
  }),
  'media.getMedia': ({ mediaId }) => ({ mediaId }),
  'media.processVideo': ({ mediaId }) => ({ mediaId }),
  'media.listCaptions': ({ mediaId }) => ({ mediaId }),
  'media.getCaptions': async ({ mediaId }, services) => {
    await addCaptions(services, mediaId)
    return { mediaId, language: 'en' }
  },
  'media.saveCaptions': ({ mediaId }) => ({
    mediaId,
    language: 'de',
    cues: [{ start: 1, end: 2.5, text: 'What is said' }],
  }),
  'media.deleteCaptions': async ({ mediaId }, services) => {
    await addCaptions(services, mediaId)
    return { mediaId, language: 'en' }
  },
  'moderation.reportContent': ({ postId }) => ({
    postId,
    reason: 'spam',
    note: 'An advertisement',
  }),
  'moderation.getCourseCases': ({ courseId }) => ({
    courseId,
    status: 'open',
    cursor: '9000000000000000.00000000-0000-0000-0000-000000000000',
  }),
  'moderation.getAllCases': () => ({ status: 'open' }),
  'moderation.getCase': ({ caseId }) => ({ caseId }),
  'moderation.decideCase': ({ caseId }) => ({ caseId, action: 'note', note: 'To be looked at' }),
  'moderation.getCommunitySettings': ({ courseId }) => ({ courseId }),
  'moderation.saveCommunitySettings': ({ courseId }) => ({
    courseId,
    blockedWords: ['casino'],
    firstPosts: 3,
    firstPostsLinks: 1,
  }),
  'notifications.getNotifications': () => ({}),
  'notifications.markNotificationsRead': async ({ courseId }, services) => ({
    ids: [await noticeOfOwner(services, courseId)],
  }),
  'notifications.clearNotifications': async ({ courseId }, services) => ({
    ids: [await noticeOfOwner(services, courseId)],
  }),
  'notifications.deleteNotification': async ({ courseId }, services) => ({
    notificationId: await noticeOfOwner(services, courseId),
  }),
  'notifications.getNotificationPreferences': () => ({}),
  'notifications.saveNotificationPreferences': () => ({
    new_signup: { inApp: true, email: 'daily' },
    system_announcements: { inApp: true, email: 'at_once' },
    comment_alert: { inApp: false, email: 'off' },
    sales_alert: { inApp: true, email: 'at_once' },
  }),
  'notifications.getMailSubscription': mailedToken,
  'notifications.unsubscribe': mailedToken,
  'realtime.watchEvents': () => ({}),
  'reviews.getCourseReviews': ({ slug }) => ({ slug, page: 1, perPage: 20 }),
  'reviews.saveMyReview': ({ courseId }) => ({ courseId, rating: 4, reviewText: 'Well explained' }),
  'reviews.removeMyReview': ({ courseId }) => ({ courseId }),
  'reviews.answerReview': ({ courseId, reviewId }) => ({ courseId, reviewId, answer: 'Thank you' }),
  'reviews.removeAnswer': ({ courseId, reviewId }) => ({ courseId, reviewId }),
  'reviews.getReviewStats': ({ courseId }) => ({ course_id_param: courseId }),
}

/** The slug of a lesson that is a free preview, made where there is none. */
export async function previewIn(
  { courseId, chapterId }: Pick<Target, 'courseId' | 'chapterId'>,
  services: Services,
): Promise<string> {
  await services.pool.query(
    `insert into lessons (course_id, chapter_id, title, slug, content, order_index, is_preview)
     select c.id, $2, 'Open to all', 'open-to-all', $3, 100, true from courses c where c.id = $1
     on conflict do nothing`,
    [courseId, chapterId, JSON.stringify(richTextFrom('For everybody'))],
  )
  await services.pool.query(
    `insert into lesson_slugs (course_id, slug, lesson_id)
     select course_id, slug, id from lessons where course_id = $1 and is_preview
     on conflict do nothing`,
    [courseId],
  )
  return 'open-to-all'
}

/** By the same author; its own id where there is nothing to copy. */
async function copyOfPost({ pool }: Services, postId: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into posts (course_id, user_id, content)
     select course_id, user_id, content from posts where id = $1 returning id`,
    [postId],
  )
  return rows[0]?.id ?? postId
}

async function copyOfComment({ pool }: Services, commentId: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into comments (post_id, course_id, user_id, content)
     select post_id, course_id, user_id, content from comments where id = $1 returning id`,
    [commentId],
  )
  return rows[0]?.id ?? commentId
}

async function invitationTo({ pool }: Services, courseId: string) {
  const { rows } = await pool.query<{ id: string; code: string }>(
    `insert into course_invitations (course_id, code)
     select id, left(translate(uuidv4()::text || uuidv4()::text, '-', ''), 22)
       from courses where id = $1 returning id, code`,
    [courseId],
  )
  return rows[0] ?? { id: crypto.randomUUID(), code: 'AAAAAAAAAAAAAAAAAAAAAA' }
}

/** At least one. */
async function questionsIn({ pool }: Services, courseId: string): Promise<string[]> {
  await pool.query(
    `insert into course_application_questions (course_id, question, order_index)
     select id, 'Why?', 1 from courses where id = $1
        and not exists (select 1 from course_application_questions where course_id = $1)`,
    [courseId],
  )
  const { rows } = await pool.query<{ id: string }>(
    'select id from course_application_questions where course_id = $1',
    [courseId],
  )
  return rows.map(({ id }) => id)
}

/** A pending one, by somebody new unless it says by whom. */
async function applicationTo(services: Services, courseId: string, by?: string): Promise<string> {
  const id = by ?? (await makePerson(services)).id
  const { rows } = await services.pool.query<{ id: string }>(
    `insert into course_applications (course_id, user_id)
     select id, $2 from courses where id = $1
     on conflict (course_id, user_id) where status = 'pending' do update set decision_id = null
     returning id`,
    [courseId, id],
  )
  return rows[0]?.id ?? crypto.randomUUID()
}

async function decisionAbout({ pool }: Services, courseId: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into course_application_decisions (course_id, decision, apply_at)
     select id, 'rejected', now() + interval '1 hour' from courses where id = $1 returning id`,
    [courseId],
  )
  return rows[0]?.id ?? crypto.randomUUID()
}

/** By whoever joined the course last. */
async function noteIn({ lessonId }: Target, services: Services): Promise<string> {
  const { rows } = await services.pool.query<{ id: string }>(
    `insert into lesson_notes (user_id, lesson_id, course_id, text)
     select e.user_id, l.id, l.course_id, 'A thought'
       from lessons l join courses c on c.id = l.course_id
       join enrollments e on e.course_id = c.id and e.user_id <> c.instructor_id
      where l.id = $1 order by e.enrolled_at desc limit 1
     returning id`,
    [lessonId],
  )
  return rows[0]?.id ?? crypto.randomUUID()
}

/** Of the course's owner. */
async function mailedToken({ courseId }: Target, services: Services) {
  const userId = await ownerOf(services, courseId)
  return { token: unsubscribeToken(services.secret, { userId, scope: 'new_signup' }) }
}

async function addCaptions({ pool }: Services, mediaId: string) {
  await pool.query(
    `insert into video_captions (media_id, language, cues)
     select id, 'en', '[{"start": 0, "end": 1, "text": "Hello"}]' from media_files where id = $1
     on conflict do nothing`,
    [mediaId],
  )
}

/** Of a file that is still there. */
async function failedImport(services: Services, userId: string): Promise<string> {
  await services.pool.query('delete from course_imports where user_id = $1', [userId])
  const { rows } = await services.pool.query<{ id: string }>(
    `insert into course_imports (user_id, file_id, status, problem)
     values ($1, $2, 'failed', 'Something was wrong') returning id`,
    [userId, await makeMedia(services, { id: userId }, { purpose: 'import' })],
  )
  return rows[0]!.id
}

async function noticeOfOwner(services: Services, courseId: string): Promise<string> {
  const { rows } = await services.pool.query<{ id: string }>(
    `insert into notifications (user_id, kind, title, message, type)
     values ($1, 'system_announcement', 'Something new', 'Have a look', 'info') returning id`,
    [await ownerOf(services, courseId)],
  )
  return rows[0]!.id
}

async function ownerOf(services: Services, courseId: string): Promise<string> {
  const { rows } = await services.pool.query<{ instructor_id: string }>(
    'select instructor_id from courses where id = $1',
    [courseId],
  )
  return rows[0]!.instructor_id
}

export async function contentVersion(services: Services, courseId: string): Promise<number> {
  const { rows } = await services.pool.query<{ content_version: number }>(
    'select content_version from courses where id = $1',
    [courseId],
  )
  return rows[0]?.content_version ?? 1
}

/** An address has room for text only, and for whole characters. */
const asText = (value: unknown) =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed()

/** The HTTP request of a row with this input: path, then query or JSON. */
export function requestOf(row: ContractRow, input: Input): { path: string; body?: Input } {
  const rest = { ...input }
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(asText(value))
  })
  if (row.method !== 'GET') return { path, body: rest }
  const query = new URLSearchParams(
    Object.entries(rest).map(([name, value]) => [name, asText(value)]),
  )
  return { path: query.size > 0 ? `${path}?${query}` : path }
}

/** An answer of the poll below this post, which gets one. */
async function pollOptionOf({ pool }: Services, postId: string): Promise<string> {
  await pool.query(
    'insert into polls (post_id) select id from posts where id = $1 on conflict do nothing',
    [postId],
  )
  const { rows } = await pool.query<{ id: string }>(
    `insert into poll_options (post_id, text, order_index)
     select post_id, 'Yes', 1 from polls where post_id = $1
     on conflict (post_id, order_index) do update set text = excluded.text
     returning id`,
    [postId],
  )
  return rows[0]?.id ?? postId
}

/** The same, to be published tomorrow. */
async function scheduledCopyOf(services: Services, postId: string): Promise<string> {
  const id = await copyOfPost(services, postId)
  await services.pool.query(
    `update posts set status = 'scheduled', scheduled_for = now() + interval '1 day' where id = $1`,
    [id],
  )
  return id
}
