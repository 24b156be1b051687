// Every page of the site at addresses where it shows what people wrote.
import type { Services } from '../../src/server/services.ts'
import type { Target } from '../contract-inputs.ts'
import { previewIn } from '../input-makers.ts'
import type { Reader } from './readers.ts'

/** What pages show, and nobody of the readers has yet. */
export async function furnishPages({ services, targets, readers }: World): Promise<void> {
  const { pool } = services
  for (const target of targets) await previewIn(target, services)
  await pool.query(`update course_reviews set answer = 'Thank you', answered_at = now()`)
  await pool.query(
    `update certificates set revoked_reason = 'Somebody else did it', revoked_at = now()
      where id = (select max(id::text)::uuid from certificates)`,
  )
  await pool.query(
    `insert into challenges (slug, kind, title, prize, rules, opens_at, closes_at, status,
                             published_at, seed_hash, sealed_seed, canceled_reason)
     values ('open-now', 'challenge', 'Now', 'A prize', 'Take part.', now(),
             now() + interval '1 day', 'published', now(), 'a hash', 'a seed', null),
            ('called-off', 'challenge', 'No more', 'A prize', 'Take part.', now(),
             now() + interval '1 day', 'canceled', now(), 'a hash', 'a seed', 'There is no prize')`,
  )
  const teacher = readers.find(({ name }) => name === 'teacher')!
  // With Pro, as whoever has the pages that come with it.
  await pool.query(`insert into plan_grants (user_id, reason) values ($1, 'A test')`, [teacher.id])
  await pool.query(
    `update courses set application_required = true, application_instructions = 'How to apply'
      where id = $1`,
    [targets[1]!.courseId],
  )
  await pool.query(
    `insert into course_application_questions (course_id, question, order_index)
     values ($1, 'Why this one?', 1)`,
    [targets[1]!.courseId],
  )
  const outsider = readers.find(({ name }) => name === 'outsider')!
  const { rows } = await pool.query<{ id: string }>(
    `insert into course_applications (course_id, user_id) values ($1, $2) returning id`,
    [targets[1]!.courseId, outsider.id],
  )
  await pool.query(
    `insert into course_application_answers (application_id, question, required, order_index, answer)
     values ($1, 'Why this one?', true, 1, 'I would like to')`,
    [rows[0]!.id],
  )
  await pool.query(
    `insert into suspensions (user_id, reason, appeal, appealed_at)
     values ($1, 'Spam', 'It was not', now())`,
    [outsider.id],
  )
}

interface World {
  services: Services
  targets: Target[]
  readers: Reader[]
}

type Addresses = (world: World) => string[] | Promise<string[]>

const column = async ({ services }: World, statement: string): Promise<string[]> => {
  const { rows } = await services.pool.query<{ one: string }>(statement)
  return rows.map(({ one }) => one)
}

const ofCourses =
  (...ends: string[]): Addresses =>
  ({ targets }) =>
    targets.flatMap(({ slug }) => ends.map((end) => `/course/${slug}${end}`))

/** Addresses with what a statement finds in the place of the sign. */
const ofRows =
  (address: string, statement: string): Addresses =>
  async (world) =>
    (await column(world, statement)).map((one) => address.replace('$', encodeURIComponent(one)))

