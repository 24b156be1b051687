// What is changed, and the test files that have to notice. Other tests come across the same code too; to run them all
// for each mutant would take weeks, and the ones that are about a thing are to notice when it is broken.
import { globSync, readdirSync } from 'node:fs'

/** @typedef {{ mutate: string[], tests: string[], isPure?: boolean }} Part */

/** Declarations: what stands in them is true in the migrations, and in the contract's own tests. */
const isCode = (file) => !/\/(tables|contract)\.ts$|\.test\.ts$|\/ui\//.test(file)

const filesIn = (domain, pattern) =>
  globSync(`src/domains/${domain}/${pattern}`)
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted()
const codeOf = (domain) => filesIn(domain, '**/*.ts').filter(isCode)
const testsOf = (domain) => filesIn(domain, '*.test.ts')

/** Who may do what, and how often. @type {Part[]} */
export const access = [
  {
    isPure: true,
    mutate: [
      'src/server/security.ts',
      'src/server/token-limits.ts',
      'src/domains/tokens/token-text.ts',
    ],
    tests: [
      'src/server/security.test.ts',
      'src/server/token-limits.test.ts',
      'src/domains/tokens/token-text.test.ts',
    ],
  },
  {
    isPure: true,
    mutate: ['src/domains/accounts/rules.ts'],
    tests: ['src/domains/accounts/rules.test.ts'],
  },
  {
    isPure: true,
    mutate: ['src/domains/courses/access.ts'],
    tests: ['src/domains/courses/access.test.ts'],
  },
  {
    mutate: ['src/server/api.ts'],
    tests: ['src/server/api.test.ts', 'src/server/idempotency.test.ts'],
  },
  {
    isPure: true,
    mutate: ['src/server/feature-switches.ts'],
    tests: ['src/server/feature-switches.test.ts'],
  },
  {
    isPure: true,
    mutate: ['src/domains/tokens/rules.ts'],
    tests: ['src/domains/tokens/rules.test.ts'],
  },
  {
    isPure: true,
    mutate: ['src/server/viewer.ts'],
    tests: ['src/server/viewer.test.ts'],
  },
  {
    isPure: true,
    mutate: ['src/server/ask-together.ts'],
    tests: ['src/server/ask-together.test.ts'],
  },
  {
    isPure: true,
    mutate: ['src/server/visit.ts', 'src/server/token-visit.ts'],
    tests: ['src/server/begin-visit.test.ts', 'src/server/token-visit.test.ts'],
  },
  {
    mutate: ['src/server/idempotency.ts'],
    tests: ['src/server/once-by-key.test.ts'],
  },
  {
    isPure: true,
    mutate: ['src/server/network-of.ts'],
    tests: ['src/server/network-of.test.ts'],
  },
  {
    mutate: ['src/server/rate-limits.ts'],
    tests: ['src/server/rate-limits.test.ts'],
  },
]

/** Decisions about money that need no database. */
const moneyRules = [
  'src/domains/ledger/rules.ts',
  'src/domains/billing/rules.ts',
  'src/domains/purchases/rules.ts',
  'src/domains/payouts/rules.ts',
  'src/domains/payouts/payout-refusal.ts',
  'src/domains/payouts/standing.ts',
  'src/domains/earnings/months.ts',
  'src/domains/payments/own-address.ts',
  'src/domains/payments/event-kinds.ts',
  'src/domains/payments/outcome.ts',
  'src/domains/courses/pricing.ts',
]

/** In the domains of money, what is not about it: what a person downloads, a page of paper, an account for a demonstration. */
const notMoney = /\/(personal-data|schema|statement-pdf|demo-upgrade)\.ts$/

/** What a domain of money does on the database. @returns {Part} */
const transactionsOf = (domain, alsoTests = []) => ({
  mutate: codeOf(domain).filter((file) => !notMoney.test(file) && !moneyRules.includes(file)),
  tests: [...testsOf(domain), ...alsoTests],
})

