// An administrator tells everybody, or some: written, looked at, announced, read under the bell.
import type { Page } from '@playwright/test'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  inDatabase,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const listOf = (page: Page) => page.getByRole('list', { name: 'Announcements' })

async function looksRight(page: Page) {
  await expectNoAxeViolations(page)
  await page.setViewportSize({ width: 375, height: 800 })
  await expectNoSidewaysScrolling(page)
  await expectNoAxeViolations(page)
  await page.setViewportSize({ width: 1280, height: 800 })
}

test('everybody is told, and reads it under the bell', async ({
  page,
  browser,
  baseURL,
  thunder,
}) => {
  const complaints = complaintsOf(page)
  const { email } = await signedUp(page.request, 'Ada Announcer')
  await inDatabase(thunder, `update users set role = 'admin' where email = $1`, [email])
  const learner = await somebodyElse(browser, { baseURL })
  await signedUp(learner.page.request, 'Lena Learner')
  await learner.page.goto('/dashboard')
  await hydrated(learner.page)
  const title = `New colours for ${email}`

  await test.step('from the navigation to an empty list, with the keyboard', async () => {
    await page.goto('/admin')
    await hydrated(page)
    const section = page
      .getByRole('navigation', { name: 'Administration' })
      .getByRole('link', { name: 'Announcements' })
    await section.press('Enter')
    await expect(page.getByRole('heading', { name: 'No announcements' })).toBeVisible()
    await looksRight(page)
    await page.getByRole('link', { name: 'New announcement' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'New announcement' })).toBeVisible()
  })

  await test.step('what cannot be announced says why, beside what was typed', async () => {
    await page.getByLabel('Title').fill(title)
    await page.getByLabel('Link').fill('//evil.example')
    await button(page, 'Preview').press('Enter')
    await expect(page.getByRole('alert')).toHaveText('Please write a message')
    await expect(page.getByText('The link must be a page of this site')).toBeVisible()
    await expect(page.getByLabel('Title')).toHaveValue(title)
    await expect(page.getByLabel('Link')).toHaveValue('//evil.example')
    await looksRight(page)
  })

  await test.step('the preview is changed once more', async () => {
    await page.getByLabel('Message').fill('They are fresh.')
    await page.getByLabel('Link').fill('/about')
    await button(page, 'Preview').press('Enter')
    const heading = page.getByRole('heading', { name: 'How people will see it' })
    await expect(heading).toBeFocused()
    await expect(page.getByRole('list', { name: 'Preview' })).toContainText(title)
    await expect(page.getByRole('list', { name: 'Preview' })).toContainText('They are fresh.')
    await expect(page.getByRole('link', { name: '/about (opens in a new tab)' })).toBeVisible()
    await expect(button(page, /^Announce to \d/)).toBeVisible()
    await looksRight(page)
    await button(page, 'Change it').press('Enter')
    await expect(page.getByLabel('Title')).toBeFocused()
    await expect(page.getByLabel('Message')).toHaveValue('They are fresh.')
    await page.getByLabel('Message').fill('They are fresh and bold.')
    await button(page, 'Preview').press('Enter')
    await expect(page.getByRole('list', { name: 'Preview' })).toContainText('and bold.')
  })

  await test.step('without a connection it stays, and can be sent again', async () => {
    await page.route('**/new.data*', (route) => route.abort())
    await button(page, /^Announce to \d/).press('Enter')
    await expect(page.getByRole('alert')).toHaveText('This did not work. Please try again.')
    await expect(page.getByLabel('Message')).toHaveValue('They are fresh and bold.')
    await page.unroute('**/new.data*')
    await button(page, 'Preview').press('Enter')
  })

  await test.step('announced, the list says how many were told', async () => {
    const announce = button(page, /^Announce to \d/)
    const people = /to ([\d,]+) /.exec(await announce.innerText())?.[1]
    await announce.press('Enter')
    await expect(page).toHaveURL('/admin/announcements')
    const item = listOf(page).getByRole('listitem').filter({ hasText: title })
    await expect(item).toContainText(`Told ${people} people`)
    await expect(item).toContainText('Everybody')
    await expect(item.getByRole('link', { name: 'Ada Announcer' })).toBeVisible()
    await expect(item.getByRole('link', { name: '/about' })).toBeVisible()
    await looksRight(page)
  })

  await test.step('the learner’s open page hears of it, and the notice leads to the page', async () => {
    const bell = learner.page.getByRole('banner').getByRole('button', { name: /^Notifications/ })
    await expect(bell).toHaveAccessibleName('Notifications, 2 unread')
    await bell.press('Enter')
    const notices = learner.page.getByRole('dialog', { name: 'Notifications' })
    await notices.getByRole('link', { name: title }).press('Enter')
    await expect(learner.page).toHaveURL('/about')
  })

  await test.step('the list follows while people are told', async () => {
    await inDatabase(
      thunder,
      `insert into announcements (title, message, audience, told_count)
       values ('Half way', 'Not all know it yet.', 'everybody', 1200)`,
    )
    await inDatabase(
      thunder,
      `insert into administrative_acts (action, subject_kind, subject_id, subject_name, details)
       select 'announce', 'announcement', id, title, '{"audience": "everybody", "people": 5000}'
         from announcements where title = 'Half way'`,
    )
    await page.reload()
    await hydrated(page)
    const item = listOf(page).getByRole('listitem').filter({ hasText: 'Half way' })
    await expect(item.getByText('1,200 of about 5,000 told so far')).toBeVisible()
    await expect(item.getByRole('progressbar', { name: 'On its way' })).toBeVisible()
    await expect(item).toContainText('The command line')
    await looksRight(page)
    await inDatabase(
      thunder,
      `select graphile_worker.add_job('tellAnnouncement', json_build_object('announcementId', id))
         from announcements where title = 'Half way'`,
    )
    await expect(item.getByText(/^Told 1,2\d\d people$/)).toBeVisible()
  })

  await test.step('the log tells it', async () => {
    await page.goto('/admin/log?action=announce')
    await expect(page.getByRole('list', { name: 'Acts' })).toContainText(`Announced ${title}`)
  })

  await learner.context.close()
  expect(complaints).toEqual([])
})

