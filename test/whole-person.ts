// Somebody with a row in every table that can say something about a person, and with files.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import {
  identities,
  passkeys,
  sessions,
  ssoProviders,
  twoFactors,
  usedCodes,
  users,
  verifications,
  walletAddresses,
} from '../src/domains/accounts/tables.ts'
import { recordAct } from '../src/domains/administration/record-act.ts'
import { announcements, suspensions } from '../src/domains/administration/tables.ts'
import { learnerDays } from '../src/domains/analytics/tables.ts'
import {
  courseApplicationAnswers,
  courseApplicationDecisions,
  courseApplicationQuestions,
  courseApplications,
} from '../src/domains/applications/tables.ts'
import { courseBrandings } from '../src/domains/branding/tables.ts'
import { planGrants, planSubscriptions } from '../src/domains/billing/tables.ts'
import {
  commentLikes,
  commentMentions,
  comments,
  communityChannels,
  pollOptions,
  polls,
  pollVotes,
  postAttachments,
  postLikes,
  postMentions,
  posts,
} from '../src/domains/community/tables.ts'
import { courseImports } from '../src/domains/course-transfer/tables.ts'
import { courses } from '../src/domains/courses/tables.ts'
import { refundRequests } from '../src/domains/earnings/tables.ts'
import { courseInvitations } from '../src/domains/invitations/tables.ts'
import { ledgerAccounts, ledgerEntries, ledgerTransactions } from '../src/domains/ledger/tables.ts'
import { lessonNotes, lessonPositions, lessons } from '../src/domains/lessons/tables.ts'
import { uploadKey } from '../src/domains/media/finish-upload.ts'
import { imageKey } from '../src/domains/media/store-image.ts'
import {
  mediaFiles,
  playingStreams,
  videoCaptions,
  videoProcessings,
} from '../src/domains/media/tables.ts'
import { communitySettings, moderationActions } from '../src/domains/moderation/tables.ts'
import { notificationPreferences } from '../src/domains/notifications/tables.ts'
import { notify } from '../src/domains/notifications/notify.ts'
import {
  checkouts,
  couponRedemptions,
  paymentCustomers,
  paymentDisputes,
  paymentEvents,
  paymentRefunds,
  payments,
} from '../src/domains/payments/tables.ts'
import { connectedAccounts, payoutMethods, payouts } from '../src/domains/payouts/tables.ts'
import { certificates } from '../src/domains/certificates/tables.ts'
import { challengeEntries, challenges } from '../src/domains/challenges/tables.ts'
import { supportMessages, supportRequests } from '../src/domains/support/tables.ts'
import {
  webhookAttempts,
  webhookEndpoints,
  webhookMessages,
} from '../src/domains/webhooks/tables.ts'
import { coupons, purchases } from '../src/domains/purchases/tables.ts'
import { idempotencyKeys, personalTokens } from '../src/domains/tokens/tables.ts'
import { personalData } from '../src/personal-data.ts'
import type { Person } from '../src/server/personal-data.ts'
import type { Services } from '../src/server/services.ts'
import {
  completeLessons,
  joinCourse,
  lessonsOf,
  makeCase,
  makeComment,
  makeCourse,
  makeMedia,
  makePerson,
  makePost,
  makeReview,
  sessionCookieOf,
} from './factories.ts'

/** Stands in everything that opens the account: it must never leave the server. */
export const secretCanary = 'canary-that-opens-the-account'

export type WholePerson = Awaited<ReturnType<typeof makeWholePerson>>

/**
 * A creator of two courses, one with a member and one without, who takes a course of `teacher`. `name`
 * stands in every text of the person, so that what is left of them can be found by it.
 */
