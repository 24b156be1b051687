// Visits every screen of a server with demo content. With words after it, only screens whose name has one.
import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { chromium, expect, type Page } from '@playwright/test'
import { URI } from 'otpauth'
import { startBuiltServer } from '../test/journeys/server.ts'
import { browserArguments, findBrowser } from './browser.mjs'
import { actingOn } from './call-as.ts'
import { fillDiscussion } from './fill-discussion.ts'
import { fillPublicFace, type Suspended } from './fill-public-face.ts'
import { fillPurchases, missPayments, type Payer } from './fill-purchases.ts'
import { fillTeaching } from './fill-teaching.ts'
import { run } from './run.mjs'
import { waitForScreen } from './wait-for-screen.ts'

type Visitor =
  | 'visitor'
  | 'newcomer'
  | 'careful'
  | 'nobody yet'
  | 'learner'
  | 'graduate'
  | 'creator'
  | Payer
  | Suspended

interface Screen {
  name: string
  as: Visitor
  path: string
  /** What to do there before the picture. */
  prepare?: (page: Page) => Promise<unknown>
}

const demoPeople: Partial<Record<Visitor, string>> = {
  learner: 'amelia-novak@demo.thunder.example',
  graduate: 'noah-fischer@demo.thunder.example',
  creator: 'mara-lindqvist@demo.thunder.example',
}
const widths = [375, 768, 1280]
const themes = ['light', 'dark'] as const
const folder = 'screens'

const words = process.argv.slice(2)
const flagship = '/course/thunder-bootcamp'
const discussion = `${flagship}/dashboard?tab=discussion`
const { call, cookies, inDatabase } = actingOn<Visitor>(() => server)

/** Everybody whom a screen is shown to, signed in. */
async function invitePeople() {
  for (const [as, email] of Object.entries(demoPeople) as [Visitor, string][]) {
    await call(as, 'POST', '/auth/v1/sign-in/email', { email, password: 'demo1234' })
  }
  for (const as of ['newcomer', 'nobody yet'] as const) {
    const email = `${as.replace(' ', '-')}@demo.thunder.example`
    await call(as, 'POST', '/auth/v1/sign-up/email', {
      name: 'Robin Newcomer',
      email,
      password: 'demo1234',
    })
  }

  // Everybody starts in the flagship course; the empty dashboard is that of somebody who is in none.
  await inDatabase(`delete from enrollments e using users u
                     where u.id = e.user_id and u.email = 'nobody-yet@demo.thunder.example'`)
}

const twoStepAccount = {
  name: 'Tess Twostep',
  email: 'tess-twostep@demo.thunder.example',
  password: 'demo1234',
}

/** Somebody who logs in with a code from an app as well. */
async function inviteCareful() {
  await call('careful', 'POST', '/auth/v1/sign-up/email', twoStepAccount)
  const { password } = twoStepAccount
  const { totpURI } = await call('careful', 'POST', '/auth/v1/two-factor/enable', { password })
  const code = URI.parse(totpURI).generate()
  await call('careful', 'POST', '/auth/v1/two-factor/verify-totp', { code })
}

let strangers = 0
/** Another address for each picture: one alone is soon asked to wait. */
const nextStranger = () => `somebody${(strangers += 1)}@example.com`

const press = (name: string) => (page: Page) =>
  page.getByRole('button', { name, exact: true }).click()
/** The learner begins the film on two other devices. */
async function playElsewhere(lessonId: string) {
  for (const device of ['Macintosh; Intel Mac OS X 10_15_7', 'Windows NT 10.0; Win64; x64']) {
    const headers = {
      'content-type': 'application/json',
      origin: server.url,
      'user-agent': `Mozilla/5.0 (${device}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36`,
    }
    const account = JSON.stringify({ email: demoPeople.learner, password: 'demo1234' })
    const signIn = `${server.url}/auth/v1/sign-in/email`
    const session = await fetch(signIn, { method: 'POST', headers, body: account })
    const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const stream = `${server.url}/rest/v1/lessons/${lessonId}/stream`
    await fetch(stream, { method: 'PUT', headers: { ...headers, cookie }, body: '{}' })
  }
}

