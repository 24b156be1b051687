// A valid input for every row of the contract.
import { eq } from 'drizzle-orm'
import { myProfile } from '../src/domains/accounts/queries.ts'
import { liveSessions } from '../src/domains/accounts/security-queries.ts'
import { richTextFrom } from '../src/domains/lessons/rich-text.ts'
import { webhookEndpoints } from '../src/domains/webhooks/tables.ts'
import type { Services } from '../src/server/services.ts'
import { makeCourse, makeMedia, makePerson, sessionCookieOf } from './factories.ts'
import { makeFailingJob } from './failing-job.ts'
import {
  webhookOf,
  webhookDelivery,
  previewIn,
  tokenOfOwner,
  copyOfPost,
  copyOfComment,
  invitationTo,
  questionsIn,
  applicationTo,
  decisionAbout,
  noteIn,
  mailedToken,
  addCaptions,
  failedImport,
  paymentEvent,
  noticeOfOwner,
  ownersCustomer,
  paidByOwner,
  couponIn,
  ownersPurchase,
  certificateIn,
  challengeFacts,
  madeChallenge,
  suspension,
  askedByOwner,
  soldByOwner,
  unclaimedOfOwner,
  bookedByOwner,
  earnedByOwner,
  ownerOf,
  contentVersion,
  pollOptionOf,
  scheduledCopyOf,
} from './input-makers.ts'

const lastUuid = 'ffffffff-ffff-7fff-bfff-ffffffffffff'

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
  'accounts.removeMyTelephone': async (target, services) => {
    const id = await ownerOf(services, target.courseId)
    await services.pool.query(
      `update users set phone_number = '+49' || (1000000000 + random() * 8999999999)::bigint where id = $1`,
      [id],
    )
    return {}
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
    invitation: (await invitationTo(services, courseId)).code,
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
  'billing.getReceipts': () => ({ cursor: '1_00000000-0000-0000-0000-000000000000' }),
  'billing.getReceipt': async ({ courseId }, services) => ({
    paymentId: await paidByOwner(services, courseId),
    document: 'invoice',
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
  'payouts.takeBackPayout': async ({ courseId }, services) => ({
    payoutId: await unclaimedOfOwner(services, courseId),
  }),
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
  'enrollment.getMembers': ({ slug }) => ({
    slug,
    search: 'm',
    cursor: `9000000000000000_${lastUuid}`,
  }),
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
  'invitations.getInvitations': ({ courseId }) => ({
    courseId,
    kind: 'links',
    cursor: `1.${lastUuid}`,
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
    secondsAgo: 20,
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
    updatedAt: null,
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
  'moderation.getAllCases': () => ({ status: 'open', cursor: `9000000000000000.${lastUuid}` }),
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
  'reviews.takeDownReview': ({ reviewId }) => ({ reviewId, reason: 'It slanders somebody.' }),
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
  'challenges.getAllChallenges': () => ({ cursor: `9000000000000000.${lastUuid}` }),
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
  // Who has no right leaves it off, and the node finds that out when it next reads. Uploading is a door beside
  // the contract: with it off, no call stops, and people can still be signed up. Who tries that door switches it on.
  'administration.switchFeature': async (_target, services) => {
    await services.pool.query(
      `insert into settings (key, value)
       values ('feature:uploads', jsonb_build_object('off', true, 'since', now(), 'notice', ''))
       on conflict do nothing`,
    )
    return { name: 'uploads', off: false, reason: 'The spam is gone', notice: '' }
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
  'webhooks.getWebhookDeliveries': async ({ courseId }, services) => ({
    ...(await webhookOf(services, courseId)),
    cursor: lastUuid,
  }),
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
  'support.getMySupportRequests': () => ({ cursor: `9000000000000000.${lastUuid}` }),
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
  'support.getSupportQueue': () => ({
    status: 'waiting',
    cursor: '1-0.00000000-0000-0000-0000-000000000000',
  }),
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
