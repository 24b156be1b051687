// Two tabs of one person whose network goes away and comes back: nothing is missed, nothing is told twice. And what
// becomes of a page whose session ends elsewhere.
import type { APIRequestContext, Locator, Page } from '@playwright/test'
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
import { endSessions, logInAgain } from './ended-session.ts'
import { listenIn } from './listen-in.ts'
import { lookAwayAndBack } from './look-away.ts'

test('both tabs go on after the network was away', async ({ page, context, browser }) => {
  const complaints = complaintsOf(page)
  const creator = await somebodyElse(browser)
  await signedUp(creator.context.request, 'Cora Creator')
  const course = await publishedCourse(creator.context.request, 'On and Off', ['A', 'B', 'C', 'D'])
  const { chapters } = await (
    await creator.context.request.get(`/rest/v1/courses/${course.id}/content`)
  ).json()
  const lessons: { id: string }[] = chapters[0].lessons
  await creator.context.close()

  // Requests of the context itself go another way than the pages': they are the phone of the same person.
  await signedUp(context.request, 'Otto Offline')
  const joined = await context.request.post('/rest/v1/enrollments', {
    data: { courseId: course.id },
  })
  expect(joined.status()).toBe(200)
  const complete = async (...numbers: number[]) => {
    for (const number of numbers) {
      const answer = await context.request.put(
        `/rest/v1/lessons/${lessons[number - 1]!.id}/completion`,
      )
      expect(answer.status()).toBe(200)
    }
  }

  const tabs = [page, await context.newPage()]
  const broughtTo = await Promise.all(tabs.map(listenIn))
  for (const tab of tabs) {
    await tab.goto(`/course/${course.slug}/dashboard`)
    await hydrated(tab)
  }
  const startedAt = () => Promise.all(tabs.map((tab) => tab.evaluate(() => performance.timeOrigin)))
  const before = await startedAt()
  const expectCompleted = async (text: string) => {
    for (const tab of tabs) await expect(tab.getByRole('main').getByText(text)).toBeVisible()
  }
  const standing = async () =>
    (await Promise.all(broughtTo.map((brought) => brought()))).map(({ open }) => open)

  await test.step('one stream for each tab, however many parts of it listen', async () => {
    await expect.poll(standing).toEqual([1, 1])
    await complete(1)
    await expectCompleted('1 of 4 lessons completed')
    for (const brought of broughtTo) expect(await brought()).toMatchObject({ opened: 1 })
  })

  await test.step('what happens while the network is away shows when it is back', async () => {
    await context.setOffline(true)
    await expect.poll(standing).toEqual([0, 0])
    await complete(2, 3)
    await expectCompleted('1 of 4 lessons completed')
    await context.setOffline(false)
    await expectCompleted('3 of 4 lessons completed')
    await complete(4)
    await expectCompleted('4 of 4 lessons completed')
  })

  expect(await startedAt(), 'no page was loaded again').toEqual(before)
  for (const brought of broughtTo) {
    const { ids, opened, open } = await brought()
    expect([opened, open]).toEqual([2, 1])
    expect(new Set(ids).size, 'nothing twice').toBe(ids.length)
    const own = ids.length
    // Four completions, and what happened while the page came.
    expect(own).toBeGreaterThanOrEqual(4)
    expect(
      ids.every((id) => /^\d+$/.test(id)),
      'nothing that is not known in detail',
    ).toBe(true)
  }
  expect(
    complaints.filter((complaint) => !complaint.includes('ERR_INTERNET_DISCONNECTED')),
  ).toEqual([])
})

test('news that cannot be read for want of a connection leave the page as it is', async ({
  page,
  browser,
}) => {
  const creator = await somebodyElse(browser)
  await signedUp(creator.context.request, 'Cora Creator')
  const course = await publishedCourse(creator.context.request, 'In and Out of the Tunnel', [
    'Tunnels',
  ])
  const content = await creator.context.request.get(`/rest/v1/courses/${course.id}/content`)
  const [lesson] = (await content.json()).chapters[0].lessons
  await creator.context.close()
  const { request } = page
  await signedUp(request, 'Wanda Waits')
  const joined = await request.post('/rest/v1/enrollments', { data: { courseId: course.id } })
  expect(joined.status()).toBe(200)
  await page.goto(`/course/${course.slug}/lesson/tunnels`)
  await hydrated(page)
  const note = page.getByLabel('New note')
  await note.fill('Half a thou')

  let refused = 0
  const data = /\/lesson\/[^/]+\.data/
  await page.route(data, (route) => {
    refused += 1
    return route.abort()
  })
  expect((await request.put(`/rest/v1/lessons/${lesson.id}/completion`)).status()).toBe(200)
  await expect.poll(() => refused).toBeGreaterThan(1)
  await expect(page.getByText('Not completed yet', { exact: true })).toBeVisible()
  await page.unroute(data)
  await expect(page.getByText(/^Completed on/)).toBeVisible()
  await expect(note).toHaveValue('Half a thou')
})

