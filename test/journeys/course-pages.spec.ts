// The pages of one course, and the dashboard: going on, leaving, deleting, and saying what it is about.
import type { BrowserContext, Locator, Page } from '@playwright/test'
import {
  expect,
  expectNoAxeViolations,
  expectNoSidewaysScrolling,
  goOffline,
  hydrated,
  inDatabase,
  publishedCourse,
  signedUp,
  somebodyElse,
  test,
} from './journey.ts'

const main = (page: Page) => page.getByRole('main')
const link = (within: Page | Locator, name: string) =>
  within.getByRole('link', { name, exact: true })
const button = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true })
const card = (page: Page, region: string, title: string) =>
  page
    .getByRole('region', { name: region })
    .getByRole('article')
    .filter({ has: page.getByRole('link', { name: title, exact: true }) })
const dashboardOf = (slug: string) => `/course/${slug}/dashboard`

/** A creator with a course, in this page's browser, and a learner in another one. */
async function makeCourseWithMember(
  page: Page,
  title: string,
  lessons: string[],
  options?: Parameters<typeof somebodyElse>[1],
) {
  await signedUp(page.request, 'Cleo Creator')
  const course = await publishedCourse(page.request, title, lessons)
  const learner = await somebodyElse(page.context().browser()!, options)
  await signedUp(learner.context.request, 'Lou Learner')
  const joined = await learner.context.request.post('/rest/v1/enrollments', {
    data: { courseId: course.id },
  })
  expect(joined.status()).toBe(200)
  return { course, learner }
}

async function complete(context: BrowserContext, courseId: string, slug: string, count: number) {
  const answer = await context.request.get(`/rest/v1/courses/${slug}/dashboard`)
  const { chapters } = await answer.json()
  const lessons = chapters.flatMap((chapter: { lessons: { id: string }[] }) => chapter.lessons)
  for (const { id } of lessons.slice(0, count)) {
    const done = await context.request.put(`/rest/v1/lessons/${id}/completion`)
    expect(done.status(), courseId).toBe(200)
  }
}

