// What the inputs of `contract-inputs.ts` name, made in the database where it is not there yet.
import { symmetricEncrypt } from 'better-auth/crypto'
import { eq, sql } from 'drizzle-orm'
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
import { makeMedia, makePerson } from './factories.ts'
import type { Target } from './contract-inputs.ts'

/** An endpoint of the course's owner that is told of nothing, and whose address leads nowhere. */
export async function webhookOf(
  services: Services,
  courseId: string,
): Promise<{ endpointId: string }> {
  const [made] = await services.db
    .insert(webhookEndpoints)
    .values({
      userId: await ownerOf(services, courseId),
      courseId,
      url: 'https://hooks.example.invalid/',
      events: ['course.published'],
      sealedSecret: await symmetricEncrypt({ key: services.secret, data: makeSecret() }),
      // Nothing is sent there.
      restsUntil: new Date(Date.now() + 10 * 60 * 1000),
    })
    .returning({ endpointId: webhookEndpoints.id })
  return made!
}

export async function webhookDelivery(services: Services, courseId: string) {
  const { endpointId } = await webhookOf(services, courseId)
  const [made] = await services.db
    .insert(webhookMessages)
    .values({ endpointId, type: 'webhook.test', data: { message: 'Hello' }, status: 'failed' })
    .returning({ messageId: webhookMessages.id })
  return { endpointId, messageId: made!.messageId }
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

export async function tokenOfOwner(services: Services, courseId: string): Promise<string> {
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
export async function copyOfPost({ pool }: Services, postId: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into posts (course_id, user_id, content)
     select course_id, user_id, content from posts where id = $1 returning id`,
    [postId],
  )
  return rows[0]?.id ?? postId
}

export async function copyOfComment({ pool }: Services, commentId: string): Promise<string> {
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

export async function invitationTo({ pool }: Services, courseId: string) {
  const { rows } = await pool.query<{ id: string; code: string }>(
    `insert into course_invitations (course_id, code)
     select id, left(translate(uuidv4()::text || uuidv4()::text, '-', ''), 22)
       from courses where id = $1 returning id, code`,
    [courseId],
  )
  return rows[0] ?? { id: crypto.randomUUID(), code: 'AAAAAAAAAAAAAAAAAAAAAA' }
}

/** At least one. */
export async function questionsIn({ pool }: Services, courseId: string): Promise<string[]> {
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
export async function applicationTo(
  services: Services,
  courseId: string,
  by?: string,
): Promise<string> {
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

export async function decisionAbout({ pool }: Services, courseId: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into course_application_decisions (course_id, decision, apply_at)
     select id, 'rejected', now() + interval '1 hour' from courses where id = $1 returning id`,
    [courseId],
  )
  return rows[0]?.id ?? crypto.randomUUID()
}

/** By whoever joined the course last. */
export async function noteIn({ lessonId }: Target, services: Services): Promise<string> {
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
export async function mailedToken({ courseId }: Target, services: Services) {
  const userId = await ownerOf(services, courseId)
  return { token: unsubscribeToken(services.secret, { userId, scope: 'new_signup' }) }
}

export async function addCaptions({ pool }: Services, mediaId: string) {
  await pool.query(
    `insert into video_captions (media_id, language, cues)
     select id, 'en', '[{"start": 0, "end": 1, "text": "Hello"}]' from media_files where id = $1
     on conflict do nothing`,
    [mediaId],
  )
}

/** Of a file that is still there. */
export async function failedImport(services: Services, userId: string): Promise<string> {
  await services.pool.query('delete from course_imports where user_id = $1', [userId])
  const { rows } = await services.pool.query<{ id: string }>(
    `insert into course_imports (user_id, file_id, status, problem)
     values ($1, $2, 'failed', 'Something was wrong') returning id`,
    [userId, await makeMedia(services, { id: userId }, { purpose: 'import' })],
  )
  return rows[0]!.id
}

/** One that nothing follows from. */
export async function paymentEvent(services: Services): Promise<string> {
  const { rows } = await services.pool.query<{ id: string }>(
    `insert into payment_events (id, type, object_id, occurred_at, source, status)
     values ('evt_' || replace(gen_random_uuid()::text, '-', ''), 'account.updated', 'acct_1',
             now(), 'webhook', 'ignored') returning id`,
  )
  return rows[0]!.id
}

export async function noticeOfOwner(services: Services, courseId: string): Promise<string> {
  const { rows } = await services.pool.query<{ id: string }>(
    `insert into notifications (user_id, kind, title, message, type)
     values ($1, 'system_announcement', 'Something new', 'Have a look', 'info') returning id`,
    [await ownerOf(services, courseId)],
  )
  return rows[0]!.id
}

export async function ownersCustomer(services: Services, courseId: string) {
  const { rows } = await services.pool.query<{ id: string; name: string; email: string }>(
    'select id, name, email from users where id = $1',
    [await ownerOf(services, courseId)],
  )
  return customerOf(services, rows[0]!)
}

/** An invoice that the owner of the course paid, for something that is none of ours. */
export async function paidByOwner(services: Services, courseId: string): Promise<string> {
  const { stripe } = services.payments
  const customer = await ownersCustomer(services, courseId)
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  const { id: product } = await stripe.products.create({ name: 'Something else' })
  const { latest_invoice: invoice } = await stripe.subscriptions.create({
    customer,
    items: [
      {
        price_data: {
          currency: 'usd',
          product,
          unit_amount: 900,
          recurring: { interval: 'month' },
        },
      },
    ],
    default_payment_method: card.id,
  })
  const { rows } = await services.pool.query<{ id: string }>(
    `insert into payments (charge_id, kind, payer_id, description, currency, gross, fee_percent,
                           platform_fee, provider_fee, invoice_id, paid_at, available_at)
     values ('ch_' || gen_random_uuid(), 'refused', $1, 'Something else', 'usd', 900, 0, 0, 0, $2,
             now(), now()) returning id`,
    [await ownerOf(services, courseId), invoice],
  )
  return rows[0]!.id
}

export async function couponIn({ pool }: Services, courseId: string) {
  const { rows } = await pool.query<{ id: string; code: string }>(
    `insert into coupons (course_id, code, percent_off, max_per_person)
     select id, 'COUPON-' || upper(left($2, 8)), 50, 100 from courses where id = $1
     returning id, code`,
    [courseId, crypto.randomUUID()],
  )
  return rows[0] ?? { id: crypto.randomUUID(), code: 'NO-COURSE' }
}

/** Of the owner of the course, who paid once for another one that is gone. */
export async function ownersPurchase(services: Services, courseId: string): Promise<string> {
  const { rows } = await services.pool.query<{ id: string }>(
    `insert into purchases (user_id, course_title, creator_account_id, pricing_type, amount, currency)
     select $1, 'A course', id, 'one_time', 2900, 'usd' from ledger_accounts limit 1 returning id`,
    [await ownerOf(services, courseId)],
  )
  return rows[0]!.id
}

/** A new one, of somebody new; of no course where there is no such course. */
export async function certificateIn(services: Services, courseId: string): Promise<string> {
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

export const challengeFacts = () => ({
  kind: 'challenge' as const,
  title: 'Best first lesson',
  prize: 'A microphone',
  rules: 'Enter a course.',
  opensAt: new Date(Date.now() - 60_000).toISOString(),
  closesAt: new Date(Date.now() + 86_400_000).toISOString(),
})

/** With one entry, whose creator is gone, when it is closed. */
export async function madeChallenge(services: Services, status: 'draft' | 'published' | 'closed') {
  const { opensAt, closesAt, ...facts } = challengeFacts()
  const [made] = await services.db
    .insert(challenges)
    .values({
      ...facts,
      slug: `challenge-${crypto.randomUUID()}`,
      opensAt: new Date(opensAt),
      closesAt: new Date(closesAt),
      status,
      publishedAt: status === 'draft' ? null : new Date(opensAt),
      ...(await makeSeed(services.secret)),
      entriesHash: status === 'closed' ? 'a'.repeat(64) : null,
    })
    .returning({ id: challenges.id, slug: challenges.slug })
  if (status === 'closed') {
    await services.db.insert(challengeEntries).values({ challengeId: made!.id, number: 1 })
  }
  return made!
}

/** Of an account, with an appeal that waits. */
export async function suspension(services: Services): Promise<string> {
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
export async function askedByOwner(services: Services, courseId: string): Promise<string> {
  const userId = await ownerOf(services, courseId)
  const { rows } = await services.pool.query<{ id: string }>(
    `insert into support_requests (user_id, name, email, topic, subject)
     values ($1, 'Somebody', 'nobody@example.com', 'other', 'A question') returning id`,
    [userId],
  )
  return rows[0]!.id
}

/** Of a course that is gone; the provider knows nothing of it. */
export async function soldByOwner(services: Services, courseId: string): Promise<string> {
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
export async function bookedByOwner(services: Services, courseId: string): Promise<string> {
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
export async function earnedByOwner(services: Services, courseId: string): Promise<void> {
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

/** A payout that has come back already: nothing of it is asked of PayPal. */
export async function unclaimedOfOwner(services: Services, courseId: string): Promise<string> {
  await earnedByOwner(services, courseId)
  const userId = await ownerOf(services, courseId)
  return services.db.transaction(async (transaction) => {
    const ledgerAccountId = await creatorAccount(transaction, userId)
    const sent = { method: 'paypal', destination: 'creator@paypal.example' } as const
    const [payout] = await transaction
      .insert(payouts)
      .values({ ledgerAccountId, ...sent, amount: 100, currency: 'usd', status: 'failed' })
      .returning({ id: payouts.id })
    return payout!.id
  })
}

export async function ownerOf(services: Services, courseId: string): Promise<string> {
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

/** An answer of the poll below this post, which gets one. */
export async function pollOptionOf({ pool }: Services, postId: string): Promise<string> {
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
export async function scheduledCopyOf(services: Services, postId: string): Promise<string> {
  const id = await copyOfPost(services, postId)
  await services.pool.query(
    `update posts set status = 'scheduled', scheduled_for = now() + interval '1 day' where id = $1`,
    [id],
  )
  return id
}
