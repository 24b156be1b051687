import { scopeAreas } from '../domains/tokens/rules.ts'
import { tokenQuota } from './token-limits.ts'

/** A part of what is said about the API before its calls are listed. */
interface Section {
  title: string
  paragraphs: string[]
  /** What there is, each in a few words. */
  list?: { term: string; text: string }[]
  example?: string
}

/** For people and machines alike: no marks, so that it can stand in HTML and in Markdown. */
export const apiGuide = (appUrl: string): Section[] => [
  {
    title: 'Access tokens',
    paragraphs: [
      'Programs call the API with a personal access token, which its owner makes in the settings, under Developers. It is shown once. Send it with each call; it is enough, so cookies beside it are not looked at, and there is no CSRF token.',
      'A token does what its owner may do, within its scopes, and never what an administrator may. It ends when it expires, is revoked, the password is reset, the address is proved by mail for the first time, an administrator signs its owner out everywhere, or the account is suspended or deleted. Then the answer is 401 with WWW-Authenticate: Bearer.',
      'Tokens begin with pat_, and their last six letters are a checksum (CRC-32 of the 32 letters before, in base 62), so that scanners of source code find those that were published.',
      'Pages make the same calls with the session cookie. What says nothing about a scope is for sessions only: the safety of the account, how one is paid, and tokens themselves.',
    ],
    example: `curl ${appUrl}/rest/v1/me -H "Authorization: Bearer pat_…"`,
  },
  {
    title: 'Scopes',
    paragraphs: [
      'Each call says which scope it takes. Without it the answer is 403 OUT_OF_SCOPE, whose data names the scope. Writing does not include reading.',
      'What is for the members of a course is 403 FORBIDDEN to everybody else who may see the course; data.courseSlug says which one it is.',
    ],
    list: scopeAreas.flatMap(({ area, read, write }) => [
      { term: `${area}:read`, text: read },
      ...(write === null ? [] : [{ term: `${area}:write`, text: write }]),
    ]),
  },
  {
    title: 'Money',
    paragraphs: [
      'Amounts of money are whole numbers of minor units, in both directions: cents of US dollars. A price, a coupon or a refund of 2900 is $29.00, and one of 29 is 29 cents. Where an answer names a currency, it is that of its amounts. Files to download, such as the CSV of sales, have decimals: 29.00.',
    ],
  },
  {
    title: 'Calls that replace',
    paragraphs: [
      'PATCH changes only what is sent. PUT replaces: what is not sent is gone after it, and of lists what is sent without its id is taken for new. So read first, change what you read, and send all of it back. What hangs on what is gone, goes with it: with a lesson the progress and notes of everybody who learns. Each of these calls says what that is.',
    ],
    list: [
      {
        term: 'PUT /rest/v1/courses/{courseId}/content',
        text: 'All chapters, lessons and links. A lesson that is sent without videoId loses its video.',
      },
      { term: 'PUT /rest/v1/courses/{courseId}/channels', text: 'All channels of a community.' },
      {
        term: 'PUT /rest/v1/courses/{courseId}/application-questions',
        text: 'All questions. So does PATCH /rest/v1/courses/{course} with applicationQuestions.',
      },
      {
        term: 'POST /rest/v1/courses/{courseId}/invitations/csv',
        text: 'Only says what it would do, unless dryRun is false.',
      },
    ],
  },
  {
    title: 'Paging',
    paragraphs: [
      'Long lists come page by page. An answer with nextCursor has more: ask again with cursor set to it, and everything else as it was. nextCursor is null on the last page. What a cursor holds is nobody’s business and may change; what is added or removed meanwhile neither repeats nor hides what stays.',
      'The catalogue and profiles take show, how many there shall be; reviews take page and perPage. Lists that are short by nature, such as the notes of a lesson or the coupons of a course, come whole.',
    ],
  },
  {
    title: 'Doing things once',
    paragraphs: [
      'A POST that takes the header Idempotency-Key is done once however often it is sent with the same key: after a timeout, send it again. The first answer is kept for 24 hours for each person, and given again with Idempotency-Replayed: true. Use a new key, such as a UUID, for each thing to do.',
    ],
    list: [
      { term: '422 IDEMPOTENCY_KEY_REUSED', text: 'The key was used for another request.' },
      {
        term: '409 IDEMPOTENCY_IN_FLIGHT',
        text: 'The first request is under way, or died less than a minute ago without having done anything. Send it again.',
      },
      {
        term: '409 IDEMPOTENCY_ANSWER_LOST',
        text: 'It was done, but its answer was lost or longer than 64 KB. Look at what there is.',
      },
      { term: 'Any other 4xx', text: 'Nothing was done, and the key is free again.' },
    ],
  },
  {
    title: 'Limits',
    paragraphs: [
      `Each token may make ${tokenQuota} requests a minute. Every answer of a call says so in RateLimit-Policy, and in RateLimit how many are left (r) and in how many seconds it begins anew (t), as in draft-ietf-httpapi-ratelimit-headers-10. Beyond it the answer is 429 with Retry-After. Some calls have limits of their own, for each person; beyond these the answer is the same, with a code of their own.`,
    ],
  },
  {
    title: 'Errors',
    paragraphs: [
      'Errors are JSON with code, status and a message for people. 422 lists what is wrong with the input in data.fields. 5xx is never your fault: try again later.',
      'A body is JSON, with Content-Type: application/json. Of another kind it is 415 UNSUPPORTED_MEDIA_TYPE, 400 where it cannot be read, 413 PAYLOAD_TOO_LARGE above 512 KB (where courses, lists and captions are saved: more). What is refused before anybody is asked who they are, like these and 404 for an address without a call, does not count against the limit and says nothing of it.',
    ],
  },
]
