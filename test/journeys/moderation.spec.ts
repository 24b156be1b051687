// What is wrong in a discussion: reported by members, seen by the instructor at once, decided, and told.
import type { APIRequestContext, Locator, Page } from '@playwright/test'
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
  unreadNotices,
} from './journey.ts'

const main = (page: Page) => page.getByRole('main')
const button = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true })
const casesOf = (page: Page) => page.getByRole('list', { name: 'Cases' })
const caseOf = (page: Page, text: string) => casesOf(page).locator('> li').filter({ hasText: text })
const toggle = (item: Locator) => item.getByRole('button', { name: /^Case: / })

async function sent(
  request: APIRequestContext,
  path: string,
  data: object,
): Promise<{ id: string }> {
  const answer = await request.post(`/rest/v1${path}`, { data })
  expect(answer.status(), await answer.text()).toBe(200)
  return answer.json()
}

async function noticesOf({ request }: Page): Promise<{ title: string; message: string }[]> {
  const { notifications } = await (await request.get('/rest/v1/notifications')).json()
  return notifications
}

/** Opens the question, writes the note, and says yes; the server has done it. */
async function decide(page: Page, item: Locator, name: string, confirm = name, note = '') {
  await button(item, name).click()
  const question = page.getByRole('alertdialog')
  if (note !== '') await question.getByRole('textbox').fill(note)
  await button(question, confirm).click()
  await expect(question).toBeHidden()
}

