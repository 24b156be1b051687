// Every row of the contract with a valid input for it: what the loops over the whole contract run on.
import { isContractProcedure } from '@orpc/contract'
import { symmetricEncrypt } from 'better-auth/crypto'
import { eq, sql } from 'drizzle-orm'
import { contract } from '../src/contract.ts'
import type { Access, Meta } from '../src/contract-row.ts'
import { myProfile } from '../src/domains/accounts/queries.ts'
import { liveSessions } from '../src/domains/accounts/security-queries.ts'
import { creatorAccount } from '../src/domains/ledger/accounts.ts'
import { certificates } from '../src/domains/certificates/tables.ts'
import { makeSeed } from '../src/domains/challenges/seed.ts'
import { challengeEntries, challenges } from '../src/domains/challenges/tables.ts'
import { postTransaction } from '../src/domains/ledger/post-transaction.ts'
import { givenUpEntries } from '../src/domains/ledger/rules.ts'
import { earningDays } from '../src/domains/ledger/tables.ts'
import { richTextFrom } from '../src/domains/lessons/rich-text.ts'
import { customerOf } from '../src/domains/payments/customer-of.ts'
import { payoutMethods, payouts } from '../src/domains/payouts/tables.ts'
import { personalTokens } from '../src/domains/tokens/tables.ts'
import { unsubscribeToken } from '../src/domains/notifications/unsubscribe-token.ts'
import { makeSecret } from '../src/domains/webhooks/signature.ts'
import { webhookEndpoints, webhookMessages } from '../src/domains/webhooks/tables.ts'
import type { Services } from '../src/server/services.ts'
import { makeCourse, makeMedia, makePerson, sessionCookieOf } from './factories.ts'
import { makeFailingJob } from './failing-job.ts'

export interface ContractRow {
  /** 'courses.createCourse' */
  name: string
  method: string
  path: string
  access: Access
  stoppedBy?: Meta['stoppedBy']
  scope?: Meta['scope']
  whileSuspended?: boolean
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
      stoppedBy: (meta as Meta).stoppedBy,
      scope: (meta as Meta).scope,
      whileSuspended: (meta as Meta).whileSuspended,
    }
  }),
)

/** An endpoint of the course's owner that is told of nothing, and whose address leads nowhere. */
async function webhookOf(services: Services, courseId: string): Promise<{ endpointId: string }> {
  const [made] = await services.db
    .insert(webhookEndpoints)
    .values({
      userId: await ownerOf(services, courseId),
      courseId,
      url: 'https://hooks.example.invalid/',
      events: ['course.published'],
      sealedSecret: await symmetricEncrypt({ key: services.secret, data: makeSecret() }),
      // Nothing is sent there.
      restsUntil: new Date(Date.now() + 60 * 60 * 1000),
    })
    .returning({ endpointId: webhookEndpoints.id })
  return made!
}