export async function makeWholePerson(
  services: Services,
  name: string,
  others: { teacher: { id: string }; member: { id: string } },
) {
  const { db, storage } = services
  const made = await makePerson(services, { name, bio: `${name} likes cats` })
  const phoneNumber = `+1555${String(Date.now()).slice(-7)}`
  const userId = made.id
  await db
    .update(users)
    .set({ phoneNumber, website: 'https://cats.example', socialLinks: { x: `${name}-cats` } })
    .where(eq(users.id, userId))
  const cookie = await sessionCookieOf(services, userId)
  await db
    .update(sessions)
    .set({ ipAddress: '203.0.113.77', userAgent: `Browser of ${name}` })
    .where(eq(sessions.userId, userId))
  await db.insert(identities).values({
    userId,
    providerId: 'google',
    accountId: `google-${userId}`,
    accessToken: secretCanary,
    refreshToken: secretCanary,
    idToken: secretCanary,
  })
  await db.insert(twoFactors).values({ userId, secret: secretCanary, backupCodes: secretCanary })
  await db.insert(usedCodes).values({ userId, codeHash: secretCanary })
  await db.insert(personalTokens).values({
    userId,
    name: `${name}'s program`,
    tokenHash: `${secretCanary}-${userId}`,
    ending: 'wxyz',
    scopes: ['profile:read'],
  })
  await db
    .insert(idempotencyKeys)
    .values({ userId, key: `${name}-1`, requestHash: secretCanary, answer: secretCanary })
  await db.insert(passkeys).values({
    userId,
    name: `Phone of ${name}`,
    publicKey: secretCanary,
    credentialID: `${secretCanary}-${userId}`,
    counter: 3,
    deviceType: 'multiDevice',
    backedUp: true,
  })
  await db.insert(walletAddresses).values({ userId, address: `0x${userId}`, chainId: 1 })
  await db.insert(ssoProviders).values({
    userId,
    providerId: `school-${randomUUID()}`,
    issuer: 'https://school.example',
    domain: 'school.example',
    oidcConfig: secretCanary,
  })
  const expiresAt = new Date(Date.now() + 600_000)
  await db.insert(verifications).values([
    { identifier: secretCanary, value: userId, expiresAt },
    { identifier: secretCanary, value: JSON.stringify({ email: made.email, name }), expiresAt },
  ])
  await services.rateLimits.loginByAccountAndAddress.count(`${made.email} 203.0.113.78`)
  await services.rateLimits.mailByRecipient.count(`${phoneNumber} sign-in`)
  await notify(db, {
    userId,
    kind: 'system_announcement',
    title: `Hello ${name}`,
    message: 'A notice',
  })
  await db
    .insert(notificationPreferences)
    .values({ userId, switch: 'new_signup', inApp: true, email: 'off' })

  await db.insert(planGrants).values({ userId, reason: `A gift to ${name}` })

  const shared = await makeCourse(services, made, {
    title: `Shared course of ${userId}`,
    chapters: [
      {
        title: 'Chapter',
        lessons: [
          {
            title: 'Lesson',
            content: 'What the lesson says',
            links: [{ title: 'More', url: 'https://more.example' }],
          },
        ],
      },
    ],
  })
  const alone = await makeCourse(services, made, { title: `Lonely course of ${userId}` })
  await joinCourse(services, others.member, shared)
  await db
    .insert(courseApplicationQuestions)
    .values({ courseId: shared.id, question: 'What brings you here?', orderIndex: 1 })
  await db.insert(courseApplicationDecisions).values({
    courseId: shared.id,
    decision: 'rejected',
    reviewerNotes: `${name} writes this to many`,
    applyAt: new Date(),
  })
  await db.insert(courseApplications).values({
    courseId: shared.id,
    userId: others.member.id,
    status: 'approved',
    reviewerNotes: `${name} knows them`,
  })
  const media = { sharedVideo: '', sharedThumbnail: '', aloneVideo: '', avatar: '', unfinished: '' }
  media.sharedVideo = await makeMedia(services, made, { purpose: 'video', courseId: shared.id })
  media.aloneVideo = await makeMedia(services, made, { purpose: 'video', courseId: alone.id })
  media.sharedThumbnail = await makeMedia(services, made, { purpose: 'thumbnail' })
  media.avatar = await makeAvatar(services, userId, name)
  media.unfinished = await makeMedia(services, made, {
    purpose: 'video',
    courseId: shared.id,
    status: 'uploading',
  })
  for (const id of [media.sharedVideo, media.aloneVideo, media.unfinished]) {
    await storage.put(uploadKey(id), Buffer.from(`bytes of ${id}`))
  }
  for (const width of [320, 640, 1280]) {
    await storage.put(imageKey(media.sharedThumbnail, width), Buffer.from(`${width} pixels`))
  }
  for (const width of [96, 256]) {
    await storage.put(imageKey(media.avatar, width), Buffer.from(`${width} pixels`))
  }
  await db
    .update(courses)
    .set({ thumbnailId: media.sharedThumbnail })
    .where(eq(courses.id, shared.id))
  await db
    .update(lessons)
    .set({ videoId: media.sharedVideo })
    .where(eq(lessons.courseId, shared.id))

  await db
    .insert(courseImports)
    .values({ userId, courseId: alone.id, status: 'failed', problem: `Nothing for ${name}` })

  const joined = await makeCourse(services, others.teacher, { title: `Joined by ${userId}` })
  await joinCourse(services, made, joined)
  await db.insert(courseInvitations).values([
    { courseId: shared.id, code: `link ${userId}`.slice(-20) },
    { courseId: joined.id, code: `mailed ${userId}`.slice(-22), email: made.email, maxUses: 1 },
  ])
  await completeLessons(services, made, joined, 1)
  const [application] = await db
    .insert(courseApplications)
    .values({ courseId: joined.id, userId, status: 'approved', reviewerNotes: secretCanary })
    .returning({ id: courseApplications.id })
  await db.insert(courseApplicationAnswers).values({
    applicationId: application!.id,
    question: 'Why?',
    required: true,
    orderIndex: 1,
    answer: `${name} likes to learn`,
  })
  await makeReview(services, joined, { by: made, rating: 4, reviewText: `${name} liked it` })
  const [lesson] = await lessonsOf(services, joined.id)
  const place = { userId, lessonId: lesson!.id, courseId: joined.id }
  await db.insert(lessonPositions).values({ ...place, seconds: 12.5, watched: '{[0,12)}' })
  await db.insert(lessonNotes).values({ ...place, seconds: 7, text: `A note of ${name}` })
  const [session] = await db.select().from(sessions).where(eq(sessions.userId, userId)).limit(1)
  await db.insert(playingStreams).values({ userId, sessionId: session!.id })
  await db.insert(videoProcessings).values({ mediaId: media.sharedVideo, status: 'done' })
  await db.insert(videoCaptions).values({
    mediaId: media.sharedVideo,
    language: 'en',
    cues: [{ start: 0, end: 2, text: `${name} says hello` }],
  })

  await makeDiscussion(services, name, { made, shared, joined })
  await makeModeration(services, name, { made, shared, joined, member: others.member })
  await makeSupport(services, name, made)
  await makeWebhook(services, name, made)
  await makeAdministration(services, name, made)
  const certificate = { courseTitle: 'A course', credential: `signed for ${name}` }
  const look = {
    colour: null,
    logoUrl: null,
    heading: '',
    words: `${name} says so`,
    signatory: name,
  }
  await db.insert(certificates).values([
    { ...certificate, userId, courseId: joined.id, learnerName: name, creatorName: 'Tea', look },
    // What a learner has of this person's course.
    {
      ...certificate,
      credential: '',
      userId: others.member.id,
      courseId: shared.id,
      learnerName: 'A learner',
      creatorName: name,
      creatorId: userId,
      look,
    },
  ])

  await makeMoney(services, { made, shared, joined })

  const person: Person = { id: userId, email: made.email, phoneNumber }
  const empty = await tablesWithoutRows(services, person)
  if (empty.length > 0) throw new Error(`Make a row in these tables, too: ${empty.join(', ')}`)
  return { ...made, cookie, person, shared, alone, joined, media }
}