test('a session that ends elsewhere leads to the log-in, but takes nothing that is not saved', async ({
  page,
  browser,
  thunder,
}) => {
  const creator = await somebodyElse(browser)
  await signedUp(creator.context.request, 'Cora Creator')
  const course = await publishedCourse(creator.context.request, 'Ends Elsewhere')
  const posted = await creator.context.request.post('/rest/v1/posts', {
    data: { courseId: course.id, content: 'What do you think?' },
  })
  expect(posted.status()).toBe(200)
  await creator.context.close()
  const { request } = page
  const person = await signedUp(request, 'Eva Elsewhere')
  const joined = await request.post('/rest/v1/enrollments', { data: { courseId: course.id } })
  expect(joined.status()).toBe(200)
  const discussion = `/course/${course.slug}/dashboard?tab=discussion`
  const dialog = page.getByRole('dialog', { name: 'Comments' })
  const field = dialog.getByRole('textbox', { name: 'Write a comment' })
  const notice = page.getByText('what you wrote is still here').filter({ visible: true })
  const endSession = () => endSessions(thunder, person)
  await page.goto(discussion)
  await hydrated(page)

  await test.step('a comment stays, and is sent after a log-in in another tab', async () => {
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await field.fill('Half an hour of thoughts')
    await endSession()
    await expect(dialog.getByText('what you wrote is still here')).toBeVisible()
    await expect(field).toHaveValue('Half an hour of thoughts')
    await expectNoAxeViolations(page)
    const [login] = await Promise.all([
      page.waitForEvent('popup'),
      dialog.getByRole('link', { name: 'Log In' }).click(),
    ])
    await expect(login).toHaveURL(/\/login/)
    await logInAgain(request, person)
    await login.close()
    await lookAwayAndBack(page)
    await expect(notice).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Comment', exact: true }).click()
    await expect(dialog.getByRole('article').getByText('Half an hour of thoughts')).toBeVisible()
  })

  await test.step('with the dialog closed as well; without anything it leaves', async () => {
    await field.fill('More')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await endSession()
    await lookAwayAndBack(page)
    await expect(notice).toBeVisible()
    await expect(page).toHaveURL(/tab=discussion/)
    await page.getByRole('button', { name: '1 comment' }).click()
    await expect(field).toHaveValue('More')
    await field.fill('')
    await expect(page).toHaveURL(/\/login\?to=/)
  })
})

