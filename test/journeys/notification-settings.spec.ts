// What a person is told, and how: chosen in the settings, obeyed by mails, and stopped from a mail.
import type { APIRequestContext, Page } from '@playwright/test'
import type { CaughtMail } from '../../src/server/caught-mails.ts'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  goOffline,
  hold,
  hydrated,
  newcomer,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'

const part = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const save = (page: Page) => page.getByRole('button', { name: 'Save Preferences' }).click()
const isSaved = (page: Page) =>
  expect(page.getByRole('status').filter({ hasText: 'Your preferences are saved.' })).toBeVisible()

async function expectGoodOnEveryScreen(page: Page) {
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 812 })
    await expectNoSidewaysScrolling(page)
    await expectNoAxeViolations(page)
  }
}

/** The mail to this address with this subject, once it is there. */
async function mailTo(request: APIRequestContext, to: string, subject: string) {
  let found: CaughtMail | undefined
  await expect
    .poll(async () => {
      const mails: CaughtMail[] = await (await request.get('/outbox/mails.json')).json()
      found = mails.find((mail) => mail.to === to && mail.subject === subject)
      return found
    })
    .toBeTruthy()
  return found!
}

const preferencesOf = async (request: APIRequestContext) =>
  (await request.get('/rest/v1/me/notification-preferences')).json()

/** As the link in a mail does. */
async function stopElsewhere(request: APIRequestContext, name: string) {
  const { [name]: before } = await preferencesOf(request)
  const data = { [name]: { ...before, email: 'off' } }
  const stopped = await request.put('/rest/v1/me/notification-preferences', { data })
  expect(stopped.status()).toBe(200)
}

const noticesOf = async (request: APIRequestContext): Promise<string[]> => {
  const { notifications } = await (await request.get('/rest/v1/notifications')).json()
  return notifications.map(({ title }: { title: string }) => title)
}

