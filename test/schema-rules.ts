// What is known of each table, and where the schema departs from the rules of docs/growth.md, with the reason.

/**
 * How many rows there come to be: `fixed` however many people there are; `people` and `catalogue` some for each
 * person and course; `learning`, `community` and `sales` with what people do, for good; `passing` ones are removed again.
 */
type Growth = 'fixed' | 'people' | 'catalogue' | 'learning' | 'community' | 'sales' | 'passing'

/**
 * Where rows would live on several nodes: beside their course, beside their person, or all of them together on
 * one node. `by` is the column that says beside which, or that refers to a row which says it.
 */
type Home = { home: 'course' | 'person'; by: string } | { home: 'together' }

const course = (grows: Growth, by = 'course_id') => ({ grows, home: 'course', by }) as const
const person = (grows: Growth, by = 'user_id') => ({ grows, home: 'person', by }) as const
const together = (grows: Growth) => ({ grows, home: 'together' }) as const

export const tables: Record<string, { grows: Growth } & Home> = {
  courses: course('catalogue', 'id'),
  chapters: course('catalogue'),
  lessons: course('catalogue'),
  lesson_slugs: course('catalogue'),
  lesson_resources: course('catalogue', 'lesson_id'),
  lesson_counts: course('catalogue'),
  course_brandings: course('catalogue'),
  course_invitations: course('catalogue'),
  course_days: course('catalogue'),
  course_day_changes: course('passing'),
  course_application_questions: course('catalogue'),
  course_application_decisions: course('catalogue'),
  course_applications: course('learning'),
  course_application_answers: course('learning', 'application_id'),
  enrollments: course('learning'),
  lesson_completions: course('learning'),
  lesson_positions: course('learning'),
  lesson_notes: course('learning'),
  learner_days: course('learning'),
  user_activities: course('learning'),
  course_reviews: course('community'),
  community_channels: course('catalogue'),
  community_settings: course('catalogue'),
  posts: course('community'),
  post_attachments: course('community', 'post_id'),
  post_likes: course('community', 'post_id'),
  post_mentions: course('community', 'post_id'),
  comments: course('community'),
  comment_likes: course('community', 'comment_id'),
  comment_mentions: course('community', 'comment_id'),
  polls: course('community', 'post_id'),
  poll_options: course('community', 'post_id'),
  poll_votes: course('community', 'post_id'),
  moderation_cases: course('community'),
  moderation_reports: course('community', 'case_id'),
  moderation_actions: course('community', 'case_id'),

  users: person('people', 'id'),
  sessions: person('people'),
  identities: person('people'),
  two_factors: person('people'),
  used_codes: person('passing'),
  personal_tokens: person('people'),
  idempotency_keys: person('passing'),
  passkeys: person('people'),
  playing_streams: person('passing'),
  wallet_addresses: person('people'),
  plan_grants: person('people'),
  notification_preferences: person('people'),
  notifications: person('people'),
  webhook_endpoints: person('people'),
  webhook_messages: person('passing', 'endpoint_id'),
  webhook_attempts: person('passing', 'message_id'),
  certificates: person('learning'),
  course_imports: person('catalogue'),
  media_files: person('catalogue', 'owner_id'),
  video_processings: person('catalogue', 'media_id'),
  video_captions: person('catalogue', 'media_id'),

  // Money: each booking has entries of several accounts, and its rows are few beside those of learning.
  checkouts: together('sales'),
  coupons: together('catalogue'),
  coupon_redemptions: together('sales'),
  purchases: together('sales'),
  payments: together('sales'),
  payment_customers: together('sales'),
  payment_disputes: together('sales'),
  payment_events: together('sales'),
  payment_refunds: together('sales'),
  refund_requests: together('sales'),
  plan_subscriptions: together('sales'),
  ledger_accounts: together('people'),
  ledger_transactions: together('sales'),
  ledger_entries: together('sales'),
  earning_days: together('sales'),
  connected_accounts: together('people'),
  payout_methods: together('people'),
  payouts: together('sales'),

  // What is asked over all courses at once.
  course_slugs: together('catalogue'),
  course_search_documents: together('catalogue'),
  search_words: together('catalogue'),
  search_word_parts: together('catalogue'),
  trending_courses: together('catalogue'),

  // Of those who run it, and few.
  administrative_acts: together('people'),
  suspensions: together('people'),
  support_requests: together('people'),
  support_messages: together('people'),
  announcements: together('fixed'),
  challenges: together('fixed'),
  challenge_entries: together('people'),
  counter_checks: together('fixed'),
  credential_keys: together('fixed'),
  revoked_credentials: together('people'),
  payment_provider: together('fixed'),
  settings: together('fixed'),
  signing_keys: together('fixed'),
  sso_providers: together('fixed'),

  // Written often and soon gone.
  live_events: together('passing'),
  rate_limits: together('passing'),
  verifications: together('passing'),
}