/** As who posts, comments, likes and votes, and as whom others answer and mention. */
async function makeDiscussion(
  services: Services,
  name: string,
  {
    made,
    shared,
    joined,
  }: Record<'shared' | 'joined', { id: string; instructorId: string }> & {
    made: { id: string; username: string }
  },
) {
  const { db } = services
  const teacher = { id: joined.instructorId }
  const own = await makePost(services, shared, { content: `${name} has news` })
  await makeComment(services, own, { by: made, content: `${name} has more` })
  await db
    .insert(communityChannels)
    .values({ courseId: shared.id, name: 'Questions', orderIndex: 1 })
  await db
    .insert(postAttachments)
    .values({ postId: own, orderIndex: 1, kind: 'link', url: `https://vimeo.com/1?${name}` })
  await makePoll(services, own, [`${name} is right`, 'Or not'])
  const theirs = await makePost(services, joined, { content: 'What do all of you think?' })
  const [choice] = await makePoll(services, theirs, ['This', 'That'])
  await db.insert(pollVotes).values({ postId: theirs, userId: made.id, optionId: choice! })
  await db.update(pollOptions).set({ votesCount: 1 }).where(eq(pollOptions.id, choice!))
  await db.insert(postLikes).values({ postId: theirs, userId: made.id })
  await db.update(posts).set({ likesCount: 1 }).where(eq(posts.id, theirs))
  const first = await makeComment(services, theirs, { by: made, content: `${name} thinks so` })
  const answer = await makeComment(services, theirs, { by: teacher, parentId: first })
  await makeComment(services, theirs, { by: made, content: `${name} is sure`, parentId: answer })
  await db.insert(commentLikes).values({ commentId: answer, userId: made.id })
  await db.update(comments).set({ likesCount: 1 }).where(eq(comments.id, answer))
  const named = { userId: made.id, handle: made.username }
  await db.insert(postMentions).values({ postId: theirs, ...named })
  await db.insert(commentMentions).values({ commentId: answer, ...named })
}