test('preferences are saved, obeyed, and mails are stopped by their own links', async ({
  page,
  browser,
  thunder,
}) => {
  const creator = await signedUp(page.request, 'Cora Creator')
  const course = await publishedCourse(page.request, 'Cora teaches')
  const complaints = complaintsOf(page)
  await page.goto('/settings')
  await hydrated(page)
  await page
    .getByRole('navigation', { name: 'Settings' })
    .getByRole('link', { name: 'Notifications' })
    .click()
  await expect(page).toHaveURL(/#notifications$/)
  const members = part(page, 'New members and applications')
  const reviews = part(page, 'Comments and reviews')
  await expect(members.getByLabel('In-app')).toBeChecked()
  await expect(members.getByLabel('Email')).toHaveValue('daily')
  await expectGoodOnEveryScreen(page)

  // Without a connection nothing is said to be saved, and what was chosen stays.
  await members.getByLabel('Email').selectOption('At once')
  await reviews.getByLabel('In-app').uncheck()
  await goOffline(page, '/settings/notifications')
  await save(page)
  await expect(page.getByRole('alert').filter({ hasText: 'could not be saved' })).toBeVisible()
  await expect(members.getByLabel('Email')).toHaveValue('at_once')
  await expect(reviews.getByLabel('In-app')).not.toBeChecked()
  await page.context().setOffline(false)
  // Of a change after the press nothing is said to be saved.
  const { letGo } = await hold(page, /\/settings\/notifications\.data/)
  await save(page)
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  await members.getByLabel('In-app').uncheck()
  letGo()
  await expect(page.getByRole('button', { name: 'Save Preferences' })).toBeVisible()
  await expect(page.getByText('Your preferences are saved.')).toBeHidden()
  await members.getByLabel('In-app').check()
  await save(page)
  await isSaved(page)
  // What was stopped elsewhere since stays stopped, and shows.
  await stopElsewhere(page.request, 'sales_alert')
  await reviews.getByLabel('Email').selectOption('Daily digest')
  await save(page)
  await isSaved(page)
  expect(await preferencesOf(page.request)).toMatchObject({
    sales_alert: { inApp: true, email: 'off' },
    comment_alert: { inApp: false, email: 'daily' },
    new_signup: { inApp: true, email: 'at_once' },
  })
  const sales = part(page, 'Sales and refunds')
  await expect(sales.getByLabel('Email')).toHaveValue('off')
  await sales.getByLabel('Email').selectOption('At once')
  await reviews.getByLabel('Email').selectOption('At once')
  await save(page)
  await isSaved(page)
  // Of the same switch, too, where only the bell's half was changed here.
  await stopElsewhere(page.request, 'sales_alert')
  await sales.getByLabel('In-app').uncheck()
  await save(page)
  await isSaved(page)
  await expect(sales.getByLabel('Email')).toHaveValue('off')
  expect((await preferencesOf(page.request)).sales_alert).toEqual({ inApp: false, email: 'off' })
  await sales.getByLabel('Email').selectOption('At once')
  await sales.getByLabel('In-app').check()
  await save(page)
  await isSaved(page)
  await page.reload()
  await hydrated(page)
  await expect(members.getByLabel('Email')).toHaveValue('at_once')
  await expect(reviews.getByLabel('In-app')).not.toBeChecked()
  expect(complaints).toEqual([])

  const learner = await somebodyElse(browser, { baseURL: thunder.url })
  const { request } = learner.context
  await signedUp(request, 'Lena Learner')
  const joined = await request.post('/rest/v1/enrollments', { data: { courseId: course.id } })
  expect(joined.status()).toBe(200)
  const reviewed = await request.put(`/rest/v1/courses/${course.id}/review`, {
    data: { rating: 5 },
  })
  expect(reviewed.status()).toBe(200)
  const aboutMember = await mailTo(page.request, creator.email, 'New Member')
  const aboutReview = await mailTo(page.request, creator.email, 'New Review')
  const notices = await noticesOf(page.request)
  expect(notices).toContain('New Member')
  expect(notices).not.toContain('New Review')

  // The link in the mail: at another device, signed out, without a script.
  const phone = await somebodyElse(browser, { baseURL: thunder.url, javaScriptEnabled: false })
  const link = /\S+\/unsubscribe\?token=\S+/.exec(aboutMember.text)![0]
  const shown = await phone.page.goto(link)
  expect(shown!.headers()['cache-control']).toContain('no-store')
  await expect(phone.page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  await expect(
    phone.page.getByRole('listitem').getByText('New members and applications'),
  ).toBeVisible()
  expect((await preferencesOf(page.request)).new_signup.email).toBe('at_once')
  await phone.page.getByRole('button', { name: 'Stop these emails' }).click()
  await expect(phone.page.getByRole('heading', { level: 1 })).toHaveText('Emails stopped')
  expect((await preferencesOf(page.request)).new_signup).toEqual({ inApp: true, email: 'off' })

  // What a mail program sends by itself.
  const oneClick = aboutReview.headers['list-unsubscribe']!.slice(1, -1)
  const answer = await phone.context.request.post(oneClick, {
    form: { 'List-Unsubscribe': 'One-Click' },
    maxRedirects: 0,
  })
  expect(answer.status()).toBe(200)
  expect((await preferencesOf(page.request)).comment_alert).toEqual({ inApp: false, email: 'off' })

  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing to stop')
  const forged = link.replace('new_signup', 'sales_alert')
  expect((await page.goto(forged))!.status()).toBe(404)
  await expect(page.getByRole('alert')).toContainText('This link does not work.')
  expect((await phone.context.request.post(forged)).status()).toBe(404)
  expect((await preferencesOf(page.request)).sales_alert.email).toBe('at_once')
  await expectNoAxeViolations(page)
})

test('preferences and mails need no script; a link is good in every browser', async ({
  browser,
  thunder,
}) => {
  const { page, context } = await somebodyElse(browser, {
    baseURL: thunder.url,
    javaScriptEnabled: false,
  })
  await context.request.post('/auth/v1/sign-up/email', { data: newcomer('Nora Noscript') })
  await page.goto('/settings#notifications')
  const news = part(page, 'News and announcements')
  await news.getByLabel('Email').selectOption('Daily digest')
  await news.getByLabel('In-app').uncheck()
  await part(page, 'Sales and refunds').getByLabel('In-app').uncheck()
  await stopElsewhere(context.request, 'sales_alert')
  await save(page)
  await isSaved(page)
  expect((await preferencesOf(context.request)).sales_alert).toEqual({
    inApp: false,
    email: 'off',
  })
  await expect(news.getByLabel('Email')).toHaveValue('daily')
  await expect(news.getByLabel('In-app')).not.toBeChecked()
  expect((await preferencesOf(context.request)).system_announcements).toEqual({
    inApp: false,
    email: 'daily',
  })
})
