// Who is in a course: two people side by side. One joins and is seen, learns, is removed and shut out at once.
import { readFile } from 'node:fs/promises'
import {
  complaintsOf,
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  hydrated,
  inDatabase,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'

const manyMembers = `
  with people as (
    insert into users (name, email, username)
    select 'Reader ' || n, 'reader-' || n || '@' || $1::text || '.example', 'reader-' || n || '-' || right($1::text, 12)
      from generate_series(1, 60) n
    returning id, split_part(name, ' ', 2)::int as n),
  joined as (
    insert into enrollments (user_id, course_id, enrolled_at)
    select id, $1::uuid, now() - interval '1 day' - n * interval '1 hour' from people)
  update courses set students_count = students_count + 60 where id = $1::uuid`

/** Of a course that asks for no applications, for everybody. */
const tabsOfCourse = ['Overview', 'About', 'Discussion', 'Members']

test('members come, are seen, and go', async ({ page, browser, baseURL, thunder }) => {
  const complaints = complaintsOf(page)
  const creator = await signedUp(page.request, 'Ina Structor')
  const course = await publishedCourse(page.request, `Knots of ${creator.email}`, [
    'Bowline',
    'Hitch',
  ])
  const members = `/course/${course.slug}/dashboard?tab=members`
  const learner = await somebodyElse(browser, { baseURL })
  await signedUp(learner.page.request, 'Lea Learner')
  const list = page.getByRole('list', { name: 'Members' })
  const rowOf = (name: string) => list.getByRole('listitem').filter({ hasText: name })

  await test.step('nobody is there yet', async () => {
    await page.goto(`/course/${course.slug}/dashboard`)
    await hydrated(page)
    const tabs = page.getByRole('navigation', { name: 'Course' })
    await expect(tabs.getByRole('link')).toHaveText(tabsOfCourse)
    await tabs.getByText('Members').click()
    await expect(page).toHaveURL(members)
    await expect(page.getByRole('heading', { name: 'Only you are here yet' })).toBeVisible()
    await expect(page.getByText('Exporting members is a Pro benefit.')).toBeVisible()
  })

  await test.step('who joins appears without anybody pressing anything', async () => {
    await learner.page.goto(`/course/${course.slug}`)
    await learner.page.getByRole('button', { name: 'Join Course' }).click()
    await expect(learner.page).toHaveURL(new RegExp(`/course/${course.slug}/dashboard`))
    const tabs = learner.page.getByRole('navigation', { name: 'Course' })
    await expect(tabs.getByRole('link')).toHaveText(tabsOfCourse)
    await expect(rowOf('Lea Learner')).toBeVisible()
    await expect(rowOf('Lea Learner')).toContainText('0 of 2 lessons')
    await expect(page.getByText('1 member and the instructor', { exact: true })).toBeVisible()
    await expect(rowOf('Ina Structor').getByText('Instructor', { exact: true })).toBeVisible()
    await expect(rowOf('Ina Structor').getByRole('button')).toHaveCount(0)
  })

  await test.step('a member sees the others, and nothing private', async () => {
    await learner.page.goto(members)
    const theirs = learner.page.getByRole('list', { name: 'Members' })
    await expect(theirs.getByRole('listitem')).toHaveCount(2)
    await expect(theirs).not.toContainText('@')
    await expect(theirs.getByRole('progressbar')).toHaveCount(0)
    await expect(learner.page.getByRole('button', { name: /^Remove/ })).toHaveCount(0)
    await expectNoAxeViolations(learner.page)
  })

  await inDatabase(thunder, manyMembers, [course.id])
  const pro = 'insert into plan_grants (user_id) select id from users where email = $1'
  await inDatabase(thunder, pro, [creator.email])
  await test.step('many come a page at a time and can be looked for', async () => {
    await page.reload()
    await hydrated(page)
    await page.getByRole('button', { name: 'Account menu' }).click()
    await expect(page.getByRole('banner').getByText('PRO', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByText('61 members and the instructor', { exact: true })).toBeVisible()
    await expect(list.getByRole('listitem')).toHaveCount(25)
    const more = page.getByRole('button', { name: 'Load More' })
    await more.click()
    await expect(list.getByRole('listitem')).toHaveCount(50)
    await more.click()
    await expect(list.getByRole('listitem')).toHaveCount(62)
    await expect(more).toBeHidden()

    // The list that was loaded stays whole while somebody leaves and comes back.
    const left = await learner.page.request.delete(`/rest/v1/enrollments/${course.id}`)
    expect(left.status()).toBe(200)
    await expect(list.getByRole('listitem')).toHaveCount(61)
    await expect(rowOf('Lea Learner')).toHaveCount(0)
    const back = await learner.page.request.post('/rest/v1/enrollments', {
      data: { courseId: course.id },
    })
    expect(back.status()).toBe(200)
    await expect(list.getByRole('listitem').first()).toContainText('Lea Learner')
    await expect(list.getByRole('listitem')).toHaveCount(62)

    const search = page.getByRole('searchbox', { name: 'Search members' })
    await search.fill('nobody at all')
    await search.press('Enter')
    await expect(page.getByRole('heading', { name: 'Nobody found' })).toBeVisible()
    await page.getByRole('link', { name: 'Show Everybody' }).click()
    await expect(list.getByRole('listitem')).toHaveCount(25)

    // Who leaves while more is loaded is not listed again.
    const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const further = /\/courses\/[^/]+\/members\?.*cursor=/
    await page.route(further, async (route) => {
      const response = await route.fetch()
      asked.resolve()
      await gate.promise
      await route.fulfill({ response })
    })
    await more.click()
    await asked.promise
    await learner.page.request.delete(`/rest/v1/enrollments/${course.id}`)
    await expect(rowOf('Lea Learner')).toHaveCount(0)
    gate.resolve()
    await expect(list.getByRole('listitem')).toHaveCount(50)
    await expect(rowOf('Lea Learner')).toHaveCount(0)
    await page.unroute(further)
    await learner.page.request.post('/rest/v1/enrollments', { data: { courseId: course.id } })
    await expect(rowOf('Lea Learner')).toHaveCount(1)

    await search.fill('lea LEARN')
    await search.press('Enter')
    await expect(list.getByRole('listitem')).toHaveCount(1)
    await expect(page).toHaveURL(/search=lea/)
    const { width, height } = page.viewportSize()!
    for (const size of [375, 1280]) {
      await page.setViewportSize({ width: size, height: 812 })
      await expectNoAxeViolations(page)
      await expectNoSidewaysScrolling(page)
    }
    await page.setViewportSize({ width, height })
  })

  const dialog = page.getByRole('alertdialog')
  await test.step('a removal that fails says so and can be tried again', async () => {
    await learner.page.goto(`/course/${course.slug}/lesson/bowline`)
    await hydrated(learner.page)
    await rowOf('Lea Learner').getByRole('button', { name: 'Remove Lea Learner' }).press('Enter')
    await expect(dialog.getByRole('heading', { name: 'Remove Lea Learner?' })).toBeVisible()
    await expectNoAxeViolations(page)
    await page.route('**/rest/v1/courses/*/members/*', (route) => route.abort())
    await dialog.getByLabel('Reason').fill('Sold ropes to everybody')
    await dialog.getByRole('button', { name: 'Remove Member' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Failed to remove member. Please try again.')
    await page.unroute('**/rest/v1/courses/*/members/*')
  })

  await test.step('the removed person is led out of the lesson at once and told why', async () => {
    await dialog.getByRole('button', { name: 'Remove Member' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('heading', { name: 'Nobody found' })).toBeVisible()
    // The search and what it found: the last row is gone with its button.
    await expect(page.getByRole('region', { name: 'Members', exact: true })).toBeFocused()
    await expect(learner.page).toHaveURL(new RegExp(`/course/${course.slug}$`))
    await expect(learner.page.getByRole('button', { name: 'Join Course' })).toBeVisible()
    const { status } = await learner.page.request
      .get(`/rest/v1/courses/${course.slug}/lessons/bowline`)
      .then((answer) => ({ status: answer.status() }))
    expect(status).toBe(403)
    const notices = await (await learner.page.request.get('/rest/v1/notifications')).json()
    expect(JSON.stringify(notices)).toContain('Removed from Course')
    expect(JSON.stringify(notices)).toContain('Sold ropes to everybody')
  })

  await test.step('of who has left by then nobody says that they were removed', async () => {
    await page.goto(members)
    await hydrated(page)
    await learner.page.request.post('/rest/v1/enrollments', { data: { courseId: course.id } })
    await rowOf('Lea Learner').getByRole('button', { name: 'Remove Lea Learner' }).press('Enter')
    await expect(dialog).toBeVisible()
    await learner.page.request.delete(`/rest/v1/enrollments/${course.id}`)
    await dialog.getByRole('button', { name: 'Remove Member' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Lea Learner is not a member any more.')).toBeVisible()
    await expect(rowOf('Lea Learner')).toHaveCount(0)
  })

  await test.step('with Pro the list comes out as a file', async () => {
    await page.goto(members)
    await expect(page.getByText('60 members and the instructor', { exact: true })).toBeVisible()
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export CSV' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe(`${course.slug}-members.csv`)
    const text = await readFile(await download.path(), 'utf8')
    expect(text.split('\r\n')).toHaveLength(62)
  })
  expect(complaints).toEqual([])
  await learner.context.close()
})