/** @returns {Part[]} */
export const money = () => [
  {
    isPure: true,
    mutate: moneyRules,
    tests: [
      'src/domains/ledger/rules.test.ts',
      'src/domains/billing/rules.test.ts',
      'src/domains/purchases/rules.test.ts',
      'src/domains/payouts/rules.test.ts',
      'src/domains/payouts/payout-refusal.test.ts',
      'src/domains/payouts/standing.test.ts',
      'src/domains/earnings/sale-state.test.ts',
      'src/domains/payments/own-address.test.ts',
      'src/domains/payments/event-kinds.test.ts',
      'src/domains/courses/pricing.test.ts',
    ],
  },
  transactionsOf('ledger'),
  transactionsOf('billing', ['src/domains/payments/sync.test.ts']),
  transactionsOf('purchases', ['src/domains/earnings/refund-sale.test.ts']),
  transactionsOf(
    'payments',
    ['checkout-moments', 'life', 'set-renewal'].map(
      (test) => `src/domains/purchases/${test}.test.ts`,
    ),
  ),
  transactionsOf('earnings'),
  transactionsOf('payouts'),
]

/** Courses that are copied, exported and imported. */
const courseTransfers = [
  'duplicate-course',
  'import-course',
  'out-and-in',
  'refused-course-files',
].map((test) => `src/domains/course-transfer/${test}.test.ts`)

/** Tests that lie with another domain and are about this one too: whose files, whose members, whose course it is. */
const testsElsewhere = {
  accounts: [
    'src/domains/payouts/who-leaves.test.ts',
    'src/domains/tokens/tokens.test.ts',
    'test/attacks/who-has-an-account.test.ts',
  ],
  applications: [
    'src/domains/enrollment/members.test.ts',
    'src/domains/purchases/course-checkout.test.ts',
  ],
  certificates: ['src/domains/branding/branding.test.ts', 'src/domains/lessons/progress.test.ts'],
  challenges: ['src/domains/administration/suspensions.test.ts'],
  community: [
    'src/domains/moderation/community-settings.test.ts',
    'src/domains/moderation/deciding.test.ts',
  ],
  courses: [
    'src/domains/accounts/delete-account.test.ts',
    'src/domains/administration/suspensions.test.ts',
    ...courseTransfers,
    'src/domains/purchases/rare-moments.test.ts',
  ],
  enrollment: [
    'src/domains/applications/reviewing.test.ts',
    'src/domains/invitations/invitations.test.ts',
    'src/domains/purchases/grant-purchase.test.ts',
  ],
  lessons: ['src/domains/courses/save-content.test.ts', 'src/domains/media/stream-limit.test.ts'],
  media: [
    'src/domains/accounts/avatar.test.ts',
    'src/domains/community/attachments.test.ts',
    ...courseTransfers,
    'src/domains/courses/save-content.test.ts',
    'src/domains/lessons/preview.test.ts',
    'test/faults/ffmpeg.test.ts',
    'test/faults/store.test.ts',
  ],
  moderation: ['src/domains/community/advanced.test.ts'],
  search: ['src/domains/courses/catalogue.test.ts', 'src/domains/site/featured-courses.test.ts'],
  site: ['src/domains/branding/branding.test.ts', 'src/server/pages.test.ts'],
}

const isAboutPeople = (file) => file.endsWith('/personal-data.ts')

/** All that the domains decide, each with the tests that are about it. @returns {Part[]} */
export const domains = () => [
  ...readdirSync('src/domains')
    .map((domain) => ({
      mutate: codeOf(domain).filter((file) => !isAboutPeople(file)),
      tests: [...testsOf(domain), ...(testsElsewhere[domain] ?? [])],
    }))
    .filter(({ mutate, tests }) => mutate.length > 0 && tests.length > 0),
  {
    mutate: filesIn('*', 'personal-data.ts').filter(isAboutPeople),
    tests: [
      'test/personal-data.test.ts',
      'src/domains/accounts/download-data.test.ts',
      'src/domains/accounts/delete-account.test.ts',
      'src/domains/accounts/what-leaving-does.test.ts',
    ],
  },
]