async function webhookDelivery(services: Services, courseId: string) {
  const { endpointId } = await webhookOf(services, courseId)
  const [made] = await services.db
    .insert(webhookMessages)
    .values({ endpointId, type: 'webhook.test', data: { message: 'Hello' }, status: 'failed' })
    .returning({ messageId: webhookMessages.id })
  return { endpointId, messageId: made!.messageId }
}

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
  'analytics.getCreatorAnalytics': () => ({ days: '30' }),
  'analytics.getAdvancedAnalytics': ({ courseId }) => ({ days: '30', courseId }),
  'analytics.exportAnalytics': ({ courseId }) => ({ days: '30', courseId }),
  'analytics.exportStudents': ({ courseId }) => ({ courseId }),
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
  'billing.getBilling': () => ({}),
  'billing.getMySubscription': () => ({}),
  'billing.stripeCheckout': () => ({
    price_id: 'pro_annual',
    mode: 'subscription',
    success_url: '/billing?success=true&plan=annual',
    cancel_url: '/billing?canceled=true',
    metadata: { from: 'the modal' },
  }),
  'billing.stripeBillingHistory': async ({ courseId }, services) => ({
    customer_id: await ownersCustomer(services, courseId),
  }),
  'billing.stripePortal': async ({ courseId }, services) => {
    await ownersCustomer(services, courseId)
    return { return_url: '/billing', flow: 'payment_method_update' }
  },
  'billing.cancelSubscription': () => ({}),
  'billing.reactivateSubscription': () => ({}),
  'billing.demoUpgrade': () => ({ plan: 'annual' }),
  'earnings.getEarnings': () => ({}),
  'earnings.getSales': ({ courseId }) => ({
    courseId,
    state: 'pending',
    cursor: '1_00000000-0000-0000-0000-000000000000',
  }),
  'earnings.getSale': async ({ courseId }, services) => ({
    saleId: await soldByOwner(services, courseId),
  }),
  'earnings.exportSales': ({ courseId }) => ({ courseId }),
  'earnings.getStatement': async ({ courseId }, services) => ({
    month: await bookedByOwner(services, courseId),
  }),
  'earnings.refundSale': async ({ courseId }, services) => ({
    saleId: await soldByOwner(services, courseId),
    amount: 100,
  }),
  'payouts.getPayoutSetup': () => ({ fresh: true }),
  'payouts.connectPayoutMethod': async ({ courseId }, services) => {
    await earnedByOwner(services, courseId)
    return {
      method: 'bank_account',
      accountType: 'individual',
      firstName: 'A',
      lastName: 'Creator',
      email: 'creator@example.com',
      bankName: 'A bank',
      // The provider's own for tests, which is never used up.
      token: 'btok_us_verified',
    }
  },
  'payouts.removePayoutMethod': async ({ courseId }, services) => {
    await earnedByOwner(services, courseId)
    return {}
  },
  'payouts.setPayoutSchedule': async ({ courseId }, services) => {
    await earnedByOwner(services, courseId)
    return { schedule: 'weekly' }
  },
  'payouts.startOnboarding': () => ({}),
  'payouts.requestPayout': async ({ courseId }, services) => {
    await earnedByOwner(services, courseId)
    return { amount: 500 }
  },
  'payouts.getPayouts': () => ({ cursor: '1_00000000-0000-0000-0000-000000000000' }),
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
  'lessons.claimStream': ({ lessonId }) => ({ lessonId }),
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
  'payments.getPaymentEvents': () => ({ status: 'failed', search: 'evt_1', cursor: '1_evt_1' }),
  'payments.replayPaymentEvent': async (_target, services) => ({
    eventId: await paymentEvent(services),
  }),
  'purchases.courseCheckout': ({ courseId, slug }) => ({
    course_id: courseId,
    course_title: 'A course',
    price: 29,
    success_url: `/course/${slug}?success=true`,
    cancel_url: `/course/${slug}?canceled=true`,
  }),
  'purchases.getCourseCheckout': ({ slug }) => ({ slug }),
  'purchases.quoteCoupon': async ({ courseId, slug }, services) => ({
    slug,
    code: (await couponIn(services, courseId)).code,
  }),
  'purchases.getCoupons': ({ courseId }) => ({ courseId }),
  'purchases.createCoupon': ({ courseId }) => ({
    courseId,
    code: `code-${crypto.randomUUID()}`.slice(0, 40),
    percentOff: 50,
    amountOff: null,
    startsAt: '2026-01-01T00:00:00Z',
    endsAt: '2126-01-01T00:00:00Z',
    maxRedemptions: 10,
    maxPerPerson: 1,
  }),
  'purchases.updateCoupon': async ({ courseId }, services) => ({
    courseId,
    couponId: (await couponIn(services, courseId)).id,
    isActive: true,
    endsAt: '2126-01-01T00:00:00Z',
    maxRedemptions: 20,
  }),
  'purchases.cancelPurchase': async ({ courseId }, services) => ({
    purchaseId: await ownersPurchase(services, courseId),
  }),
  'purchases.resumePurchase': async ({ courseId }, services) => ({
    purchaseId: await ownersPurchase(services, courseId),
  }),
  'reviews.getCourseReviews': ({ slug }) => ({ slug, page: 1, perPage: 20 }),
  'reviews.saveMyReview': ({ courseId }) => ({ courseId, rating: 4, reviewText: 'Well explained' }),
  'reviews.removeMyReview': ({ courseId }) => ({ courseId }),
  'reviews.answerReview': ({ courseId, reviewId }) => ({ courseId, reviewId, answer: 'Thank you' }),
  'reviews.removeAnswer': ({ courseId, reviewId }) => ({ courseId, reviewId }),
  'reviews.getReviewStats': ({ courseId }) => ({ course_id_param: courseId }),
  'branding.getBranding': ({ courseId }) => ({ courseId }),
  'branding.saveBranding': ({ courseId }) => ({
    courseId,
    colour: '#1a7f5a',
    logoId: null,
    coverId: null,
    certificateHeading: 'Made by hand',
    certificateWords: '',
    certificateSignatory: '',
  }),
  'challenges.listChallenges': () => ({}),
  'challenges.getChallenge': async (_target, services) => ({
    slug: (await madeChallenge(services, 'published')).slug,
  }),
  'challenges.getDraw': async (_target, services) => ({
    slug: (await madeChallenge(services, 'published')).slug,
  }),
  'challenges.getMyEntry': async (_target, services) => ({
    slug: (await madeChallenge(services, 'published')).slug,
  }),
  'challenges.enterChallenge': async ({ courseId }, services) => ({
    slug: (await madeChallenge(services, 'published')).slug,
    courseId,
  }),
  'challenges.withdrawEntry': async (_target, services) => ({
    slug: (await madeChallenge(services, 'published')).slug,
  }),
  'challenges.getAllChallenges': () => ({}),
  'challenges.getAnyChallenge': async (_target, services) => ({
    challengeId: (await madeChallenge(services, 'draft')).id,
  }),
  'challenges.createChallenge': () => challengeFacts(),
  'challenges.updateChallenge': async (_target, services) => ({
    challengeId: (await madeChallenge(services, 'draft')).id,
    ...challengeFacts(),
  }),
  'challenges.publishChallenge': async (_target, services) => ({
    challengeId: (await madeChallenge(services, 'draft')).id,
  }),
  'challenges.cancelChallenge': async (_target, services) => ({
    challengeId: (await madeChallenge(services, 'published')).id,
    reason: 'There is no prize any more',
  }),
  'challenges.drawChallenge': async (_target, services) => ({
    challengeId: (await madeChallenge(services, 'closed')).id,
  }),
  'administration.getOverview': () => ({}),
  'administration.getPeople': () => ({ search: 'ow', filter: 'all', cursor: lastUuid }),
  'administration.getPerson': async (_target, services) => ({
    userId: (await makePerson(services)).id,
  }),
  'administration.suspendAccount': async (_target, services) => ({
    userId: (await makePerson(services)).id,
    reason: 'Spam',
  }),
  'administration.verifyAccount': async (_target, services) => ({
    userId: (await makePerson(services)).id,
    verified: true,
  }),
  'administration.endAllSessions': async (_target, services) => ({
    userId: (await makePerson(services)).id,
  }),
  'administration.getCourses': () => ({ search: 'course', filter: 'all', cursor: lastUuid }),
  'administration.getCourse': ({ courseId }) => ({ courseId }),
  'administration.suspendCourse': async (_target, services) => ({
    courseId: (await makeCourse(services, await makePerson(services))).id,
    reason: 'A copy',
  }),
  'administration.verifyCourse': async (_target, services) => ({
    courseId: (await makeCourse(services, await makePerson(services))).id,
    verified: true,
  }),
  'administration.liftSuspension': async (_target, services) => ({
    suspensionId: await suspension(services),
    note: 'A mistake of ours',
  }),
  'administration.getAppeals': () => ({ cursor: `1.${lastUuid}` }),
  'administration.answerAppeal': async (_target, services) => ({
    suspensionId: await suspension(services),
    decision: 'refuse',
    answer: 'It was spam.',
  }),
  'administration.getActs': () => ({
    action: 'suspend_account',
    subjectKind: 'account',
    subjectId: lastUuid,
    actorId: lastUuid,
    cursor: `1.${lastUuid}`,
  }),
  'administration.getFeatures': () => ({}),
  // What it was then is switched on again: nothing else here finds it off.
  'administration.switchFeature': async (_target, services) => {
    await services.pool.query(
      `insert into settings (key, value)
       values ('feature:reviews', jsonb_build_object('off', true, 'since', now(), 'notice', ''))
       on conflict do nothing`,
    )
    return { name: 'reviews', off: false, reason: 'The spam is gone', notice: '' }
  },
  'administration.getJobQueue': () => ({}),
  'administration.getFailingJobs': () => ({ cursor: '1' }),
  'administration.retryJob': async (_target, services) => ({
    jobId: await makeFailingJob(services),
  }),
  'administration.giveUpJob': async (_target, services) => ({
    jobId: await makeFailingJob(services),
    reason: 'It is of no use any more.',
  }),
  'administration.retryJobsOfKind': () => ({ name: 'countWords' }),
  'administration.getAnnouncements': () => ({ cursor: `1.${lastUuid}` }),
  'administration.countAudience': () => ({ audience: 'creators' }),
  'administration.announce': () => ({
    announcementId: crypto.randomUUID(),
    title: 'News',
    message: 'There is a new page.',
    href: '/about',
    audience: 'pro',
  }),
  'administration.getMySuspension': () => ({}),
  'administration.appealMySuspension': () => ({ appeal: 'It was me, and it was mine.' }),
  'administration.getCourseSuspension': ({ slug }) => ({ slug }),
  'administration.appealCourseSuspension': ({ slug }) => ({ slug, appeal: 'It is no copy.' }),
  'webhooks.getWebhooks': () => ({}),
  'webhooks.createWebhook': async ({ courseId }, services) => {
    // The loops make many, and there is a limit.
    const userId = await ownerOf(services, courseId)
    await services.db.delete(webhookEndpoints).where(eq(webhookEndpoints.userId, userId))
    return { url: 'https://hooks.example.com/thunder', events: ['enrollment.created'] }
  },
  'webhooks.getWebhook': async ({ courseId }, services) => webhookOf(services, courseId),
  'webhooks.updateWebhook': async ({ courseId }, services) => ({
    ...(await webhookOf(services, courseId)),
    description: 'For our newsletter',
    active: false,
  }),
  'webhooks.deleteWebhook': async ({ courseId }, services) => webhookOf(services, courseId),
  'webhooks.getWebhookSecret': async ({ courseId }, services) => webhookOf(services, courseId),
  'webhooks.rotateWebhookSecret': async ({ courseId }, services) => webhookOf(services, courseId),
  'webhooks.sendTestWebhook': async ({ courseId }, services) => webhookOf(services, courseId),
  'webhooks.getWebhookDeliveries': async ({ courseId }, services) => webhookOf(services, courseId),
  'webhooks.getWebhookDelivery': async ({ courseId }, services) =>
    webhookDelivery(services, courseId),
  'webhooks.replayWebhookDelivery': async ({ courseId }, services) =>
    webhookDelivery(services, courseId),
  'support.sendSupportRequest': () => ({
    topic: 'learning',
    subject: 'How do I go on?',
    message: 'I cannot find the lesson where I stopped.',
    name: 'Somebody',
    email: `${crypto.randomUUID()}@example.com`,
  }),
  'support.getMySupportRequests': () => ({}),
  'support.getMySupportRequest': async ({ courseId }, services) => ({
    requestId: await askedByOwner(services, courseId),
  }),
  'support.writeToSupport': async ({ courseId }, services) => ({
    requestId: await askedByOwner(services, courseId),
    message: 'One thing more that I forgot.',
  }),
  'support.closeMySupportRequest': async ({ courseId }, services) => ({
    requestId: await askedByOwner(services, courseId),
  }),
  'support.getSupportQueue': () => ({ status: 'waiting' }),
  'support.getSupportRequest': async ({ courseId }, services) => ({
    requestId: await askedByOwner(services, courseId),
  }),
  'support.answerSupportRequest': async ({ courseId }, services) => ({
    requestId: await askedByOwner(services, courseId),
    message: 'It is on your dashboard.',
  }),
  'support.closeSupportRequest': async ({ courseId }, services) => ({
    requestId: await askedByOwner(services, courseId),
  }),
  'site.listFeaturedCourses': () => ({}),
  'tokens.getMyTokens': () => ({}),
  'tokens.createToken': () => ({
    name: 'My program',
    scopes: ['courses:read', 'courses:write'],
    expiresInDays: 30,
  }),
  'tokens.revokeToken': async ({ courseId }, services) => ({
    tokenId: await tokenOfOwner(services, courseId),
  }),
  'certificates.getCertificate': async ({ courseId }, services) => ({
    certificateId: await certificateIn(services, courseId),
  }),
  'certificates.getMyCertificates': () => ({}),
  'certificates.getOwnCertificate': ({ courseId }) => ({ courseId }),
  'certificates.claimCertificate': ({ courseId }) => ({ courseId }),
  'certificates.getIssuedCertificates': ({ courseId }) => ({ courseId, cursor: `1_${lastUuid}` }),
  'certificates.getIssuedCertificate': async ({ courseId }, services) => ({
    courseId,
    certificateId: await certificateIn(services, courseId),
  }),
  'certificates.revokeCertificate': async ({ courseId }, services) => ({
    courseId,
    certificateId: await certificateIn(services, courseId),
    reason: 'Somebody else did it',
  }),
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
  // As it is counted, and changed only where it was not.
  await services.pool.query(
    `update courses c set lessons_count = n.counted
       from (select count(*)::int as counted from lessons where course_id = $1) n
      where c.id = $1 and c.lessons_count <> n.counted`,
    [courseId],
  )
  return 'open-to-all'
}