/** The only comment of the only post, in the dialog of its comments. */
async function reportComment(page: Page) {
  await button(page, '1 comment').click()
  await button(page, 'Options of the comment by Ben Seller').focus()
  await page.keyboard.press('Enter')
  await button(page, 'Report Comment').press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Report Comment' })
  await dialog.getByRole('radio', { name: 'Harassment or bullying' }).check()
  await button(dialog, 'Send Report').click()
  await page.getByRole('dialog', { name: 'Report sent' }).getByText('Thank you.').waitFor()
  await page.keyboard.press('Escape')
  await expect(button(page, 'Options of the comment by Ben Seller')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

test('what is reported is looked at, decided and told', async ({
  page,
  browser,
  baseURL,
  thunder,
}) => {
  const complaints = complaintsOf(page)
  const ida = await signedUp(page.request, 'Ida Structor')
  const course = await publishedCourse(page.request, `Moderated ${ida.email}`)
  const phone = { baseURL, viewport: { width: 375, height: 812 }, hasTouch: true }
  const [ann, ben, cal] = await Promise.all([
    somebodyElse(browser, phone),
    somebodyElse(browser, { baseURL }),
    somebodyElse(browser, { baseURL }),
  ])
  for (const [person, name] of [
    [ann, 'Ann Reader'],
    [ben, 'Ben Seller'],
    [cal, 'Cal Reader'],
  ] as const) {
    await signedUp(person.page.request, name)
    await sent(person.page.request, '/enrollments', { courseId: course.id })
  }
  const post = (person: Page, content: string) =>
    sent(person.request, '/posts', { courseId: course.id, content })
  const report = (person: Page, subject: object, reason = 'spam') =>
    sent(person.request, '/reports', { ...subject, reason })
  const queue = `/course/${course.slug}/moderation`
  const discussion = `/course/${course.slug}/dashboard?tab=discussion`

  const pills = await sent(ben.page.request, '/posts', {
    courseId: course.id,
    content: 'Buy my wonderful pills',
    attachments: [{ url: 'https://youtu.be/dQw4w9WgXcQ' }],
  })
  const rude = await sent(ben.page.request, '/comments', {
    postId: pills.id,
    content: 'Only fools do not',
  })

  await test.step('there is nothing to look at, in words', async () => {
    await page.goto(queue)
    await hydrated(page)
    await expect(page.getByRole('heading', { name: 'Nothing to look at' })).toBeVisible()
    await page.getByRole('navigation', { name: 'Cases' }).getByText('Closed').click()
    await expect(page.getByRole('heading', { name: 'No closed cases' })).toBeVisible()
    await page.getByRole('navigation', { name: 'Cases' }).getByText('Open').click()
    await expect(page.getByRole('heading', { name: 'Nothing to look at' })).toBeVisible()
  })

  await test.step('a member reports a post on a phone', async () => {
    await ann.page.goto(discussion)
    await hydrated(ann.page)
    const menu = button(ann.page, 'Options of the post by Ben Seller')
    const openReport = async () => {
      await menu.focus()
      await ann.page.keyboard.press('Enter')
      await button(ann.page, 'Report Post').press('Enter')
    }
    await openReport()
    const dialog = ann.page.getByRole('dialog')
    await expect(dialog).toHaveAccessibleName('Report Post')
    await button(dialog, 'Send Report').click()
    await expect(dialog.getByText('Please choose a reason')).toBeVisible()
    await expect(dialog.getByRole('radio').first()).toBeFocused()
    await expectNoAxeViolations(ann.page)
    await expectNoSidewaysScrolling(ann.page)
    await dialog.getByRole('radio', { name: 'Spam or advertising' }).check()
    await dialog.getByLabel('Note').fill('He sells everywhere.')
    const calls = '**/rest/v1/reports'
    await ann.page.route(calls, (route) => route.abort())
    await button(dialog, 'Send Report').click()
    await expect(dialog.getByRole('alert')).toHaveText('Failed to send report. Please try again.')
    await ann.page.unroute(calls)
    await button(dialog, 'Send Report').click()
    await expect(
      dialog.getByText('Thank you. The instructor will look at it.', { exact: true }),
    ).toBeVisible()
    await expect(button(dialog, 'Close').first()).toBeFocused()
    await ann.page.keyboard.press('Enter')
    await expect(dialog).toBeHidden()
    await expect(menu).toBeFocused()

    await openReport()
    await dialog.getByRole('radio', { name: 'Something else' }).check()
    await button(dialog, 'Send Report').click()
    await expect(dialog.getByText('You have reported this already, thank you.')).toBeVisible()
    await ann.page.keyboard.press('Escape')
  })

  const first = caseOf(page, 'Post by Ben Seller')
  await test.step('the instructor sees it without a reload, and another report joins it', async () => {
    await expect(first).toContainText('1 report')
    await expect(first).toContainText('Buy my wonderful pills')
    await toggle(first).click()
    await expect(first).toContainText('He sells everywhere.')
    await expect(first.getByText('Play video from YouTube')).toBeVisible()
    await expect(first).toContainText('Ann Reader')
    await button(first, 'Warn').click()
    const question = page.getByRole('alertdialog', { name: 'Warn the author?' })
    await question.getByLabel('Note to the author').fill('Please do not')
    await report(cal.page, { postId: pills.id }, 'dangerous')
    await reportComment(ann.page)
    await report(cal.page, { commentId: rude.id }, 'harassment')
    // What is new waits while something is read, and nothing that was typed is lost.
    await expect(page.getByText('Show 1 new case', { exact: true })).toBeAttached()
    await expect(first.getByText('2 reports', { exact: true })).toBeAttached()
    await expect(first).toContainText('Cal Reader')
    await expect(question.getByLabel('Note to the author')).toHaveValue('Please do not')
    await button(question, 'Cancel').click()
    await expect(casesOf(page).locator('> li')).toHaveCount(1)
    await button(page, 'Show 1 new case').click()
    const second = caseOf(page, 'Comment by Ben Seller')
    await expect(second).toContainText('2 reports')
    await expect(second).toContainText('Harassment or bullying × 2')
  })

  await test.step('the notice leads to the case', async () => {
    const bell = page.getByRole('banner').getByRole('button', { name: /^Notifications/ })
    await bell.click()
    await page
      .getByRole('dialog', { name: 'Notifications' })
      .getByRole('link', { name: /post was reported/ })
      .press('Enter')
    await expect(page).toHaveURL(/moderation\?status=open&case=/)
    await expect(toggle(first)).toHaveAttribute('aria-expanded', 'true')
    await expect(first.getByRole('link', { name: 'View in discussion' })).toHaveAttribute(
      'href',
      `${discussion}&post=${pills.id}`,
    )
  })

  await test.step('all of it is for everybody: axe, on a phone as well', async () => {
    const { width, height } = page.viewportSize()!
    await expect(first.getByRole('heading', { name: 'History' })).toBeVisible()
    for (const size of [375, 1280]) {
      await page.setViewportSize({ width: size, height: 812 })
      await expectNoAxeViolations(page)
      await expectNoSidewaysScrolling(page)
    }
    await page.setViewportSize({ width, height })
  })

  await test.step('a note is needed where one is asked for, and stays with the case', async () => {
    await button(first, 'Add Note').click()
    const question = page.getByRole('alertdialog', { name: 'Add a note' })
    await button(question, 'Save Note').click()
    await expect(question.getByText('Please write a note', { exact: true })).toBeVisible()
    await question.getByLabel('Note').fill('Second time this week')
    await button(question, 'Save Note').click()
    await expect(question).toBeHidden()
    await expect(toggle(first)).toBeFocused()
    await expect(first).toContainText('Second time this week')
    await expect(first.getByText('Open', { exact: true })).toBeVisible()
  })

  await test.step('what is hidden is gone for everybody at once, and comes back when restored', async () => {
    const shown = main(ann.page).getByText('Buy my wonderful pills')
    await expect(shown).toBeVisible()
    await decide(page, first, 'Hide', 'Hide', 'No advertising here, please')
    await expect(first.getByText('Hidden', { exact: true }).first()).toBeVisible()
    await expect(first.getByText('Play video from YouTube')).toBeVisible()
    await expect(shown).toHaveCount(0)
    expect(JSON.stringify(await noticesOf(ben.page))).toContain('No advertising here, please')
    expect(JSON.stringify(await noticesOf(ann.page))).toContain('what you reported')
    await expect(button(first, 'Dismiss')).toHaveCount(0)
    const linked = await page.context().newPage()
    await linked.goto(`${discussion}&post=${pills.id}`)
    await hydrated(linked)
    const dialog = linked.getByRole('dialog', { name: 'Comments' })
    await expect(dialog.getByText(/^A moderator has hidden this post\./)).toBeVisible()
    await expect(dialog.getByRole('button', { name: /^Like this post/ })).toBeDisabled()
    await expect(dialog.getByRole('textbox')).toHaveCount(0)
    await button(dialog, 'Options of the post by Ben Seller').click()
    await expect(button(dialog, 'Delete Post')).toBeVisible()
    for (const name of ['Pin Post', 'Report Post']) {
      await expect(button(dialog, name)).toHaveCount(0)
    }
    await linked.close()
    await decide(page, first, 'Restore')
    await expect(first.getByText('Restored', { exact: true }).first()).toBeVisible()
    await ann.page.reload()
    await expect(shown).toBeVisible()
  })

  await test.step('a comment is deleted', async () => {
    await page.goto(queue)
    await hydrated(page)
    const second = caseOf(page, 'Comment by Ben Seller')
    const reading = '**/rest/v1/moderation-cases/*'
    await page.route(reading, (route) => route.abort())
    await toggle(second).click()
    await expect(second.getByText('This case could not be loaded')).toBeVisible()
    await page.unroute(reading)
    // Pressed where it is: news may bring the case by itself just then.
    await button(second, 'Try again').evaluateAll((found: HTMLElement[]) =>
      found.forEach((one) => one.click()),
    )
    await button(second, 'Delete').click()
    await expect(
      page.getByRole('alertdialog', { name: 'Are you sure you want to delete this comment?' }),
    ).toBeVisible()
    await button(page.getByRole('alertdialog'), 'Delete').click()
    await expect(second.getByText('Deleted', { exact: true }).first()).toBeVisible()
    const { threads } = await (await page.request.get(`/rest/v1/posts/${pills.id}/comments`)).json()
    expect(threads).toEqual([])
    await page.getByRole('navigation', { name: 'Cases' }).getByText('Closed').click()
    await expect(casesOf(page).locator('> li')).toHaveCount(2)
  })

  await test.step('what its author deleted meanwhile is said, and the case is read again', async () => {
    const brief = await post(ben.page, 'Pills, for a moment')
    await report(ann.page, { postId: brief.id })
    await page.getByRole('navigation', { name: 'Cases' }).getByText('Open').click()
    const item = caseOf(page, 'for a moment')
    await toggle(item).click()
    await button(item, 'Hide').click()
    const question = page.getByRole('alertdialog')
    await question.getByRole('textbox').fill('Not here')
    const deleted = await ben.page.request.delete(`/rest/v1/posts/${brief.id}`)
    expect(deleted.status()).toBe(200)
    await button(question, 'Hide').click()
    await expect(question.getByRole('alert')).toContainText('It was deleted already.')
    await expect(question.getByRole('textbox')).toHaveValue('Not here')
    await page.keyboard.press('Escape')
    await expect(button(item, 'Hide')).toHaveCount(0)
    await decide(page, item, 'Dismiss')
    await page.getByRole('navigation', { name: 'Cases' }).getByText('Closed').click()
  })

  await test.step('who moderates elsewhere is first: the case says so, and is read again', async () => {
    const again = await post(ben.page, 'Pills, half the price')
    await report(ann.page, { postId: again.id })
    await page.getByRole('navigation', { name: 'Cases' }).getByText('Open').click()
    const item = caseOf(page, 'half the price')
    const elsewhere = await page.context().newPage()
    await elsewhere.goto(queue)
    await hydrated(elsewhere)
    const theirs = caseOf(elsewhere, 'half the price')
    await toggle(theirs).click()
    await button(theirs, 'Hide').click()
    await toggle(item).click()
    await decide(page, item, 'Warn', 'Send Warning', 'This is the last time')
    await expect(item.getByText('Author warned', { exact: true }).first()).toBeVisible()
    expect(JSON.stringify(await noticesOf(ben.page))).toContain('This is the last time')
    await button(elsewhere.getByRole('alertdialog'), 'Hide').click()
    await expect(theirs.getByRole('alert')).toHaveText('Somebody has decided this case already.')
    await expect(theirs.getByText('Author warned', { exact: true }).first()).toBeVisible()
    await expect(button(theirs, 'Hide')).toHaveCount(0)
    await elsewhere.close()
  })

  await test.step('a report is dismissed, and who reported is told', async () => {
    const harmless = await post(cal.page, 'I like bread')
    await report(ann.page, { postId: harmless.id }, 'other')
    const before = (await noticesOf(ann.page)).length
    await button(page, 'Show 1 new case').click()
    const item = caseOf(page, 'I like bread')
    await toggle(item).click()
    await decide(page, item, 'Dismiss')
    await expect(item.getByText('Dismissed', { exact: true }).first()).toBeVisible()
    expect((await noticesOf(ann.page)).length).toBe(before + 1)
    await toggle(item).click()
  })

  await test.step('a member who is removed is led away', async () => {
    const worst = await post(ben.page, 'Pills for children')
    await report(cal.page, { postId: worst.id }, 'dangerous')
    await ben.page.goto(discussion)
    await hydrated(ben.page)
    const item = caseOf(page, 'Pills for children')
    await toggle(item).click()
    await button(item, 'Remove Member').click()
    await expect(page.getByRole('alertdialog', { name: 'Remove Ben Seller?' })).toBeVisible()
    await button(page.getByRole('alertdialog'), 'Remove Member').click()
    await expect(item.getByText('Member removed', { exact: true }).first()).toBeVisible()
    await expect(ben.page).not.toHaveURL(/dashboard\?tab=discussion/)
  })

  await test.step('the rules of the community are kept, and obeyed', async () => {
    await page.getByRole('navigation', { name: 'Cases' }).getByText('Settings').click()
    const words = page.getByLabel('Blocked words')
    await words.fill('Pills\n\n  lottery \npills')
    await page.getByRole('checkbox', { name: /Limit the links/ }).check()
    await page.getByLabel('First posts and comments').fill('200')
    await button(page, 'Save Settings').click()
    await expect(page.getByText('At most the first 20 posts can be limited')).toBeVisible()
    await expect(page.getByLabel('First posts and comments')).toBeFocused()
    await page.getByLabel('First posts and comments').fill('5')
    await expect(page.getByText('At most the first 20 posts can be limited')).toHaveCount(0)
    await page.getByLabel('Links in each of them').fill('1')
    await expectNoAxeViolations(page)
    await button(page, 'Save Settings').click()
    await expect(page.getByText('The settings are saved.')).toBeVisible()
    await expect(words).toHaveValue('pills\nlottery')
    await page.reload()
    await expect(words).toHaveValue('pills\nlottery')
    await expect(page.getByLabel('First posts and comments')).toHaveValue('5')

    const refused = async (content: string) => {
      const answer = await cal.page.request.post('/rest/v1/posts', {
        data: { courseId: course.id, content },
      })
      expect(answer.ok()).toBe(false)
      return (await answer.json()).message
    }
    expect(await refused('Win the LOTTERY today')).toContain('“lottery”')
    expect(await refused('https://a.example and https://b.example')).toContain('at most 1 link')
    await post(page, 'The instructor plays the lottery')
  })

  await test.step('administrators decide about the instructor, and about everything else', async () => {
    const own = await post(page, 'The instructor is rude')
    const told = await cal.page.request.post('/rest/v1/reports', {
      data: { postId: own.id, reason: 'hate' },
    })
    expect((await told.json()).lookedAtBy).toBe('administrators')
    await page.goto(queue)
    await expect(page.getByRole('heading', { name: 'Nothing to look at' })).toBeVisible()

    const root = await somebodyElse(browser, { baseURL })
    const admin = await signedUp(root.page.request, 'Root Admin')
    await root.page.goto('/moderation')
    await expect(root.page.getByRole('heading', { name: 'For administrators only' })).toBeVisible()
    await button(root.page, 'Account menu').click()
    await expect(root.page.getByRole('link', { name: 'Settings' })).toBeVisible()
    await expect(root.page.getByRole('link', { name: 'Administration' })).toHaveCount(0)
    await inDatabase(thunder, "update users set role = 'admin' where email = $1", [admin.email])
    const news = 'Reports wait for administrators'
    await inDatabase(
      thunder,
      `insert into notifications (user_id, kind, title, message, type, href)
       select id, 'content_reported', $2, 'Please have a look.', 'info', '/moderation' from users
        where email = $1`,
      [admin.email, news],
    )
    await root.page.goto('/dashboard')
    await hydrated(root.page)
    await button(root.page, 'Account menu').click()
    await root.page.getByRole('link', { name: 'Administration' }).press('Enter')
    await root.page.getByRole('link', { name: 'Reports', exact: true }).click()
    await expect(root.page).toHaveURL('/moderation')
    // So that the next ones are told of, too.
    await expect.poll(() => unreadNotices(root.page)).not.toContain(news)
    const item = caseOf(root.page, 'The instructor is rude')
    await expect(item).toContainText('By the instructor')
    await expect(item).toContainText(`Moderated ${ida.email}`)
    await toggle(item).click()
    await expect(button(item, 'Remove Member')).toHaveCount(0)
    await decide(root.page, item, 'Delete')
    await expect(item.getByText('Deleted', { exact: true }).first()).toBeVisible()
    await root.page.goto(`${queue}?status=closed`)
    await expect(caseOf(root.page, 'The instructor is rude')).toBeVisible()
    await root.context.close()
  })

  await test.step('many cases come twenty at a time', async () => {
    const many = `
      insert into moderation_cases (course_id, subject, content, reports_count, created_at)
      select $1, 'post', 'Old case ' || n, 1, now() - n * interval '1 day' from generate_series(1, 25) n`
    await inDatabase(thunder, many, [course.id])
    await page.goto(queue)
    await hydrated(page)
    await expect(casesOf(page).locator('> li')).toHaveCount(20)
    await button(page, 'Load More').click()
    await expect(casesOf(page).locator('> li')).toHaveCount(25)
    await expect(button(page, 'Load More')).toHaveCount(0)
  })

  await test.step('it is nobody else’s business', async () => {
    await cal.page.goto(queue)
    await expect(cal.page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  })

  expect(complaints).toEqual([])
  await Promise.all([ann, ben, cal].map(({ context }) => context.close()))
})

test('without JavaScript cases are read, and what needs it is said rather than shown', async ({
  page,
  browser,
  baseURL,
}) => {
  await signedUp(page.request, 'Ida Structor')
  const course = await publishedCourse(page.request, 'Moderated without scripts')
  const [ann, ben] = await Promise.all([
    somebodyElse(browser, { baseURL }),
    somebodyElse(browser, { baseURL }),
  ])
  for (const { page: member } of [ann, ben]) {
    await signedUp(member.request, 'Mel Member')
    await sent(member.request, '/enrollments', { courseId: course.id })
  }
  const { id: postId } = await sent(ben.page.request, '/posts', {
    courseId: course.id,
    content: 'Buy my wonderful pills',
  })
  await sent(ann.page.request, '/reports', { postId, reason: 'spam' })
  const plain = await somebodyElse(browser, {
    baseURL,
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  })
  await plain.page.goto(`/course/${course.slug}/moderation`)
  await expect(caseOf(plain.page, 'Buy my wonderful pills')).toContainText('1 report')
  // Playwright does not read the text in it.
  const note = plain.page.locator('noscript [role=status]')
  await expect(note).toBeVisible()
  expect(await note.allTextContents()).toEqual([
    'Opening a case and deciding about it need JavaScript.',
  ])
  await expect(plain.page.locator('[id$=-toggle]')).toBeHidden()
  await Promise.all([ann, ben, plain].map(({ context }) => context.close()))
})