/** Answers with the ids of its options. */
async function makePoll({ db }: Services, postId: string, options: string[]): Promise<string[]> {
  await db.insert(polls).values({ postId })
  const rows = await db
    .insert(pollOptions)
    .values(options.map((text, index) => ({ postId, text, orderIndex: index + 1 })))
    .returning({ id: pollOptions.id })
  return rows.map(({ id }) => id)
}

/** As the author of what was reported, as who reports, and as who decides. */
async function makeModeration(
  services: Services,
  name: string,
  {
    made,
    shared,
    joined,
    member,
  }: Record<'shared' | 'joined', { id: string; instructorId: string }> &
    Record<'made' | 'member', { id: string }>,
) {
  const { db } = services
  const words = `${name} wrote something bad`
  const aboutThem = await makePost(services, joined, { by: made, content: words })
  // By people who are there already: the tests count the members.
  await makeCase(services, joined, { postId: aboutThem, by: { id: joined.instructorId } })
  const postId = await makePost(services, shared, { by: member })
  const note = `${name} does not like it`
  await db.insert(moderationActions).values({
    caseId: await makeCase(services, shared, { postId, by: made, note }),
    moderatorId: made.id,
    action: 'note',
    note: 'To be looked at again',
  })
  await db
    .insert(communitySettings)
    .values({ courseId: shared.id, blockedWords: ['casino'], firstPosts: 3, firstPostsLinks: 1 })
  await db.insert(courseBrandings).values({
    courseId: shared.id,
    colour: '#1a7f5a',
    certificateWords: `Well done, says ${name}`,
    certificateSignatory: name,
  })
}