/** Nothing that is sent from here on arrives. */
async function cutOff(page: Page, path: RegExp) {
  await page.route(path, (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.abort('connectionfailed'),
  )
  return () => page.unroute(path)
}

test('a member leaves, and finds the progress on coming back', async ({
  page,
  baseURL,
  thunder,
}) => {
  const { course, learner } = await makeCourseWithMember(page, 'Leaving Well', ['One', 'Two'], {
    baseURL,
  })
  const { page: mine, context } = learner
  await complete(context, course.id, course.slug, 1)
  await mine.goto(dashboardOf(course.slug))
  await hydrated(mine)
  const dialog = mine.getByRole('alertdialog', { name: 'Leave “Leaving Well”?' })

  await test.step('it says what goes and what stays; Escape stays', async () => {
    await button(mine, 'Leave Course').click()
    await expect(dialog).toContainText('Its lessons are closed to you')
    await expect(dialog).toContainText('What you completed stays remembered (1 lesson)')
    await expect(dialog).toContainText('You can join again at any time')
    await expectNoAxeViolations(mine)
    await mine.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(button(mine, 'Leave Course')).toBeFocused()
  })

  await test.step('where an application is required, both say so', async () => {
    const require = (required: boolean) =>
      inDatabase(thunder, 'update courses set application_required = $2 where id = $1', [
        course.id,
        required,
      ])
    await require(true)
    await mine.reload()
    await hydrated(mine)
    await expect(mine.getByText('Application Required', { exact: true })).toBeVisible()
    await button(mine, 'Leave Course').click()
    await expect(dialog).toContainText(
      'You can join again if the instructor approved your application',
    )
    await button(dialog, 'Stay').click()
    await expect(dialog).toHaveCount(0)
    await require(false)
    await mine.reload()
    await hydrated(mine)
    await expect(mine.getByText('Application Required')).toHaveCount(0)
  })

  await test.step('without a connection it says so, and nothing is lost', async () => {
    await button(mine, 'Leave Course').click()
    await goOffline(mine, `/course/${course.slug}/leave`)
    await button(dialog, 'Leave Course').click()
    await expect(dialog.getByRole('alert')).toHaveText('Failed to leave course')
    await context.setOffline(false)
    const reconnect = await cutOff(mine, /\/leave\.data/)
    await button(dialog, 'Leave Course').click()
    await expect(dialog.getByRole('alert')).toHaveText('Failed to leave course')
    await reconnect()
  })

  await test.step('then the course is gone from the dashboard, and counts one less', async () => {
    await button(dialog, 'Leave Course').click()
    await expect(mine).toHaveURL(/\/dashboard\?done=left$/)
    await expect(mine.getByText('You left the course.')).toBeVisible()
    // It is news once: after a while the address is the plain one.
    await expect(mine).toHaveURL(/\/dashboard$/)
    await expect(mine.getByText('You left the course.')).toHaveCount(0)
    await expect(card(mine, 'My Courses', 'Leaving Well')).toHaveCount(0)
    await mine.goto(dashboardOf(course.slug))
    await expect(mine).toHaveURL(`/course/${course.slug}`)
    await expect(main(mine).getByRole('definition').first()).toHaveText('0')
  })

  await test.step('joining again, the completed lesson is still completed', async () => {
    await hydrated(mine)
    await button(mine, 'Join Course').click()
    await expect(mine).toHaveURL(dashboardOf(course.slug))
    await expect(mine.getByText('1 of 2 lessons completed')).toBeVisible()
  })
  await context.close()
})

test('an instructor has no way to leave, a member none to delete', async ({ page, baseURL }) => {
  const { course, learner } = await makeCourseWithMember(page, 'Roles Apart', ['One'], { baseURL })
  await page.goto(dashboardOf(course.slug))
  await expect(button(page, 'Delete')).toBeVisible()
  await expect(button(page, 'Leave Course')).toHaveCount(0)
  await page.goto(`/course/${course.slug}/leave`)
  await expect(page).toHaveURL(dashboardOf(course.slug))
  await learner.page.goto(dashboardOf(course.slug))
  await expect(button(learner.page, 'Leave Course')).toBeVisible()
  await expect(button(learner.page, 'Delete')).toHaveCount(0)
  await learner.page.goto(`/course/${course.slug}/delete`)
  await expect(learner.page).toHaveURL(dashboardOf(course.slug))
  await learner.context.close()
})

test('a creator deletes a course: what is lost, the typed title, the end', async ({
  page,
  baseURL,
}) => {
  const { course, learner } = await makeCourseWithMember(page, 'Gone Tomorrow ⚡', ['One', 'Two'], {
    baseURL,
  })
  const data = { courseId: course.id, content: 'What do you think?' }
  expect((await learner.context.request.post('/rest/v1/posts', { data })).status()).toBe(200)
  await page.setViewportSize({ width: 375, height: 800 })
  await page.goto(dashboardOf(course.slug))
  await hydrated(page)
  const dialog = page.getByRole('alertdialog', { name: 'Delete “Gone Tomorrow”?' })
  const typed = dialog.getByLabel('Type Gone Tomorrow to confirm')

  await test.step('says in numbers what is lost', async () => {
    await button(page, 'Delete').click()
    await expect(dialog.getByRole('listitem')).toHaveText([
      '2 lessons with texts and links',
      '1 post of the discussion, with comments and pictures',
      'Access, progress, notes and applications of 1 member, who will be notified',
      'Its address: links to it stop working',
    ])
    await expectNoAxeViolations(page)
    await expectNoSidewaysScrolling(page)
  })

  await test.step('another title is not enough', async () => {
    await button(dialog, 'Delete Course').click()
    await expect(dialog.getByText('Course title is required')).toBeVisible()
    await typed.fill('Gone Today')
    await typed.press('Enter')
    await expect(
      dialog.getByText('This is not the title of the course. Please type it as it is shown.'),
    ).toBeVisible()
    await expect(typed).toHaveValue('Gone Today')
  })

  await test.step('of a course that was renamed elsewhere, the title that it has by now is asked for', async () => {
    const rename = (title: string) =>
      page.request.patch(`/rest/v1/courses/${course.id}`, { data: { title } })
    expect((await rename('Gone tomorrow')).status()).toBe(200)
    await typed.fill('Gone Tomorrow')
    await typed.press('Enter')
    await expect(dialog.getByText('Gone tomorrow', { exact: true })).toBeVisible()
    expect((await rename('Gone Tomorrow')).status()).toBe(200)
    await typed.fill('Gone tomorrow')
    await typed.press('Enter')
    await expect(dialog.getByText('Gone Tomorrow', { exact: true })).toBeVisible()
  })

  await test.step('without a connection it says so', async () => {
    const reconnect = await cutOff(page, /\/delete\.data/)
    await typed.fill('Gone Tomorrow')
    await typed.press('Enter')
    await expect(dialog.getByRole('alert')).toHaveText('Failed to delete course')
    await reconnect()
  })

  await test.step('then it is gone, for everybody', async () => {
    await typed.press('Enter')
    await expect(page).toHaveURL(/\/dashboard\?done=deleted$/)
    await expect(page.getByText('The course is deleted.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'No courses yet' })).toBeVisible()
    for (const path of [`/course/${course.slug}`, dashboardOf(course.slug)]) {
      const answer = await learner.page.goto(path)
      expect(answer?.status()).toBe(404)
      await expect(learner.page.getByRole('heading', { level: 1 })).toHaveText('Course not found')
    }
    const stranger = await somebodyElse(page.context().browser()!, { baseURL })
    expect((await stranger.page.goto(`/course/${course.slug}`))?.status()).toBe(404)
    await stranger.context.close()
  })
  await learner.context.close()
})

test('leaving and deleting need no JavaScript', async ({ page, baseURL, browser }) => {
  const { course, learner } = await makeCourseWithMember(page, 'Plain Forms', ['One'], { baseURL })
  const plain = async (context: BrowserContext) => {
    const storageState = await context.storageState()
    return somebodyElse(browser, { baseURL, storageState, javaScriptEnabled: false })
  }
  const member = await plain(learner.context)
  await member.page.goto(dashboardOf(course.slug))
  await button(member.page, 'Leave Course').click()
  await expect(member.page.getByRole('heading', { level: 1 })).toHaveText('Leave “Plain Forms”?')
  await button(member.page, 'Leave Course').click()
  await expect(member.page).toHaveURL(/\/dashboard\?done=left$/)

  const creator = await plain(page.context())
  await creator.page.goto(dashboardOf(course.slug))
  await button(creator.page, 'Delete').click()
  await creator.page.getByLabel('Type Plain Forms to confirm').fill('Plain')
  await button(creator.page, 'Delete Course').click()
  await expect(creator.page.getByText('This is not the title of the course.')).toBeVisible()
  await creator.page.getByLabel('Type Plain Forms to confirm').fill('Plain Forms')
  await button(creator.page, 'Delete Course').click()
  await expect(creator.page).toHaveURL(/\/dashboard\?done=deleted$/)
  for (const { context } of [member, creator, learner]) await context.close()
})

test('the starter course is not deleted, and says why', async ({ page, thunder }) => {
  const { email } = await signedUp(page.request, 'Flo Flagship')
  const giveTo = (column: 'email' | 'username', value: string) =>
    inDatabase(
      thunder,
      `update courses set instructor_id = (select id from users where ${column} = $1)
        where slug = 'thunder-bootcamp'`,
      [value],
    )
  await giveTo('email', email)
  await page.goto('/course/thunder-bootcamp/dashboard')
  await hydrated(page)
  await button(page, 'Delete').click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText(
    'This is the starter course, which everybody who signs up joins. It cannot be deleted.',
  )
  await expect(dialog.getByRole('textbox')).toHaveCount(0)
  await button(dialog, 'Close').first().click()
  await expect(dialog).toHaveCount(0)
  // Other journeys share the server.
  await giveTo('username', 'thunder')
})

test('the description is edited where it stands', async ({ page, baseURL }) => {
  const { course, learner } = await makeCourseWithMember(page, 'Said Better', ['One'], { baseURL })
  const about = `${dashboardOf(course.slug)}?tab=about`
  await page.goto(about)
  await hydrated(page)
  const region = page.getByRole('region', { name: 'Description' })
  const editor = region.getByRole('textbox', { name: 'Course description' })
  await expect(region).toContainText('All about Said Better.')

  await test.step('the editor opens with the text, ready to type', async () => {
    await button(region, 'Edit Description').press('Enter')
    await expect(editor).toBeFocused()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.type(' And then some.')
    await expect(editor).toHaveText('All about Said Better. And then some.')
    await expectNoAxeViolations(page)
  })

  await test.step('a failure keeps what was typed', async () => {
    const reconnect = await cutOff(page, /\/rest\/v1\/courses\//)
    await button(region, 'Save').click()
    await expect(region.getByRole('alert')).toContainText(
      'Failed to save description. Please try again.',
    )
    await expect(editor).toHaveText('All about Said Better. And then some.')
    await reconnect()
  })

  await test.step('leaving, also for another tab, and Cancel ask first', async () => {
    await link(page, 'Overview').click()
    const leaving = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await button(leaving, 'Stay on this page').click()
    await button(region, 'Cancel').click()
    const discarding = page.getByRole('alertdialog', { name: 'Discard your changes?' })
    await button(discarding, 'Keep editing').click()
    await expect(editor).toHaveText('All about Said Better. And then some.')
  })

  await test.step('nothing is no description', async () => {
    await editor.press('ControlOrMeta+a')
    await page.keyboard.press('Delete')
    await button(region, 'Save').click()
    await expect(region.getByRole('alert')).toContainText('Description is required')
  })

  await test.step('saved, everybody reads it', async () => {
    await editor.click()
    await page.keyboard.type('Short and clear.')
    await button(region, 'Save').click()
    await expect(button(region, 'Edit Description')).toBeFocused()
    await expect(region).toContainText('Short and clear.')
    await expect(editor).toHaveCount(0)
    const stranger = await somebodyElse(page.context().browser()!, { baseURL })
    await stranger.page.goto(`/course/${course.slug}`)
    await expect(main(stranger.page)).toContainText('Short and clear.')
    await stranger.context.close()
  })

  await test.step('Cancel with nothing changed, and discarding', async () => {
    await button(region, 'Edit Description').click()
    await expect(editor).toBeFocused()
    await button(region, 'Cancel').click()
    await expect(editor).toHaveCount(0)
    await button(region, 'Edit Description').click()
    await expect(editor).toBeFocused()
    await page.keyboard.type('Nonsense ')
    await button(region, 'Cancel').click()
    await button(page, 'Discard changes').click()
    await expect(region).not.toContainText('Nonsense')
    await expect(region).toContainText('Short and clear.')
  })

  await test.step('members read it and edit nothing', async () => {
    await learner.page.goto(about)
    await expect(learner.page.getByRole('region', { name: 'Description' })).toContainText(
      'Short and clear.',
    )
    await expect(button(learner.page, 'Edit Description')).toHaveCount(0)
    const details = learner.page.getByRole('complementary', { name: 'Course details' })
    await expect(details.getByRole('term')).toHaveText([
      'Price',
      'Category',
      'Level',
      'Application',
    ])
    await expect(details.getByRole('definition')).toHaveText([
      'Free',
      'Tech',
      'Beginner',
      'Not Required',
    ])
    await learner.page.setViewportSize({ width: 375, height: 800 })
    await expectNoSidewaysScrolling(learner.page)
    await expectNoAxeViolations(learner.page)
  })
  await learner.context.close()
})

test('a word that is longer than a phone is wide breaks, on every page of its course', async ({
  page,
}) => {
  const word = 'Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetz'
  await page.setViewportSize({ width: 320, height: 800 })
  await signedUp(page.request, word)
  const { id, slug } = await publishedCourse(page.request, word, [`${word} 1`, `${word} 2`])
  const { chapters } = await (await page.request.get(`/rest/v1/courses/${slug}/dashboard`)).json()
  for (const path of [
    '/dashboard',
    `/course/${slug}?preview=1`,
    `/course/${slug}/reviews`,
    dashboardOf(slug),
    `${dashboardOf(slug)}?tab=about`,
    `/course/${slug}/lesson/${chapters[0].lessons[0].slug}`,
    `/create-lessons/${id}`,
    `/create-course?courseId=${id}`,
  ]) {
    await page.goto(path)
    await expectNoSidewaysScrolling(page)
    // Nor is it cut off at the edge of a card.
    const places = main(page).locator('p, h1, h2, h3, h4').filter({ hasText: word })
    for (const place of await places.all()) {
      const { x = 0, width = 0 } = (await place.boundingBox()) ?? {}
      expect(x + width, `${path}: ${await place.textContent()}`).toBeLessThanOrEqual(320)
    }
  }
})

test('the public page: the way back, its length, and what the button says', async ({
  page,
  baseURL,
  thunder,
}) => {
  const { course, learner } = await makeCourseWithMember(page, 'Open Doors', ['One', 'Two'], {
    baseURL,
  })
  await inDatabase(
    thunder,
    `update lessons set duration_minutes = case slug when 'one' then 55 else 25 end where course_id = $1`,
    [course.id],
  )
  // The page is kept by the course's version.
  await inDatabase(thunder, 'update courses set updated_at = now() where id = $1', [course.id])
  const stranger = await somebodyElse(page.context().browser()!, { baseURL })
  const { page: visitor } = stranger

  await test.step('Back goes where the visitor came from, filters and all', async () => {
    await visitor.goto('/explore?search=Open+Doors')
    await link(visitor, 'Open Doors').click()
    await expect(visitor).toHaveURL(`/course/${course.slug}`)
    await expect(main(visitor).getByText('1 h 20 min', { exact: true })).toBeVisible()
    await link(main(visitor), 'Back').click()
    await expect(visitor).toHaveURL('/explore?search=Open+Doors')
  })

  await test.step('without a page before it, Back leads to all courses', async () => {
    const direct = await somebodyElse(page.context().browser()!, { baseURL })
    await direct.page.goto(`/course/${course.slug}`)
    await link(main(direct.page), 'Back').click()
    await expect(direct.page).toHaveURL('/explore')
    await direct.context.close()
  })

  await test.step('signed in, as well', async () => {
    await signedUp(stranger.context.request, 'Sid Signed')
    await visitor.goto('/explore?search=Open+Doors')
    await hydrated(visitor)
    await link(visitor, 'Open Doors').click()
    await expect(button(visitor, 'Join Course')).toBeVisible()
    await link(main(visitor), 'Back').click()
    await expect(visitor).toHaveURL('/explore?search=Open+Doors')
  })

  await test.step('a price is named on the button, and the server refuses to give it away', async () => {
    const setPrice = (pricing: string, amount: number) =>
      inDatabase(thunder, 'update courses set pricing_type = $2, price_amount = $3 where id = $1', [
        course.id,
        pricing,
        amount,
      ])
    await setPrice('monthly', 2950)
    await visitor.goto(`/course/${course.slug}`)
    await hydrated(visitor)
    await expect(main(visitor).getByText('$29.50/month', { exact: true })).toBeVisible()
    await expect(button(visitor, 'Join for $29.50/month')).toBeVisible()
    const free = await visitor.request.post('/rest/v1/enrollments', {
      data: { courseId: course.id },
    })
    expect([free.status(), (await free.json()).code]).toEqual([402, 'PAYMENT_REQUIRED'])
    await setPrice('free', 0)
  })

  await test.step('as a draft only its instructor sees it, marked', async () => {
    const unpublished = await page.request.post(`/rest/v1/courses/${course.id}/unpublish`)
    expect(unpublished.status()).toBe(200)
    expect((await visitor.goto(`/course/${course.slug}`))?.status()).toBe(404)
    await page.goto(`/course/${course.slug}?preview=1`)
    await expect(main(page).getByText('Draft', { exact: true })).toBeVisible()
    await expect(page.getByText('Draft: only you can see this page')).toBeVisible()
    await page.setViewportSize({ width: 375, height: 800 })
    await expectNoSidewaysScrolling(page)
    await expectNoAxeViolations(page)
  })
  await stranger.context.close()
  await learner.context.close()
})

test('the dashboard leads on: to the next lesson, to nothing more, to what was made', async ({
  page,
  baseURL,
}) => {
  const { course, learner } = await makeCourseWithMember(page, 'Step by Step', ['One', 'Two'], {
    baseURL,
  })
  const { page: mine, context } = learner
  await complete(context, course.id, course.slug, 1)

  await test.step('Continue opens the first lesson that is not completed', async () => {
    await mine.goto('/dashboard')
    await hydrated(mine)
    const taken = card(mine, 'My Courses', 'Step by Step')
    await expect(taken.getByText('1 of 2 lessons')).toBeVisible()
    await expectNoAxeViolations(mine)
    await link(taken, 'Continue Step by Step: Two').click()
    await expect(mine).toHaveURL(`/course/${course.slug}/lesson/two`)
  })

  await test.step('a finished course says so, on a phone too', async () => {
    await complete(context, course.id, course.slug, 2)
    await mine.setViewportSize({ width: 375, height: 800 })
    await mine.goto('/dashboard')
    const taken = card(mine, 'My Courses', 'Step by Step')
    await expect(taken.getByText('Course Completed!')).toBeVisible()
    await expect(taken.getByRole('link', { name: /^Continue/ })).toHaveCount(0)
    await expectNoSidewaysScrolling(mine)
  })

  await test.step('what was made says whether it is published', async () => {
    await page.goto('/dashboard')
    const made = card(page, 'Courses You Created', 'Step by Step')
    await expect(made.getByText('Published', { exact: true })).toBeVisible()
    await page.request.post(`/rest/v1/courses/${course.id}/unpublish`)
    await page.reload()
    await expect(made.getByText('Draft', { exact: true })).toBeVisible()
    await expect(made.getByText('Published', { exact: true })).toHaveCount(0)
    await expectNoAxeViolations(page)
  })
  await context.close()
})

test('what is written from the right stands at the right', async ({ page, baseURL }) => {
  await signedUp(page.request, 'Cleo Creator')
  const said = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
  const item = { type: 'listItem', content: [said('פריט ראשון.')] }
  const description = {
    type: 'doc',
    content: [
      said('שלום לכולם.'),
      said('Hello everybody.'),
      { type: 'bulletList', content: [item] },
      { type: 'blockquote', content: [said('ציטוט.')] },
      { type: 'codeBlock', content: [{ type: 'text', text: '// שלום' }] },
    ],
  }
  const { id, slug } = await publishedCourse(page.request, `קורס ${Date.now()}!`)
  const saved = await page.request.patch(`/rest/v1/courses/${id}`, { data: { description } })
  expect(saved.status(), await saved.text()).toBe(200)
  const blocks = ['p', 'p', 'ul', 'blockquote', 'pre']
  /** Of each block: which way its words run, where they begin, and the room for its marker or line. */
  const lookOf = (text: Locator) =>
    text.evaluate((element) =>
      [...element.children].map((block) => {
        const range = document.createRange()
        range.selectNodeContents(document.createTreeWalker(block, NodeFilter.SHOW_TEXT).nextNode()!)
        const [words, box] = [range.getBoundingClientRect(), block.getBoundingClientRect()]
        const style = getComputedStyle(block)
        return {
          block: block.localName,
          direction: getComputedStyle(block.querySelector('p') ?? block).direction,
          room: style.direction === 'rtl' ? style.paddingRight : style.paddingLeft,
          isAtRight: box.right - words.right < words.left - box.left,
        }
      }),
    )
  const expectLook = async (text: Locator) => {
    const look = await lookOf(text)
    expect(look.map(({ block }) => block)).toEqual(blocks)
    expect(look.map(({ direction }) => direction)).toEqual(['rtl', 'ltr', 'rtl', 'rtl', 'ltr'])
    expect(look.map(({ isAtRight }) => isAtRight)).toEqual([true, false, true, true, false])
    for (const { room } of look.slice(2)) expect(Number.parseFloat(room)).toBeGreaterThan(10)
  }

  const visitor = await somebodyElse(page.context().browser()!, { baseURL })
  await visitor.page.goto(`/course/${slug}`)
  const about = visitor.page.getByRole('region', { name: 'About this course' })
  await expectLook(about.locator('.prose'))
  const heading = visitor.page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveCSS('direction', 'rtl')
  await visitor.context.close()

  await page.goto(`${dashboardOf(slug)}?tab=about`)
  await hydrated(page)
  const region = page.getByRole('region', { name: 'Description' })
  await button(region, 'Edit Description').click()
  const editor = region.getByRole('textbox', { name: 'Course description' })
  await expect(editor).toBeFocused()
  await expectLook(editor)
  await editor.getByText('Hello everybody.').click()
  await page.keyboard.press('Home')
  await page.keyboard.type('خط ')
  await expect(editor.locator('p').nth(1)).toHaveCSS('direction', 'rtl')
  await button(region, 'Save').click()
  await expect(button(region, 'Edit Description')).toBeFocused()
  const stored = await page.request.get(`/rest/v1/courses/${slug}/dashboard`)
  expect((await stored.json()).description.content).toEqual([
    description.content[0],
    said('خط Hello everybody.'),
    ...description.content.slice(2),
  ])
})