type Exceptions = Record<string, string>

const named = 'is what the payment provider calls it'
/** Columns `id` that are not uuid v7 made by the database. */
export const otherIds: Exceptions = {
  'connected_accounts.id': named,
  'payment_customers.id': named,
  'payment_disputes.id': named,
  'payment_events.id': named,
  'payment_refunds.id': named,
  'plan_subscriptions.id': named,
  'payment_provider.id': 'is always 1: there is one row',
  'revoked_credentials.id': 'is the id of the certificate, which is gone',
  'verifications.id': 'is made by better-auth, as text',
  'course_day_changes.id': 'a sequence: rows live for a minute, and nobody refers to them',
  'live_events.id':
    'a sequence: streams read on from a number; the order of commits comes from xid and horizon',
}

const measured = 'is measured, and no money'
/** Columns of numbers that are not exact, or have places behind the point. */
export const otherNumbers: Exceptions = {
  'courses.rating': 'numeric: the mean of reviews, rounded to two places',
  'lesson_notes.seconds': measured,
  'lesson_positions.seconds': measured,
  'lesson_positions.watch_credit': measured,
  'media_files.duration_seconds': measured,
  'trending_courses.score': measured,
}

const samePost = 'refers to a poll, whose key is that of its post'
/** Tables whose `by` refers to a row that refers to one that says the course. */
export const twoSteps: Exceptions = {
  poll_options: samePost,
  poll_votes: samePost,
  webhook_attempts:
    'refers to a message, which refers to its endpoint; both are gone after 30 days',
}

const everywhere = 'has to be unique over all nodes: a table of its own for looking it up'
const widened = 'the row decides the course or person, so adding that in front changes nothing'
/** Unique indexes without the column that says where a row lives, beside primary keys that are an id alone. */
export const otherUniques: Exceptions = {
  courses_slug_unique: everywhere,
  course_invitations_code_unique: everywhere,
  users_email_unique: everywhere,
  users_phone_number_unique: everywhere,
  users_username_unique: everywhere,
  sessions_token_unique: everywhere,
  identities_provider_account: everywhere,
  personal_tokens_token_hash_unique: everywhere,
  passkeys_credential_id_unique: everywhere,
  wallet_addresses_address: everywhere,
  lesson_completions_user_lesson: widened,
  lesson_counts_pkey: widened,
  lesson_positions_user_id_lesson_id_pk: widened,
  user_activities_lesson_once: widened,
  moderation_cases_open_comment: widened,
  moderation_cases_open_post: widened,
  post_attachments_media: widened,
}

const few = 'its rows come seldom: some in a minute on the whole platform'
const catalogue =
  'is how Explore asks; courses are made and changed seldom beside how often they are read'
const soonGone = 'a job finds what is over by it; hashed over buckets where it becomes hot'
/** Indexes that begin with a time or a state: on an engine that keeps rows in order, all writes meet at one end. */
export const hotIndexes: Exceptions = {
  administrative_acts_newest: few,
  checkouts_open: few,
  courses_category_newest: catalogue,
  courses_category_popular: catalogue,
  courses_category_price: catalogue,
  courses_category_price_class_newest: catalogue,
  courses_popular: catalogue,
  courses_price: catalogue,
  courses_price_class_newest: catalogue,
  courses_published_newest: catalogue,
  idempotency_keys_created: soonGone,
  ledger_accounts_kind: 'has the four accounts that are nobody’s',
  live_events_created: soonGone,
  moderation_cases_newest: few,
  payment_events_newest: few,
  payment_events_status: few,
  payouts_checked: few,
  purchases_past_due: few,
  sessions_expires_at: soonGone,
  support_requests_queue: few,
  suspensions_appeals: few,
  trending_courses_category_score: catalogue,
  trending_courses_score: catalogue,
  used_codes_used_at: soonGone,
  verifications_expires_at: soonGone,
  video_processings_status: few,
  webhook_messages_created: soonGone,
}

/**
 * Foreign keys to rows that live elsewhere, which an engine that shards by rows cannot hold; the nightly jobs would have to
 * look for what they forbid. Those to `users` are none: a million people are few enough to be on every node.
 */
export const crossing = [
  'certificates.course_id',
  'challenge_entries.course_id',
  'checkouts.course_id',
  'checkouts.invitation_id',
  'coupons.course_id',
  'course_brandings.cover_id',
  'course_brandings.logo_id',
  'course_imports.course_id',
  'course_search_documents.course_id',
  'course_slugs.course_id',
  'courses.thumbnail_id',
  'lessons.video_id',
  'media_files.course_id',
  'payments.course_id',
  'post_attachments.media_id',
  'purchases.course_id',
  'suspensions.course_id',
  'trending_courses.course_id',
  'webhook_endpoints.course_id',
]