const seeCharts = async (page: Page) => {
  const revenue = page.getByRole('figure', { name: 'Revenue over time' })
  await revenue.scrollIntoViewIfNeeded()
  await expect(revenue.getByRole('application')).toBeVisible()
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
}
const openFirstLesson = async (page: Page) => {
  const lesson = page.getByRole('main').getByRole('heading', { level: 4 }).first()
  await lesson.getByRole('button').click()
  await expect(page.getByRole('textbox', { name: 'Lesson content' })).toBeVisible()
}

/** All screens of a server with the demo content and these people. */
async function listScreens(): Promise<Screen[]> {
  const { enrolled } = await call('learner', 'GET', '/rest/v1/dashboard')
  const taken = enrolled.find(
    (course: { slug: string; progressPercent: number }) =>
      course.progressPercent > 0 &&
      course.progressPercent < 100 &&
      course.slug !== 'thunder-bootcamp',
  )
  const { created } = await call('creator', 'GET', '/rest/v1/dashboard')
  const { username } = await call('creator', 'GET', '/rest/v1/me')
  const { username: newcomer } = await call('newcomer', 'GET', '/rest/v1/me')
  const [own] = created
  const { courses } = await call('visitor', 'GET', '/rest/v1/courses')
  const joined = new Set(enrolled.map((course: { id: string }) => course.id))
  const open = courses.find((course: { id: string }) => !joined.has(course.id)) ?? courses[0]
  const outline = await call('learner', 'GET', `/rest/v1/courses/${taken.slug}/dashboard`)
  const bootcamp = await call('graduate', 'GET', '/rest/v1/courses/thunder-bootcamp/dashboard')
  const bootcampLessons = bootcamp.chapters.flatMap(
    (chapter: { lessons: unknown[] }) => chapter.lessons,
  )
  for (const lesson of bootcampLessons) {
    await call('graduate', 'PUT', `/rest/v1/lessons/${lesson.id}/completion`)
  }
  await call('learner', 'PUT', `/rest/v1/lessons/${bootcampLessons[0].id}/position`, {
    seconds: 31,
  })

  const question = await fillDiscussion(call)
  const sold = await fillPurchases({ call, inDatabase })
  const face = await fillPublicFace({ call }, sold.oneTime)
  const teaching = await fillTeaching({ call }, sold)
  const openUpgrade = async (page: Page) => {
    await page.getByRole('main').getByRole('link', { name: 'Upgrade to Pro' }).click()
    await expect(page.getByRole('dialog', { name: 'Upgrade to Pro' })).toBeVisible()
  }
  const seeInvoices = (page: Page) =>
    expect(page.getByRole('list', { name: 'Invoices' })).toBeVisible()
  const askFor = (name: string) => async (page: Page) => {
    await seeInvoices(page)
    await press(name)(page)
  }
  const openBilling = (page: Page) =>
    page.getByRole('main').getByRole('link', { name: 'Billing', exact: true }).click()
  const historyCall = '**/functions/v1/stripe-billing-history'

  return [
    { name: 'home', as: 'visitor', path: '/' },
    { name: 'about', as: 'visitor', path: '/about' },
    { name: 'privacy', as: 'visitor', path: '/privacy' },
    { name: 'terms', as: 'visitor', path: '/terms' },
    { name: 'accessibility', as: 'visitor', path: '/accessibility' },
    { name: 'pro', as: 'visitor', path: '/pro' },
    { name: 'pro-free', as: 'newcomer', path: '/pro' },
    { name: 'pro-subscriber', as: 'subscriber', path: '/pro' },
    { name: 'page-not-found', as: 'visitor', path: '/no-such-page' },
    { name: 'explore', as: 'visitor', path: '/explore' },
    { name: 'explore-search', as: 'visitor', path: '/explore?search=a&category=Cooking' },
    { name: 'explore-nothing-found', as: 'visitor', path: '/explore?search=qqqqqq' },
    { name: 'explore-too-long', as: 'visitor', path: `/explore?search=${'q'.repeat(300)}` },
    { name: 'explore-signed-in', as: 'learner', path: '/explore' },
    { name: 'course', as: 'visitor', path: `/course/${open.slug}` },
    { name: 'course-flagship', as: 'visitor', path: flagship },
    { name: 'course-not-found', as: 'visitor', path: '/course/no-such-course' },
    { name: 'course-to-join', as: 'learner', path: `/course/${open.slug}` },
    { name: 'course-preview', as: 'creator', path: `/course/${own.slug}?preview=1` },
    { name: 'reviews', as: 'visitor', path: `/course/${taken.slug}/reviews` },
    { name: 'reviews-member', as: 'learner', path: `/course/${taken.slug}/reviews` },
    { name: 'reviews-instructor', as: 'creator', path: `/course/${own.slug}/reviews` },
    { name: 'profile', as: 'visitor', path: `/user/${username}` },
    { name: 'profile-created', as: 'visitor', path: `/user/${username}?tab=created` },
    { name: 'profile-reviews', as: 'visitor', path: '/user/amelia-novak?tab=reviews' },
    { name: 'profile-own', as: 'newcomer', path: `/user/${newcomer}` },
    { name: 'profile-empty', as: 'visitor', path: `/user/${newcomer}?tab=created` },
    { name: 'profile-not-found', as: 'visitor', path: '/user/no-such-person' },
    { name: 'settings', as: 'creator', path: '/settings' },
    {
      name: 'settings-errors',
      as: 'newcomer',
      path: '/settings',
      async prepare(page) {
        await page.getByLabel('Display Name').fill('')
        await page.getByLabel('Website').fill('example.com')
        await page.getByLabel('Twitch').fill('javascript:alert(1)')
        await press('Save Changes')(page)
        await expect(page.getByText('Display name is required').first()).toBeVisible()
      },
    },
    {
      name: 'settings-crop',
      as: 'newcomer',
      path: '/settings',
      async prepare(page) {
        await page.getByLabel('Choose a picture').setInputFiles('seed/flagship/welcome.jpg')
        await expect(page.getByLabel('Zoom')).toBeVisible()
      },
    },
    { name: 'settings-security', as: 'creator', path: '/settings#security' },
    {
      name: 'settings-two-step',
      as: 'creator',
      path: '/settings#security',
      async prepare(page) {
        await press('Turn on two-step verification')(page)
        await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill('demo1234')
        await press('Continue')(page)
        await expect(page.getByLabel('Code from your app')).toBeVisible()
      },
    },
    { name: 'settings-password', as: 'creator', path: '/settings/password' },
    { name: 'settings-delete-account', as: 'creator', path: '/settings/delete-account' },
    { name: 'settings-delete-newcomer', as: 'newcomer', path: '/settings/delete-account' },
    { name: 'settings-theme', as: 'creator', path: '/settings#theme' },
    { name: 'login', as: 'visitor', path: '/login' },
    {
      name: 'login-error',
      as: 'visitor',
      path: '/login',
      async prepare(page) {
        await page.getByLabel('Email').fill(nextStranger())
        await page.getByLabel('Password', { exact: true }).fill('not the one')
        await press('Login')(page)
        await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
      },
    },
    { name: 'login-link', as: 'visitor', path: '/login/link' },
    {
      name: 'login-link-sent',
      as: 'visitor',
      path: '/login/link',
      async prepare(page) {
        await page.getByLabel('Email').fill(nextStranger())
        await press('Send the link')(page)
        await expect(page.getByText('Please check your email.')).toBeVisible()
      },
    },
    { name: 'login-link-press', as: 'visitor', path: '/login/link?token=of-a-mail' },
    {
      name: 'login-two-step',
      as: 'visitor',
      path: '/login',
      async prepare(page) {
        await page.getByLabel('Email').fill(twoStepAccount.email)
        await page.getByLabel('Password', { exact: true }).fill(twoStepAccount.password)
        await press('Login')(page)
        await expect(page).toHaveURL(/\/login\/two-step/)
      },
    },
    { name: 'login-two-step-ended', as: 'visitor', path: '/login/two-step' },
    { name: 'forgot-password', as: 'visitor', path: '/forgot-password' },
    { name: 'reset-password', as: 'visitor', path: '/reset-password?token=of-a-mail' },
    { name: 'reset-password-no-link', as: 'visitor', path: '/reset-password' },
    { name: 'confirm-email', as: 'visitor', path: '/confirm-email' },
    { name: 'confirm-email-press', as: 'visitor', path: '/confirm-email?token=of-a-mail' },
    {
      name: 'confirm-email-refused',
      as: 'visitor',
      path: '/confirm-email?token=used',
      prepare: press('Confirm my email address'),
    },
    { name: 'confirm-email-done', as: 'visitor', path: '/confirm-email?done=confirmed' },
    { name: 'signup', as: 'visitor', path: '/signup' },
    {
      name: 'signup-error',
      as: 'visitor',
      path: '/signup',
      async prepare(page) {
        // The message would be gone before the picture.
        await page.clock.install()
        await press('Create account')(page)
        await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
      },
    },
    { name: 'dashboard', as: 'learner', path: '/dashboard' },
    { name: 'dashboard-creator', as: 'creator', path: '/dashboard' },
    { name: 'dashboard-newcomer', as: 'newcomer', path: '/dashboard' },
    { name: 'dashboard-empty', as: 'nobody yet', path: '/dashboard' },
    { name: 'menu-logo', as: 'learner', path: '/dashboard', prepare: press('Thunder menu') },
    { name: 'menu-account', as: 'learner', path: '/dashboard', prepare: press('Account menu') },
    {
      name: 'bell',
      as: 'creator',
      path: '/dashboard',
      async prepare(page) {
        // As it looks before its second is over.
        await page.clock.install()
        await page.clock.pauseAt(Date.now() + 1000)
        await page.getByRole('button', { name: /^Notifications/ }).click()
        await expect(page.getByRole('button', { name: 'Clear All' })).toBeVisible()
      },
    },
    {
      name: 'bell-empty',
      as: 'graduate',
      path: '/dashboard',
      async prepare(page) {
        const { notifications } = await call('graduate', 'GET', '/rest/v1/notifications')
        const ids = notifications.map((notice: { id: string }) => notice.id)
        if (ids.length > 0) await call('graduate', 'POST', '/rest/v1/notifications/clear', { ids })
        await page.getByRole('button', { name: /^Notifications/ }).click()
        await expect(page.getByText('All Caught Up!')).toBeVisible()
      },
    },
    {
      name: 'bell-failed',
      as: 'learner',
      path: '/dashboard',
      async prepare(page) {
        await page.route('**/rest/v1/notifications', (route) => route.abort())
        await page.getByRole('button', { name: /^Notifications/ }).click()
        await expect(page.getByText('Could not load your notifications')).toBeVisible()
      },
    },
    { name: 'notifications', as: 'creator', path: '/notifications' },
    { name: 'member', as: 'learner', path: `/course/${taken.slug}/dashboard` },
    { name: 'member-about', as: 'learner', path: `/course/${taken.slug}/dashboard?tab=about` },
    { name: 'member-start', as: 'newcomer', path: `${flagship}/dashboard` },
    { name: 'member-completed', as: 'graduate', path: `${flagship}/dashboard` },
    { name: 'member-instructor', as: 'creator', path: `/course/${own.slug}/dashboard` },
    { name: 'discussion', as: 'learner', path: discussion },
    {
      name: 'discussion-write',
      as: 'learner',
      path: discussion,
      async prepare(page) {
        await press('Write something...')(page)
        await expect(page.getByRole('form', { name: 'New post' })).toBeVisible()
      },
    },
    {
      name: 'discussion-comments',
      as: 'learner',
      path: `${discussion}&post=${question}`,
      prepare: (page) => expect(page.getByText('Fifteen minutes after lunch')).toBeVisible(),
    },
    { name: 'discussion-found', as: 'learner', path: `${discussion}&search=lesson` },
    { name: 'discussion-nothing-found', as: 'learner', path: `${discussion}&search=qqqqqq` },
    { name: 'discussion-gone', as: 'learner', path: `${discussion}&post=${randomUUID()}` },
    {
      name: 'discussion-empty',
      as: 'creator',
      path: `/course/${own.slug}/dashboard?tab=discussion`,
    },
    { name: 'moderation-empty', as: 'creator', path: `/course/${own.slug}/moderation` },
    {
      name: 'moderation-settings',
      as: 'creator',
      path: `/course/${own.slug}/moderation?view=settings`,
    },
    {
      name: 'lesson',
      as: 'learner',
      path: `/course/${taken.slug}/lesson/${outline.continueWith.slug}`,
    },
    {
      name: 'lesson-video',
      as: 'learner',
      path: `${flagship}/lesson/${bootcampLessons[0].slug}`,
      prepare: (page) => expect(page.getByText('Resumed at 0:31')).toBeVisible(),
    },
    {
      name: 'lesson-last',
      as: 'graduate',
      path: `${flagship}/lesson/${bootcampLessons.at(-1).slug}`,
      async prepare(page) {
        // The yellow part is there only right after the last lesson was completed.
        await press('Completed')(page)
        const complete = page.getByRole('button', { name: 'Mark Complete' })
        await expect(complete).not.toHaveAttribute('aria-disabled')
        await complete.click()
        await expect(page.getByRole('link', { name: 'Look back at the course' })).toBeVisible()
      },
    },
    {
      name: 'lesson-not-found',
      as: 'learner',
      path: `/course/${taken.slug}/lesson/no-such-lesson`,
    },
    { name: 'course-form', as: 'newcomer', path: '/create-course' },
    {
      name: 'course-form-errors',
      as: 'newcomer',
      path: '/create-course',
      async prepare(page) {
        await press('Continue')(page)
        await expect(page.getByText('Course title is required')).toBeVisible()
      },
    },
    {
      name: 'course-form-paid',
      as: 'newcomer',
      path: '/create-course',
      async prepare(page) {
        await page.getByLabel('Pricing').selectOption('Monthly subscription')
        await page.getByLabel('Require application').check()
      },
    },
    { name: 'course-form-limit', as: 'creator', path: '/create-course' },
    { name: 'course-form-edit', as: 'creator', path: `/create-course?courseId=${own.id}` },
    { name: 'course-form-not-found', as: 'newcomer', path: `/create-course?courseId=${own.id}` },
    { name: 'editor', as: 'creator', path: `/create-lessons/${own.id}` },
    {
      name: 'editor-lesson',
      as: 'creator',
      path: `/create-lessons/${own.id}`,
      prepare: openFirstLesson,
    },
    {
      name: 'editor-upload-error',
      as: 'creator',
      path: `/create-lessons/${own.id}`,
      async prepare(page) {
        await openFirstLesson(page)
        const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') }
        await page.getByLabel('Choose a video').setInputFiles(file)
        await page.getByRole('button', { name: 'Save Changes' }).click()
        await expect(page.getByText(/resolve all upload errors/).first()).toBeVisible()
      },
    },
    { name: 'editor-not-found', as: 'newcomer', path: `/create-lessons/${own.id}` },
    { name: 'course-to-buy', as: 'newcomer', path: `/course/${sold.oneTime.slug}` },
    { name: 'course-to-subscribe', as: 'visitor', path: `/course/${sold.monthly.slug}` },
    {
      name: 'course-with-coupon',
      as: 'newcomer',
      path: `/course/${sold.oneTime.slug}?coupon=SPRING25`,
    },
    { name: 'coupons', as: 'seller', path: `/course/${sold.oneTime.slug}/coupons` },
    { name: 'coupons-empty', as: 'seller', path: `/course/${sold.monthly.slug}/coupons` },
    { name: 'payment-page', as: 'canceler', path: sold.paymentPage },
    { name: 'billing-free', as: 'newcomer', path: '/billing' },
    { name: 'billing-upgrade', as: 'newcomer', path: '/billing', prepare: openUpgrade },
    { name: 'billing-returned', as: 'newcomer', path: '/billing?success=true&plan=annual' },
    { name: 'billing-pro', as: 'subscriber', path: '/billing', prepare: seeInvoices },
    { name: 'billing-cancel', as: 'subscriber', path: '/billing', prepare: askFor('Cancel') },
    {
      name: 'billing-update',
      as: 'subscriber',
      path: '/billing',
      prepare: askFor('Update Payment'),
    },
    { name: 'billing-canceling', as: 'canceler', path: '/billing', prepare: seeInvoices },
    {
      name: 'billing-past-due',
      as: 'debtor',
      path: '/billing',
      async prepare(page) {
        await missPayments({ inDatabase }, 'debtor')
        await page.reload()
        await expect(page.getByText('Your last payment failed')).toBeVisible()
        await seeInvoices(page)
      },
    },
    {
      name: 'billing-loading',
      as: 'subscriber',
      path: '/settings',
      async prepare(page) {
        await page.route(historyCall, () => {})
        await openBilling(page)
        await expect(page.getByText('Loading billing history...')).toBeVisible()
      },
    },
    {
      name: 'billing-failed',
      as: 'subscriber',
      path: '/settings',
      async prepare(page) {
        await page.route(historyCall, (route) => route.abort())
        await openBilling(page)
        await expect(page.getByText('Could not load your billing history')).toBeVisible()
      },
    },
    { name: 'billing-cancel-page', as: 'subscriber', path: '/billing/cancel' },
    { name: 'billing-update-page', as: 'subscriber', path: '/billing/update-payment' },
    {
      name: 'billing-course-page',
      as: 'canceler',
      path: `/billing/courses/${sold.purchaseId}/cancel`,
    },
    { name: 'settings-billing', as: 'subscriber', path: '/settings#billing', prepare: seeInvoices },
    { name: 'upgrade', as: 'newcomer', path: '/upgrade' },
    { name: 'upgrade-pro', as: 'subscriber', path: '/upgrade' },
    { name: 'upgrade-demo', as: 'newcomer', path: '/upgrade/demo' },
    {
      name: 'menu-account-pro',
      as: 'subscriber',
      path: '/dashboard',
      prepare: press('Account menu'),
    },
    { name: 'analytics', as: 'seller', path: '/analytics', prepare: seeCharts },
    {
      name: 'analytics-course',
      as: 'seller',
      path: `/analytics?days=90&course=${sold.oneTime.id}`,
      prepare: seeCharts,
    },
    { name: 'analytics-free', as: 'creator', path: '/analytics' },
    { name: 'analytics-empty', as: 'newcomer', path: '/analytics?days=30' },
    { name: 'blog', as: 'visitor', path: '/blog' },
    { name: 'blog-post', as: 'visitor', path: '/blog/thunder-versus-teachable' },
    { name: 'blog-not-found', as: 'visitor', path: '/blog/thunder-versus-nobody' },
    { name: 'help', as: 'visitor', path: '/help' },
    { name: 'help-found', as: 'visitor', path: '/help?q=refund' },
    { name: 'help-nothing-found', as: 'visitor', path: '/help?q=qqqqqq' },
    { name: 'help-article', as: 'visitor', path: '/help/refunds' },
    { name: 'offline', as: 'visitor', path: '/offline' },
    { name: 'challenges', as: 'visitor', path: '/challenges' },
    { name: 'challenge', as: 'visitor', path: `/challenges/${face.challenge.slug}` },
    { name: 'challenge-entered', as: 'seller', path: `/challenges/${face.challenge.slug}` },
    { name: 'challenge-free', as: 'newcomer', path: `/challenges/${face.challenge.slug}` },
    { name: 'certificate', as: 'visitor', path: `/certificates/${face.certificateId}` },
    { name: 'certificate-own', as: 'graduate', path: `/certificates/${face.certificateId}` },
    { name: 'certificate-unknown', as: 'visitor', path: `/certificates/${randomUUID()}` },
    { name: 'certificates', as: 'graduate', path: '/certificates' },
    { name: 'certificates-empty', as: 'newcomer', path: '/certificates' },
    { name: 'certificates-issued', as: 'seller', path: `${flagship}/certificates` },
    { name: 'branding', as: 'seller', path: `/course/${sold.oneTime.slug}/branding` },
    { name: 'branding-free', as: 'creator', path: `/course/${own.slug}/branding` },
    { name: 'course-branded', as: 'visitor', path: `/course/${sold.oneTime.slug}` },
    { name: 'support', as: 'visitor', path: '/support' },
    { name: 'support-mine', as: 'newcomer', path: '/support' },
    { name: 'support-request', as: 'newcomer', path: `/support/${face.support.answered}` },
    { name: 'suspended', as: 'suspended', path: '/suspended' },
    {
      name: 'suspended-course',
      as: 'suspended',
      path: `/course/${face.suspended.slug}/suspension`,
    },
    {
      name: 'lesson-preview',
      as: 'visitor',
      path: `/course/${sold.oneTime.slug}/preview/the-first-evening`,
    },
    {
      name: 'lesson-devices',
      as: 'learner',
      path: `${flagship}/lesson/${bootcampLessons[0].slug}`,
      async prepare(page) {
        await playElsewhere(bootcampLessons[0].id)
        await page.getByRole('button', { name: 'Play', exact: true }).click()
        await expect(page.getByText('You are watching on 2 other devices')).toBeVisible()
      },
    },
    { name: 'invitation', as: 'visitor', path: teaching.invitation },
    { name: 'invitation-unknown', as: 'visitor', path: '/invite/no-such-code' },
    { name: 'login-sso', as: 'visitor', path: '/login/sso' },
    { name: 'unsubscribe-refused', as: 'visitor', path: '/unsubscribe?token=of-nobody' },
    { name: 'payments', as: 'seller', path: '/payments' },
    { name: 'payments-empty', as: 'newcomer', path: '/payments' },
    { name: 'payments-setup', as: 'newcomer', path: '/payments/setup' },
    { name: 'payments-change', as: 'seller', path: '/payments/setup' },
    { name: 'payments-remove', as: 'seller', path: '/payments/remove' },
    { name: 'payments-pay-out', as: 'seller', path: '/payments/pay-out' },
    { name: 'payments-refund', as: 'seller', path: `/payments/sales/${teaching.saleId}/refund` },
    { name: 'settings-payments', as: 'seller', path: '/settings#payments' },
    { name: 'settings-notifications', as: 'newcomer', path: '/settings#notifications' },
    { name: 'settings-notifications-page', as: 'newcomer', path: '/settings/notifications' },
    { name: 'settings-developers', as: 'seller', path: '/settings#developers' },
    { name: 'settings-webhook', as: 'seller', path: `/settings/webhooks/${teaching.webhookId}` },
    { name: 'import-course', as: 'newcomer', path: '/import-course' },
    { name: 'apply', as: 'newcomer', path: `/course/${teaching.applications}/apply` },
    { name: 'apply-pending', as: 'debtor', path: `/course/${teaching.applications}` },
    {
      name: 'applications',
      as: 'seller',
      path: `/course/${teaching.applications}/dashboard?tab=applications`,
    },
    { name: 'members', as: 'learner', path: `${flagship}/dashboard?tab=members` },
    {
      name: 'members-instructor',
      as: 'seller',
      path: `/course/${sold.oneTime.slug}/dashboard?tab=members`,
    },
    {
      name: 'members-invite',
      as: 'seller',
      path: `/course/${sold.oneTime.slug}/dashboard?tab=members`,
      async prepare(page) {
        await press('Invite by Email')(page)
        await expect(page.getByRole('dialog')).toBeVisible()
      },
    },
    { name: 'moderation', as: 'seller', path: `/course/${sold.monthly.slug}/moderation` },
    { name: 'leave', as: 'learner', path: `/course/${taken.slug}/leave` },
    { name: 'delete-course', as: 'creator', path: `/course/${own.slug}/delete` },
    {
      name: 'certificate-revoke',
      as: 'seller',
      path: `${flagship}/certificates/${face.certificateId}/revoke`,
    },
    { name: 'admin', as: 'seller', path: '/admin' },
    { name: 'admin-refused', as: 'learner', path: '/admin' },
    { name: 'admin-people', as: 'seller', path: '/admin/people' },
    { name: 'admin-nobody-found', as: 'seller', path: '/admin/people?search=qqqqqq' },
    { name: 'admin-person', as: 'seller', path: `/admin/people/${face.suspended.personId}` },
    { name: 'admin-courses', as: 'seller', path: '/admin/courses' },
    { name: 'admin-course', as: 'seller', path: `/admin/courses/${sold.oneTime.id}` },
    { name: 'admin-reports', as: 'seller', path: '/moderation' },
    { name: 'admin-appeals', as: 'seller', path: '/admin/appeals' },
    { name: 'admin-support', as: 'seller', path: '/admin/support' },
    { name: 'admin-request', as: 'seller', path: `/admin/support/${face.support.waiting}` },
    { name: 'admin-challenges', as: 'seller', path: '/admin/challenges' },
    { name: 'admin-challenge', as: 'seller', path: `/admin/challenges/${face.challenge.id}` },
    { name: 'admin-challenge-new', as: 'seller', path: '/admin/challenges/new' },
    { name: 'admin-announcements', as: 'seller', path: '/admin/announcements' },
    { name: 'admin-announcement-new', as: 'seller', path: '/admin/announcements/new' },
    { name: 'admin-payments', as: 'seller', path: '/admin/payments' },
    { name: 'admin-features', as: 'seller', path: '/admin/features' },
    { name: 'admin-jobs', as: 'seller', path: '/admin/jobs' },
    { name: 'admin-log', as: 'seller', path: '/admin/log' },
  ]
}