test('a session that ends elsewhere takes no review, no report, no notes and no application', async ({
  page,
  browser,
  thunder,
}) => {
  const other = await somebodyElse(browser, { baseURL: thunder.url })
  const { request } = page
  await signedUp(other.context.request, 'Olaf Other')
  const person = await signedUp(request, 'Rita Writer')
  const guarded = async (creator: APIRequestContext, title: string) => {
    const made = await publishedCourse(creator, title)
    const changed = await creator.patch(`/rest/v1/courses/${made.id}`, {
      data: {
        applicationRequired: true,
        applicationQuestions: [{ question: 'Why this course?', required: true }],
      },
    })
    expect(changed.status()).toBe(200)
    return made
  }
  const visited = await publishedCourse(other.context.request, 'Written About')
  const third = await somebodyElse(browser, { baseURL: thunder.url })
  await signedUp(third.context.request, 'Gerda Guard')
  const wanted = await guarded(third.context.request, 'Applied For')
  await third.context.close()
  const own = await guarded(request, 'Decided About')
  const asked = await request.get(`/rest/v1/courses/${own.id}/application-questions`)
  const [question] = (await asked.json()).questions
  const others = [
    ['posts', { courseId: visited.id, content: 'What do you think?' }],
    [
      'course_applications',
      { courseId: own.id, answers: [{ questionId: question.id, answer: 'Because.' }] },
    ],
  ] as const
  for (const [path, data] of others) {
    const sent = await other.context.request.post(`/rest/v1/${path}`, { data })
    expect(sent.status()).toBe(200)
  }
  await other.context.close()
  const joined = await request.post('/rest/v1/enrollments', { data: { courseId: visited.id } })
  expect(joined.status()).toBe(200)
  const open = async (path: string) => {
    await page.goto(path)
    await hydrated(page)
  }

  /** What is written here stays, and says so where it can be pressed, until somebody has logged in again. */
  async function outlastsTheSession(field: Locator, within: Locator) {
    const address = page.url()
    await field.fill('Half an hour of thoughts')
    await endSessions(thunder, person)
    await lookAwayAndBack(page)
    const notice = within.getByText('what you wrote is still here').filter({ visible: true })
    await expect(notice).toBeVisible()
    await within.getByRole('link', { name: 'Log In' }).click({ trial: true })
    await expectNoAxeViolations(page)
    await logInAgain(request, person)
    await lookAwayAndBack(page)
    await expect(notice).toHaveCount(0)
    expect(page.url()).toBe(address)
    await expect(field).toHaveValue('Half an hour of thoughts')
  }

  await test.step('a review, which is saved afterwards; then nothing keeps the page', async () => {
    await open(`/course/${visited.slug}/dashboard?tab=about`)
    await outlastsTheSession(
      page.getByRole('textbox', { name: 'Your review' }),
      page.locator('body'),
    )
    await page.getByRole('radio', { name: '5 stars' }).press('Space')
    await page.getByRole('button', { name: 'Submit Review' }).click()
    await expect(page.getByRole('heading', { name: 'Your review' })).toBeVisible()
    await endSessions(thunder, person)
    await lookAwayAndBack(page)
    await expect(page).toHaveURL(/\/login\?to=/)
    await logInAgain(request, person)
  })

  await test.step('a report', async () => {
    await open(`/course/${visited.slug}/dashboard?tab=discussion`)
    await page.getByRole('button', { name: 'Options of the post by Olaf Other' }).click()
    await page.getByRole('button', { name: 'Report Post' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Report Post' })
    await outlastsTheSession(dialog.getByRole('textbox', { name: 'Note' }), dialog)
  })

  await test.step('an application', async () => {
    await open(`/course/${wanted.slug}`)
    await page.getByRole('button', { name: 'Apply to Join' }).click()
    const dialog = page.getByRole('dialog', { name: 'Apply to Join' })
    await outlastsTheSession(dialog.getByLabel('Why this course?'), dialog)
  })

  await test.step('notes to one, also where they are folded', async () => {
    await open(`/course/${own.slug}/dashboard?tab=applications`)
    const toggle = page.getByRole('button', { name: 'Application of Olaf Other' })
    const notes = page.getByRole('textbox', { name: 'Notes' })
    await outlastsTheSession(notes, page.locator('body'))
    await toggle.click()
    await expect(notes).toHaveCount(0)
    await endSessions(thunder, person)
    await lookAwayAndBack(page)
    await expect(page.getByText('what you wrote is still here')).toBeVisible()
    await toggle.click()
    await expect(notes).toHaveValue('Half an hour of thoughts')
    await page.getByRole('button', { name: 'Approve Olaf Other' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'no longer signed in' })).toHaveCount(2)
    await expect(notes).toHaveValue('Half an hour of thoughts')
  })
})

test('what one person began to write does not go on as somebody else, who logs in in another tab', async ({
  page,
  context,
  browser,
  thunder,
}) => {
  const creator = await somebodyElse(browser)
  await signedUp(creator.context.request, 'Cora Creator')
  const course = await publishedCourse(creator.context.request, 'One after the Other')
  const posted = await creator.context.request.post('/rest/v1/posts', {
    data: { courseId: course.id, content: 'What do you think?' },
  })
  expect(posted.status()).toBe(200)
  await creator.context.close()
  const { request } = page
  const member = async (name: string, own = request) => {
    const person = await signedUp(own, name)
    const joined = await own.post('/rest/v1/enrollments', { data: { courseId: course.id } })
    expect(joined.status()).toBe(200)
    return person
  }
  const comment = (tab: Page) =>
    tab.getByRole('dialog', { name: 'Comments' }).getByRole('textbox', { name: 'Write a comment' })
  const inStorage = (text: string) =>
    page.evaluate(
      (words) =>
        Object.entries(localStorage).flatMap((entry) => (entry[1].includes(words) ? entry[0] : [])),
      text,
    )
  /** It was loaded anew, without what was written. */
  const beginsAnew = async (during: () => Promise<unknown>) => {
    const startedAt = () => page.evaluate(() => performance.timeOrigin).catch(() => null)
    const before = await startedAt()
    await during()
    await expect(comment(page)).toHaveCount(0)
    await expect.poll(startedAt).toBeGreaterThan(before!)
    await hydrated(page)
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await expect(comment(page)).toHaveValue('')
  }
  const discussion = `/course/${course.slug}/dashboard?tab=discussion`
  const first = await member('Anna First')
  await page.goto(discussion)
  await hydrated(page)
  await page.getByRole('button', { name: 'Write something...' }).click()
  await page.getByRole('textbox', { name: 'Write a post' }).fill('A post by Anna')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await comment(page).fill('A comment by Anna')
  const kept = await inStorage('A post by Anna')
  expect(kept).toHaveLength(1)

  await test.step('once the page hears of it', async () => {
    await endSessions(thunder, first)
    await expect(page.getByRole('dialog').getByText('what you wrote is still here')).toBeVisible()
    // A member before this browser is hers: as a stranger she would be led away.
    const berta = await somebodyElse(browser, { baseURL: thunder.url })
    await member('Berta Second', berta.context.request)
    const { cookies } = await berta.context.storageState()
    await berta.context.close()
    await beginsAnew(() => context.addCookies(cookies))
    expect(await inStorage('A post by Anna')).toEqual(kept)
  })

  await test.step('at once, where the other tab tells it to a page that reads nothing', async () => {
    await comment(page).fill('A comment by Berta')
    const reading = /\.data|\/realtime\//
    await page.route(reading, (route) => route.abort())
    await beginsAnew(async () => {
      await member('Clara Third')
      await (await context.newPage()).goto(discussion)
    })
  })
})
