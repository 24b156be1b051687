// Two people side by side: one asks to join and is let in, the other decides and later ends it again.
import type { Page } from '@playwright/test'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  hydrated,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'

const bellOf = (page: Page) =>
  page.getByRole('banner').getByRole('button', { name: /^Notifications/ })
const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })
const newestOf = (page: Page) => panelOf(page).getByRole('listitem').first()

/** Waits until so much is unread, and opens the panel. */
async function openBell(page: Page, unread: number) {
  await expect(bellOf(page)).toHaveText(String(unread))
  await bellOf(page).click()
}

test('apply, be let in, learn; be removed, and be shut out everywhere at once', async ({
  page,
  browser,
  thunder,
}) => {
  const creator = await somebodyElse(browser, { baseURL: thunder.url })
  const complaints = [complaintsOf(page), complaintsOf(creator.page)]
  await signedUp(creator.context.request, 'Ines Instructor')
  const course = await publishedCourse(creator.context.request, 'Side by Side', ['One', 'Two'])
  const asks = await creator.context.request.patch(`/rest/v1/courses/${course.id}`, {
    data: {
      applicationRequired: true,
      applicationQuestions: [{ question: 'Why?', required: true }],
    },
  })
  expect(asks.status()).toBe(200)
  await signedUp(page.request, 'Leo Learner')
  const here = `/course/${course.slug}`

  await test.step('an application shows on the instructor’s tab and bell as it arrives', async () => {
    await creator.page.goto(`${here}/dashboard`)
    await hydrated(creator.page)
    // Everybody has the welcome of the sign-up.
    await expect(bellOf(creator.page)).toHaveText('1')
    await page.goto(here)
    await hydrated(page)
    await page.getByRole('button', { name: 'Apply to Join' }).click()
    const dialog = page.getByRole('dialog', { name: 'Apply to Join' })
    await dialog.getByLabel('Why?').fill('To learn it')
    await dialog.getByRole('button', { name: 'Submit Application' }).click()
    await expect(page.getByText('Application Pending')).toBeVisible()
    await expect(creator.page.getByRole('link', { name: 'Applications 1' })).toBeVisible()
    await openBell(creator.page, 2)
    await expect(newestOf(creator.page)).toContainText('New Application')
  })

  await test.step('the notice leads to the application; its approval lets the person in and says so', async () => {
    await newestOf(creator.page).getByRole('link').press('Enter')
    await expect(creator.page).toHaveURL(/tab=applications/)
    await expect(creator.page.getByText('To learn it')).toBeVisible()
    await creator.page.getByRole('button', { name: 'Approve Leo Learner' }).click()
    await page.waitForURL(`**${here}/dashboard`)
    await openBell(page, 2)
    await expect(newestOf(page)).toContainText('Application Approved')
    await expectNoAxeViolations(page)
    await page.keyboard.press('Escape')
  })

  const second = await page.context().newPage()
  await test.step('a removal is told, and closes the course in every tab at once', async () => {
    await second.goto(`${here}/continue`)
    await expect(second).toHaveURL(/\/lesson\/one$/)
    await hydrated(second)
    await creator.page.getByRole('link', { name: 'Members' }).click()
    await creator.page.getByRole('button', { name: 'Remove Leo Learner' }).click()
    const question = creator.page.getByRole('alertdialog')
    await question.getByLabel(/^Reason/).fill('The class is over.')
    await question.getByRole('button', { name: 'Remove Member' }).click()
    await expect(creator.page.getByRole('button', { name: 'Remove Leo Learner' })).toBeHidden()

    for (const tab of [page, second]) {
      await tab.waitForURL(`**${here}`)
      await expect(tab.getByRole('button', { name: 'Apply to Join' })).toBeVisible()
    }
    await bellOf(second).click()
    await expect(newestOf(second)).toContainText('Removed from Course')
    await expect(newestOf(second)).toContainText('The class is over.')

    for (const closed of [
      `/rest/v1/courses/${course.slug}/lessons/one`,
      `/rest/v1/courses/${course.slug}/dashboard`,
      `/realtime/v1/events?courseId=${course.id}`,
    ]) {
      expect((await page.request.get(closed)).status(), closed).toBe(403)
    }
  })
  expect(complaints.flat()).toEqual([])
  await creator.context.close()
})

test('what is refused because the page is old is shown as it is by now', async ({
  page,
  browser,
  thunder,
}) => {
  const creator = await somebodyElse(browser, { baseURL: thunder.url })
  const { request } = creator.context
  await signedUp(request, 'Ira Instructor')
  const course = await publishedCourse(request, 'Moving targets', ['One', 'Two'])
  const change = async (data: object) =>
    expect((await request.patch(`/rest/v1/courses/${course.id}`, { data })).status()).toBe(200)
  await signedUp(page.request, 'Lou Learner')
  const here = `/course/${course.slug}`

  await test.step('a price that the course has by now', async () => {
    await page.goto(here)
    await hydrated(page)
    await expect(page.getByRole('button', { name: 'Join Course' })).toBeVisible()
    await change({ pricingType: 'one_time', priceAmount: 2900 })
    await page.getByRole('button', { name: 'Join Course' }).click()
    await expect(page.getByRole('button', { name: 'Join for $29' })).toBeVisible()
    await change({ pricingType: 'free', priceAmount: 0 })
  })

  await test.step('an invitation that is revoked by now', async () => {
    const invitations = `/rest/v1/courses/${course.id}/invitations`
    const { id, url } = await (await request.post(invitations, { data: {} })).json()
    await page.goto(new URL(url).pathname)
    await hydrated(page)
    expect((await request.delete(`${invitations}/${id}`)).status()).toBe(200)
    await page.getByRole('button', { name: 'Join Course' }).click()
    await expect(page.getByText('This invitation has been revoked.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Join Course' })).toBeHidden()
  })

  await test.step('a course that takes no applications any more', async () => {
    await change({
      applicationRequired: true,
      applicationQuestions: [{ question: 'Why?', required: true }],
    })
    await page.goto(here)
    await hydrated(page)
    await page.getByRole('button', { name: 'Apply to Join' }).click()
    const dialog = page.getByRole('dialog', { name: 'Apply to Join' })
    await dialog.getByLabel('Why?').fill('To learn it')
    await change({ applicationRequired: false })
    await dialog.getByRole('button', { name: 'Submit Application' }).click()
    await page.getByRole('button', { name: 'Join Course' }).click()
    await page.waitForURL(`**${here}/dashboard`)
  })

  await test.step('a lesson that is gone', async () => {
    await page.goto(`${here}/lesson/two`)
    await hydrated(page)
    const path = `/rest/v1/courses/${course.id}/content`
    const { contentVersion, chapters } = await (await request.get(path)).json()
    const [chapter] = chapters
    const lessons = [
      { id: chapter.lessons[0].id, title: 'One', content: chapter.lessons[0].content },
    ]
    const saved = await request.put(path, {
      data: { contentVersion, chapters: [{ id: chapter.id, title: chapter.title, lessons }] },
    })
    expect(saved.status()).toBe(200)
    await page.getByRole('button', { name: 'Mark Complete' }).click()
    await expect(page.getByRole('heading', { name: 'Lesson not found' })).toBeVisible()
  })
  await creator.context.close()
})
