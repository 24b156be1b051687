// What administrators do with people and courses, and what these see of it.
import type { Page } from '@playwright/test'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  inDatabase,
  logInHere,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
  unreadNotices,
} from './journey.ts'

const reason = 'You sold a course that somebody else wrote.'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function fitsThePhone(page: Page) {
  await page.setViewportSize({ width: 375, height: 800 })
  await expectNoSidewaysScrolling(page)
  await page.setViewportSize({ width: 1280, height: 800 })
}

async function looksRight(page: Page) {
  await expectNoAxeViolations(page)
  await fitsThePhone(page)
}

test('people and courses are suspended, appeal, and come back', async ({
  page,
  browser,
  baseURL,
  thunder,
}) => {
  const complaints = complaintsOf(page)
  const admin = await signedUp(page.request, 'Ada Administrator')
  const other = await somebodyElse(browser, { baseURL })
  const sam = await signedUp(other.page.request, 'Sam Seller')
  const course = await publishedCourse(other.page.request, 'Knots that Hold')
  const reader = await somebodyElse(browser, { baseURL })
  await signedUp(reader.page.request, 'Rita Reader')
  const joined = await reader.page.request.post('/rest/v1/enrollments', {
    data: { courseId: course.id },
  })
  expect(joined.status()).toBe(200)

  await test.step('the administration is for administrators', async () => {
    await page.goto('/admin')
    await expect(page.getByRole('heading', { name: 'For administrators only' })).toBeVisible()
    expect((await page.request.get('/admin/people')).status()).toBe(403)
    await inDatabase(thunder, "update users set role = 'admin' where email = $1", [admin.email])
    await page.goto('/dashboard')
    await hydrated(page)
    await button(page, 'Account menu').click()
    await page.getByRole('link', { name: 'Administration' }).press('Enter')
    await expect(page).toHaveURL('/admin')
    await expect(page.getByRole('heading', { name: 'Administration', level: 1 })).toBeVisible()
    await looksRight(page)
  })

  await test.step('a person is found by address, with the keyboard, and suspended', async () => {
    await page
      .getByRole('navigation', { name: 'Administration' })
      .getByRole('link', { name: 'People' })
      .press('Enter')
    await expect(page.getByRole('heading', { name: 'People', level: 1 })).toBeVisible()
    await page.getByRole('searchbox').fill(sam.email)
    await page.getByRole('searchbox').press('Enter')
    await expect(page).toHaveURL(/search=/)
    const people = page.getByRole('list', { name: 'People' }).getByRole('listitem')
    await expect(people).toHaveCount(1)
    await looksRight(page)
    await page.getByRole('link', { name: 'Sam Seller' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Sam Seller', level: 1 })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Knots that Hold' })).toBeVisible()
    await button(page, 'Suspend account').click()
    await expect(page.getByText('Please write a reason: the person reads it')).toBeVisible()
    await page.getByLabel('Reason').fill(reason)
    await button(page, 'Suspend account').press('Enter')
    await expect(page.getByText('The account is suspended, and signed out')).toBeVisible()
    await expect(page.getByText(`“${reason}”`)).toBeVisible()
    await looksRight(page)
  })

  await test.step('the person is signed out, and reads why after logging in', async () => {
    await other.page.goto('/dashboard')
    await expect(other.page).toHaveURL(/\/login/)
    await hydrated(other.page)
    await logInHere(other.page, sam)
    await expect(other.page).toHaveURL('/suspended')
    await expect(
      other.page.getByRole('heading', { name: 'Your account is suspended' }),
    ).toBeVisible()
    await expect(other.page.getByText(reason)).toBeVisible()
    await looksRight(other.page)
    for (const path of ['/dashboard', '/create-course', `/course/${course.slug}/dashboard`]) {
      await other.page.goto(path)
      await expect(other.page).toHaveURL('/suspended')
    }
    await other.page.getByRole('link', { name: 'Delete my account' }).click()
    await expect(other.page.getByRole('heading', { name: 'Delete my account' })).toBeVisible()
    await other.page.goto('/billing')
    await expect(other.page).toHaveURL('/billing')
  })

  await test.step('members keep the course, which nobody else finds', async () => {
    await reader.page.goto(`/course/${course.slug}/dashboard`)
    await expect(reader.page.getByRole('heading', { name: 'Knots that Hold' })).toBeVisible()
    const stranger = await somebodyElse(browser, { baseURL })
    await stranger.page.goto(`/course/${course.slug}`)
    await expect(stranger.page.getByRole('heading', { name: 'Course not found' })).toBeVisible()
    await stranger.context.close()
  })

  await test.step('it can be suspended for itself meanwhile', async () => {
    await page.goto(`/admin/courses/${course.id}`)
    await expect(page.getByText('Because the account of the creator is suspended.')).toBeVisible()
    await expect(section(page, 'Suspend this course')).toContainText(
      'Suspended for itself it stays',
    )
    await expect(section(page, 'Lift the suspension')).toHaveCount(0)
  })

  await test.step('an appeal, without scripts', async () => {
    const still = await somebodyElse(browser, {
      baseURL,
      javaScriptEnabled: false,
      storageState: await other.context.storageState(),
    })
    await still.page.goto('/suspended')
    await still.page.getByLabel('Your appeal').fill('I wrote it myself, here is the draft.')
    await button(still.page, 'Send appeal').click()
    await expect(still.page.getByText('It is waiting for an answer.')).toBeVisible()
    await expect(button(still.page, 'Send appeal')).toHaveCount(0)
    await still.context.close()
  })

  await test.step('is granted, and everything is back', async () => {
    await page.goto('/admin')
    await hydrated(page)
    await page
      .getByRole('region', { name: 'Waiting and suspended' })
      .getByRole('link', { name: /appeal/ })
      .click()
    await expect(page).toHaveURL('/admin/appeals')
    const item = page.getByRole('listitem').filter({ hasText: 'I wrote it myself' })
    await expect(item).toContainText(reason)
    await looksRight(page)
    await item.getByLabel('Answer to Sam Seller').fill('You are right, and we are sorry.')
    await item.getByRole('button', { name: 'Grant and lift' }).click()
    await expect(page.getByText('The appeal is granted')).toBeVisible()
    await other.page.goto('/dashboard')
    await expect(other.page).toHaveURL('/dashboard')
    await reader.page.goto(`/course/${course.slug}`)
    await expect(
      reader.page.getByRole('heading', { name: 'Knots that Hold' }).first(),
    ).toBeVisible()
  })

  await test.step('a course is suspended: its creator reads why, and cannot publish it', async () => {
    await page.goto('/admin/courses')
    await hydrated(page)
    await page.getByRole('searchbox').fill('Knots that')
    await button(page, 'Search').click()
    await page.getByRole('list', { name: 'Courses' }).getByRole('link').first().click()
    await expect(page.getByRole('heading', { name: 'Knots that Hold', level: 1 })).toBeVisible()
    await button(page, 'Give a verified mark').click()
    await expect(page.getByText('The course has a verified mark.')).toBeVisible()
    await page.getByLabel('Reason').fill('The pictures are not yours.')
    await button(page, 'Suspend course').click()
    await expect(page.getByText('The course is suspended. Its members keep it.')).toBeVisible()
    await looksRight(page)

    await other.page.goto(`/create-lessons/${course.id}`)
    await expect(other.page.getByText('This course is suspended')).toBeVisible()
    await other.page.goto(`/course/${course.slug}/dashboard`)
    await expect(other.page.getByText('The pictures are not yours.')).toBeVisible()
    await looksRight(other.page)
    await other.page.goto(`/course/${course.slug}?preview=1`)
    await expect(other.page.getByText('The pictures are not yours.')).toBeVisible()
    await expect(other.page.getByText('Press Publish')).toHaveCount(0)
    await other.page.goto(`/course/${course.slug}/dashboard?tab=members`)
    const invite = other.page.getByRole('region', { name: 'Invite people' })
    await expect(invite).toContainText('Nobody new can join while the course is suspended.')
    await expect(other.page.getByText('Nobody can join a draft')).toHaveCount(0)
    await other.page.goto(`/course/${course.slug}/dashboard`)
    const published = await other.page.request.post(`/rest/v1/courses/${course.id}/publish`)
    expect(published.status()).toBe(409)
    await other.page.getByRole('link', { name: 'Read more or appeal' }).click()
    await expect(other.page).toHaveURL(`/course/${course.slug}/suspension`)
    await hydrated(other.page)
    await other.page.getByLabel('Your appeal').fill('I drew them.')
    await button(other.page, 'Send appeal').click()
    await expect(other.page.getByText('Your appeal was sent.')).toBeVisible()
    await looksRight(other.page)
  })

  await test.step('the appeal is refused with words, and lifting it publishes the course again', async () => {
    // Of the one before, the page was looked at: so this one is told of.
    expect(await unreadNotices(page)).toContain('Somebody appeals')
    await page.goto('/admin/appeals')
    await hydrated(page)
    await expect.poll(() => unreadNotices(page)).not.toContain('Somebody appeals')
    const item = page.getByRole('listitem').filter({ hasText: 'I drew them.' })
    await item.getByRole('button', { name: 'Refuse' }).click()
    await expect(page.getByText('Please write why the appeal is refused')).toBeVisible()
    const second = await somebodyElse(browser, { baseURL })
    const bea = await signedUp(second.page.request, 'Bea Second')
    await inDatabase(thunder, "update users set role = 'admin' where email = $1", [bea.email])
    await item.getByLabel('Answer to Knots that Hold').fill('They are from a book.')
    await item.getByRole('button', { name: 'Refuse' }).click()
    await expect(page.getByText('You suspended this yourself')).toBeVisible()
    await second.page.goto('/admin/appeals')
    await hydrated(second.page)
    const again = second.page.getByRole('listitem').filter({ hasText: 'I drew them.' })
    await expect(again).toContainText('by Ada Administrator')
    await again.getByLabel('Answer to Knots that Hold').fill('They are from a book.')
    await again.getByRole('button', { name: 'Refuse' }).click()
    await expect(
      second.page.getByText('The appeal is refused, and the person is told'),
    ).toBeVisible()
    await second.context.close()
    await other.page.reload()
    await expect(other.page.getByText('They are from a book.')).toBeVisible()
    await page.goto(`/admin/courses/${course.id}`)
    await hydrated(page)
    await button(page, 'Lift the suspension of this course').click()
    await expect(page.getByText('The suspension is lifted.')).toBeVisible()
    await expect(section(page, 'Suspend this course')).toBeVisible()
    await reader.page.goto(`/course/${course.slug}`)
    await expect(
      reader.page.getByRole('heading', { name: 'Knots that Hold' }).first(),
    ).toBeVisible()
  })

  await test.step('the audit log has all of it', async () => {
    await page.goto('/admin/log')
    await hydrated(page)
    const acts = page.getByRole('list', { name: 'Acts' }).getByRole('listitem')
    await expect(acts.first()).toContainText('Lifted the suspension of the course Knots that Hold')
    for (const words of [
      'Refused the appeal of Knots that Hold',
      'Suspended the course Knots that Hold',
      'Gave a verified mark to the course Knots that Hold',
      'Granted the appeal of Sam Seller',
      'Suspended the account Sam Seller',
    ]) {
      await expect(acts.filter({ hasText: words }).first()).toBeVisible()
    }
    await looksRight(page)
    await page.getByLabel('Act', { exact: true }).selectOption('suspend_account')
    await button(page, 'Show').click()
    await expect(page).toHaveURL(/action=suspend_account/)
    await expect(acts.filter({ hasText: 'Suspended the course' })).toHaveCount(0)
    await expect(acts.filter({ hasText: 'Suspended the account Sam Seller' })).toHaveCount(1)
  })

  await test.step('who loses the role is out with the next request', async () => {
    await inDatabase(thunder, "update users set role = 'user' where email = $1", [admin.email])
    await page.goto('/admin/log')
    await expect(page.getByRole('heading', { name: 'For administrators only' })).toBeVisible()
  })

  await other.context.close()
  await reader.context.close()
  expect(complaints).toEqual([])
})