async function takePicture(page: Page, screen: Screen, file: string) {
  // Letters that come late are for the next page (ui/fonts.css): this is the next one.
  await page.goto(`${server.url}/offline`)
  await page.evaluate(() => document.fonts.ready)
  const answer = await page.goto(server.url + screen.path)
  if (!answer || answer.status() >= 500)
    throw new Error(`${screen.path} answered ${answer?.status()}`)
  await waitForScreen(page, screen.prepare)
  // As tall as the page, so that what sticks to an edge of the window does not lie across its middle.
  const width = page.viewportSize()?.width ?? 1280
  const grow = async () => {
    const height = await page.evaluate(() => {
      scrollTo(0, 0)
      return document.documentElement.scrollHeight
    })
    await page.setViewportSize({ width, height })
  }
  await grow()
  // What loads when it comes near has come now, and may be taller than what stood for it.
  await expect(page.locator('.animate-skeleton').filter({ visible: true })).toHaveCount(0)
  await grow()
  await page.mouse.move(0, 0)
  await page.screenshot({ path: file, animations: 'disabled' })
}

async function takeAll() {
  const code = await run('node', ['scripts/fill-demo.ts'], {
    env: { DATA_DIR: server.dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (code !== 0) throw new Error('The demo content could not be made.')
  await invitePeople()
  await inviteCareful()
  const chosen = (await listScreens()).filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  )
  if (words.length === 0) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const screen of chosen) {
    for (const width of widths) {
      for (const theme of themes) {
        const context = await browser.newContext({
          viewport: { width, height: width < 768 ? 812 : 800 },
          colorScheme: theme,
          reducedMotion: 'reduce',
        })
        const [name, value] = (cookies.get(screen.as) ?? '').split('=')
        if (name && value) await context.addCookies([{ name, value, url: server.url }])
        const file = `${folder}/${screen.name}-${width}-${theme}.png`
        await takePicture(await context.newPage(), screen, file)
        await context.close()
      }
    }
    console.log(screen.name)
  }
  console.log(`${chosen.length * widths.length * themes.length} pictures in ${folder}/`)
}

const server = await startBuiltServer()
const browser = await chromium.launch({
  executablePath: await findBrowser(),
  args: browserArguments,
})
try {
  await takeAll()
} finally {
  await browser.close()
  await server.stop()
}