/** As who bought a course and Pro, asked for the money back, and sold something. */
async function makeMoney(
  { db }: Services,
  {
    made,
    shared,
    joined,
  }: Record<'shared' | 'joined', { id: string; instructorId: string }> & { made: { id: string } },
) {
  const userId = made.id
  const unique = (prefix: string) => `${prefix}_${randomUUID()}`
  const customerId = unique('cus')
  const price = { amount: 2900, currency: 'usd' }
  await db.insert(paymentCustomers).values({ id: customerId, userId })
  await db.insert(planSubscriptions).values({
    id: unique('sub'),
    userId,
    customerId,
    plan: 'monthly',
    status: 'active',
    cardBrand: 'visa',
    cardLast4: '4242',
    startedAt: new Date(),
  })
  const [checkout] = await db
    .insert(checkouts)
    .values({
      userId,
      kind: 'course',
      courseId: joined.id,
      pricingType: 'one_time',
      ...price,
      successUrl: 'https://thunder.example/paid',
      cancelUrl: 'https://thunder.example/canceled',
      status: 'paid',
      url: secretCanary,
      expiresAt: new Date(),
    })
    .returning({ id: checkouts.id })
  // What the teacher and the person themselves earn.
  const accounts = await db
    .insert(ledgerAccounts)
    .values([
      { kind: 'creator', userId: joined.instructorId },
      { kind: 'creator', userId },
    ])
    .returning({ id: ledgerAccounts.id })
  const [teacherAccount, ownAccount] = accounts
  const [purchase] = await db
    .insert(purchases)
    .values({
      userId,
      courseId: joined.id,
      courseTitle: 'A course',
      creatorAccountId: teacherAccount!.id,
      pricingType: 'one_time',
      ...price,
    })
    .returning({ id: purchases.id })
  const [, coupon] = await db
    .insert(coupons)
    .values([
      { courseId: shared.id, code: 'OWNOFFER', percentOff: 10 },
      { courseId: joined.id, code: 'THEIROFFER', percentOff: 10, redemptionsCount: 1 },
    ])
    .returning({ id: coupons.id })
  await db.insert(couponRedemptions).values({
    couponId: coupon!.id,
    userId,
    checkoutId: checkout!.id,
    purchaseId: purchase!.id,
  })
  const [payment] = await db
    .insert(payments)
    .values({
      chargeId: unique('ch'),
      kind: 'course',
      checkoutId: checkout!.id,
      purchaseId: purchase!.id,
      payerId: userId,
      creatorAccountId: teacherAccount!.id,
      courseId: joined.id,
      description: 'A course',
      currency: 'usd',
      gross: 2900,
      feePercent: 5,
      platformFee: 145,
      providerFee: 114,
      paidAt: new Date(),
      availableAt: new Date(),
    })
    .returning({ id: payments.id })
  const paymentId = payment!.id
  await db
    .insert(paymentRefunds)
    .values({ id: unique('re'), paymentId, amount: 100, platformFee: 5, status: 'succeeded' })
  await db.insert(paymentDisputes).values({
    id: unique('dp'),
    paymentId,
    amount: 2800,
    fee: 1500,
    platformFee: 140,
    status: 'open',
  })
  await db.insert(paymentEvents).values({
    id: unique('evt'),
    type: 'checkout.session.completed',
    objectId: unique('cs'),
    customerId,
    occurredAt: new Date(),
    source: 'webhook',
  })
  const [provider] = await db
    .select({ id: ledgerAccounts.id })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.kind, 'provider'))
  await db.transaction(async (transaction) => {
    const [moved] = await transaction
      .insert(ledgerTransactions)
      .values({ kind: 'payment', source: unique('payment'), paymentId, occurredAt: new Date() })
      .returning({ id: ledgerTransactions.id })
    const entry = { transactionId: moved!.id, what: 'gross', currency: 'usd' } as const
    await transaction.insert(ledgerEntries).values([
      { ...entry, accountId: provider!.id, amount: 2900 },
      { ...entry, accountId: ownAccount!.id, amount: -2900 },
    ])
  })
  const ledgerAccountId = ownAccount!.id
  const connectedAccountId = unique('acct')
  await db.insert(connectedAccounts).values({ id: connectedAccountId, ledgerAccountId })
  await db.insert(payoutMethods).values({
    ledgerAccountId,
    method: 'bank_account',
    accountType: 'individual',
    firstName: 'Whole',
    lastName: 'Person',
    label: 'A bank',
    last4: '6789',
  })
  await db.insert(payouts).values({
    ledgerAccountId,
    method: 'bank_account',
    destination: 'A bank •••• 6789',
    amount: 100,
    currency: 'usd',
    status: 'paid',
    connectedAccountId,
  })
  await db
    .insert(refundRequests)
    .values({ paymentId, requestedBy: userId, amount: 100, status: 'refused', refusal: 'No.' })
  await db
    .insert(learnerDays)
    .values({ courseId: joined.id, day: '2026-01-01', userId })
    .onConflictDoNothing()
}