async function tokenOfOwner(services: Services, courseId: string): Promise<string> {
  const [token] = await services.db
    .insert(personalTokens)
    .values({
      userId: await ownerOf(services, courseId),
      name: 'A program',
      tokenHash: crypto.randomUUID(),
      ending: 'wxyz',
      scopes: ['courses:read'],
    })
    .returning({ id: personalTokens.id })
  return token!.id
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
    `with copied as (
       insert into comments (post_id, course_id, user_id, content)
       select post_id, course_id, user_id, content from comments where id = $1
       returning id, post_id
     ), counted as (
       update posts set comments_count = comments_count + 1
        where id = (select post_id from copied)
     )
     select id from copied`,
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

/** One that nothing follows from. */
async function paymentEvent(services: Services): Promise<string> {
  const { rows } = await services.pool.query<{ id: string }>(
    `insert into payment_events (id, type, object_id, occurred_at, source, status)
     values ('evt_' || replace(gen_random_uuid()::text, '-', ''), 'account.updated', 'acct_1',
             now(), 'webhook', 'ignored') returning id`,
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

async function ownersCustomer(services: Services, courseId: string) {
  const { rows } = await services.pool.query<{ id: string; name: string; email: string }>(
    'select id, name, email from users where id = $1',
    [await ownerOf(services, courseId)],
  )
  return customerOf(services, rows[0]!)
}

async function couponIn({ pool }: Services, courseId: string) {
  const { rows } = await pool.query<{ id: string; code: string }>(
    `insert into coupons (course_id, code, percent_off, max_per_person)
     select id, 'COUPON-' || upper(left($2, 8)), 50, 100 from courses where id = $1
     returning id, code`,
    [courseId, crypto.randomUUID()],
  )
  return rows[0] ?? { id: crypto.randomUUID(), code: 'NO-COURSE' }
}

/** Of the owner of the course, who paid once for another one that is gone. */
async function ownersPurchase(services: Services, courseId: string): Promise<string> {
  const { rows } = await services.pool.query<{ id: string }>(
    `insert into purchases (user_id, course_title, creator_account_id, pricing_type, amount, currency)
     select $1, 'A course', id, 'one_time', 2900, 'usd' from ledger_accounts limit 1 returning id`,
    [await ownerOf(services, courseId)],
  )
  return rows[0]!.id
}

/** A new one, of somebody new; of no course where there is no such course. */
async function certificateIn(services: Services, courseId: string): Promise<string> {
  const learner = await makePerson(services)
  const [made] = await services.db
    .insert(certificates)
    .values({
      userId: learner.id,
      courseId: sql`(select id from courses where id = ${courseId})`,
      learnerName: learner.name,
      courseTitle: 'A course',
      creatorName: 'A creator',
      look: { colour: null, logoUrl: null, heading: '', words: '', signatory: '' },
      credential: '',
    })
    .returning({ id: certificates.id })
  return made!.id
}

const challengeFacts = () => ({
  kind: 'challenge' as const,
  title: 'Best first lesson',
  prize: 'A microphone',
  rules: 'Enter a course.',
  opensAt: new Date(Date.now() - 60_000).toISOString(),
  closesAt: new Date(Date.now() + 86_400_000).toISOString(),
})

/** With one entry, whose creator is gone, when it is closed. */
async function madeChallenge(services: Services, status: 'draft' | 'published' | 'closed') {
  const { opensAt, closesAt, ...facts } = challengeFacts()
  const [made] = await services.db
    .insert(challenges)
    .values({
      ...facts,
      slug: `challenge-${crypto.randomUUID()}`,
      opensAt: new Date(opensAt),
      closesAt: new Date(closesAt),
      status,
      ...(await makeSeed(services.secret)),
      entriesHash: status === 'closed' ? 'a'.repeat(64) : null,
    })
    .returning({ id: challenges.id, slug: challenges.slug })
  if (status === 'closed') {
    await services.db.insert(challengeEntries).values({ challengeId: made!.id, number: 1 })
  }
  return made!
}

const lastUuid = 'ffffffff-ffff-7fff-bfff-ffffffffffff'

/** Of an account, with an appeal that waits. */
async function suspension(services: Services): Promise<string> {
  const { id } = await makePerson(services)
  await services.pool.query('update users set suspended_at = now() where id = $1', [id])
  const { rows } = await services.pool.query<{ id: string }>(
    `insert into suspensions (user_id, reason, appeal, appealed_at)
     values ($1, 'Spam', 'It was not.', now()) returning id`,
    [id],
  )
  return rows[0]!.id
}

/** A request for support, with an address that is nobody's. */
async function askedByOwner(services: Services, courseId: string): Promise<string> {
  const userId = await ownerOf(services, courseId)
  const { rows } = await services.pool.query<{ id: string }>(
    `insert into support_requests (user_id, name, email, topic, subject)
     values ($1, 'Somebody', 'nobody@example.com', 'other', 'A question') returning id`,
    [userId],
  )
  return rows[0]!.id
}

/** Of a course that is gone; the provider knows nothing of it. */
async function soldByOwner(services: Services, courseId: string): Promise<string> {
  const userId = await ownerOf(services, courseId)
  return services.db.transaction(async (transaction) => {
    const creatorAccountId = await creatorAccount(transaction, userId)
    const { rows } = await transaction.execute<{ id: string }>(sql`
      insert into payments (charge_id, kind, creator_account_id, description, currency, gross,
                            fee_percent, platform_fee, provider_fee, paid_at, available_at)
      values ('ch_' || replace(gen_random_uuid()::text, '-', ''), 'course', ${creatorAccountId},
              'A course', 'usd', 2900, 5, 145, 114, now(), now()) returning id`)
    return rows[0]!.id
  })
}

/** A month that is over, in which nothing but zeros was booked. */
async function bookedByOwner(services: Services, courseId: string): Promise<string> {
  const userId = await ownerOf(services, courseId)
  await services.db.transaction(async (transaction) => {
    const accountId = await creatorAccount(transaction, userId)
    await transaction
      .insert(earningDays)
      .values({ accountId, day: '2026-01-31', currency: 'usd', courseId })
      .onConflictDoNothing()
  })
  return '2026-01'
}

/** Enough for a payout by PayPal, with none on its way. */
async function earnedByOwner(services: Services, courseId: string): Promise<void> {
  const userId = await ownerOf(services, courseId)
  await services.db.transaction(async (transaction) => {
    const ledgerAccountId = await creatorAccount(transaction, userId)
    await transaction
      .update(payouts)
      .set({ status: 'paid' })
      .where(eq(payouts.ledgerAccountId, ledgerAccountId))
    const payee = { accountType: 'individual', firstName: 'A', lastName: 'Creator' } as const
    const way = { method: 'paypal', paypalEmail: 'creator@paypal.example', problem: null } as const
    await transaction
      .insert(payoutMethods)
      .values({ ledgerAccountId, ...payee, ...way })
      .onConflictDoUpdate({ target: payoutMethods.ledgerAccountId, set: way })
    await postTransaction(transaction, {
      kind: 'given_up',
      source: `given to ${ledgerAccountId} ${crypto.randomUUID()}`,
      occurredAt: new Date(),
      currency: 'usd',
      creatorAccountId: ledgerAccountId,
      entries: givenUpEntries(-500),
    })
  })
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