test('what is being written about one appeal stays while another is answered', async ({
  page,
  browser,
  baseURL,
  thunder,
}) => {
  const admin = await signedUp(page.request, 'Ada Two Appeals')
  const first = await somebodyElse(browser, { baseURL })
  const bea = await signedUp(first.page.request, 'Bea Suspends')
  await inDatabase(thunder, "update users set role = 'admin' where email = any($1)", [
    [admin.email, bea.email],
  ])
  for (const name of ['Una Appeals', 'Vic Appeals']) {
    const person = await somebodyElse(browser, { baseURL })
    const { email, password } = await signedUp(person.page.request, name)
    const found = await first.page.request.get('/rest/v1/admin/people', {
      params: { search: email },
    })
    const { people } = await found.json()
    const suspended = await first.page.request.post(
      `/rest/v1/admin/people/${people[0].id}/suspension`,
      {
        data: { reason: 'It looked like spam.' },
      },
    )
    expect(suspended.status()).toBe(200)
    await person.page.request.post('/auth/v1/sign-in/email', { data: { email, password } })
    const appealed = await person.page.request.post('/rest/v1/me/suspension/appeal', {
      data: { appeal: `It was not, says ${name}.` },
    })
    expect(appealed.status()).toBe(200)
    await person.context.close()
  }
  await page.goto('/admin/appeals')
  await hydrated(page)
  const appeal = (name: string) => page.getByRole('listitem').filter({ hasText: `says ${name}.` })
  await appeal('Vic Appeals').getByLabel('Answer to Vic Appeals').fill('Half a sent')
  await appeal('Una Appeals').getByRole('button', { name: 'Grant and lift' }).click()
  await expect(page.getByText('The appeal is granted')).toBeVisible()
  await expect(appeal('Una Appeals')).toHaveCount(0)
  await expect(appeal('Vic Appeals').getByLabel('Answer to Vic Appeals')).toHaveValue('Half a sent')
  await first.context.close()
})
