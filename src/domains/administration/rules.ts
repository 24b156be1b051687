// What administrators do, in one closed list: what is not in it cannot be written into the log.

/** Each act with how the log says it, before the name of its subject. */
export const actions = {
  suspend_account: 'Suspended the account',
  lift_account: 'Lifted the suspension of the account',
  suspend_course: 'Suspended the course',
  lift_course: 'Lifted the suspension of the course',
  grant_appeal: 'Granted the appeal of',
  refuse_appeal: 'Refused the appeal of',
  verify_account: 'Gave a verified mark to',
  unverify_account: 'Took the verified mark from',
  verify_course: 'Gave a verified mark to the course',
  unverify_course: 'Took the verified mark from the course',
  end_sessions: 'Ended all sessions of',
  make_admin: 'Made an administrator of',
  remove_admin: 'Took the administrator’s role from',
  give_pro: 'Gave Pro to',
  take_pro: 'Took the given Pro from',
  replay_event: 'Applied again the payment event',
  decide_case: 'Decided a report about',
  delete_post: 'Deleted a post in the discussion of',
  delete_comment: 'Deleted a comment in the discussion of',
  remove_review: 'Removed a review of the course',
  revoke_certificate: 'Revoked a certificate of the course',
  announce: 'Announced',
  answer_support: 'Answered a request for support about',
  close_support: 'Closed a request for support about',
  create_challenge: 'Created the challenge',
  edit_challenge: 'Changed the challenge',
  publish_challenge: 'Published the challenge',
  cancel_challenge: 'Canceled the challenge',
  draw_challenge: 'Drew the winner of the challenge',
  retry_job: 'Tried again the job',
  give_up_job: 'Gave up the job',
  register_login: 'Registered the login of the organization',
  change_login: 'Changed the login of the organization',
  remove_login: 'Removed the login of the organization',
  switch_off: 'Switched off',
  switch_on: 'Switched on',
} as const

export type Action = keyof typeof actions

/** What an act can be about, and how the filter of the log calls it. */
export const subjectKinds = {
  account: 'Accounts',
  course: 'Courses',
  payment_event: 'Payment events',
  moderation_case: 'Reports',
  announcement: 'Announcements',
  support_request: 'Support',
  challenge: 'Challenges',
  job: 'Jobs',
  feature: 'Features',
  login: 'Organization logins',
} as const

export type SubjectKind = keyof typeof subjectKinds

export const limits = {
  reason: 2000,
  appeal: 2000,
  answer: 2000,
  search: 200,
  notice: 200,
} as const

/** Rows on a page of people, of courses, and of the log. */
export const perPage = 30

/** Rows of each part of the overview, and of what a person's or a course's page shows of their past. */
export const shownAtOnce = 10

export const appealsPage = '/admin/appeals'