/** By the kind of page, as src/routes.ts writes it; a kind without parameters that is not here is its own address. */
const addresses: Record<string, Addresses> = {
  '/blog/:slug': () => ['/blog/versus-skool'],
  '/help/:slug': () => ['/help/community'],
  '/explore': () => ['/explore', '/explore?search=course'],
  '/course/:slug': ofCourses(''),
  '/course/:slug/reviews': ofCourses('/reviews'),
  '/course/:slug/preview/:lessonSlug': ofCourses('/preview/open-to-all'),
  '/invite/:code': ofRows('/invite/$', 'select code as one from course_invitations limit 4'),
  '/user/:username': ofRows(
    '/user/$',
    `select username || query as one from users, unnest(array['', '?tab=created', '?tab=reviews']) query
      where name in ('whole', 'teacher', 'member')`,
  ),
  '/certificates/:certificateId': ofRows(
    '/certificates/$',
    'select id::text as one from certificates',
  ),
  '/login/with/:provider': () => ['/login/with/google'],
  '/challenges/:slug': ofRows('/challenges/$', 'select slug as one from challenges'),
  '/analytics': () => ['/analytics?days=30', '/analytics?days=all'],
  '/billing/courses/:purchaseId/cancel': ofRows(
    '/billing/courses/$/cancel',
    'select id::text as one from purchases',
  ),
  '/billing/receipts/:paymentId/:document': ofRows(
    '/billing/receipts/$/receipt',
    'select id::text as one from payments',
  ),
  '/payments/sales/:saleId/refund': ofRows(
    '/payments/sales/$/refund',
    'select id::text as one from payments',
  ),
  '/settings': () =>
    ['profile', 'security', 'theme', 'notifications', 'payments', 'billing', 'developers'].map(
      (tab) => `/settings#${tab}`,
    ),
  '/settings/webhooks/:endpointId': ofRows(
    '/settings/webhooks/$',
    'select id::text as one from webhook_endpoints',
  ),
  '/create-course': ({ targets }) => [
    '/create-course',
    ...targets.map(({ courseId }) => `/create-course?courseId=${courseId}`),
  ],
  '/create-lessons/:courseId': ({ targets }) =>
    targets.map(({ courseId }) => `/create-lessons/${courseId}`),
  '/course/:slug/dashboard': async (world) => {
    const tabs = await ofCourses(
      ...['overview', 'about', 'discussion', 'members', 'applications'].map(
        (tab) => `/dashboard?tab=${tab}`,
      ),
      '/dashboard?tab=applications&edit=questions',
      '/dashboard?tab=applications&status=approved',
    )(world)
    const posts = world.targets.map(
      ({ slug, postId }) => `/course/${slug}/dashboard?tab=discussion&post=${postId}`,
    )
    return [...tabs, ...posts]
  },
  '/course/:slug/continue': ofCourses('/continue'),
  '/course/:slug/apply': ofCourses('/apply'),
  '/course/:slug/leave': ofCourses('/leave'),
  '/course/:slug/delete': ofCourses('/delete'),
  '/course/:slug/certificate': ofCourses('/certificate'),
  '/course/:slug/certificates': ofCourses('/certificates'),
  '/course/:slug/certificates/:certificateId/revoke': ofRows(
    '/course/$',
    `select c.slug || '/certificates/' || t.id || '/revoke' as one
       from certificates t join courses c on c.id = t.course_id`,
  ),
  '/course/:slug/coupons': ofCourses('/coupons'),
  '/course/:slug/branding': ofCourses('/branding'),
  '/course/:slug/moderation': ofCourses('/moderation', '/moderation?view=settings'),
  '/course/:slug/suspension': ofCourses('/suspension'),
  '/support/:requestId': ofRows('/support/$', 'select id::text as one from support_requests'),
  '/admin/people/:userId': ofRows(
    '/admin/people/$',
    `select id::text as one from users where name in ('whole', 'outsider', 'teacher')`,
  ),
  '/admin/courses/:courseId': ({ targets }) =>
    targets.map(({ courseId }) => `/admin/courses/${courseId}`),
  '/admin/challenges/:challengeId': ofRows(
    '/admin/challenges/$',
    'select id::text as one from challenges',
  ),
  '/admin/support': () => ['/admin/support', '/admin/support?status=closed'],
  '/admin/support/:requestId': ofRows(
    '/admin/support/$',
    'select id::text as one from support_requests',
  ),
  '/moderation': () => ['/moderation', '/moderation?status=closed'],
  '/course/:courseSlug/lesson/:lessonSlug': ({ targets }) =>
    targets.flatMap(({ slug, lessonSlug }) => [
      `/course/${slug}/lesson/${lessonSlug}`,
      `/course/${slug}/lesson/open-to-all`,
    ]),
  '/lesson/:lessonId': ({ targets }) => targets.map(({ lessonId }) => `/lesson/${lessonId}`),
}

/** Before names become something else: people are found by them. */
export async function pageAddresses(
  kinds: readonly string[],
  world: World,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const kind of kinds) {
    const listed = addresses[kind]
    if (!listed && kind.includes(':')) throw new Error(`Where does ${kind} show something?`)
    const all = listed ? await listed(world) : [kind]
    if (all.length === 0) throw new Error(`No row leads to ${kind}`)
    // A query that a row brought along is one.
    found.set(
      kind,
      all.map((address) =>
        address.replaceAll('%3F', '?').replaceAll('%3D', '=').replaceAll('%2F', '/'),
      ),
    )
  }
  for (const kind of Object.keys(addresses)) {
    if (!kinds.includes(kind)) throw new Error(`There is no page ${kind}`)
  }
  return found
}