/** What administrators did with the person, and what the person did as one. */
async function makeAdministration(
  { db }: Services,
  name: string,
  { id: userId }: { id: string },
): Promise<void> {
  await db.insert(suspensions).values({
    userId,
    reason: `What ${name} did`,
    appeal: `${name} did not`,
    appealedAt: new Date(),
    liftedAt: new Date(),
  })
  const subject = { kind: 'account', id: userId, name } as const
  await recordAct(db, { actorId: null, action: 'suspend_account', subject, reason: 'Spam' })
  const course = { kind: 'course', id: randomUUID(), name: 'A course' } as const
  await recordAct(db, { actorId: userId, action: 'verify_course', subject: course })
  await db.insert(announcements).values({
    title: 'News',
    message: 'There is a new page.',
    audience: 'everybody',
    announcedBy: userId,
  })
}

/** What the person asked the team, and a challenge that is drawn already. */
async function makeSupport({ db }: Services, name: string, { id: userId }: { id: string }) {
  const [asked] = await db
    .insert(supportRequests)
    .values({
      userId,
      name,
      email: `${userId}@example.com`,
      topic: 'other',
      subject: `A question of ${name}`,
    })
    .returning({ id: supportRequests.id })
  await db.insert(supportMessages).values({
    requestId: asked!.id,
    authorId: userId,
    body: `${name} asks something`,
  })
  const [challenge] = await db
    .insert(challenges)
    .values({
      slug: `challenge-${randomUUID()}`,
      kind: 'giveaway',
      title: 'A giveaway',
      rules: 'Take part.',
      prize: 'A prize',
      opensAt: new Date(0),
      closesAt: new Date(1),
      status: 'closed',
      publishedAt: new Date(0),
      seedHash: 'a hash',
      sealedSeed: 'a seed',
    })
    .returning({ id: challenges.id })
  await db.insert(challengeEntries).values({ challengeId: challenge!.id, userId, number: 1 })
}

async function makeWebhook({ db }: Services, name: string, made: { id: string }) {
  const [endpoint] = await db
    .insert(webhookEndpoints)
    .values({
      userId: made.id,
      url: `https://hooks.example.com/${name}`,
      description: `For ${name}`,
      events: ['enrollment.created'],
      sealedSecret: secretCanary,
      sealedFormerSecret: secretCanary,
    })
    .returning({ id: webhookEndpoints.id })
  const [message] = await db
    .insert(webhookMessages)
    .values({
      endpointId: endpoint!.id,
      type: 'webhook.test',
      aboutId: made.id,
      data: { message: `${name} tries it` },
      status: 'delivered',
    })
    .returning({ id: webhookMessages.id })
  await db.insert(webhookAttempts).values({
    messageId: message!.id,
    status: 200,
    milliseconds: 12,
    answer: `Thank you, ${name}`,
  })
}

async function makeAvatar(services: Services, ownerId: string, name: string): Promise<string> {
  const [row] = await services.db
    .insert(mediaFiles)
    .values({
      ownerId,
      purpose: 'avatar',
      status: 'ready',
      filename: `../${name}.png`,
      contentType: 'image/webp',
      sizeBytes: 1000,
    })
    .returning({ id: mediaFiles.id })
  return row!.id
}

/** How many rows each section of the download has about this person. */
export async function rowsAbout(
  services: Services,
  person: Person,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { tables } of personalData) {
    for (const [section, { table, rowsOf }] of Object.entries(tables)) {
      const rows = await services.db.select().from(table).where(rowsOf(person))
      counts[section] = rows.length
    }
  }
  return counts
}

async function tablesWithoutRows(services: Services, person: Person): Promise<string[]> {
  const counts = await rowsAbout(services, person)
  return Object.keys(counts).filter((section) => counts[section] === 0)
}