test('without JavaScript: written, wrong, looked at, announced; sent twice it is one', async ({
  page,
  browser,
  baseURL,
  thunder,
}) => {
  const { email } = await signedUp(page.request, 'Nora Noscript')
  await inDatabase(thunder, `update users set role = 'admin' where email = $1`, [email])
  await inDatabase(
    thunder,
    `insert into plan_grants (user_id, reason) select id, 'A test' from users where email = $1`,
    [email],
  )
  const still = await somebodyElse(browser, {
    baseURL,
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  })
  const title = `Only for Pro ${email}`
  await still.page.goto('/admin/announcements')
  await still.page.getByRole('link', { name: 'New announcement' }).click()
  await still.page.getByLabel('Title').fill(title)
  await still.page.getByLabel('Who is told').selectOption('People with Pro')
  await button(still.page, 'Preview').click()
  await expect(still.page.getByText('Please write a message').first()).toBeVisible()
  await expect(still.page.getByLabel('Who is told')).toHaveValue('pro')
  await still.page.getByLabel('Message').fill('Thank you.')
  await button(still.page, 'Preview').click()
  await expect(still.page.getByRole('list', { name: 'Preview' })).toContainText('Thank you.')
  await button(still.page, 'Change it').click()
  await expect(still.page.getByLabel('Message')).toHaveValue('Thank you.')
  await button(still.page, 'Preview').click()
  const form = await still.page
    .locator('form:has-text("Announce to")')
    .evaluate((element) =>
      Object.fromEntries(
        [...element.querySelectorAll('input')].map(({ name, value }) => [name, value]),
      ),
    )
  await button(still.page, /^Announce to \d/).click()
  await expect(still.page).toHaveURL(/\/admin\/announcements$/)
  const items = listOf(still.page).getByRole('listitem').filter({ hasText: title })
  await expect(items).toHaveCount(1)
  await expect(items).toContainText('People with Pro')
  const again = await still.page.request.post('/admin/announcements/new', {
    form: { ...form, intent: 'announce' },
    headers: { origin: baseURL },
  })
  expect(again.status()).toBe(200)
  await still.page.reload()
  await expect(items).toHaveCount(1)
  await still.context.close()
})
